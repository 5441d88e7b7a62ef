# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The runs of the suite, what they found, and the page that says so.

``python suite.py`` runs every scene in every way, and writes docs/canaries.md; the tests run a part, in which every
value of each dimension comes up once.
"""

from __future__ import annotations

import itertools
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

from cores import CORES, usual

from canaries import module_cases, site_cases
from canaries.runs import CHANNELS, IN_PROCESSES, QUICK, Bench, Item, Ran, Shown, Way, play

PAGE = CHECKOUT / "docs" / "canaries.md"
OUTPUTS = ("default", "minimal", "oneline")
"""Callbacks of ansible-core for the output; junit and tree are on in every run, and so is ansible-runner's own."""

SWITCHES = {
    "ANSIBLE_DISPLAY_ARGS_TO_STDOUT": "true",
    "ANSIBLE_DEBUG": "true",
    "ANSIBLE_KEEP_REMOTE_FILES": "true",
}
AT_ONCE = 2
Case = t.Tuple[str, Way]


def short() -> list[Case]:
    """Return the runs of ``make test``: the oldest and the newest core in turn."""
    old, new = (core.series for core in (usual()[0], usual()[-1]))
    return [
        ("good", Way(new, 5, "minimal")),
        ("refused", Way(old, 5)),
        ("mistaken", Way(old, 5, "oneline")),
        ("few", Way(old, 0, "default", "--check --diff")),
        ("site", Way(old, 5)),
        ("mistaken", Way(new, 0)),
        ("beside", Way(new, 5, modules=True)),  # every module as a process is for the whole: each task costs a second
        ("beside", Way(new, 0, switches=SWITCHES, modules=True)),
    ]


def whole() -> list[Case]:
    """Return every scene with the oldest and the newest core, quiet and loud, and each switch with each core.

    Those in which every module is a process come first: they take the longest, and no other run has them.
    """
    old, new = cores = [core.series for core in (usual()[0], usual()[-1])]
    levels = [(old, 5), (new, 0), (new, 5), (old, 0)]
    alone = [(scene, Way(*level, modules=True)) for level in levels for scene in ("first", "mistaken")]
    scenes = [(name, "--diff") for name in ("site", "good", "refused", "mistaken")] + [("good", "--check --diff")]
    each = zip(itertools.product(levels, scenes), itertools.cycle(OUTPUTS))
    runs = [(scene, Way(*level, output, options)) for (level, (scene, options)), output in each]
    one = [{name: value} for name, value in SWITCHES.items()]
    beside = [("beside", Way(core, 0, switches=switch, modules=True)) for core in cores for switch in one]
    return [*alone[:2], *runs[:10], *beside, *alone[2:], *runs[10:]]


def run_all(cases: t.Sequence[Case], ended: t.Callable[[list[Ran]], None] = len) -> list[Ran]:
    """Run the cases, two at a time; print a line of each, and hand over what has ended so far."""
    done: list[Ran] = []
    for core in {core for core in CORES for _scene, way in cases if core.series == way.core}:
        core.build()

    def one(case: Case) -> Ran:
        ran = run_one(*case)
        line = f"{ran.name:8} {ran.way}: {len(own(ran))} shown, {ran.seconds:.0f} s\n"
        line += "".join(f"SHOWN: {one.kind} in {one.channel} by {one.module}: {one.where}\n" for one in own(ran))
        print(line, end="", flush=True)  # at once, for another may print as well
        done.append(ran)
        ended(done)
        return ran

    with ThreadPoolExecutor(AT_ONCE) as lanes:
        return list(lanes.map(one, cases))


def run_one(scene: str, way: Way) -> Ran:
    """Run a scene in a way, in a folder of its own with a sandbox of its own."""
    with tempfile.TemporaryDirectory(prefix="canaries-", ignore_cleanup_errors=True) as place:
        folder = Path(place).resolve() / "run"
        project = folder / "project"
        project.mkdir(parents=True)
        with Bench(folder.parent, site=scene == "site") as bench:
            bench.sandbox.settings(rest=QUICK)
            books, variables = _books(scene, bench, folder, way)
            ran = bench.run(scene, books, way._replace(profile=scene == "site"), variables, folder)
            assert bench.sandbox.errors() == ""
            return ran


def _books(scene: str, bench: Bench, folder: Path, way: Way) -> tuple[list[list[Item]], Item]:
    info = bench.sandbox.info
    if scene == "site":
        return site_cases.plays(bench, folder)
    variables = module_cases.variables(info, folder)
    tasks = getattr(module_cases, scene)(info, folder)
    return [[play(tasks, way)]], variables


def own(ran: Ran) -> list[Shown]:
    """Return what showed and would not have, had it been given to a builtin module in the same run."""
    builtin = {(one.kind, one.channel) for one in ran.shown if one.kind.startswith("builtin")}
    excused = {(kind.removeprefix("builtin"), channel) for kind, channel in builtin}
    always = {channel for kind, channel in builtin if kind == "builtin"}
    mine = [one for one in ran.shown if not one.kind.startswith("builtin")]
    return [one for one in mine if one.channel not in always and (one.kind, one.channel) not in excused]


