# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Secrets of a whole site kept out of what is told of it: there may be thousands, and hardly ever one in a text."""

from __future__ import annotations

import json
import typing as t

from ..._core.redaction import Redactor

Value = t.TypeVar("Value")


def hidden(redactor: Redactor, value: Value) -> Value:
    """Return plain data with all secrets hidden.

    Each secret is looked for once in all of it; only those that are there are looked for text by text.
    """
    whole = json.dumps(value, ensure_ascii=False, default=str)
    there = [secret for secret in redactor.secrets if _as_json(secret) in whole]
    return t.cast("Value", Redactor(there).value(value)) if there else value


def _as_json(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]
