# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Draw the layers of the code as .importlinter has them, with the words of CONTRIBUTING.md. Standard library only."""

from __future__ import annotations

import configparser
import html
import re
import textwrap

import workspace

RULES = workspace.CHECKOUT / ".importlinter"
GUIDE = workspace.CHECKOUT / "CONTRIBUTING.md"
DRAWN = re.compile(r"^  (_\w+)/ +(.+)$", re.MULTILINE)
ABOVE = {
    "action, lookup, inventory, filter": "what Ansible loads besides modules",
    "plugin_utils": "whole sites, on the controller",
    "modules": "documentation, then a few lines",
}
WIDTH, HEIGHT, GAP, MARGIN = 880, 70, 12, 24
PIXELS = 6.8  # of a character of the small font

HEAD = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="system-ui, sans-serif"\
 font-size="15" text-anchor="middle" role="img" aria-label="The layers of the code; imports point down">
  <!-- SPDX-FileCopyrightText: 2026, FCD collection contributors -->
  <!-- SPDX-License-Identifier: GPL-3.0-or-later -->
  <!-- Drawn by tests/tools/pictures.py -->
  <rect width="{width}" height="{height}" rx="12" fill="#f8fafc"/>
"""


def rows() -> list[list[tuple[str, str]]]:
    """Return the layers from the top, each as the names in it and what they have."""
    rules = configparser.ConfigParser()
    rules.read(RULES, encoding="utf-8")
    words = dict(DRAWN.findall(GUIDE.read_text(encoding="utf-8"))) | ABOVE
    found = []
    for line in rules["importlinter:contract:rooms"]["layers"].split("\n"):
        names = [name.removeprefix("module_utils.") for name in re.split(r" [:|] ", line.strip()) if name]
        if names and names[0] == "action":
            names = [", ".join(names)]
        found += [[(name, words[name]) for name in names]] if names else []
    return found


def drawing() -> str:
    """Return the drawing as SVG."""
    layers = rows()
    height = 2 * MARGIN + len(layers) * (HEIGHT + GAP) - GAP
    lines = [HEAD.format(width=WIDTH, height=height)]
    for number, layer in enumerate(layers):
        top = MARGIN + number * (HEIGHT + GAP)
        width = (WIDTH - 2 * MARGIN - (len(layer) - 1) * GAP) / len(layer)
        for place, (name, words) in enumerate(layer):
            lines.append(_box(MARGIN + place * (width + GAP), top, width, name, words))
    return "".join([*lines, "</svg>\n"])


def _box(left: float, top: float, width: float, name: str, words: str) -> str:
    """Return a box with a name and what it has, in short: there is room for two lines."""
    middle = left + width / 2
    told = textwrap.wrap(words.partition(": ")[0], int((width - 16) / PIXELS))
    text = "".join(
        f'  <text x="{middle:.0f}" y="{top + 44 + 18 * number:.0f}" fill="#475569" font-size="13">'
        f"{html.escape(line)}</text>\n"
        for number, line in enumerate(told)
    )
    return (
        f'  <rect x="{left:.0f}" y="{top}" width="{width:.0f}" height="{HEIGHT}" rx="8"'
        ' fill="#fff" stroke="#4f46e5"/>\n'
        f'  <text x="{middle:.0f}" y="{top + 24}" fill="#0f172a" font-weight="600">{html.escape(name)}</text>\n{text}'
    )
