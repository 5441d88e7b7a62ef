# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Say how a release was built: an in-toto statement with the provenance predicate of SLSA.

Everything in it holds for whoever builds the same commit with the same tools: no paths, no names of machines or people,
no time but that of the commit. Standard library only.
"""

from __future__ import annotations

import hashlib
import platform
import typing as t
from pathlib import Path

import reproducible

STATEMENT = "https://in-toto.io/Statement/v1"
PREDICATE = "https://slsa.dev/provenance/v1"


class Source(t.NamedTuple):
    """What a release is built from."""

    repository: str
    """Address of the repository, as galaxy.yml has it."""
    commit: str
    epoch: int
    """Time of the commit, in seconds since 1970."""
    version: str
    rehearsal: bool
    """Whether version and changelog of the release are not in the commit, but were written for this build alone."""


def statement(
    source: Source,
    subjects: t.Sequence[Path],
    pins: t.Mapping[str, bytes],
    tools: t.Mapping[str, str],
    builder: str = "",
) -> t.Dict[str, t.Any]:
    """Return the statement about ``subjects``.

    ``pins`` are the files that hold the versions of the tools, ``tools`` the versions of those that wrote the subjects;
    ``builder`` is the address of who answers for the build, by default that of ``make release`` in the repository.
    """
    commit = {"uri": f"git+{source.repository}@{source.commit}", "digest": {"gitCommit": source.commit}}
    files = [{"name": name, "digest": {"sha256": sha256(content)}} for name, content in sorted(pins.items())]
    packages = [{"uri": f"pkg:pypi/{name}@{version}"} for name, version in sorted(tools.items())]
    definition = {
        "buildType": f"{source.repository}/make-release/v1",
        "externalParameters": {"version": source.version, "commit": source.commit},
        "internalParameters": {
            "SOURCE_DATE_EPOCH": source.epoch,
            "compression": reproducible.FORMAT,
            "rehearsal": source.rehearsal,
        },
        "resolvedDependencies": [commit, *files, *packages],
    }
    maker = {"id": builder or f"{source.repository}/make-release", "version": {"python": platform.python_version()}}
    return {
        "_type": STATEMENT,
        "subject": [{"name": path.name, "digest": {"sha256": sha256(path.read_bytes())}} for path in subjects],
        "predicateType": PREDICATE,
        "predicate": {"buildDefinition": definition, "runDetails": {"builder": maker}},
    }


def sha256(content: bytes) -> str:
    """Return the digest in hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()
