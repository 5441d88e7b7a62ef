# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The secrets that the services generate; a test can find them anywhere by their mark."""

from __future__ import annotations

from sandbox.seed import Credentials

_mark = ""


def mark_as(credentials: Credentials) -> None:
    """From now on, begin with the credentials' mark, in which the kind stands for ``{}``."""
    global _mark  # noqa: PLW0603 (one process is one sandbox)
    _mark = credentials.issued_mark


def marked(kind: str, secret: str) -> str:
    """Return the secret behind the mark of its kind, or as it is where there is none."""
    return _mark.replace("{}", kind) + secret
