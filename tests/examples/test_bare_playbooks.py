# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Each playbook of the collection, started without a variable or a file: it says what it needs, in words of its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from chaos.workplace import Workplace

from examples.readme_reader import ROOT, Reader

NO_SITE = "There is no file site.yml."
SAID = {
    "apply": NO_SITE,
    "awx_setup": "missing required arguments: awx_setup_image, awx_setup_project_url",
    "deprovision": NO_SITE,
    "drift": NO_SITE,
    "drift_ticket": (
        "Missing: drift_ticket_url, the URL for creating tickets; drift_site, the name of the site, such as web-shop; "
        "drift_changes, the number of objects that differ, such as 3; drift_errors, the number of objects that could "
        "not be compared, such as 0; drift_report, the path of the report, such as reports/drift.json. Give each as a "
        "variable, such as -e drift_ticket_url=https://tickets.example.com/api/tickets."
    ),
    "exit_code": "",
    "export": "",
    "move": "provision_what is missing: give -e provision_what=instances.web",
    "orchestrated_instances": "",
    "plan": NO_SITE,
    "plan_pushed": (
        "Missing: pushed_repository, the URL of the repository, such as https://git.example.com/web-shop.git; "
        "pushed_commit, the commit to plan, such as a branch or 3f2c1ab; pushed_folder, the folder of the work tree on "
        "this host. Give each as a variable, such as -e pushed_folder=/var/lib/site/work."
    ),
    "prune": NO_SITE,
    "publish_files": "Nothing is declared: ",
    "release": "provision_what is missing: give -e provision_what=instances.web",
    "state": NO_SITE,
    "validate": NO_SITE,
    "web_tier": "web_tier_definition is not set; it declares the tier",
}
"""What each says; nothing where there is nothing that it needs."""


@pytest.fixture
def bare(place: Workplace, tmp_path: Path, collections: Path) -> Reader:
    """Nothing has been written but a profile."""
    reader = Reader(place, tmp_path / "reader", collections)
    (reader.folder / "site.yml").unlink()
    return reader


def test_all_playbooks_are_started() -> None:
    names = {path.stem for path in (ROOT / "playbooks").glob("*.yml")}
    assert names - {"site.example"} == set(SAID)


@pytest.mark.full
@pytest.mark.parametrize(("name", "words"), SAID.items(), ids=SAID)
def test_it_says_what_it_needs(place: Workplace, bare: Reader, name: str, words: str) -> None:
    done = bare.run(f"ansible-playbook fcd.cloud.{name}")
    said = done.stdout + done.stderr
    assert words in said, said[-3000:]
    assert "is undefined" not in said
    assert place.writes() == []


def test_only_what_is_missing_is_named(bare: Reader) -> None:
    done = bare.run("ansible-playbook fcd.cloud.plan_pushed -e pushed_folder=work -e pushed_commit=main")
    assert "Missing: pushed_repository, the URL of the repository, such as" in done.stdout
    assert "the commit to plan" not in done.stdout
