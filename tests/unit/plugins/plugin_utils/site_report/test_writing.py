# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files: written when they differ, in one step, with permissions of their own; earlier drift reports are kept."""

from __future__ import annotations

import json
import os
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.modules.site_report import OPERATION
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.report.plan_contents import MODES
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.report.report_files import FILE_SUFFIXES, write_reports

from . import sample_plans

Result = t.Dict[str, t.Any]
root_only = pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files to other users")


class Reports:
    """A folder to write reports to."""

    def __init__(self, folder: Path) -> None:
        self.dest = folder / "a" / "reports"
        self.history = folder / "history"

    def write(self, plan: sample_plans.Plan | None = None, *, write: bool = True, **more: t.Any) -> Result:
        options: Result = {name: option.get("default") for name, option in OPERATION.options.items()}
        return write_reports({**options, "plan": plan, "dest": str(self.dest), **more}, write=write)

    def drift(self, number: int, night: int, **more: t.Any) -> Result:
        options = {"history": str(self.history), **more}
        return self.write(night_of(number, night), mode="drift", formats=[], **options)

    def kept(self) -> list[str]:
        return sorted(file.name for file in self.history.iterdir())


def night_of(number: int, night: int, **more: t.Any) -> sample_plans.Plan:
    return sample_plans.many(number, made_at=f"2026-11-{night:02}T02:00:00Z", **more)


@pytest.fixture
def reports(tmp_path: Path) -> Reports:
    return Reports(tmp_path)


def test_all_formats_are_written_once(reports: Reports) -> None:
    first, again = (reports.write(sample_plans.usual()) for _time in range(2))
    assert (first["changed"], again["changed"]) == (True, False)
    assert first["files"] == {kind: f"{reports.dest}/plan.{ending}" for kind, ending in FILE_SUFFIXES.items()}
    assert sorted(os.listdir(reports.dest)) == sorted(f"plan.{ending}" for ending in FILE_SUFFIXES.values())
    assert json.loads((reports.dest / "plan.json").read_text()) == sample_plans.usual()
    assert first["history"] is None


def test_names_that_want_to_harm_are_written(reports: Reports) -> None:
    reports.write(sample_plans.hostile())
    assert json.loads((reports.dest / "plan.json").read_text()) == sample_plans.hostile()


def test_check_mode_tells_and_writes_nothing(reports: Reports, tmp_path: Path) -> None:
    assert reports.write(sample_plans.usual(), write=False, history=str(reports.history), mode="drift")["changed"]
    assert list(tmp_path.iterdir()) == []
    reports.write(sample_plans.usual())
    assert not reports.write(sample_plans.usual(), write=False)["changed"]
    assert reports.write(sample_plans.clean(), write=False)["changed"]
    assert json.loads((reports.dest / "plan.json").read_text()) == sample_plans.usual()


def test_a_plan_file_becomes_a_drift_report(reports: Reports, tmp_path: Path) -> None:
    file = tmp_path / "site.plan.json"
    file.write_text(json.dumps(sample_plans.usual()))
    reports.write(src=str(file), mode="drift", name="drift.nightly", formats=["json", "markdown"])
    assert json.loads((reports.dest / "drift.nightly.json").read_text())["mode"] == "drift"
    assert "Drift in 6 entries" in (reports.dest / "drift.nightly.md").read_text()


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
@pytest.mark.parametrize(
    ("mode", "file", "folder"), [("0600", 0o600, 0o700), ("0640", 0o640, 0o750), (None, 0o600, 0o700)]
)
def test_nobody_else_may_read_unless_it_is_said(
    reports: Reports, umask: int, mode: str | None, file: int, folder: int
) -> None:
    before = os.umask(umask)
    try:
        options = {} if mode is None else {"report_mode": mode}
        reports.write(sample_plans.usual(mode="drift"), history=str(reports.history), **options)
    finally:
        assert os.umask(before) == umask
    written = [*reports.dest.iterdir(), *reports.history.iterdir()]
    assert len(written) == 1 + len(FILE_SUFFIXES)
    assert {path.stat().st_mode & 0o777 for path in written} == {file}
    assert {path.stat().st_mode & 0o777 for path in (reports.dest, reports.dest.parent, reports.history)} == {folder}


def test_what_was_readable_is_closed(reports: Reports) -> None:
    reports.write(sample_plans.usual(), formats=["json"])
    (reports.dest / "plan.json").chmod(0o644)
    assert reports.write(sample_plans.usual(), formats=["json"])["changed"]
    assert (reports.dest / "plan.json").stat().st_mode & 0o777 == 0o600
    assert not reports.write(sample_plans.usual(), formats=["json"])["changed"]


