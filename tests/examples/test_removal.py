# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The playbooks prune and deprovision as somebody types them: dry runs say so, a site goes only when it was named."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import time
import typing as t
from pathlib import Path

import pytest
from chaos.workplace import Workplace

from examples.readme_reader import Reader

SITE = """
site: web-shop
registry: {path: registry.json}
private_networks: [{name: front}, {name: back}]
"""
DEPROVISION = "ansible-playbook fcd.cloud.deprovision"
PATIENCE = 300.0


@pytest.fixture
def reader(place: Workplace, tmp_path: Path, collections: Path) -> Reader:
    """Two networks are applied, in the environment production."""
    reader = Reader(place, tmp_path / "reader", collections)
    (reader.folder / "site.yml").write_text(SITE, encoding="utf-8")
    (reader.folder / "environments").mkdir()
    (reader.folder / "environments" / "production.yml").write_text("{}", encoding="utf-8")
    reader.type("ansible-playbook fcd.cloud.apply -e provision_environment=production")
    return reader


def networks(place: Workplace) -> set[str]:
    """Return the names of what is there."""
    return {network["Name"] for network in place.sandbox.state()["rest"]["networks"]} & {"front", "back"}


def changed(said: str) -> str:
    """Return what the recap counts as changed."""
    (count,) = re.findall(r"changed=(\d+)", said)
    return t.cast("str", count)


IN_PRODUCTION = "-e provision_environment=production"
REMOVED = (
    "2 objects that the site web-shop owns in production: private_networks front, private_networks back; "
    "provision_max_delete allows 10"
)


def test_a_site_goes_only_when_it_was_named(place: Workplace, reader: Reader) -> None:
    """With another name, or none where nobody can answer, one line says what would go, and nothing is changed."""
    for given in ("", "-e provision_confirm=web-shop", "-e provision_confirm=Production"):
        writes = place.sandbox.counts()["writes"]
        said = reader.run(f"{DEPROVISION} {IN_PRODUCTION} {given}")
        assert said.returncode == 2
        (told,) = re.findall(r"^fatal: .*Nothing was removed.*", said.stdout, re.MULTILINE)
        assert f"A confirmed run removes {REMOVED}. To remove this, run the same command with" in told
        assert "-e provision_confirm=production" in told
        assert "    - private_networks back  (site.yml:4)" in said.stdout.splitlines()
        assert place.sandbox.counts()["writes"] == writes
    assert networks(place) == {"front", "back"}
    confirmed = reader.type(f"{DEPROVISION} {IN_PRODUCTION} -e provision_confirm=production")
    assert confirmed.count("private_networks back  (site.yml:4)") == 1, "planned once"
    assert changed(confirmed) == "1"
    assert networks(place) == set()
    nothing = reader.type(f"{DEPROVISION} {IN_PRODUCTION}")
    assert "web-shop (production): 2 already gone or not owned" in nothing, "and nothing to confirm"


@pytest.mark.full
def test_a_dry_run_binds_the_real_one(place: Workplace, reader: Reader) -> None:
    """It needs no name, changes nothing and says so; when something else would go, nothing does."""
    plan = f"{IN_PRODUCTION} -e provision_plan_file=gone.plan.json"
    said = reader.type(f"{DEPROVISION} {plan} -e provision_dry_run=true")
    assert '"msg": "web-shop (production): 2 to delete; ' in said
    assert (
        "a dry run, nothing was removed; to remove: the same without provision_dry_run, with -e provision_confirm="
        in said
    )
    assert changed(said) == "0"
    assert changed(reader.type(f"{DEPROVISION} {IN_PRODUCTION} --check")) == "1", "as a run without --check"
    assert (reader.folder / "gone.plan.json").stat().st_mode & 0o777 == 0o600
    assert networks(place) == {"front", "back"}
    (reader.folder / "site.yml").write_text(SITE.replace("{name: front}, ", ""), encoding="utf-8")
    real = f"{DEPROVISION} {plan} -e provision_confirm=production"
    refused = reader.run(real)
    assert refused.returncode == 2
    assert re.search(r"gone\.plan\.json \(\S+\) no longer matches ", refused.stdout)
    assert networks(place) == {"front", "back"}
    (reader.folder / "site.yml").write_text(SITE, encoding="utf-8")
    assert "done: 2" in reader.type(real)
    assert networks(place) == set()