def reached(done: t.Sequence[Ran]) -> dict[str, list[str]]:
    """Return the modules, playbooks and roles of which a task ended in one of the runs."""
    ended = {name for ran in done for name, _word in ran.ended}
    return {
        "Modules": sorted(ended & {*module_cases.MODULES}),
        "Playbooks": [name for name in site_cases.PLAYBOOKS if f"playbook {name}" in ended],
        "Roles": [name for name in site_cases.ROLES if f"role {name}" in ended],
    }


def everything() -> set[str]:
    """Return the names of all that is to be tried."""
    return {*module_cases.MODULES, *site_cases.PLAYBOOKS, *site_cases.ROLES}


def summary(done: t.Sequence[Ran]) -> str:
    """Return the line with the numbers."""
    channels = [*CHANNELS, *IN_PROCESSES]
    tried = [name for names in reached(done).values() for name in names]
    kinds, shown = len(module_cases.kinds() | site_cases.kinds()), sum(len(own(ran)) for ran in done)
    files, size = sum(ran.files for ran in done), sum(ran.size for ran in done)
    return (
        f"{kinds} kinds x {len(channels)} channels x {len(tried)} modules, playbooks and roles tried "
        f"in {len(done)} runs ({files} files, {size / 1e6:.0f} MB searched): {shown} shown"
    )


def switch_table(done: t.Sequence[Ran]) -> t.Iterator[str]:
    """Yield the table of what is shown of any module, from the runs with switches and mistakes of a builtin one."""
    yield "| Run | Channel | Shown of `ansible.builtin.uri` | Shown of this collection |"
    yield "|---|---|---|---|"
    for ran in done:
        for channel in sorted({one.channel for one in ran.shown if one.kind.startswith("builtin")}):
            here = [one for one in ran.shown if one.channel == channel]
            builtin = sorted({one.kind for one in here if one.kind.startswith("builtin")})
            ours = {one.kind for one in here} - set(builtin)
            yield f"| {ran.way} | {channel} | {', '.join(builtin)} | {len(ours)} kinds |"


def page(done: t.Sequence[Ran], of: int) -> str:
    """Return the page after some ``of`` the runs: what was tried, what showed, what ansible-core shows of any module."""
    found = sorted({(one.kind, one.channel, one.module) for ran in done for one in own(ran)})
    rows = [f"| {kind} | {channel} | {module} |" for kind, channel, module in found]
    lists = {
        "Kinds of canaries": module_cases.kinds() | site_cases.kinds(),
        "Channels": [*CHANNELS, *IN_PROCESSES],
        **reached(done),
    }
    tried = [name for names in reached(done).values() for name in names]
    return "\n".join(
        [
            HEAD,
            summary(done) + ".\n",
            *(["| Kind | Channel | Module |", "|---|---|---|", *rows, ""] if rows else []),
            "## What ansible-core shows of any module\n",
            SWITCHED,
            *switch_table(done),
            "\n## What was tried\n",
            *(f"- {what} ({len(names)}): {', '.join(sorted(names))}." for what, names in lists.items()),
            *(f"- Not tried: `{name}`." for name in sorted(everything() - {*tried})),
            f"\n## The runs ({len(done)} of {of})\n",
            *(f"- `{ran.name}`: {ran.way}" for ran in done),
            "",
        ]
    )


HEAD = """# Canaries: secrets that are looked for everywhere

Every secret option, every credential and every secret that the service makes up gets a canary of its own: a text that
tells its kind and is found again in any notation, in base64 and hexadecimal digits too, whole or cut. Modules,
playbooks and roles run by ansible-runner with the oldest and the newest ansible-core, quietly and at `-vvvvv`, in check
mode with diffs and for real, well, with mistakes in their options, and against a service that refuses everything in
words that repeat what it was sent. Then all channels are searched. `make canaries` writes this page after each of its
runs; `make test` does fewer, and writes its own page to `.work/canaries.md`. What was tried is what the events of the
runs below tell.

Left out are two places that are there for a secret, both closed to other users: the folder of tokens, for tokens, and
the environment of the orchestration tool, which has the access token in `TF_VAR_access_token`.
"""
SWITCHED = """\
These are settings for whoever looks for an error in Ansible itself: with them, arguments show whatever module they are
for. In the same run, `ansible.builtin.uri` was given a secret in its option `url_password`, or one in a wrong place.
Set none of them where output, logs or temporary files are seen by others.
"""


def main() -> int:
    """Run everything, write the page after each run, and print what was found; return the exit status."""
    cases = whole()
    done = run_all(cases, lambda ended: PAGE.write_text(page(ended, len(cases)), encoding="utf-8"))
    print(summary(done))
    return int(any(own(ran) for ran in done))


if __name__ == "__main__":
    sys.exit(main())
