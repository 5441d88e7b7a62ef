# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A folder to sync with a container of the sandbox's Swift."""

from __future__ import annotations

import http.client
import os
import pathlib
import ssl
import typing as t
from urllib.parse import quote, urlsplit

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._object_storage import checksum_cache
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.sync import OPERATION
from ansible_collections.fcd.cloud.tests.unit.plugins.module_utils.object_storage.conftest import Bench

OLD = 1_600_000_000  # seconds since 1970: a file that is this old is not just being written


class Shelf:
    """A folder and the container ``c``."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.root = bench.folder / "root"
        self.root.mkdir()

    def write(self, **files: str | bytes) -> None:
        """Write files by relative names; ``a__b`` is a/b."""
        for name, content in files.items():
            self.put(name.replace("__", "/"), content)

    def put(self, name: str, content: str | bytes = "content") -> pathlib.Path:
        """Write one file, as if long ago."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        os.utime(path, (OLD, OLD))
        return path

    def sync(self, mode: str = "push", **params: t.Any) -> dict[str, t.Any]:
        """Run the operation, with the folder unless it is a copy."""
        path = {} if mode == "copy" else {"path": str(self.root)}
        return self.bench.run(OPERATION, mode=mode, **{"container": "c", **path, **params})

    def store(self, name: str, content: str = "x", container: str = "c", **headers: str) -> None:
        """Make an object past the collection, whatever its name; ``Content_Type`` is a header."""
        known, base = self.bench.info["credentials"], urlsplit(self.bench.info["storage_base"])
        trust = ssl.create_default_context(cafile=self.bench.info["ca_path"])
        connection = http.client.HTTPSConnection(str(base.hostname), base.port, context=trust)
        own = {"X-Auth-User": known["storage_user"], "X-Auth-Key": known["storage_key"]}
        connection.request("GET", "/auth/v1.0", headers=own)
        answer = connection.getresponse()
        answer.read()
        path = f"{urlsplit(answer.headers['X-Storage-Url']).path}/{container}/{quote(name)}"
        sent = {key.replace("_", "-"): value for key, value in headers.items()}
        connection.request("PUT", path, content.encode(), {"X-Auth-Token": answer.headers["X-Storage-Token"], **sent})
        assert connection.getresponse().status == 201
        connection.close()

    def objects(self, container: str = "c") -> list[str]:
        """All names in the container."""
        names: list[str] = []
        while True:
            marker = names[-1] if names else ""
            page = self.bench.raw("GET", f"/{container}?format=json&marker={quote(marker, safe='')}").json()
            if not page:
                return names
            names += [entry["name"] for entry in page]

    def files(self) -> dict[str, str]:
        """All files with their contents."""
        found = [path for path in self.root.rglob("*") if path.is_file()]
        return {str(path.relative_to(self.root)): path.read_text() for path in found}


def actions(result: t.Mapping[str, t.Any]) -> dict[str, str]:
    """Return what was done by name."""
    return {entry["name"]: entry["action"] for entry in result["objects"]}


@pytest.fixture
def trusting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that were written just now may be in the cache too."""
    monkeypatch.setattr(checksum_cache, "MIN_FILE_AGE_NS", 0)


@pytest.fixture
def shelf(filled: Bench) -> Shelf:
    return Shelf(filled)
