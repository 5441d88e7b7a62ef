# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Secrets in what is left of a job."""

from __future__ import annotations

import typing as t
from pathlib import Path

from chaos import canaries

from awx.jobs import Ended, of_worker


def require_no_secret(job: Ended) -> None:
    """Look for the odd words in all that is left of a job but the files of its credential."""
    secrets = [value for name, value in canaries.CREDENTIALS.items() if name in canaries.WORDS]
    pieces = {piece for secret in secrets for piece in canaries.spellings(secret)}
    for file in _files(job.folder):
        content = file.read_bytes()
        assert not [piece for piece in pieces if piece in content], file


def _files(folder: Path) -> t.Iterator[Path]:
    """Yield what ansible-runner wrote, the variables of the job among it, and what is in the project then."""
    there = of_worker(folder) if of_worker(folder).exists() else folder
    assert (there / "artifacts" / "job" / "command").is_file()
    for place in (folder / "artifacts", there / "artifacts", there / "project"):
        yield from (path for path in place.rglob("*") if path.is_file())
