# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The modules of the SOAP contract as ordinary modules."""

from __future__ import annotations

import typing as t

from sandbox.process import SandboxProcess

from integration import ordinary_modules


def test_every_outcome_of_each_module(play: t.Callable[..., str], sandbox: SandboxProcess) -> None:
    ordinary_modules.run(play, sandbox, ordinary_modules.tasks("soap"))
