# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages: every link inside the site leads somewhere, and nothing is loaded from elsewhere."""

from __future__ import annotations

import re
import typing as t
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import docsite as builder
import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
LOADING = {
    ("script", "src"),
    ("link", "href"),
    ("img", "src"),
    ("iframe", "src"),
    ("source", "src"),
    ("object", "data"),
}
OF_CSS = re.compile(r"url\(\s*['\"]?([^'\")]+)|@import\s+['\"]([^'\"]+)")
SUFFIXES = {"module": "modules", "lookup": "lookup", "filter": "filter", "inventory": "inventory"}


class Page(HTMLParser):
    """What a page leads to, what it loads, and the places in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.places: set[str] = set()
        self.text: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if value is None:
                continue
            if name == "id" or (tag == "a" and name == "name"):
                self.places.add(value)
            elif tag == "a" and name == "href":
                self.links.append(value)
            elif (tag, name) in LOADING:
                self.loads.append(value)
            elif name in ("style", "srcset"):
                self.loads += [found[0] for found in OF_CSS.findall(value)]

    def handle_data(self, data: str) -> None:
        self.text.append(data)


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    return {file: Page(file.read_text(encoding="utf-8")) for file in sorted(site.rglob("*.html"))}


def _elsewhere(address: str) -> bool:
    parts = urlsplit(address)
    return bool(parts.scheme or parts.netloc)


@pytest.mark.full
def test_every_link_inside_the_site_leads_somewhere(pages: dict[Path, Page]) -> None:
    broken = []
    for file, page in pages.items():
        for link in page.links:
            if _elsewhere(link):
                continue
            parts = urlsplit(link)
            there = (file.parent / unquote(parts.path)).resolve() if parts.path else file
            place = unquote(parts.fragment)
            if not there.is_file() or (place and there in pages and place not in pages[there].places):
                broken.append(f"{file.name}: {link}")
    assert broken == []


@pytest.mark.full
def test_nothing_is_loaded_from_elsewhere(site: Path, pages: dict[Path, Page]) -> None:
    loaded = {f"{file.name}: {one}" for file, page in pages.items() for one in page.loads if _elsewhere(one)}
    for sheet in site.rglob("*.css"):
        found = [one or other for one, other in OF_CSS.findall(sheet.read_text(encoding="utf-8"))]
        loaded |= {f"{sheet.name}: {one}" for one in found if _elsewhere(one) and not one.startswith("data:")}
    assert loaded == set()


@pytest.mark.full
def test_links_to_elsewhere_are_no_trackers_and_no_plain_http(pages: dict[Path, Page]) -> None:
    links = {link for page in pages.values() for link in page.links if _elsewhere(link)}
    assert [link for link in links if urlsplit(link).scheme not in ("https", "mailto")] == []


@pytest.mark.full
def test_every_plugin_and_role_has_a_page(site: Path) -> None:
    desired = {
        f"{file.stem}_{suffix}"
        for suffix, folder in SUFFIXES.items()
        for file in (CHECKOUT / "plugins" / folder).glob("[!_]*.py")
    }
    desired |= {f"{folder.name}_role" for folder in (CHECKOUT / "roles").iterdir() if (folder / "meta").is_dir()}
    there = {file.stem for file in (site / "collection").glob("*.html")}
    assert len(desired) > 60
    assert desired - there == set()


@pytest.mark.full
def test_every_readme_has_a_page(site: Path) -> None:
    shown = {str(Path(name).with_suffix(".html")) for name in builder.pages()}
    assert {"CONTRIBUTING.html", "extensions/pipelines/README.html"} <= shown
    written = {file.relative_to(site / "project") for file in (site / "project").rglob("*.html")}
    assert shown == {str(file) for file in written if file.parts[0] != "modules"}


@pytest.mark.full
def test_the_menu_has_groups_and_short_names(site: Path) -> None:
    """A module by its name alone, below its group, and each page once."""
    first = (site / "index.html").read_text(encoding="utf-8")
    menu = first[first.index("sidebar-tree") : first.index('<div class="main">')]
    entries = re.findall(r'href="([^"#]+)">([^<]+)</a>', menu)
    groups = [f"project/modules/{name}.html" for name in ("infrastructure", "object_storage", "soap_contract")]
    places = [[page for page, _title in entries].index(page) for page in (*groups, "collection/index.html")]
    assert places == sorted(places)
    assert places[0] < entries.index(("collection/disk_module.html", "disk")) < places[1]
    assert places[1] < entries.index(("collection/storage_sync_module.html", "storage_sync")) < places[2]
    assert ("collection/token_lookup.html", "token (lookup)") in entries
    assert len(entries) == len({page for page, _title in entries}) == len({title for _page, title in entries})
    assert "<h1>fcd.cloud" in (site / "collection" / "index.html").read_text(encoding="utf-8")


@pytest.mark.full
def test_no_page_shows_a_complaint_of_the_tools(pages: dict[Path, Page]) -> None:
    words = ("Furo-based", "System Message", "ERROR:", "did not return correct DOCUMENTATION")
    found = {f"{file.name}: {word}" for file, page in pages.items() for word in words if word in "".join(page.text)}
    assert found == set()


@pytest.mark.parametrize(
    "link", ["[a](../../CONTRIBUTING.md)", "[a](../../CONTRIBUTING.md#tests)", "[a](https://example.com/)"]
)
def test_links_that_stay(link: str) -> None:
    assert builder.with_links_to({"CONTRIBUTING.md"}, "roles/x/README.md", link) == link


def test_a_link_to_a_file_that_is_no_page_is_its_words() -> None:
    text = "see [`site.yml`](github/site.yml), [tests](#tests) and [that](../../LICENSE#top)"
    assert builder.with_links_to(set(), "extensions/pipelines/README.md", text) == (
        "see `site.yml`, [tests](#tests) and that"
    )


def test_a_picture_is_found_from_the_top_of_the_site() -> None:
    assert builder.with_links_to(set(), "docs/architecture.md", "![a](static/b.svg)") == "![a](/static/b.svg)"


def test_arguments_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["docsite.py", "--opne"])
    with pytest.raises(SystemExit, match=r"Usage: docsite.py \[--open\]; --opne is unknown"):
        builder.main()


def test_a_failing_program_is_told_with_what_it_said(tmp_path: Path) -> None:
    program = tmp_path / "sphinx-build"
    program.write_text("#!/bin/sh\necho 'index.rst:3: WARNING: undefined label'\nexit 2\n", encoding="utf-8")
    program.chmod(0o700)
    run: t.Any = builder._run
    with pytest.raises(SystemExit, match=r"sphinx-build ended with 2.\nindex.rst:3: WARNING"):
        run(tmp_path, "sphinx-build")
