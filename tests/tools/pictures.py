# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Take the pictures in docs/static anew: the sandbox runs what they show, and Chromium takes them.

``python pictures.py [plan drift progress layers]``; without names, all of them. The drawings that are not taken,
such as architecture.svg, are edited by hand.
"""

from __future__ import annotations

import html
import json
import re
import subprocess
import sys
import tempfile
import typing as t
from pathlib import Path

import browser_at_hand
import demo
import layers
import workspace

sys.path.insert(0, str(workspace.CHECKOUT / "tests"))

from pages.browser import Browser
from sandbox.process import SandboxProcess

STATIC = workspace.CHECKOUT / "docs" / "static"
WIDTH = 1100
COLOUR = re.compile(r"\x1b\[([\d;]*)m")
COLOURS = {"31": "#f28b82", "32": "#8fd694", "33": "#e6b673", "34": "#8ab4f8", "35": "#d7aefb", "36": "#78d9ec"}
TERMINAL = """<!doctype html><meta charset="utf-8"><style>
body {{ margin: 0; background: #202430; color: #eef1f6; }}
pre {{ margin: 0; padding: 18px; width: max-content; max-width: 110ch; font: 15px/1.4 "DejaVu Sans Mono", monospace;
white-space: pre-wrap; overflow-wrap: anywhere; }}
</style><pre>{}</pre>"""

SHOP = """\
site: web-shop
registry: {path: registry.json}
defaults:
  instances: {template: CentOS 7, subregion: EU-001, type: v1.standard-2.2}
private_networks:
  - name: shop-inside
storage_containers:
  - name: shop-assets
    metadata: {tier: bronze}
instances:
  - name: shop-web
    private_networks: [shop-inside]
    recreate: true
  - name: shop-database
disks:
  - name: shop-data
    size: 20
    disk_class: Tier 1
    instances: [shop-web]
"""
EDITS = (
    ("tier: bronze", "tier: gold"),
    ("    recreate: true\n", "    recreate: true\n    template: Debian 9\n"),
    ("  - name: shop-database\n", "  - name: shop-database\n    type: v1.standard-4.4\n  - name: shop-cache\n"),
)
BY_HAND = (
    ("storage_container", "name=shop-assets metadata={'tier':'silver'}"),
    ("storage_container", "name=shop-logs state=absent"),
    ("instance", "name=shop-database type=v1.standard-4.4"),
)
FLEET = """\
- name: Web shop
  hosts: localhost
  gather_facts: false
  tasks:
    - name: Create the instances of the shop
      fcd.cloud.instance_fleet:
        fleet: shop
        instance_defaults: {template: Debian 9, subregion: EU-001, type: v1.standard-2.2}
        instances: [{name: web-1}, {name: web-2}, {name: web-3}, {name: db-1}, {name: db-2}]
    - name: Upload the pictures
      fcd.cloud.storage_sync: {mode: push, path: pictures, container: site-assets, connections: 2}
"""


class Studio:
    """A folder whose playbooks run against a sandbox, and a browser that sees what they say."""

    def __init__(self, sandbox: SandboxProcess, folder: Path, browser: Browser) -> None:
        """Remember them."""
        self.sandbox, self.folder, self._browser = sandbox, folder, browser
        self._variables = {
            **demo.environment(str(folder), sandbox),
            "ANSIBLE_FORCE_COLOR": "true",
            "ANSIBLE_DISPLAY_SKIPPED_HOSTS": "true",  # else the name of a task follows what it says
        }

    def run(self, *command: str, codes: t.Sequence[int] = (0,)) -> str:
        """Return what a command of Ansible says, with its colours. Raises SystemExit when it ends with another code."""
        program = Path(sys.executable).parent / command[0]
        done = subprocess.run(
            [str(program), *command[1:]],
            cwd=self.folder,
            env=self._variables,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode not in codes:
            raise SystemExit(f"{' '.join(command)} ended with {done.returncode}.\n{done.stdout[-3000:]}{done.stderr}")
        return done.stdout

    def terminal(self, name: str, command: str, said: str) -> None:
        """Take a terminal with a command and what it said."""
        page = self.folder / f"{name}.html"
        print(f"$ {command}\n{COLOUR.sub('', said)}")
        prompt = f'<span style="color: {COLOURS["32"]}">$</span> {html.escape(command)}\n'
        page.write_text(TERMINAL.format(prompt + coloured(said.strip("\n"))), encoding="utf-8")
        self._browser.look(width=WIDTH, scheme="dark")
        self._browser.open(page)
        width = self._browser.tell("Math.ceil(document.querySelector('pre').getBoundingClientRect().width)")
        self._browser.look(width=int(width), scheme="dark")
        self._browser.picture(STATIC / f"{name}.png", optimize=True)

    def page(self, name: str, report: str, most: int) -> None:
        """Take the beginning of a report."""
        self._browser.look(width=WIDTH, scheme="light")
        self._browser.open(self.folder / "reports" / report)
        self._browser.picture(STATIC / f"{name}.png", most, optimize=True)


def coloured(said: str) -> str:
    """Return the HTML of what a terminal shows, in its colours."""
    first, *rest = COLOUR.split(said)
    parts = [html.escape(first)]
    for codes, text in zip(rest[::2], rest[1::2]):
        colour = next((COLOURS[code] for code in codes.split(";") if code in COLOURS), None)
        escaped = html.escape(text)
        parts.append(f'<span style="color: {colour}">{escaped}</span>' if colour and escaped else escaped)
    return "".join(parts)


def plan(studio: Studio) -> None:
    """Take a plan with a replacement, in a terminal and as a page."""
    site = studio.folder / "site.yml"
    site.write_text(SHOP, encoding="utf-8")
    studio.run("ansible-playbook", "fcd.cloud.apply")
    edited = SHOP
    for old, new in EDITS:
        edited = edited.replace(old, new)
    site.write_text(edited, encoding="utf-8")
    command = "ansible-playbook fcd.cloud.plan -e provision_max_replace=1"
    said = studio.run(*command.split())
    begin, end = said.index("Plan of web-shop:"), re.compile(r"^\S*Plan: .*$", re.MULTILINE)
    last = end.search(said)
    studio.terminal("plan_terminal", command, said[begin : last.end() if last else len(said)])
    studio.page("plan", "plan.html", 1400)


def drift(studio: Studio) -> None:
    """Take the page of a drift report: two clean ones, then changes by hand."""
    site = SHOP.replace("instances:\n  - name: shop-web", "  - name: shop-logs\ninstances:\n  - name: shop-web")
    (studio.folder / "site.yml").write_text(site, encoding="utf-8")
    studio.run("ansible-playbook", "fcd.cloud.apply")
    for _clean in range(2):
        studio.run("ansible-playbook", "fcd.cloud.drift")
    for module, arguments in BY_HAND:
        studio.run("ansible", "localhost", "-m", f"fcd.cloud.{module}", "-a", arguments)
    studio.run("ansible-playbook", "fcd.cloud.drift", codes=(2,))
    studio.page("drift", "drift.html", 1400)


def progress(studio: Studio) -> None:
    """Take a fleet and an upload at work."""
    pictures = studio.folder / "pictures"
    pictures.mkdir()
    for number in range(120):
        (pictures / f"{number:03}.jpg").write_bytes(f"{number:03}".encode() * 60_000)
    (studio.folder / "shop.yml").write_text(FLEET, encoding="utf-8")
    studio.run("ansible", "localhost", "-m", "fcd.cloud.storage_container", "-a", "name=site-assets")
    studio.sandbox.settings(rest={"ticket_seconds": 12})
    studio.sandbox.fault("delay", service="storage", method="PUT", path="/site-assets/", seconds=0.25, times=0)
    command = "ansible-playbook shop.yml"
    studio.terminal("progress", command, studio.run(*command.split()))


PICTURES = {"plan": plan, "drift": drift, "progress": progress}


def main() -> None:
    """Take those that are named, or all. Raises SystemExit when one cannot be taken."""
    names = sys.argv[1:] or [*PICTURES, "layers"]
    if unknown := set(names) - {*PICTURES, "layers"}:
        raise SystemExit(f"There is no picture {json.dumps(sorted(unknown))}; there are {', '.join(PICTURES)}, layers.")
    if "layers" in names:
        (STATIC / "layers.svg").write_text(layers.drawing(), encoding="utf-8")
    names = [name for name in names if name in PICTURES]
    if names and (missing := browser_at_hand.missing()):
        raise SystemExit(missing)
    for name in names:
        with tempfile.TemporaryDirectory(prefix="fcd-pictures-") as work:
            browser = Browser(Path(work) / "profile")
            try:
                with SandboxProcess("--ticket-seconds", "0.2") as sandbox:
                    PICTURES[name](Studio(sandbox, Path(work), browser))
            finally:
                browser.close()
        print(name, flush=True)


if __name__ == "__main__":
    main()
