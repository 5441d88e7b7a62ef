# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The checks of the collection. ``make test`` runs the usual ones; ``.venv/bin/nox -l`` lists all.

The static checks are sessions of antsibull-nox, set up in antsibull-nox.toml. Its ready-made ansible-test sessions want
a container engine and ansible-core from git; those here need neither.
"""

from __future__ import annotations

import os
import sys
import typing as t
from pathlib import Path

import nox

CHECKOUT = Path(__file__).resolve().parent
sys.path[:0] = [str(CHECKOUT / "tests"), str(CHECKOUT / "tests" / "tools")]

import ansible_test
import antsibull_nox
import browser_at_hand
import collection_tree
import core_tests
import coverage_sum
import integration_settings
import orchestration_tools
import peers_at_hand
import untried
import virtual_environment
import workspace
from cores import CORES, WHOLE, Core, usual
from integration_settings import FIRST
from sandbox.process import SandboxProcess

UNITS = CHECKOUT / "tests" / "unit" / "plugins"
OF_HTTP = UNITS / "module_utils" / "http"
OF_SOAP = (UNITS / "module_utils" / "soap", UNITS / "module_utils" / "contract")
TYPED = (
    *("plugins", "tests/awx", "tests/bench", "tests/canaries", "tests/chaos", "tests/documentation", "tests/examples"),
    *("tests/orchestration", "tests/pages", "tests/pipelines", "tests/releases", "tests/sandbox", "tests/site"),
    *("tests/tools", "noxfile.py"),
)
OWN_PYTHON = "{}.{}".format(*sys.version_info)
QUICK = "not sandbox and not process"  # marks of tests/unit/process_marks.py
COLOUR = ("--color", "no")
OF_TEXT_ALONE = ("changelog", "pep8", "pylint", "shellcheck", "yamllint")
"""Sanity tests whose tools import neither the collection nor ansible-core; most of the work of all."""

OF_INSTANCES = (
    *("infrastructure_readers", "instance", "instance_acts", "instance_fleet", "instance_parts"),
    "inventory_instances",
)
"""Integration targets of instances, and of what belongs to them."""

# A path with spaces must be an address here: pip splits the variable at blanks.
os.environ["PIP_CONSTRAINT"] = virtual_environment.CONSTRAINTS.as_uri()
os.environ["GALAXY_IMPORTER_RUN_ANSIBLE_LINT"] = "no"  # it only warns there; the session ansible-lint fails

Session = t.Callable[[nox.Session, Core], None]


def for_each_core(*, default: bool = True) -> t.Callable[[Session], Session]:
    """Declare a session for each ansible-core; those of the oldest and the newest possible run by default, or none."""

    def declare(session: Session) -> Session:
        for core in CORES:
            _declare(session, core, default=default and core in usual())
        return session

    return declare


def _declare(function: Session, core: Core, *, default: bool) -> None:
    def run(session: nox.Session) -> None:
        if not core.controller():
            session.skip(core.missing())
        with workspace.locked(session.name):  # two at a time would share a home, and in it a profile file
            function(session, core)

    summary = str(function.__doc__).partition("\n")[0]
    run.__doc__ = f"{summary} With ansible-core {core.release}."
    nox.session(name=f"{function.__name__}-{core.series}", python=False, tags=["matrix"], default=default)(run)


def _ansible_test(session: nox.Session, core: Core, place: Path, *arguments: str) -> None:
    environment = ansible_test.environment(core, session.name)
    program = core.build().with_name("ansible-test")  # nox would look for the bare name on its own PATH
    with session.chdir(place):
        session.run(str(program), *arguments, *COLOUR, env=environment, include_outer_env=False, external=True)


def _pytest(session: nox.Session, python: str, *arguments: str) -> None:
    root = str(collection_tree.linked())
    environment = {"PYTHONPATH": root, "ANSIBLE_COLLECTIONS_PATH": root}
    session.run(python, "-m", "pytest", "-q", *arguments, *session.posargs, env=environment, external=True)


@nox.session(name="units", python=False)
def all_units(session: nox.Session) -> None:
    """Run the unit tests that need no core, no sandbox and no other process."""
    elsewhere = [f"--ignore={path}" for path in core_tests.chosen(UNITS, same_python=True)]
    _pytest(session, sys.executable, "tests/unit", *elsewhere, "-m", QUICK, *_counted(session, OWN_PYTHON))


@nox.session(name="units-processes", python=False)
def units_processes(session: nox.Session) -> None:
    """Run the other unit tests, those of the sandbox too; those of plugins only where no session with a core does."""
    counted = _counted(session, OWN_PYTHON)
    elsewhere = [] if counted or session.posargs else [f"--ignore={UNITS}"]
    _pytest(session, sys.executable, "tests/unit", *elsewhere, "-m", f"not ({QUICK})", *counted)


def _counted(session: nox.Session, python: str) -> list[str]:
    """Let a session note the lines of module_utils that it runs, where ``make test`` adds them up."""
    if session.name not in coverage_sum.sessions():
        return []
    session.env["COVERAGE_FILE"] = str(coverage_sum.file_of(session.name))
    session.env["COVERAGE_CORE"] = "sysmon" if coverage_sum.tells_lines(python) else "ctrace"
    return ["--cov=plugins/module_utils", "--cov-report="]


@nox.session(python=False, default=False)
def quick(session: nox.Session) -> None:
    """Run the tests of the structure and of module_utils, with fewer examples where hypothesis makes them up."""
    about_all = [*sorted(UNITS.parent.glob("test_*.py")), UNITS.parent / "tools"]
    _quick(session, [*about_all, UNITS / "module_utils"], *(f"--ignore={folder}" for folder in (*OF_SOAP, OF_HTTP)))


@nox.session(name="quick-http", python=False, default=False)
def quick_http(session: nox.Session) -> None:
    """Run those of the HTTP client in the same way, beside the others: most of their time is waiting."""
    _quick(session, [OF_HTTP])


@nox.session(name="quick-others", python=False, default=False)
def quick_others(session: nox.Session) -> None:
    """Run those of the SOAP contract and of all other plugins in the same way, at the same time; half of the work."""
    folders = [place for place in sorted(UNITS.iterdir()) if place.name != "module_utils"]
    _quick(session, [*OF_SOAP, *(place for place in folders if any(place.glob("test_*.py")))])


def _quick(session: nox.Session, places: t.Sequence[Path], *options: str) -> None:
    chosen = [*map(str, places), *options, "-m", QUICK, "--hypothesis-profile", "inner loop"]
    _pytest(session, sys.executable, *chosen)


@for_each_core(default=False)
def integration(session: nox.Session, core: Core) -> None:
    """Run all integration targets in the task worker.

    In ``make matrix``, and where targets are named, run them again with all tasks as ordinary modules, and compare.
    """
    again = [(core, "all")] if session.posargs or WHOLE in os.environ else []
    _integrate(session, "hard", [(core, FIRST), *again], *session.posargs)


@nox.session(name="integration-modules", python=False)
def integration_modules(session: nox.Session) -> None:
    """Run the targets of modules with the oldest core, then each outcome as an ordinary module with the newest one."""
    others = [part for name in integration_settings.one_way() for part in ("--exclude", name)]
    home = _integrate(session, "hard", _oldest_then_newest(), *others)
    if lacking := untried.lacking(untried.read(home)):
        session.error("Not tried both ways, which an integration target is to do:\n" + "\n".join(lacking))


@nox.session(name="integration-roles", python=False)
def integration_roles(session: nox.Session) -> None:
    """Run the other targets (roles, lookups, the inventory, whole sites) with the oldest and with the newest core."""
    _integrate(session, "hard", _oldest_then_newest(), *integration_settings.one_way())


@nox.session(name="position-friendly", python=False)
def position_friendly(session: nox.Session) -> None:
    """Run the targets of instances where all that nobody knows of the service is read in a friendly way.

    With the oldest core, as in the other positions, since its tasks cost least: how the service is read asks for none.
    """
    _integrate(session, "friendly", [(usual()[0], FIRST)], *(session.posargs or OF_INSTANCES))


@nox.session(name="position-older", python=False)
def position_older(session: nox.Session) -> None:
    """Run the targets of instances against the older line of the service."""
    _integrate(session, "older", [(usual()[0], FIRST)], *(session.posargs or OF_INSTANCES))


@nox.session(name="position-random", python=False)
def position_random(session: nox.Session) -> None:
    """Run the targets of instances with every unknown of the service chosen by a seed: the commit's, or ``-- SEED``.

    Each commit makes other choices, and the same ones wherever it is run.
    """
    seed = session.posargs[0] if session.posargs else _commit(session)
    session.log(f"The seed is {seed}; draw the same again with: .venv/bin/nox -s position-random -- {seed}")
    _integrate(session, f"random:{seed}", [(usual()[0], FIRST)], *OF_INSTANCES)


def _commit(session: nox.Session) -> str:
    digits = session.run("git", "rev-parse", "--short=6", "HEAD", external=True, silent=True)
    return str(int(str(digits), 16))


def _oldest_then_newest() -> list[tuple[Core, str]]:
    return [(usual()[0], FIRST), (usual()[-1], "outcomes")]


def _integrate(session: nox.Session, position: str, runs: t.Sequence[tuple[Core, str]], *targets: str) -> Path:
    """Run the targets with each of these cores, and compare with the first run; return the home that they share."""
    home = Path(ansible_test.environment(runs[0][0], session.name)["HOME"])
    with (
        workspace.locked(f"home-{session.name}"),
        SandboxProcess("--position", position) as sandbox,
        collection_tree.copied() as place,
    ):
        for core, extent in runs:
            integration_settings.write(sandbox.info, place, home, extent)
            python = ansible_test.controller_version(core)
            _ansible_test(session, core, place, "integration", "--python", python, "--continue-on-error", *targets)
        breaches = sandbox.violations()
    if breaches:
        session.error(f"The sandbox saw {len(breaches)} messages that break its description: {breaches[:3]}")
    return home


@nox.session(python=False)
def chaos(session: nox.Session) -> None:
    """Break the service: every fault ends with exactly one object or a named error."""
    if not list(CHECKOUT.glob("tests/chaos/test_*.py")):
        session.skip("there are no tests in tests/chaos")
    _pytest(session, sys.executable, "tests/chaos")


@nox.session(python=False)
def canaries(session: nox.Session) -> None:
    """Give every module, playbook and role secrets that can be found again, and look for them everywhere."""
    _pytest(session, sys.executable, "tests/canaries")


@nox.session(name="chaos-matrix", python=False)
def chaos_matrix(session: nox.Session) -> None:
    """Try the cells of the matrix of faults that were ever red, and each fault and each case at least once."""
    part = ["--ever-red", "--each", "--jobs", "6"]
    session.run(sys.executable, "tests/chaos/matrix.py", *(session.posargs or part), external=True)


@nox.session(python=False)
def orchestration(session: nox.Session) -> None:
    """Run the module orchestration with a real core of the tool, a plugin of our own, and the tools of this machine."""
    lacking = orchestration_tools.missing()
    try:
        python = None if lacking else orchestration_tools.python()
    except SystemExit as failure:
        lacking = str(failure)
    if lacking:
        session.skip(f"NOT RUN: {lacking}")
    session.env["FCD_ORCHESTRATION_PYTHON"] = str(python)
    _pytest(session, sys.executable, "tests/orchestration")


@nox.session(python=False)
def site(session: nox.Session) -> None:
    """Plan, apply, interrupt, prune and export whole sites on the sandbox."""
    _pytest(session, sys.executable, "tests/site")


@nox.session(python=False)
def awx(session: nox.Session) -> None:
    """Set up AWX on a controller of our own making, render its credentials, run its jobs with ansible-runner."""
    _pytest(session, sys.executable, "-rs", "tests/awx")


@nox.session(python=False)
def pipelines(session: nox.Session) -> None:
    """Check the pipeline files against their schemas, run their commands, ansible-pull and the rulebooks."""
    _pytest(session, sys.executable, "-rs", "tests/pipelines")


@nox.session(python=False)
def pages(session: nox.Session) -> None:
    """Look at the reports in a real browser; the pictures stay in .work/pages."""
    missing = browser_at_hand.missing()
    if missing:
        session.skip(f"NOT RUN: {missing}")
    _pytest(session, sys.executable, "tests/pages")


@nox.session(python=False)
def release(session: nox.Session) -> None:
    """Build a release of a copy of the checkout, sign it with a throw-away key, verify it as SECURITY.md says."""
    _pytest(session, sys.executable, "-rs", "tests/releases")


@nox.session(python=False)
def docs(session: nox.Session) -> None:
    """Build the documentation site, warnings are errors, and follow its links."""
    _pytest(session, sys.executable, "tests/documentation")


@nox.session(python=False)
def examples(session: nox.Session) -> None:
    """Run the examples in the documentation of every plugin, and what the README files tell a reader to type."""
    _pytest(session, sys.executable, "tests/examples")


@nox.session(name="peers-php", python=False, default=False)
def peers_php(session: nox.Session) -> None:
    """Call PHP's SoapServer with our SOAP client; needs php-cli and php-soap."""
    _peers(session, peers_at_hand.no_php(), "test_php.py")


