# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The runs of the suite, what they found, and the page that says so.

``python suite.py`` runs every scene in every way, and writes docs/canaries.md; ``make test`` runs two, and
``make test-all`` a part in which every value of each dimension comes up once.
"""

from __future__ import annotations

import itertools
import os
import sys
import tempfile
import typing as t
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
if __name__ == "__main__":
    sys.path[:0] = [str(CHECKOUT / name) for name in ("tests", "tests/tools")]
    import collection_tree

    sys.path.insert(0, str(collection_tree.linked()))
    os.environ["PYTHONPATH"] = os.pathsep.join(sys.path[:3])  # for the processes that watch

from chaos.watched_processes import PARTS
from cores import CORES, newest

from canaries import module_cases, site_cases
from canaries.runs import CHANNELS, Bench, Ran, Shown, Way

PAGE = CHECKOUT / "docs" / "canaries.md"
OUTPUTS = ("default", "minimal", "oneline")  # junit and tree are on in every run, and so is ansible-runner's callback
SWITCHES = dict.fromkeys(("ANSIBLE_DISPLAY_ARGS_TO_STDOUT", "ANSIBLE_DEBUG", "ANSIBLE_KEEP_REMOTE_FILES"), "true")
Case = t.Tuple[str, Way]


def short() -> list[Case]:
    """Return the runs of ``make test``, with the newest core: all modules in the worker, most as ordinary modules."""
    new = newest().series
    return [("good", Way(new, 5, "minimal")), ("beside", Way(new, 5, modules=True))]


def further() -> list[Case]:
    """Return what ``make test-all`` runs besides: every scene, the oldest and the newest core in turn."""
    old, new = CORES[0].series, newest().series
    quiet = [("few", Way(old, 0, "default", "--check --diff")), ("mistaken", Way(new, 0))]
    loud = [("refused", Way(old)), ("mistaken", Way(old, 5, "oneline")), ("site", Way(old))]
    return [*loud, *quiet, ("beside", Way(new, 0, switches=SWITCHES, modules=True))]


def whole() -> list[Case]:
    """Return every scene with the oldest and the newest core, quiet and loud, and each switch with each core.

    Those in which every module is a process come first: they take the longest, and no other run has them.
    """
    old, new = cores = [CORES[0].series, newest().series]
    levels = [(old, 5), (new, 0), (new, 5), (old, 0)]
    alone = [(scene, Way(*level, modules=True)) for level in levels for scene in ("first", "mistaken")]
    scenes = [(name, "--diff") for name in ("site", "good", "refused", "mistaken")] + [("good", "--check --diff")]
    each = zip(itertools.product(levels, scenes), itertools.cycle(OUTPUTS))
    runs = [(scene, Way(*level, output, options)) for (level, (scene, options)), output in each]
    one = [{name: value} for name, value in SWITCHES.items()]
    beside = [("beside", Way(core, 0, switches=switch, modules=True)) for core in cores for switch in one]
    return [*alone[:2], *runs[:10], *beside, *alone[2:], *runs[10:]]


def run_all(cases: t.Sequence[Case], ended: t.Callable[[list[Ran]], object] = len) -> list[Ran]:
    """Run the cases, two at a time; print a line of each, and hand over what has ended so far."""
    done: list[Ran] = []
    for core in {core for core in CORES for _scene, way in cases if core.series == way.core}:
        core.build()

    def one(case: Case) -> Ran:
        ran = run_one(*case)
        lines = [f"SHOWN: {one.kind} in {one.channel} by {one.module}: {one.where}\n" for one in own(ran)]
        line = f"{ran.name:8} {ran.way}: {len(lines)} shown, {ran.seconds:.0f} s\n"
        print(line, *lines, sep="", end="", flush=True)  # at once, for another may print as well
        done.append(ran)
        ended(done)
        return ran

    with ThreadPoolExecutor(max_workers=2) as lanes:
        return list(lanes.map(one, cases))


def run_one(scene: str, way: Way) -> Ran:
    """Run a scene in a way, in a folder of its own with a sandbox of its own."""
    with tempfile.TemporaryDirectory(prefix="canaries-", ignore_cleanup_errors=True) as place:
        folder = Path(place).resolve() / "run"
        (folder / "project").mkdir(parents=True)
        with Bench.begun(folder.parent, site=scene == "site") as bench:
            if scene == "site":
                return bench.run(scene, *site_cases.plays(bench, folder), way, folder)
            variables = module_cases.variables(bench.sandbox.info, folder)
            tasks = getattr(module_cases, scene)(bench.sandbox.info, folder)
            own = {"CANARIES": "module"} if way.modules else {}  # with it, a task cannot run in the worker
            play = {"hosts": "localhost", "gather_facts": False, "environment": own, "tasks": tasks}
            return bench.run(scene, [[play]], variables, way, folder)


def own(ran: Ran) -> list[Shown]:
    """Return what showed and would not have, had it been given to a builtin module in the same run."""
    builtin = {(one.kind.removeprefix("builtin"), one.channel) for one in ran.shown if one.kind.startswith("builtin")}
    mine = [one for one in ran.shown if not one.kind.startswith("builtin")]
    return [one for one in mine if builtin.isdisjoint({("", one.channel), (one.kind, one.channel)})]


def reached(done: t.Sequence[Ran]) -> dict[str, list[str]]:
    """Return the modules, playbooks and roles of which a task ended in one of the runs."""
    ended = {name for ran in done for name, _word in ran.ended}
    every = {"": module_cases.MODULES, "playbook ": site_cases.PLAYBOOKS, "role ": site_cases.ROLES}
    found = ([name for name in names if what + name in ended] for what, names in every.items())
    return dict(zip(("Modules", "Playbooks", "Roles"), found))


def summary(done: t.Sequence[Ran]) -> str:
    """Return the line with the numbers."""
    kinds, tried = len(module_cases.kinds() | site_cases.kinds()), sum(map(len, reached(done).values()))
    files, size, shown = (sum(one) for one in zip(*((ran.files, ran.size, len(own(ran))) for ran in done)))
    return (
        f"{kinds} kinds x {len([*CHANNELS, *PARTS])} channels x {tried} modules, playbooks and roles tried "
        f"in {len(done)} runs ({files} files, {size / 1e6:.0f} MB searched): {shown} shown"
    )


def page(done: t.Sequence[Ran], of: int) -> str:
    """Return the page after some ``of`` the runs: what was tried, what showed, what any module shows."""
    found = sorted({f"- {one.kind} in {one.channel} by `{one.module}`" for ran in done for one in own(ran)})
    kinds, tried = module_cases.kinds() | site_cases.kinds(), reached(done)
    lists = {"Kinds of canaries": kinds, "Channels": [*CHANNELS, *PARTS], **tried}
    untried = {*module_cases.MODULES, *site_cases.PLAYBOOKS, *site_cases.ROLES}.difference(*tried.values())
    shown = [((f"{ran.name} {ran.way}", one.channel), one.kind) for ran in done for one in ran.shown]
    builtin = sorted({place for place, kind in shown if kind.startswith("builtin")})
    table = {place: sorted({kind for where, kind in shown if where == place}) for place in builtin}
    return "\n".join(
        [
            HEAD,
            summary(done) + ".",
            *found,
            SWITCHED,
            *(
                f"| {' | '.join(place)} | {', '.join(kind for kind in seen if 'builtin' in kind)} "
                f"| {sum('builtin' not in kind for kind in seen)} kinds |"
                for place, seen in table.items()
            ),
            "\n## What was tried\n",
            *(f"- {what} ({len(names)}): {', '.join(sorted(names))}." for what, names in lists.items()),
            *(f"- Not tried: `{name}`." for name in sorted(untried)),
            f"\n## The runs ({len(done)} of {of})\n",
            *(f"- `{ran.name}`: {ran.way}" for ran in done),
            "",
        ]
    )


HEAD = """# Canaries: secrets that are looked for everywhere

