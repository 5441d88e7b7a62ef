# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The page as text; how it looks and works is tried in a browser, in tests/pages."""

from __future__ import annotations

import base64
import hashlib
import re
import typing as t

import pytest
from lxml import html

from ansible_collections.fcd.cloud.plugins.plugin_utils.site.report import templates as page_file
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.report.plan_contents import (
    DriftHistory,
    DriftPoint,
    ReportedPlan,
)
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.report.templates import html_page, markdown_report

from . import sample_plans

Read = t.Callable[[sample_plans.Plan], ReportedPlan]
LOADING = {"src", "srcset", "href", "action", "data", "poster", "style", "background", "formaction", "ping"}


def page(plan: ReportedPlan, history: DriftHistory | None = None) -> html.HtmlElement:
    return html.document_fromstring(html_page(plan, history))


def text_of(root: html.HtmlElement) -> str:
    return " ".join(root.text_content().split())


def test_nothing_is_loaded_and_nothing_of_strangers_acts(plans: list[ReportedPlan]) -> None:
    for plan in plans:
        root = page(plan)
        given = [(name, value) for element in root.iter() for name, value in element.attrib.items()]
        assert [name for name, _value in given if name.startswith("on")] == []
        assert {value[0] for name, value in given if name in LOADING} <= {"#"}
        assert [len(list(root.iter(name))) for name in ("script", "style", "img", "link", "iframe")] == [1, 1, 0, 0, 0]
        names = {element.tag for element in root.iter() if isinstance(element.tag, str)}
        assert names.isdisjoint({"b", "object", "embed", "base"})


def test_only_its_own_style_and_script_are_allowed(plans: list[ReportedPlan]) -> None:
    for plan in plans:
        root = page(plan)
        (policy,) = root.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
        digests = [
            base64.b64encode(hashlib.sha256(element.text.encode()).digest()).decode()
            for element in (*root.iter("style"), *root.iter("script"))
        ]
        assert policy == (
            f"default-src 'none'; style-src 'sha256-{digests[0]}'; script-src 'sha256-{digests[1]}'; "
            "base-uri 'none'; form-action 'none'"
        )


def test_ids_are_there_once_and_links_lead_somewhere(plans: list[ReportedPlan]) -> None:
    for plan in plans:
        root = page(plan)
        ids = root.xpath("//@id")
        assert len(ids) == len(set(ids))
        desired = [
            *(link[1:] for link in root.xpath("//a/@href")),
            *root.xpath("//@aria-labelledby"),
            *root.xpath("//@for"),
        ]
        assert set(desired) <= set(ids)


def test_what_people_read_first(read: Read) -> None:
    root = page(read(sample_plans.usual(mode="drift")))
    assert root.findtext(".//title") == "Drift of web-shop (production): Drift in 6 entries"
    assert root.findtext(".//h2") == "Drift in 6 entries."
    tiles = {element[0].text_content().split()[-1]: element[1].text for element in root.find_class("tile")}
    assert tiles == {
        "missing": "2",
        "different": "2",
        "replaced": "0",
        "unwanted": "1",
        "declared": "1",
        "error": "0",
        "unchanged": "294",
    }


def test_a_replacement_says_what_forces_it(read: Read) -> None:
    root = page(read(sample_plans.replacing()))
    (web,) = [row for row in root.find_class("change") if row.findtext(".//bdi") == "web"]
    assert web.find_class("badge")[0].text_content().split() == ["\N{MINUS SIGN}/+", "replace"]
    assert "removed with everything in it, and created again" in web.find_class("sentence")[0].text_content()
    assert [one.getparent().text_content() for one in web.find_class("forces")] == ["template forces replacement"]


def test_what_changes_its_identity(read: Read) -> None:
    root = page(read(sample_plans.identities()))
    tiles = {element[0].text_content().split()[-1]: element[1].text for element in root.find_class("tile")}
    assert [tiles[name] for name in ("adopt", "move", "release", "replace")] == ["1", "1", "1", "1"]
    said = {
        row.findtext(".//bdi"): [text_of(line) for line in row.xpath(".//ul/li")] for row in root.find_class("change")
    }
    assert said["web"] == [
        "Moved from instances.old",
        "Edited in the file since the last apply",
    ]
    assert said["data"][:2] == [
        "Becomes the site's own",
        "Edited in the file and changed at the service since the last apply",
    ]
    assert said["assets"] == ["Changed at the service since the last apply"]
    assert said["operations"] == []


def test_what_is_bound_is_counted(read: Read) -> None:
    facts = [text_of(one) for one in page(read(sample_plans.identities())).find_class("fact")]
    assert facts[-1] == "The plan also pins 1 secret value and 2 files: apply is refused if one of them changes."


def test_what_is_said_of_the_whole(read: Read) -> None:
    root = page(read(sample_plans.identities(mode="drift")))
    assert [text_of(one) for one in root.find_class("fact")] == [
        (
            "Since the last apply: 2 edited in the file, 1 changed at the service, "
            "1 edited in the file and changed at the service."
        ),
        "1 of 2 policies passed.",
    ]
    errors = [text_of(one) for one in root.xpath("//section[@id='errors']//li")]
    assert errors[1].startswith(
        "Policies no container is public policies/storage.yml:8 assets can be read by everybody"
    )
    assert "lifecycle.prevent_destroy in its entry forbids that." in errors[0]