@nox.session(name="peers-jaxws", python=False, default=False)
def peers_jaxws(session: nox.Session) -> None:
    """Call the JAX-WS reference implementation with our SOAP client; needs a JDK and libjaxws-java."""
    _peers(session, peers_at_hand.no_jaxws(), "test_jaxws.py")


@nox.session(name="peers-storage", python=False, default=False)
def peers_storage(session: nox.Session) -> None:
    """Move objects between our client and rclone and python-swiftclient, both ways; needs rclone."""
    _peers(session, peers_at_hand.no_rclone(), "test_storage.py")


def _peers(session: nox.Session, missing: str, tests: str) -> None:
    if missing:
        session.skip(f"NOT RUN: {missing}")
    _pytest(session, sys.executable, f"tests/peers/{tests}")


@for_each_core()
def sanity(session: nox.Session, core: Core) -> None:
    """Run the sanity tests of ansible-test, without an ignore file, on what is shipped.

    With the newest core they also compile and import on every other Python that modules run on. In ``make test`` the
    oldest does so with its own Python, and leaves out what reads the text alone; ``make matrix`` runs all with each.
    The tests themselves are read by ruff, mypy, yamllint and ansible-lint.
    """
    python = ansible_test.controller_version(core)
    newest, whole = core is usual()[-1], WHOLE in os.environ
    scope = ["--exclude", "tests/"]
    skipped = [] if newest or whole else [f"--skip-test={name}" for name in OF_TEXT_ALONE]
    with collection_tree.copied() as place:
        _ansible_test(session, core, place, "sanity", "--requirements", "--python", python, *scope, *skipped)
        tried = {python} if whole else {ansible_test.controller_version(one) for one in usual()}
        others = [
            f"--target-python={version}" for version in ansible_test.target_versions(core) if version not in tried
        ]
        if newest and others:
            tests = ["--test", "compile", "--test", "import"]
            controller = ["--controller", f"origin:python={python}"]
            _ansible_test(session, core, place, "sanity", "--requirements", *scope, *tests, *controller, *others)


