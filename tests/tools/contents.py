# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The modules, plugins and roles by group, as the tables in docs/modules.md list them. Standard library only."""

from __future__ import annotations

import re
import typing as t

import workspace

TABLES = workspace.CHECKOUT / "docs" / "modules.md"
GROUP = re.compile(r"^## (.+)\n((?:(?!## ).*\n)*)", re.MULTILINE)
ROW = re.compile(r"^\| ([^|\n]+)\|([^|\n]+)\|$", re.MULTILINE)
WORD = re.compile(r"`(\w+)`|\b(role|lookup|playbook|inventory|filter)s?\b")
NAME = re.compile(r"`(\w+)`")
WITH_READERS = "each with an `_info` module"


class Entry(t.NamedTuple):
    """A name, and what it is: ``module``, ``role``, ``lookup``, ``playbook``, ``inventory`` or ``filter``."""

    name: str
    kind: str


def groups() -> dict[str, str]:
    """Return the Markdown of each group by its heading."""
    return dict(GROUP.findall(TABLES.read_text(encoding="utf-8")))


def entries(group: str) -> list[Entry]:
    """Return what the rows of a group list, in their order, the readers behind what they read."""
    found: list[Entry] = []
    for first, second in ROW.findall(group):
        listed = in_cell(first)
        readers = [Entry(f"{name}_info", kind) for name, kind in listed if kind == "module"]
        found += [*listed, *(readers if WITH_READERS in second else [])]
    return found


def in_cell(cell: str) -> list[Entry]:
    """Return what a cell names: modules, and behind ``lookup``, ``role`` and so on what these words say."""
    found: list[Entry] = []
    kinds, complete = ["module"], True
    for name, kind in WORD.findall(cell):
        if name:
            found += [Entry(name, one) for one in kinds]
        else:
            kinds = [kind] if complete else [*kinds, kind]  # as in "role and playbook"
        complete = bool(name)
    return found


def with_links(group: str, address: t.Callable[[Entry], str]) -> str:
    """Return the Markdown of a group in which the names in the first column are links."""

    def linked(row: re.Match[str]) -> str:
        left = [entry for entry in in_cell(row[1]) if entry.kind != "playbook"]

        def link(name: re.Match[str]) -> str:
            entry = next((one for one in left if one.name == name[1]), None)
            if entry is None:
                return name[0]
            left.remove(entry)  # the same name may stand there again, for another kind
            return f"[{name[0]}]({address(entry)})"

        return f"| {NAME.sub(link, row[1])}|{row[2]}|"

    return ROW.sub(linked, group)
