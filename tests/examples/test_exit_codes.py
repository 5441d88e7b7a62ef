# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the playbooks of a site end with: 0, 2 with something to do, 1 after an error. Programs look at nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from chaos.workplace import Workplace

from examples.readme_reader import Reader

SITE = "site: web-shop\nregistry: {path: registry.json}\nprivate_networks: [{name: front}, {name: back}]\n"
FEWER = SITE.replace("{name: front}, ", "")
DETAILED = "-e provision_detailed_exitcode=true"


@pytest.fixture
def reader(place: Workplace, tmp_path: Path, collections: Path) -> Reader:
    """Two networks are declared."""
    reader = Reader(place, tmp_path / "reader", collections)
    (reader.folder / "site.yml").write_text(SITE, encoding="utf-8")
    return reader


def ends(reader: Reader, line: str) -> int:
    """Return what a playbook ends with."""
    said = reader.run(f"ansible-playbook fcd.cloud.{line} -e provision_report_formats=json")
    print(said.stdout[-3000:])  # for whoever reads why it failed
    return said.returncode


def test_exit_code_of_a_plan(reader: Reader) -> None:
    """Without the option it ends well, whatever there is to do; what only is no longer declared is nothing to do."""
    assert ends(reader, "plan") == 0
    assert ends(reader, f"plan {DETAILED}") == 2
    assert ends(reader, "apply") == 0
    assert ends(reader, f"plan {DETAILED}") == 0
    (reader.folder / "site.yml").write_text(FEWER, encoding="utf-8")
    assert ends(reader, f"plan {DETAILED}") == 0
    assert ends(reader, f"plan {DETAILED} -e provision_targets=private_networks.front") == 1


@pytest.mark.full
def test_exit_code_of_a_prune(reader: Reader) -> None:
    """A dry run ends with 2 where something would go, one that removes does not."""
    assert ends(reader, "apply") == 0
    assert ends(reader, f"prune {DETAILED}") == 0
    (reader.folder / "site.yml").write_text(FEWER, encoding="utf-8")
    assert ends(reader, "prune") == 0
    assert ends(reader, f"prune {DETAILED}") == 2
    assert ends(reader, f"prune {DETAILED} -e provision_dry_run=false") == 0
    assert ends(reader, f"prune {DETAILED}") == 0


def test_drift_of_the_service(reader: Reader) -> None:
    """What is declared and was not applied yet is no drift of the service."""
    assert ends(reader, "drift") == 2
    assert reader.run("ansible-playbook fcd.cloud.drift -e provision_drift_of=service").returncode == 0
    assert 'failures="0"' in (reader.folder / "reports" / "drift.junit.xml").read_text(encoding="utf-8")
    page = (reader.folder / "reports" / "drift.html").read_text(encoding="utf-8")
    assert "No drift. 2 entries not changed at the service are not counted." in page
    kept = json.loads((reader.folder / "reports" / "drift.json").read_text(encoding="utf-8"))
    assert (kept["counts"]["create"], [one["minded"] for one in kept["changes"]]) == (0, [False, False])


@pytest.mark.full
@pytest.mark.parametrize("playbook", ["plan", "prune", "drift"])
def test_exit_code_of_an_error(reader: Reader, playbook: str) -> None:
    """A misspelt variable, no such file, no host: 1 where 2 has a meaning, else what Ansible ends with."""
    wrong = ("-e provision_file=none.yml", "-e provision_exitcode=true")
    assert {ends(reader, f"{playbook} {DETAILED} {how}") for how in (*wrong, *NO_HOST)} == {1}
    if playbook != "drift":
        assert {ends(reader, f"{playbook} {how}") for how in wrong} == {2}


NO_HOST = ("-e provision_hosts=nobody", "--tags other")


def test_the_last_words_are_the_cause(reader: Reader) -> None:
    """Below the error, Ansible only says where the playbook ends with it."""
    (reader.folder / "site.yml").write_text(SITE.replace("name: front", "nmae: front"), encoding="utf-8")
    for how, cause in [
        ("", "site.yml:3: private_networks[0]: it does not say which object it describes: give name or id."),
        (NO_HOST[0], "[ERROR]: No host looked at the site: provision_hosts matches none, or tags skip it."),
    ]:
        said = reader.run(f"ansible-playbook fcd.cloud.drift {how}")
        *_others, last, origin = said.stderr.strip().splitlines()
        assert (said.returncode, last) == (1, cause)
        assert origin.endswith("playbooks/exit_code.json")


def test_no_limit_is_suggested_for_an_unknown_variable(reader: Reader) -> None:
    said = reader.run("ansible-playbook fcd.cloud.plan -e provision_release=disks.data").stdout
    assert "provision_release is not a variable of the role provision" in said
    assert "did you mean" not in said
