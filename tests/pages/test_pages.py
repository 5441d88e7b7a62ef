# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages in a real browser: light and dark, wide and narrow, by keyboard, without scripts, on paper."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.text import visible
from ansible_collections.fcd.cloud.tests.unit.plugins.plugin_utils.site_report.sample_plans import HOSTILE
from pages.browser import Browser

WIDE, NARROW = 1280, 390
NAMES = ("drift", "clean", "empty", "failed", "applied", "many", "hostile", "identities", "partial", "besides")
Pages = dict[str, Path]

OVERFLOWING = """
[...document.querySelectorAll("body *")].filter(one => {
  const box = one.getBoundingClientRect();
  const inside = one.closest(".unseen, .wide, thead, .word, .skip, option, svg");
  return box.width > 0 && !inside && box.right > document.documentElement.clientWidth + 1;
}).slice(0, 5).map(one => one.tagName + "." + one.className + " " + one.textContent.slice(0, 40))
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [WIDE, NARROW])
@pytest.mark.parametrize("name", NAMES)
def test_the_page_is_whole(browser: Browser, folder: Path, pages: Pages, name: str, width: int, scheme: str) -> None:
    """It has the colours that are preferred, fits the window, loads nothing and has no error."""
    browser.look(width=width, scheme=scheme)
    browser.open(pages[name])
    browser.picture(folder / f"{name}-{scheme}-{width}.png")
    assert browser.requests() == [pages[name].as_uri()]
    assert browser.errors() == []
    assert browser.tell("document.documentElement.scrollWidth") == width
    assert browser.tell(OVERFLOWING) == []
    assert (_brightness(browser) > 128) is (scheme == "light")


ROWS_OF_TILES = """
Object.values(Object.groupBy(
  [...document.querySelectorAll(".tile")].map(one => one.getBoundingClientRect()), box => box.top
)).map(row => [row.length, row[0].width / document.querySelector(".tiles").clientWidth])
"""


@pytest.mark.parametrize("width", [WIDE, 800, NARROW])
@pytest.mark.parametrize(("name", "number"), [("usual", 7), ("one-adopted", 8), ("two-rare", 9), ("identities", 10)])
def test_no_tile_stands_alone(browser: Browser, pages: Pages, name: str, number: int, width: int) -> None:
    """A row has several tiles, or one over its whole width."""
    browser.look(width=width, scheme="light")
    browser.open(pages[name])
    rows = browser.tell(ROWS_OF_TILES)
    assert sum(tiles for tiles, _share in rows) == number
    assert [row for row in rows if row[0] == 1 and row[1] < 0.95] == []


def _brightness(browser: Browser) -> float:
    colour = browser.tell("getComputedStyle(document.body).backgroundColor")
    return sum(map(int, colour.removeprefix("rgb(").removesuffix(")").split(","))) / 3


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [WIDE, NARROW])
@pytest.mark.parametrize("name", ["drift", "failed", "identities", "partial"])
def test_the_page_is_accessible(browser: Browser, pages: Pages, name: str, width: int, scheme: str) -> None:
    """Contrast, names, roles, headings and landmarks, by the rules of axe."""
    axe = pytest.importorskip("axe_core_python", reason="NOT RUN: there is no axe-core-python (pip)")
    browser.look(width=width, scheme=scheme)
    browser.open(pages[name])
    browser.tell("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    browser.tell((Path(axe.__file__).parent / "axe.min.js").read_text(encoding="utf-8") + "; 0")
    found = json.loads(browser.tell("axe.run().then(done => JSON.stringify(done.violations))"))
    assert [(one["id"], [node["html"] for node in one["nodes"]][:3]) for one in found] == []


@pytest.mark.parametrize("scripts", [True, False])
def test_names_do_nothing(browser: Browser, pages: Pages, scripts: bool) -> None:
    """All of them can be read as they are, and none has become an element, a script or a title."""
    browser.scripts(run=scripts)
    browser.open(pages["hostile"])
    browser.tell("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    title = (
        "Plan of web-shop (<script>alert(1)</script>@everyone): 15 changes planned, 5 no longer declared and 20 errors"
    )
    assert browser.tell("document.title") == title
    assert browser.tell("document.querySelectorAll('script').length") == 1
    assert browser.tell("document.querySelectorAll('img, b, iframe, object, embed, link, #injected').length") == 0
    links = browser.tell("[...document.querySelectorAll('a')].map(one => one.getAttribute('href'))")
    assert {link[0] for link in links} == {"#"}
    names = browser.tell("[...document.querySelectorAll('.change .name')].map(one => one.textContent)")
    assert len(names) == len(HOSTILE)
    assert names[:-1] == [visible(name) for name in HOSTILE[:-1]]
    assert names[-1].endswith("… (10,000 characters)")
    assert browser.errors() == []


def test_a_script_that_got_in_would_not_run(browser: Browser, pages: Pages) -> None:
    """The policy of the page holds, whatever way an element comes into it."""
    browser.open(pages["usual"])
    browser.tell(
        """(() => {
          const script = document.createElement("script");
          script.textContent = "window.hurt = true";
          document.body.append(script);
          document.body.insertAdjacentHTML("beforeend", "<img src=/x.png onerror='window.hurt = 1'>");
        })()"""
    )
    assert browser.tell("window.hurt === undefined")
    assert len(browser.errors()) >= 2  # the browser tells what it refused


def test_the_filter(browser: Browser, pages: Pages) -> None:
    browser.open(pages["usual"])
    browser.tell("document.getElementById('search').focus()")
    for letter in "web shop":
        browser.press(letter)
    assert _names(browser) == ["web-2"]  # by its name and what it is to be
    assert browser.tell("document.getElementById('told').textContent") == "1 of 6 shown"
    assert browser.tell("document.querySelectorAll('.group:not([hidden])').length") == 1
    _choose(browser, "kind", "disks")
    assert _names(browser) == []
    assert browser.tell("document.getElementById('none').checkVisibility()")
    browser.click("button[type=reset]")
    _settle(browser)
    assert len(_names(browser)) == 6
    _choose(browser, "action", "create")
    assert _names(browser) == ["backend", "web-1"]


def _choose(browser: Browser, control: str, value: str) -> None:
    browser.tell(
        f"(() => {{ const one = document.getElementById('{control}'); one.value = '{value}';"
        " one.dispatchEvent(new Event('change')); })()"
    )
    _settle(browser)


def _settle(browser: Browser) -> None:
    """Wait until the page has done what it does a moment after an event."""
    browser.tell("new Promise(done => setTimeout(done, 5))")


def _names(browser: Browser) -> list[str]:
    _settle(browser)
    shown = "[...document.querySelectorAll('.change:not([hidden]) .name')].filter(one => one.checkVisibility())"
    names: list[str] = browser.tell(f"{shown}.map(one => one.textContent)")
    return names


def test_all_open_and_close(browser: Browser, pages: Pages) -> None:
    browser.open(pages["many"])
    count = "document.querySelectorAll('.change details[open]').length"
    assert browser.tell(count) == 0
    browser.click("#fold")
    assert browser.tell(count) == 300
    assert browser.tell("document.getElementById('fold').textContent") == "Close all"
    browser.click("#fold")
    assert browser.tell(count) == 0


def test_the_keyboard(browser: Browser, pages: Pages) -> None:
    """The first stop leads to the changes; each row opens where one is, and the place of the focus can be seen."""
    browser.open(pages["many"])
    browser.press("Tab")
    assert browser.tell("document.activeElement.textContent") == "Skip to the changes"
    assert browser.tell("document.activeElement.getBoundingClientRect().width > 50")
    browser.press("Enter")
    browser.tell("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert browser.tell("location.hash") == "#changes"
    browser.tell("document.querySelector('.change summary').focus({focusVisible: true})")
    assert browser.tell("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    browser.press("Enter")
    assert browser.tell("document.activeElement.parentNode.open")


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_without_scripts_all_can_be_read(browser: Browser, pages: Pages, width: int) -> None:
    browser.scripts(run=False)
    browser.look(width=width, scheme="light")
    browser.open(pages["many"])
    assert not browser.tell("document.getElementById('filter').checkVisibility()")
    assert browser.tell("document.querySelectorAll('.change').length") == 300
    browser.click(".change summary")
    text = browser.tell("document.querySelector('.change').innerText")
    assert "instance-0004" in text
    assert "Number 4 of many" in text
    assert browser.errors() == []


def test_narrow_tables_are_stacked(browser: Browser, pages: Pages) -> None:
    """Before and after stand side by side where there is room, else below each other with their names."""
    browser.open(pages["usual"])
    rows = "[...document.querySelectorAll('.both td')].slice(0, 2).map(one => one.getBoundingClientRect().top)"
    before, after = browser.tell(rows)
    assert before == after
    browser.look(width=NARROW, scheme="light")
    before, after = browser.tell(rows)
    assert before < after
    side = "getComputedStyle(document.querySelector('.both td'), '::before').content"
    assert browser.tell(side) == "attr(data-side)" or "now" in browser.tell(side)


def test_the_chart_has_words(browser: Browser, pages: Pages) -> None:
    browser.open(pages["drift"])
    assert browser.tell("document.querySelectorAll('#history rect').length") == 14
    label = browser.tell("document.querySelector('#history svg').getAttribute('aria-label')")
    assert label == "Drift over time. 14 reports, 6 of them clean. Last 6 entries with drift, more than before (0)."
    browser.click("#history summary")
    assert browser.tell("document.querySelectorAll('#history tbody tr').length") == 14
    assert "1 file in the history folder is no drift report" in browser.tell("document.body.innerText")


def test_on_paper(browser: Browser, folder: Path, pages: Pages) -> None:
    """Nothing that only a screen can use; what was closed is open, and closed again afterwards."""
    browser.open(pages["some"])
    opened = "document.querySelectorAll('.change details[open]').length"
    browser.tell(f"addEventListener('beforeprint', () => {{ window.opened = {opened}; }})")
    paper = browser.printed()
    (folder / "some.pdf").write_bytes(paper)
    assert paper.startswith(b"%PDF-")
    assert browser.tell("window.opened") == 30
    assert browser.tell(opened) == 0
    browser.look(width=WIDE, scheme="dark", media="print")
    assert not browser.tell("document.getElementById('filter').checkVisibility()")


def test_five_thousand_changes_can_be_used(browser: Browser, pages: Pages) -> None:
    assert pages["huge"].stat().st_size < 10_000_000
    browser.open(pages["huge"])
    assert browser.tell("document.querySelectorAll('.change').length") == 5000
    browser.tell(
        "(() => { const one = document.getElementById('search'); one.value = '-4321';"
        " one.dispatchEvent(new Event('input')); })()"
    )
    browser.tell(
        "new Promise(done => { const look = () => document.querySelectorAll('.change:not([hidden])').length < 3"
        " ? done() : setTimeout(look, 20); look(); })"
    )
    assert len(_names(browser)) == 1


def test_nothing_moves_for_those_who_asked_for_it(browser: Browser, pages: Pages) -> None:
    browser.open(pages["usual"])
    duration = "getComputedStyle(document.querySelector('.change summary'), '::before').transitionDuration"
    assert browser.tell(duration) != "0s"
    browser.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
    assert browser.tell(duration) == "0s"
