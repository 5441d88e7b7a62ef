# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The event source for drift reports."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import typing as t
from pathlib import Path

import pytest
import yaml

from pipelines.conftest import EXTENSIONS, loaded

drift = loaded("drift_source", EXTENSIONS / "eda" / "plugins" / "event_source" / "drift.py")
NOTHING = {"create": 0, "update": 0, "replace": 0, "delete": 0, "orphan": 0, "unchanged": 3, "error": 0}


def report(**counts: int) -> dict[str, t.Any]:
    about = {"site": "web-shop", "environment": None, "made_at": "2026-11-21T12:00:00Z", "mode": "drift"}
    return {**about, "counts": {**NOTHING, **counts}}


class Folder:
    """A history of reports, and the source that watches it."""

    def __init__(self, place: Path) -> None:
        self.place = place

    def keep(self, name: str, content: t.Any) -> Path:
        file = self.place / name
        text = content if isinstance(content, str) else json.dumps(content)
        (self.place / ".being-written").write_text(text, encoding="utf-8")
        (self.place / ".being-written").rename(file)
        return file

    def watch(self, **options: t.Any) -> t.Any:
        return drift.Watch(drift.wish({"path": str(self.place), **options}))


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


def test_a_new_report_with_changes_is_one_event(folder: Folder) -> None:
    folder.keep("drift-1.json", report(create=1))
    watch = folder.watch()
    assert watch.look() == []
    kept = folder.keep("drift-2.json", report(create=1, update=2, orphan=1))
    assert watch.look() == [
        {
            "drift": {
                "site": "web-shop",
                "environment": None,
                "made_at": "2026-11-21T12:00:00Z",
                "changes": 4,
                "errors": 0,
                "report": str(kept),
                "counts": {**NOTHING, "create": 1, "update": 2, "orphan": 1},
            }
        }
    ]
    assert watch.look() == []


def test_a_clean_report_is_no_event(folder: Folder) -> None:
    watch = folder.watch()
    folder.keep("drift-1.json", report())
    assert watch.look() == []
    folder.keep("drift-2.json", report(error=1))
    assert [found["drift"]["errors"] for found in watch.look()] == [1]


def test_of_what_is_there_at_the_start_the_newest_counts_when_that_is_wished(folder: Folder) -> None:
    for number in (1, 2, 3):
        file = folder.keep(f"drift-{number}.json", report(create=number))
        os.utime(file, (1_000 - number, 1_000 - number))
    found = folder.watch(existing=True).look()
    assert [one["drift"]["counts"]["create"] for one in found] == [1]