@for_each_core()
def units(session: nox.Session, core: Core) -> None:
    """Run the unit tests that may depend on the core, and on another Python than that of units all of the collection.

    Not through ansible-test: it forks a process for each of some thousand tests, three times the work.
    """
    version = ansible_test.controller_version(core)
    same_python = version == OWN_PYTHON
    tests = [str(path) for path in core_tests.chosen(UNITS, same_python=same_python)]
    whole = same_python or core == usual()[-1] or WHOLE in os.environ
    once = [] if whole else ["-m", QUICK]
    session.env["FCD_SANDBOX_PYTHON"] = sys.executable
    _pytest(session, str(core.build()), "-rfE", *tests, *once, *_counted(session, version))


@nox.session(name="typing", python=False)
def type_check(session: nox.Session) -> None:
    """Run mypy, strict, on the plugins, the sandbox and the tools."""
    root = collection_tree.linked()
    place = collection_tree.PLACE
    parts = [place / name for name in TYPED if any((CHECKOUT / name).rglob("*.py")) or name.endswith(".py")]
    with session.chdir(root):
        configuration = ["--config-file", str(place / ".mypy.ini"), "--cache-dir", str(root.parent / "mypy-cache")]
        session.run(sys.executable, "-m", "mypy", *configuration, *map(str, parts), external=True)


antsibull_nox.load_antsibull_nox_toml()

if __name__ == "__main__":
    nox.main()