def test_permissions_that_cannot_be_meant(reports: Reports) -> None:
    for mode, words in [("0666", "everybody write"), ("0755", "run them"), (640, "0640"), ("rw", "octal")]:
        with pytest.raises(InvalidInput, match=words) as caught:
            reports.write(sample_plans.usual(), report_mode=mode)
        assert caught.value.details["option"] == "report_mode"
        assert not reports.dest.exists()


@root_only
@pytest.mark.parametrize("write", [True, False])
def test_a_link_of_another_user_is_not_followed(reports: Reports, tmp_path: Path, write: bool) -> None:
    precious = tmp_path / "precious"
    precious.write_text("mine")
    reports.dest.mkdir(parents=True)
    link = reports.dest / "plan.html"
    link.symlink_to(precious)
    os.chown(link, 54321, 54321, follow_symlinks=False)
    with pytest.raises(InvalidInput, match=f"the link {link} belongs to another user"):
        reports.write(sample_plans.usual(), formats=["html"], write=write)
    with pytest.raises(InvalidInput, match=f"the link {link} belongs to another user"):
        reports.write(state="absent", write=write)
    assert precious.read_text() == "mine"


@root_only
@pytest.mark.parametrize("option", ["dest", "history"])
@pytest.mark.parametrize("linked", [True, False])
def test_a_folder_of_another_user_is_not_used(reports: Reports, tmp_path: Path, option: str, linked: bool) -> None:
    place = tmp_path / "place"
    if linked:
        (tmp_path / "mine").mkdir()
        place.symlink_to(tmp_path / "mine")
    else:
        place.mkdir()
    os.chown(place, 54321, 54321, follow_symlinks=False)
    with pytest.raises(InvalidInput, match=f"{option}: {place} is not used: .* another user"):
        reports.write(sample_plans.usual(mode="drift"), **{option: str(place)})
    assert list(place.iterdir()) == []


def test_a_link_of_ones_own_says_where_the_report_is_to_be(reports: Reports, tmp_path: Path) -> None:
    page = tmp_path / "web" / "index.html"
    page.parent.mkdir()
    reports.dest.mkdir(parents=True)
    (reports.dest / "plan.html").symlink_to(page)
    reports.write(sample_plans.usual(), formats=["html"])
    assert "<!DOCTYPE html>" in page.read_text()
    assert (reports.dest / "plan.html").is_symlink()


def test_the_reports_of_one_name_are_removed(reports: Reports, tmp_path: Path) -> None:
    page = tmp_path / "web.html"
    reports.dest.mkdir(parents=True)
    (reports.dest / "plan.html").symlink_to(page)
    for name in ("plan", "plan-rest"):
        reports.write(sample_plans.usual(), name=name)
    (reports.dest / "plan.txt").write_text("A note.")
    before = sorted(os.listdir(reports.dest))
    assert reports.write(state="absent", write=False) == {"changed": True, "files": {}, "history": None}
    assert sorted(os.listdir(reports.dest)) == before
    assert [reports.write(state="absent")["changed"] for _time in range(2)] == [True, False]
    left = [name for name in before if not name.startswith("plan.") or name in ("plan.html", "plan.txt")]
    assert sorted(os.listdir(reports.dest)) == left
    assert (reports.dest / "plan.html").is_symlink() and not page.exists(), "the next report goes to the same place"


def test_where_there_are_no_reports_none_are_removed(reports: Reports, tmp_path: Path) -> None:
    assert not reports.write(state="absent")["changed"]
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_plan_file_is_told(reports: Reports, tmp_path: Path) -> None:
    for content, told in [
        (None, "cannot be read: No such file"),
        (b"{", "is not JSON"),
        (b"\xff", "is not JSON"),
        (b'{"format": NaN}', "NaN is not a number"),
        (b"[" * 100_000, "is not JSON"),
        (b"[]", "src: this is not a plan"),
    ]:
        file = tmp_path / "site.plan.json"
        if content is not None:
            file.write_bytes(content)
        with pytest.raises(InvalidInput) as caught:
            reports.write(src=str(file))
        assert told in caught.value.message
        assert not reports.dest.exists()


def test_options_that_cannot_be(reports: Reports) -> None:
    for options, told in [
        ({"name": "../plan"}, "name cannot be '../plan'"),
        ({"name": ".plan"}, "name cannot be '.plan'"),
        ({"name": ""}, "name cannot be ''"),
        ({"keep": 0}, "keep is 0: keep at least one report"),
        ({"dest": ""}, "dest is empty."),
        ({"dest": __file__}, "is not a folder"),
        ({"history": __file__}, "cannot be read: Not a directory"),
        ({"dest": f"{__file__}/reports"}, "cannot be created: Not a directory"),
    ]:
        with pytest.raises(InvalidInput) as caught:
            reports.write(sample_plans.usual(), **options)
        assert told in caught.value.message


