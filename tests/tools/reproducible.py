# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Make the archive of a collection reproducible: the same content gives the same bytes, whoever builds it and when.

``ansible-galaxy collection build`` lists files in the order of the file system and writes the time of the build into
the archive. Here the list is sorted, the manifest gets the checksum of the sorted list, and every time in the archive
is the one given. Standard library only.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import tarfile
import typing as t
import zlib
from pathlib import Path

FILES = "FILES.json"
MANIFEST = "MANIFEST.json"
LEVEL = 9
FORMAT = f"gzip level {LEVEL}, zlib {zlib.ZLIB_RUNTIME_VERSION}"
"""What the bytes of the archive depend on besides its content; another zlib may compress differently."""


def contents(archive: Path) -> t.Dict[str, bytes]:
    """Return the files of an archive by their names."""
    with tarfile.open(archive, "r:gz") as tar:
        return {member.name: _content(tar, member) for member in tar.getmembers() if member.isfile()}


def normalise(archive: Path, epoch: int) -> None:
    """Write an archive anew, with all times at ``epoch`` (seconds since 1970, usually ``SOURCE_DATE_EPOCH``)."""
    with tarfile.open(archive, "r:gz") as tar:
        members = {member.name: (member, _content(tar, member)) for member in tar.getmembers()}
    listed = json.loads(members[FILES][1])
    listed["files"].sort(key=lambda entry: entry["name"])
    files = _json(listed)
    manifest = json.loads(members[MANIFEST][1])
    manifest["file_manifest_file"]["chksum_sha256"] = hashlib.sha256(files).hexdigest()
    members[FILES] = members[FILES][0], files
    members[MANIFEST] = members[MANIFEST][0], _json(manifest)
    first = [MANIFEST, FILES]  # where ansible-galaxy has them
    with (
        archive.open("wb") as raw,
        gzip.GzipFile("", "wb", LEVEL, raw, mtime=epoch) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar,
    ):
        for name in [*first, *sorted(set(members) - set(first))]:
            member, content = members[name]
            tar.addfile(_plain(member, len(content), epoch), io.BytesIO(content))


def _plain(member: tarfile.TarInfo, size: int, epoch: int) -> tarfile.TarInfo:
    """Return a member without owner and time of its own; of its mode, whether it is executable stays."""
    plain = tarfile.TarInfo(member.name)
    plain.type, plain.linkname, plain.size, plain.mtime = member.type, member.linkname, size, epoch
    plain.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
    return plain


def _content(tar: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    stream = tar.extractfile(member) if member.isfile() else None
    return stream.read() if stream else b""


def _json(value: t.Any) -> bytes:
    return json.dumps(value, indent=1).encode()