def test_a_report_that_is_written_anew_is_told_again(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    watch = drift.Watch(drift.wish({"path": str(tmp_path / "drift.json")}))
    assert watch.look() == []
    for number in (1, 2):
        folder.keep("drift.json", report(update=number))
        assert [one["drift"]["changes"] for one in watch.look()] == [number]


def test_only_one_site_when_that_is_wished(folder: Folder) -> None:
    watch = folder.watch(site="another")
    folder.keep("drift-1.json", report(create=1))
    folder.keep("drift-2.json", {**report(create=1), "site": "another"})
    assert [one["drift"]["site"] for one in watch.look()] == ["another"]


@pytest.mark.parametrize(
    "content",
    [
        '{"counts": ',
        "[]",
        "7",
        "{}",
        report(create="1"),  # type: ignore[arg-type]
        {**report(create=1), "site": "{{ lookup('pipe', 'id') }}"},
        {**report(create=1), "site": None},
    ],
)
def test_what_is_no_report_is_told_and_tried_again(
    folder: Folder, content: t.Any, caplog: pytest.LogCaptureFixture
) -> None:
    watch = folder.watch()
    folder.keep("drift-1.json", content)
    with caplog.at_level(logging.WARNING):
        assert watch.look() == []
    assert "drift-1.json is not a drift report" in caplog.text
    caplog.clear()
    assert watch.look() == []
    assert caplog.text == ""
    folder.keep("drift-1.json", report(create=1))
    assert len(watch.look()) == 1


@pytest.mark.parametrize("which", ["report", "folder"])
def test_a_report_that_everybody_may_write_is_not_believed(
    folder: Folder, which: str, caplog: pytest.LogCaptureFixture
) -> None:
    watch = folder.watch()
    kept = folder.keep("drift-1.json", report(create=1))
    place = kept if which == "report" else folder.place
    place.chmod(place.stat().st_mode | 0o002)
    assert watch.look() == []
    assert "drift-1.json is not a drift report: everybody may write it, or the folder that it is in" in caplog.text


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_the_report_of_another_user_is_not_believed(folder: Folder, caplog: pytest.LogCaptureFixture) -> None:
    watch = folder.watch()
    os.chown(folder.keep("drift-1.json", report(create=1)), 4711, -1)
    assert watch.look() == []
    assert "it belongs to another user than its folder and this process" in caplog.text
    os.chown(folder.place, 4711, -1)
    os.chown(folder.keep("drift-2.json", report(create=2)), 4711, -1)
    assert [one["drift"]["changes"] for one in watch.look()] == [2]


def test_a_report_that_became_a_link_is_not_read(folder: Folder) -> None:
    kept = folder.keep("drift-1.json", report(create=1))
    kept.rename(folder.place / "elsewhere")
    kept.symlink_to(folder.place / "elsewhere")
    with pytest.raises(OSError, match=r"drift-1\.json"):
        drift.event(str(kept), None)


def test_no_text_of_the_account_is_in_an_event(folder: Folder) -> None:
    hostile = "{{ lookup('pipe', 'id') }}"
    watch = folder.watch()
    entry = {"kind": "instances", "name": hostile, "action": "create"}
    more = {"changes": [entry], "environment": hostile, "made_at": hostile, hostile: hostile}
    folder.keep("drift-1.json", {**report(create=1), **more})
    found = watch.look()
    assert len(found) == 1
    assert "lookup" not in json.dumps(found)


@pytest.mark.parametrize("name", [".drift.json", "{{ 7 * 7 }}.json", "drift.json.part", "drift.html", "a b.json"])
def test_other_files_are_left_out(folder: Folder, name: str) -> None:
    watch = folder.watch()
    folder.keep(name, report(create=1))
    (folder.place / "folder.json").mkdir()
    (folder.place / "link.json").symlink_to(folder.place / name)
    assert watch.look() == []


@pytest.mark.parametrize(
    ("args", "told"),
    [
        ({}, "path is missing"),
        ({"path": 7}, "path is missing"),
        ({"path": "x", "intervall": 1}, "unknown option intervall; there are path, interval, existing, site"),
        ({"path": "x", "interval": 0}, "interval is 0, not a number of seconds above 0"),
        ({"path": "x", "interval": "often"}, "interval is 'often'"),
        ({"path": "x", "interval": float("inf")}, "interval is inf"),
        ({"path": "x", "existing": "perhaps"}, "existing is 'perhaps', not true or false"),
        ({"path": "x", "site": "Web Shop"}, "site is 'Web Shop', not the name of a site"),
    ],
)
def test_a_wrong_option_is_told_in_one_line(args: dict[str, t.Any], told: str) -> None:
    with pytest.raises(ValueError) as failure:
        asyncio.run(drift.main(asyncio.Queue(), args))
    assert told in str(failure.value)
    assert "\n" not in str(failure.value)


def test_options_are_the_documented_ones() -> None:
    assert tuple(yaml.safe_load(drift.DOCUMENTATION)["options"]) == drift.OPTIONS
    (example,) = yaml.safe_load(drift.EXAMPLES)
    assert drift.wish(example["fcd.cloud.drift"]).path == "/var/lib/site/reports/history"
    assert drift.wish({"path": "x", "existing": "yes", "interval": "2", "eda_feedback_queue": None}).existing


def test_it_runs_until_it_is_cancelled(folder: Folder) -> None:
    async def first() -> t.Any:
        queue: asyncio.Queue[t.Any] = asyncio.Queue()
        folder.keep("drift-1.json", report(delete=1))
        desired = {"path": str(folder.place), "existing": "true", "interval": 0.01}
        task = asyncio.create_task(drift.main(queue, desired))
        found = await asyncio.wait_for(queue.get(), 5)
        task.cancel()
        return found

    assert asyncio.run(first())["drift"]["counts"]["delete"] == 1
