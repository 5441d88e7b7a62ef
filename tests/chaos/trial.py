# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Playbooks that are given secrets, and the search for these in everything that the runs leave behind.

Secrets may be in the token store, and in what the trial itself hands over: the variables of the play, and the
environment, which ansible-runner copies into ``env/`` and ``artifacts/*/command`` whoever sets it. A real run should be
given its secrets in files (reliability.md section 6). That they are found there shows that the search finds something.
"""

from __future__ import annotations

import json
import stat
import typing as t
from pathlib import Path

from chaos import canaries
from chaos.playbook_run import VARIABLES, Played, TaskItem, play_by_runner
from chaos.watched_processes import WatchedProcesses
from chaos.workplace import Workplace

HANDED_OVER = ("/env/envvars", "/command", f"/{VARIABLES}")
EVERYTHING = "-vvvvv --diff"
Hits = t.Dict[str, t.Set[str]]


class Trial:
    """Runs and what is known of their secrets, by name. ``temporary`` is to be TMPDIR."""

    def __init__(self, place: Workplace, folder: Path, temporary: Path, variables: t.Mapping[str, str]) -> None:
        """Know the credentials of the sandbox and the variables, which are all secret."""
        own = {name: value for name, value in canaries.CREDENTIALS.items() if name in canaries.WORDS}
        self.secrets: dict[str, str] = {**own, **variables}
        self._place = place
        self._folder = folder
        self._temporary = temporary
        self._variables = variables
        self._runs: list[Played] = []
        self._lines: set[bytes] = set()

    def run(self, name: str, tasks: t.Sequence[TaskItem], way: str, more: str = "") -> Played:
        """Run a play at -vvvvv with diffs."""
        own = {"TMPDIR": str(self._temporary), "ANSIBLE_LOG_PATH": str(self._place.home / "ansible.log")}
        with WatchedProcesses(str(self._place.state_dir)) as processes:
            done = play_by_runner(
                self._place,
                tasks,
                self._folder / name,
                way=way,
                cmdline=f"{EVERYTHING} {more}".strip(),
                variables=self._variables,
                environment=own,
            )
        self._runs.append(done)
        self._lines |= processes.seen["cmdline"]
        return done

    def require_hidden(self) -> None:
        """Search all files, the output of all runs, and the command lines of all their processes."""
        self._learn()
        found = {str(file): self._told_by(file.read_bytes()) for file in self._files()}
        allowed = {path for path in found if path.endswith(HANDED_OVER)}
        tokens = {path for path in found if path.startswith(f"{self._place.state_dir}/tokens/")}
        leaks = {path: names for path, names in found.items() if names and path not in allowed | tokens}
        assert leaks == {}, self._surroundings(leaks)
        assert allowed
        assert all(found[path] for path in allowed), "the search does not find what is there"
        assert all(found[path] for path in tokens if path.endswith(".json")), "there is a file without a known token"
        assert [run.folder for run in self._runs if self._told_by(run.stdout.encode())] == []
        telling = [f"{sorted(self._told_by(line))}: {line!r}" for line in self._lines if self._told_by(line)]
        assert telling == [], "\n".join(telling)
        assert any(b"ansible-playbook" in line for line in self._lines), "no process was seen"

    def require_private(self) -> None:
        """Require modes of the state folder that keep all other users out."""
        state = self._place.state_dir
        modes = {str(path): stat.S_IMODE(path.stat().st_mode) for path in (state, *state.rglob("*"))}
        assert {path: oct(mode) for path, mode in modes.items() if mode not in (0o600, 0o700)} == {}
        assert list((state / "tokens").glob("*.json"))

    def _learn(self) -> None:
        """Add the tokens that were issued: those that requests bore, and those in the store."""
        for entry in self._place.sandbox.requests():
            headers = entry["headers"]
            scheme, _blank, proof = headers.get("Authorization", "").partition(" ")
            self._add(f"{scheme} header", proof)
            self._add("storage token", headers.get("X-Auth-Token", ""))
        for file in (self._place.state_dir / "tokens").glob("*.json"):
            for text in _texts(json.loads(file.read_text(encoding="utf-8"))):
                if len(text) >= canaries.PIECE_OF_TOKEN and "://" not in text:
                    self._add("kept token", text)

    def _add(self, kind: str, value: str) -> None:
        if value:
            self.secrets[f"{kind} {value[-4:]}"] = value

    def _files(self) -> t.Iterator[Path]:
        for root in (self._place.home, self._temporary, *(run.folder for run in self._runs)):
            yield from (path for path in root.rglob("*") if path.is_file())

    def _told_by(self, content: bytes) -> set[str]:
        """Return the names of the secrets that the content tells."""
        return {
            name for name, value in self.secrets.items() if any(one in content for one in canaries.spellings(value))
        }

    def _surroundings(self, leaks: Hits) -> str:
        """Return what is around a hit in each file, for whoever has to mend it."""
        shown = []
        for path, names in leaks.items():
            content = Path(path).read_bytes()
            places = [content.find(one) for name in names for one in canaries.spellings(self.secrets[name])]
            shown += [f"{path}: {content[max(0, at - 150) : at + 60]!r}" for at in places if at >= 0][:1]
        return "\n".join(shown)


def _texts(value: t.Any) -> t.Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for entry in value.values() if isinstance(value, dict) else value:
            yield from _texts(entry)
