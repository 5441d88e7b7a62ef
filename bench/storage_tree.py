# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What it costs to bring a tree of small files to a container and back, beside peers in the same run.

    python bench/storage_tree.py [--files 2000] [--connections 8] [--rounds 3] [--peer-rounds 1] [--delay 0]
        [--before CHECKOUT]

Ours and the floor (storage_floor.py) take turns, in another order each round; every upload goes to a container of its
own. "ours-single" is ours at a service that does not say what it offers, so it sends no archives; "ours-before" is that
of another checkout. With a delay, in milliseconds, all data take so long each way. Times of ours and of the floor are
those of the work, of rclone and swift those of the process. The playbook with the one task of ours is beside them.
Goals are printed; nothing fails on a wall clock. The sandbox is the limit of uploads: storing a file takes it about as
long from an archive as from a request, so archives save time only where round trips take longer than that.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import typing as t
from pathlib import Path

from storage_clients import (
    Clients,
    Command,
    Took,
    floor,
    goal,
    middle,
    ours,
    ours_in,
    rclone,
    requests_of,
    started,
    swift,
    table,
    tell_missing,
)

SIZE = 4096
FOLDERS = 20
Turns = t.Dict[str, t.List[Took]]


class Tree:
    """A folder with files, and what each client does with it."""

    def __init__(self, clients: Clients, given: argparse.Namespace) -> None:
        """Make the files."""
        self.clients = clients
        self.given = given
        self.folder = clients.work / "tree"
        chance = random.Random(4096)
        for number in range(given.files):
            path = self.folder / f"folder {number % FOLDERS:02}" / f"file-{number:05}.bin"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(chance.randbytes(SIZE))
            os.utime(path, (1_700_000_000, 1_700_000_000))

    def push(self, container: str) -> dict[str, Command]:
        """Return what brings the tree to a container."""
        many = str(self.given.connections)
        transfers = ["--transfers", many, "--checkers", many]
        own = self.options("push", self.folder, container)
        return {
            "floor": floor("push", self.folder, container, self.given.connections),
            "ours": ours("storage_sync", **own),
            "ours-single": ours("storage_sync", **own),
            "ours-before": ours_in(self.given.before, "storage_sync", own) if self.given.before else [],
            "rclone": rclone("sync", str(self.folder), f"box:{container}", *transfers),
            "swift": swift("upload", "--changed", "--object-threads", many, container, "."),
        }

    def pull(self, container: str, target: Path) -> dict[str, Command]:
        """Return what brings a container to an empty folder."""
        many = str(self.given.connections)
        return {
            "floor": floor("pull", target, container, self.given.connections),
            "ours": ours("storage_sync", **self.options("pull", target, container)),
            "rclone": rclone("copy", f"box:{container}", str(target), "--transfers", many, "--checkers", many),
            "swift": swift("download", "--object-threads", many, "--output-dir", str(target), container),
        }

    def options(self, mode: str, folder: Path, container: str) -> dict[str, t.Any]:
        """Return the options of our task."""
        return {"mode": mode, "path": str(folder), "container": container, "connections": self.given.connections}

    def order(self, names: t.Iterable[str], number: int) -> list[str]:
        """Return whose turn it is in a round: another order each time; peers not in all rounds."""
        own = ["floor", "ours"] if number % 2 else ["ours", "floor"]
        return own + [name for name in names if name not in own and number < self.given.peer_rounds]


def new(tree: Tree) -> Turns:
    """Everything is new."""
    turns: Turns = {}
    for number in range(tree.given.rounds):
        for name in tree.order(tree.push(""), number):
            container = tree.clients.container(f"{name}-{number}")
            shutil.rmtree(tree.clients.work / "state", ignore_errors=True)
            once(tree, turns, name, tree.push(container)[name])
    return turns


def nothing(tree: Tree) -> Turns:
    """Nothing is to do, in the containers of the first round; ours also without its cache of checksums."""
    turns: Turns = {}
    for number in range(tree.given.rounds):
        for name in tree.order(tree.push(""), number):
            command = tree.push(f"{name}-0")[name]
            if name == "ours":
                shutil.rmtree(tree.clients.work / "state", ignore_errors=True)
                once(tree, turns, "ours, cold", command)
            once(tree, turns, name, command)
    play = tree.clients.playbook("storage_sync", tree.options("push", tree.folder, "ours-0"))
    once(tree, turns, "ours, whole playbook", play)
    return turns


def back(tree: Tree) -> Turns:
    """Everything is downloaded to an empty folder, and compared with what was sent."""
    turns: Turns = {}
    for number in range(tree.given.rounds):
        for name in tree.order(tree.push(""), number):
            target = tree.clients.work / "back"
            target.mkdir()
            shutil.rmtree(tree.clients.work / "state", ignore_errors=True)
            command = tree.pull(f"{name}-0", target).get(name, [])
            once(tree, turns, name, command)
            if command:
                compare(tree.folder, target)
            shutil.rmtree(target)
    return turns


def once(tree: Tree, turns: Turns, name: str, command: Command) -> None:
    """Run a client, if it is there."""
    if command:
        tree.clients.tell_features(name != "ours-single")
        turns.setdefault(name, []).append(tree.clients.took(command, tree.folder))


def compare(one: Path, other: Path) -> None:
    """Exit when the folders differ."""
    contents = [
        {str(path.relative_to(top)): path.read_bytes() for path in top.rglob("*") if path.is_file()}
        for top in (one, other)
    ]
    if contents[0] != contents[1]:
        raise SystemExit(f"{len(contents[1])} files came back, not {len(contents[0])}, or with other contents")


def goals(what: str, turns: Turns, requests: int, ratio: float, name: str = "ours") -> None:
    """Print what is to be reached."""
    one, least = middle(turns[name]), middle(turns["floor"])
    goal(f"{what}: {name}, requests", one.total, requests, 0)
    goal(f"{what}: {name}, wall time / floor", one.seconds / least.seconds, ratio)


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description="What a tree of small files costs.")
    parser.add_argument("--files", type=int, default=2000)
    parser.add_argument("--connections", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=3, help="of ours and the floor")
    parser.add_argument("--peer-rounds", type=int, default=1)
    parser.add_argument("--delay", type=float, default=0.0, help="milliseconds each way")
    parser.add_argument("--before", type=Path, help="another checkout")
    given = parser.parse_args()
    tell_missing()
    with started(given.delay / 1000) as clients:
        measure(Tree(clients, given), given.files)


def measure(tree: Tree, files: int) -> None:
    """Run all three and print them."""
    sent = new(tree)
    table(f"{files} new objects of {SIZE} bytes", sent)
    requests_of(sent)
    goals("new", sent, 10 * -(-files // 2000), 1.1)
    goals("new", sent, files + 4, 1.1, "ours-single")
    goal("new: ours, client cpu / object, ms", middle(sent["ours"]).cpu / files * 1000, 0.35)
    same = nothing(tree)
    table(f"{files} objects, nothing to do", same)
    requests_of(same)
    goals("nothing to do", same, 1, 1.0)
    goals("nothing to do", same, 2, 1.5, "ours, cold")
    received = back(tree)
    table(f"{files} objects downloaded", received)
    requests_of(received)
    goals("download", received, files + 4, 1.1)


if __name__ == "__main__":
    main()
