# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What one large object costs, up and down, beside peers in the same run.

    python bench/storage_large.py [--mebibytes 1024] [--rounds 3] [--peer-rounds 1] [--segment MEBIBYTES]

The floor (storage_floor.py) and ours check the MD5 of what was moved, curl checks nothing. Objects and files are
removed after each turn, for fresh memory costs the server more time than the transfer. With ``--segment`` ours is also
sent in segments of that size. Goals are printed; nothing fails on a wall clock.
"""

from __future__ import annotations

import argparse
import os
import typing as t

from storage_clients import (
    Clients,
    Command,
    Took,
    floor,
    goal,
    middle,
    ours,
    rclone,
    started,
    swift,
    table,
    tell_missing,
)
from storage_floor import BLOCK

Turns = t.Dict[str, t.List[Took]]
CURL = """token=$(curl -sS --cacert "$FCD_CA_PATH" -D - -o /dev/null -H "X-Auth-User: $FCD_STORAGE_USER" \
 -H "X-Auth-Key: $FCD_STORAGE_KEY" "$FCD_STORAGE_BASE/auth/v1.0" | tr -d '\\r')
url=$(echo "$token" | sed -n 's/^X-Storage-Url: //p'); token=$(echo "$token" | sed -n 's/^X-Storage-Token: //p')
exec curl -sSf --cacert "$FCD_CA_PATH" -H "X-Auth-Token: $token" -H 'Expect:' "$url/$0" "$@" """
CONTAINER = "large"


class Large:
    """A large file, and what each client does with it."""

    def __init__(self, clients: Clients, given: argparse.Namespace) -> None:
        """Make the file."""
        self.clients = clients
        self.given = given
        self.file = clients.work / "large.bin"
        self.target = clients.work / "back" / "large.bin"
        self.target.parent.mkdir()
        block = os.urandom(BLOCK)
        with self.file.open("wb") as handle:
            for number in range(given.mebibytes):
                handle.write(number.to_bytes(8, "big") + block[8:])
        clients.container(CONTAINER)

    def up(self) -> dict[str, Command]:
        """Return what sends the file."""
        name = self.file.name
        one = {"container": CONTAINER, "src": str(self.file)}
        found = {
            "floor": floor("put", self.file, f"{CONTAINER}/floor"),
            "ours": ours("storage_object", **one, name="ours"),
            "curl": ["sh", "-c", CURL, f"{CONTAINER}/curl", "-T", str(self.file)],
            "rclone": rclone("copyto", str(self.file), f"box:{CONTAINER}/rclone"),
            "swift": swift("upload", "--object-name", "swift", CONTAINER, name),
        }
        if self.given.segment:
            segments = {"segment_threshold": BLOCK, "segment_size": self.given.segment * BLOCK}
            found["ours, segments"] = ours("storage_object", **one, name="segments", **segments)
        return found

    def down(self) -> dict[str, Command]:
        """Return what receives the file."""
        path = str(self.target)
        return {
            "floor": floor("get", self.target, f"{CONTAINER}/floor"),
            "ours": ours("storage_object_download", container=CONTAINER, name="floor", dest=path),
            "curl": ["sh", "-c", CURL, f"{CONTAINER}/floor", "-o", path],
            "rclone": rclone("copyto", f"box:{CONTAINER}/floor", path),
            "swift": swift("download", "--output", path, CONTAINER, "floor"),
        }

    def turns(self, commands: dict[str, Command], after: t.Callable[[str], None]) -> Turns:
        """Run all clients that are there, in another order each round; peers not in all rounds."""
        turns: Turns = {}
        for number in range(self.given.rounds):
            for name in sorted(commands, reverse=bool(number % 2)):
                rounds = self.given.rounds if name in ("floor", "ours", "curl") else self.given.peer_rounds
                if commands[name] and number < rounds:
                    turns.setdefault(name, []).append(self.clients.took(commands[name], self.file.parent))
                    after(name)
        return turns

    def forget(self, name: str) -> None:
        """Remove the object that a client has sent."""
        kept = {"ours, segments": "segments"}.get(name, name)
        query = "?multipart-manifest=delete" if kept in ("segments", "swift") else ""
        self.clients.ask("DELETE", f"/{CONTAINER}/{kept}{query}")

    def returned(self, _name: str) -> None:
        """Require the whole file, and remove it."""
        if self.target.stat().st_size != self.file.stat().st_size:
            raise SystemExit("the file has not come back")
        self.target.unlink()


def measure(large: Large) -> None:
    """Run everything and print it."""
    size = f"{large.given.mebibytes} MiB"
    sent = large.turns(large.up(), large.forget)
    table(f"{size} up", sent)
    large.clients.took(large.up()["floor"])  # what all download
    received = large.turns(large.down(), large.returned)
    table(f"{size} down", received)
    for what, turns in (("up", sent), ("down", received)):
        one, least, bare = (middle(turns[name]) for name in ("ours", "floor", "curl"))
        goal(f"{what}: ours, wall time / floor", one.seconds / least.seconds, 1.15)
        print(f"  {what + ': ours, wall time / curl':<62}{one.seconds / bare.seconds:10.2f}")
        goal(f"{what}: ours, most memory, MiB", one.rss, 64, 0)


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description="What one large object costs.")
    parser.add_argument("--mebibytes", type=int, default=1024)
    parser.add_argument("--rounds", type=int, default=3, help="of ours, the floor and curl")
    parser.add_argument("--peer-rounds", type=int, default=1)
    parser.add_argument("--segment", type=int, default=0, help="MiB of a segment; 0: ours is not sent in segments")
    given = parser.parse_args()
    tell_missing()
    with started() as clients:
        measure(Large(clients, given))


if __name__ == "__main__":
    main()