def test_drift_reports_are_kept(reports: Reports) -> None:
    for night, number in enumerate((0, 3, 1), 1):
        told = reports.drift(number, night)
        assert told["changed"]
        assert told["history"] == {"file": f"{reports.history}/{reports.kept()[-1]}", "reports": night, "skipped": 0}
    assert [name.split("-")[1] for name in reports.kept()] == [f"2026110{night}T020000Z" for night in (1, 2, 3)]
    assert json.loads((reports.history / reports.kept()[1]).read_text())["counts"]["create"] == 1


def test_the_same_report_is_kept_once(reports: Reports) -> None:
    first, again = (reports.write(night_of(2, 1), mode="drift", history=str(reports.history)) for _time in range(2))
    assert (first["changed"], again["changed"]) == (True, False)
    assert first["history"] == again["history"]


def test_the_oldest_go(reports: Reports) -> None:
    for night in range(1, 6):
        told = reports.drift(night, night, keep=3)
    assert [name.split("-")[1][6:8] for name in reports.kept()] == ["03", "04", "05"]
    assert told["history"]["reports"] == 3
    assert reports.drift(5, 5, keep=2)["changed"]
    assert reports.drift(5, 5, keep=2, write=False)["changed"] is False


def test_check_mode_removes_nothing(reports: Reports) -> None:
    for night in range(1, 4):
        reports.drift(night, night)
    assert reports.drift(4, 4, keep=1, write=False)["changed"]
    assert len(reports.kept()) == 3


def test_a_late_report_does_not_remove_itself(reports: Reports) -> None:
    """One of an older plan than all that are kept."""
    for night in (5, 6):
        reports.drift(night, night, keep=2)
    reports.drift(1, 1, keep=2)
    assert [name.split("-")[1][6:8] for name in reports.kept()] == ["01", "05", "06"]


def test_others_in_the_folder_are_left_alone(reports: Reports) -> None:
    """Other sites and environments have their own history; what is no report is counted."""
    reports.history.mkdir()
    (reports.history / "folder").mkdir()
    (reports.history / "notes.txt").write_text("{")
    (reports.history / ".hidden").write_text("not looked at")
    (reports.history / "drift-20261101T020000Z-00000000.json").write_text('{"format": 2}')
    (reports.history / "plan.json").write_text(json.dumps(sample_plans.usual()))
    os.mkfifo(reports.history / "pipe")
    before = reports.kept()
    for more in ({"site": "other"}, {"environment": "test"}, {"part": "1/2"}, {"stage": "rest"}, {"kinds": ["disks"]}):
        reports.write(night_of(9, 1, mode="drift", **more), formats=[], history=str(reports.history), keep=1)
    told = reports.drift(1, 2, keep=1)
    assert told["history"]["reports"] == 1
    assert told["history"]["skipped"] == 5
    assert set(before) < set(reports.kept())
    assert len(reports.kept()) == len(before) + 6


def test_a_plan_shows_earlier_drift_and_is_not_kept(reports: Reports) -> None:
    for night in (1, 2):
        reports.drift(night, night)
    told = reports.write(night_of(5, 3), formats=["html"], history=str(reports.history))
    assert told["history"] == {"file": None, "reports": 2, "skipped": 0}
    assert "2 reports, 0 of them clean" in (reports.dest / "plan.html").read_text()


def test_reports_made_in_one_second_do_not_replace_each_other(reports: Reports) -> None:
    for number in (1, 2):
        reports.drift(number, 1)
    assert len(reports.kept()) == 2


def test_the_module_offers_what_there_is() -> None:
    """Its options are literals, for it may not import what works on the controller only."""
    assert OPERATION.options["mode"]["choices"] == list(MODES)
    assert OPERATION.options["formats"]["choices"] == OPERATION.options["formats"]["default"] == list(FILE_SUFFIXES)


def test_drift_of_the_service_counts_what_was_changed_there(reports: Reports) -> None:
    seen = sample_plans.identities(mode="drift")
    reports.write(seen, drift_of="service", history=str(reports.history))
    kept = json.loads((reports.dest / "plan.json").read_text(encoding="utf-8"))
    minded = [change for change in kept["changes"] if change.get("drifted")]
    assert 0 < len(minded) < len(kept["changes"])
    assert [change for change in kept["changes"] if change["minded"]] == minded
    counted = sum(number for action, number in kept["counts"].items() if action not in ("error", "unchanged"))
    assert counted == len(minded)
    root = (reports.dest / "plan.junit.xml").read_text(encoding="utf-8")
    assert f'failures="{len(minded)}"' in root.splitlines()[1]
    page = (reports.dest / "plan.html").read_text(encoding="utf-8")
    assert "Not counted as drift" in page
    aside = len(kept["changes"]) - len(minded)
    assert f"{aside} {'entry' if aside == 1 else 'entries'} not changed at the service" in page
    again = reports.write(seen, drift_of="service", history=str(reports.history))
    assert again["history"]["skipped"] == 0
    assert again["changed"] is False