@pytest.mark.full
def test_the_limit_is_that_of_prune(place: Workplace, reader: Reader) -> None:
    """More than may go is refused, in a dry run too."""
    for more in ("-e provision_dry_run=true", "-e provision_confirm=production", ""):
        refused = reader.run(f"{DEPROVISION} {IN_PRODUCTION} -e provision_max_delete=1 {more}")
        assert refused.returncode == 2
        assert "max_delete allows 1" in refused.stdout
        assert {f"    - private_networks {name}" for name in ("front", "back")} <= {
            line.partition("  (")[0] for line in refused.stdout.splitlines()
        }
        assert "set max_delete (in the playbooks provision_max_delete) to 2" in refused.stdout
    assert networks(place) == {"front", "back"}


@pytest.mark.full
def test_a_dry_prune_says_so(place: Workplace, reader: Reader) -> None:
    """It is no change, and its last line says what to run; with nothing to remove there is nothing to run."""
    prune = f"ansible-playbook fcd.cloud.prune {IN_PRODUCTION}"
    hint = "a dry run, nothing was removed; to remove: -e provision_dry_run=false"
    assert hint not in reader.type(prune)
    (reader.folder / "site.yml").write_text(SITE.replace("{name: front}, ", ""), encoding="utf-8")
    said = reader.type(prune)
    assert hint in said
    assert changed(said) == "0"
    assert networks(place) == {"front", "back"}
    said = reader.type(f"{prune} -e provision_dry_run=false")
    assert hint not in said
    assert changed(said) == "1"
    assert networks(place) == {"back"}


@pytest.mark.full
def test_only_check_mode_reports_what_would_change(reader: Reader) -> None:
    """A plan and a comparison with something to do are no change."""
    (reader.folder / "site.yml").write_text(SITE.replace("back", "backward"), encoding="utf-8")
    for line, count in (("plan", "0"), ("apply --check", "1")):
        said = reader.type(f"ansible-playbook fcd.cloud.{line} {IN_PRODUCTION}")
        assert '"msg": "web-shop (production): 1 to create, 1 no longer declared, 1 as declared' in said
        assert changed(said) == count
    said = reader.run(f"ansible-playbook fcd.cloud.drift {IN_PRODUCTION}").stdout
    assert changed(said) == "0"


@pytest.mark.full
@pytest.mark.parametrize(("answer", "left"), [("production", set()), ("yes", {"front", "back"})])
def test_somebody_at_a_terminal_is_asked(place: Workplace, reader: Reader, answer: str, left: set[str]) -> None:
    """Who answers with the name removes it."""
    said = typed(reader, f"{DEPROVISION} {IN_PRODUCTION}", answer)
    question = f"This removes {REMOVED}. To go on, type production"
    assert question in " ".join(said.split())
    assert said.index("    - private_networks back  (site.yml:4)") < said.index("This removes"), (
        "shown before the question"
    )
    assert networks(place) == left


@pytest.mark.full
def test_what_comes_after_the_question_is_not_removed(place: Workplace, reader: Reader, tmp_path: Path) -> None:
    """What is confirmed is what was shown: when more would go by then, nothing does."""
    kept = tmp_path / "temporary"
    kept.mkdir()

    def more() -> None:
        (reader.folder / "more.yml").write_text(SITE.replace("{name: front}", "{name: front}, {name: late}"))
        reader.type(f"ansible-playbook fcd.cloud.apply {IN_PRODUCTION} -e provision_file=more.yml")

    said = typed(reader, f"{DEPROVISION} {IN_PRODUCTION}", "production", more, TMPDIR=str(kept))
    assert "private_networks late (unchanged, now delete)" in " ".join(said.split())
    assert networks(place) == {"front", "back"}
    assert list(kept.rglob("*.plan.json")) == []


def typed(reader: Reader, line: str, answer: str, before: t.Callable[[], None] = lambda: None, **variables: str) -> str:
    """Run a command at a terminal of its own, and answer its question until it goes on; return what it said.

    ``before`` is called once, before the first answer.
    """
    child, terminal = pty.fork()
    if child == 0:
        words = reader.words(line)
        os.chdir(reader.folder)
        os.execve(words[0], words, {**reader.variables(), **variables})
    said, first, end = b"", [before], time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if select.select([terminal], [], [], 1.0)[0]:
            chunk = _read(terminal)
            if not chunk:
                break
            said += chunk
        elif b"To go on, type" in said:  # what is typed before the question is complete is thrown away
            while first:
                first.pop()()
            os.write(terminal, f"{answer}\r".encode())
    else:
        os.kill(child, signal.SIGTERM)
    os.close(terminal)
    os.waitpid(child, 0)
    return said.decode()


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 4096)
    except OSError:  # nobody has the other end any more
        return b""