def test_a_plan_of_a_few_entries_says_so_first(read: Read) -> None:
    root = page(read(sample_plans.identities(targets=["instances.web", "disks.data"])))
    first = root.find(".//main")[0]
    assert text_of(first) == (
        "Only these entries and what they need instances.web, disks.data. The rest of the site was not looked at."
    )


def test_both_sides_of_a_change(read: Read) -> None:
    root = page(read(sample_plans.usual()))
    (web,) = [row for row in root.find_class("change") if row.findtext(".//bdi") == "web-2"]
    rows = [[cell.text_content() for cell in row] for row in web.find(".//table").iter("tr")]
    assert rows == [
        ["Option", "Now", "Planned"],
        ["type", "v1.standard-1.09", "v1.standard-2.2"],
        ["description", "Front end", "Front end of the shop"],
        ["tags", '["web"]', '["web", "shop"]'],
        ["network.mtu", "1400", "1500"],
    ]
    assert [mark.text for mark in web.iter("mark")][:2] == ["1.09", "2.2"]


def test_fields_are_those_of_the_terminal(read: Read) -> None:
    """An item of the service is one text, and what only the service can say is counted; in the comment, too."""
    before = {"template": {"id": 767, "label": "CentOS 7"}, "id": 1}
    after = {"template": {"id": 304, "label": "Debian 8"}, "id": sample_plans.LATER, "mac": sample_plans.LATER}
    change = sample_plans.change("instances", "web", "replace", before=before, after=after, forced_by=["template"])
    plan = read(sample_plans.plan([change]))
    (row,) = page(plan).find_class("change")
    assert [[text_of(cell) for cell in line] for line in row.findall(".//tbody/tr")] == [
        ["template forces replacement", "CentOS 7 (767)", "Debian 8 (304)"]
    ]
    assert [text_of(one) for one in row.find_class("note")] == ["2 fields (known after apply)"]
    assert "+ template: Debian 8 (304)  (forces replacement)\n  2 fields (known after apply)\n```" in (
        markdown_report(plan)
    )


def test_a_page_that_would_be_too_large_leaves_out_differences(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = read(sample_plans.many(300))
    whole = len(html_page(plan, None))
    monkeypatch.setattr(page_file, "MAX_PAGE_BYTES", 20_000)
    text = html_page(plan, None)
    shown = text.count("<table class=")
    told = re.search(r"(\d+) rows show their entries without the differences", text)
    assert len(text) < whole / 2
    assert told
    assert int(told.group(1)) + shown - 1 == 300  # one is the table of kinds
    assert text.count('class="change"') == 300


def test_a_page_with_too_many_rows_says_so(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_file, "MAX_PAGE_ROWS", 10)
    root = page(read(sample_plans.many(30)))
    assert len(root.find_class("change")) == 10
    assert "20 changes are left out" in text_of(root)


def test_few_changes_are_open_and_many_are_closed(read: Read) -> None:
    few, many = (page(read(sample_plans.many(number))).find_class("change") for number in (3, 30))
    assert all(row[0].get("open") is not None for row in few)
    assert all(row[0].get("open") is None for row in many)


def points(*numbers: tuple[int, int]) -> list[DriftPoint]:
    return [DriftPoint(f"2026-11-{day:02}T02:00:00Z", *pair, f"{day}.json") for day, pair in enumerate(numbers, 1)]


def test_the_chart(read: Read) -> None:
    root = page(read(sample_plans.clean(mode="drift")), DriftHistory(points((0, 0), (4, 1), (2, 0), (0, 0)), 0))
    bars = [(bar.get("class"), int(bar.get("y")), int(bar.get("height"))) for bar in root.findall(".//figure//rect")]
    assert bars == [("clean", 97, 3), ("drift", 22, 78), ("error", 3, 19), ("drift", 61, 39), ("clean", 97, 3)]
    caption = root.findtext(".//figcaption")
    assert caption == "4 reports, 2 of them clean. Last 0 entries with drift, fewer than before (2)."
    rows = [[cell.text_content() for cell in row] for row in root.findall(".//figure//tbody/tr")]
    assert rows[:2] == [["2026-11-04 02:00 UTC", "0", "0"], ["2026-11-03 02:00 UTC", "2", "0"]]


def test_one_report_is_no_history(read: Read) -> None:
    for history in [None, DriftHistory([], 0), DriftHistory(points((3, 0)), 0)]:
        assert page(read(sample_plans.usual(mode="drift")), history).find(".//*[@id='history']") is None


def test_files_of_no_use_are_counted(read: Read) -> None:
    root = page(read(sample_plans.usual(mode="drift")), DriftHistory(points((3, 0)), 2))
    assert "2 files in the history folder are no drift reports" in text_of(root)
