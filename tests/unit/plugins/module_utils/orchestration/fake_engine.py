# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A program in place of the tool: prints what it was told to, and notes how it was called."""

from __future__ import annotations

import json
import sys
import typing as t
from pathlib import Path

SCRIPT = """#!{python} -IS
import json, os, signal, sys, time
place = {place!r}
words = [word for word in sys.argv[1:]]
with open(place + "/calls", "a") as handle:
    names = sorted(os.listdir("."))
    text = open("main.tf").read() if "main.tf" in names else None
    call = dict(words=words, environment=dict(os.environ), folder=os.getcwd(), files=names, text=text)
    handle.write(json.dumps(call) + "\\n")
answers = json.load(open(place + "/answers"))
command = " ".join(words[:2]) if " ".join(words[:2]) in answers else words[0]
answer = answers.get(command, {{}})
if "then" in answer:
    answers[command] = answer["then"]
    json.dump(answers, open(place + "/answers", "w"))
if words[0] == "init":
    os.makedirs(".terraform", exist_ok=True)
for word in words:
    if word.startswith("-out="):
        open(word[5:], "w").close()
sys.stdout.write(answer.get("out", ""))
sys.stdout.flush()
sys.stderr.write(answer.get("err", ""))
if "wait" in answer:
    told = []
    signal.signal(signal.SIGINT, lambda *_: told.append(1))
    open(place + "/ready", "w").close()
    while not told:
        time.sleep(0.01)
    sys.stdout.write(answer["wait"])
if "state" in answer:
    json.dump(answer["state"], open("terraform.tfstate", "w"))
sys.exit(answer.get("status", 0))
"""


class FakeEngine:
    """The program and what it says. ``plan`` says that nothing is to be done."""

    def __init__(self, place: Path, version: str, providers: str, schema: str) -> None:
        """Write it."""
        place.mkdir()
        self.place = place
        self.path = place / "tofu"
        self.path.write_text(SCRIPT.format(python=sys.executable, place=str(place)), encoding="utf-8")
        self.path.chmod(0o700)
        self._answers: dict[str, dict[str, t.Any]] = {}
        self.answer("version", out=version)
        self.answer("providers", out=providers)
        self.answer("providers schema", out=schema)

    def answer(self, command: str, **what: t.Any) -> None:
        """Set what a command, of one word or two, does: status, out, err, state (that it writes), wait, then.

        ``wait`` is what it prints when interrupted, ``then`` is what it does from the second time on.
        """
        self._answers[command] = what
        (self.place / "answers").write_text(json.dumps(self._answers), encoding="utf-8")

    def calls(self) -> list[dict[str, t.Any]]:
        """Return how it was called since the last look."""
        path = self.place / "calls"
        if not path.exists():
            return []
        found = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        path.unlink()
        return found

    def commands(self) -> list[str]:
        """Return which commands it was given since the last look."""
        return [call["words"][0] for call in self.calls()]
