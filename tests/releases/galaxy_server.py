# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A Galaxy server with one collection, which believes whoever writes its files: it gives an archive as it is now."""

from __future__ import annotations

import contextlib
import hashlib
import http.server
import json
import threading
import typing as t
from pathlib import Path

COLLECTION = "/api/v3/collections/fcd/cloud/"


@contextlib.contextmanager
def serving(archive: Path, version: str) -> t.Iterator[str]:
    """Serve an archive as a version of fcd.cloud; yields the address for ``ANSIBLE_GALAXY_SERVER``."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = self.path.partition("?")[0]
            answer = archive.read_bytes() if path == f"/{archive.name}" else self._described(path)
            self.send_response(200 if answer else 404)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def _described(self, path: str) -> bytes:
            address = f"http://{self.headers['Host']}"
            one = {
                "namespace": {"name": "fcd"},
                "collection": {"name": "cloud"},
                "version": version,
                "href": f"{COLLECTION}versions/{version}/",
                "download_url": f"{address}/{archive.name}",
                "artifact": {"sha256": hashlib.sha256(archive.read_bytes()).hexdigest()},
                "metadata": {"dependencies": {}},
                "requires_ansible": ">=2.19.0",
                "signatures": [],
            }
            answers = {
                "/api/": {"available_versions": {"v3": "v3/"}},
                COLLECTION: {"highest_version": one, "updated_at": "2026-11-01T12:00:00Z"},
                f"{COLLECTION}versions/": {"meta": {"count": 1}, "links": {"next": None}, "data": [one]},
                f"{COLLECTION}versions/{version}/": one,
            }
            return json.dumps(answers[path]).encode() if path in answers else b""

        def log_message(self, *arguments: t.Any) -> None:
            """Write nothing."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/api/"
        finally:
            server.shutdown()
            thread.join()
