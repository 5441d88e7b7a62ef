# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that a run of a playbook leaves are its own, and it names them."""

from __future__ import annotations

import pytest

from examples.readme_reader import Reader

SITE = "site: web-shop\nregistry: {path: registry.json}\nprivate_networks: [{name: front}, {name: back}]\n"
MISTAKE = SITE.replace("{name: front}", "{name: front, subregion: none}")
FORMATS = ("html", "json", "junit.xml", "md")


@pytest.fixture
def reader(reader: Reader) -> Reader:
    """Two networks are declared."""
    (reader.folder / "site.yml").write_text(SITE, encoding="utf-8")
    return reader


def reports(reader: Reader) -> list[str]:
    """Return the files among the reports."""
    return sorted(str(file.relative_to(reader.folder / "reports")) for file in (reader.folder / "reports").glob("*.*"))


def files(*names: str) -> list[str]:
    return sorted(f"{name}.{ending}" for name in names for ending in FORMATS)


def test_a_run_that_is_refused_leaves_no_report_of_an_earlier_one(reader: Reader) -> None:
    part = "-e provision_stage=foundations"
    for line in ("apply", f"apply {part}", "plan"):
        reader.type(f"ansible-playbook fcd.cloud.{line}")
    assert reports(reader) == files("apply", "apply-foundations", "plan")
    (reader.folder / "site.yml").write_text(MISTAKE, encoding="utf-8")
    said = reader.run("ansible-playbook fcd.cloud.apply --check")
    assert (said.returncode, reports(reader)) == (2, files("apply", "apply-foundations", "plan"))
    for line, left in [("apply", files("apply-foundations", "plan")), (f"apply {part}", files("plan")), ("plan", [])]:
        said = reader.run(f"ansible-playbook fcd.cloud.{line}")
        assert (said.returncode, "changed=0" in said.stdout) == (2, True)
        assert reports(reader) == left


def test_a_plan_says_where_it_was_written(reader: Reader) -> None:
    """A stage has a file of its own, which is kept out of Git like that of the whole."""
    said = reader.type("ansible-playbook fcd.cloud.plan -e provision_stage=foundations")
    assert f"; {reader.folder}/reports/plan-foundations.html; {reader.folder}/site-foundations.plan.json" in said
    assert "site-foundations.plan.json" not in reader.type("ansible-playbook fcd.cloud.plan --check")
    plan = "-e provision_plan_file=site-foundations.plan.json"
    reader.type(f"ansible-playbook fcd.cloud.apply -e provision_stage=foundations {plan}")
    removal = "-e provision_dry_run=true -e provision_max_delete=100% -e provision_plan_file=gone.plan.json"
    assert "/gone.plan.json; a dry run" in reader.type(f"ansible-playbook fcd.cloud.deprovision {removal}")
    (reader.folder / "site.yml").write_text(MISTAKE, encoding="utf-8")
    assert ".plan.json" not in reader.run("ansible-playbook fcd.cloud.plan").stdout