Every secret option, every credential and every secret that the service makes up gets a canary of its own: a text that
tells its kind and is found again in any notation, whole or cut. Modules, playbooks and roles run by ansible-runner with
the oldest and the newest ansible-core, quietly and at `-vvvvv`, in check mode with diffs and for real, well, with
mistakes in their options, and against a service that refuses everything in words that repeat what it was sent. Then all
channels are searched. `make canaries` writes this page after each of its runs; `make test` does two of them, and
`make test-all` eight. What was tried is what the events of the runs below tell. Left out are tokens in two places that
only their user can read: the folder of tokens, and the variable `TF_VAR_access_token` of the orchestration tool.
"""
SWITCHED = """
## What ansible-core shows of any module

These are settings for whoever looks for an error in Ansible itself: with them, arguments show whatever module they are
for. In the same run, `ansible.builtin.uri` was given a secret in its option `url_password`, or one in a wrong place.
Set none of them where output, logs or temporary files are seen by others.

| Run | Channel | Shown of `ansible.builtin.uri` | Shown of this collection |
|---|---|---|---|"""


def main() -> int:
    """Run everything, write the page after each run, and print what was found; return the exit status."""
    cases = whole()
    done = run_all(cases, lambda ended: PAGE.write_text(page(ended, len(cases)), encoding="utf-8"))
    print(summary(done))
    return int(any(own(ran) for ran in done))


if __name__ == "__main__":
    sys.exit(main())
