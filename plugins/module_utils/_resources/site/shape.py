# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The shape of a site file: what may stand where, names of options in their one spelling."""

from __future__ import annotations

import re
import typing as t

from ..._core.names import did_you_mean, nearest, shortened
from ..._session.options import OPTIONS as CONNECTION
from .kinds import KINDS, WAITING, Kind
from .mistakes import Mistake, Mistakes
from .sources import Table, Text

SITE = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")
KEY, REMOVE = "key", "remove"
TOP = ("site", "registry", "defaults", *KINDS)
REGISTRY = ("container", "path")
_OF_AN_ENTRY = "{}: it is said of one entry, not of all. Leave it out here."


class Words(t.NamedTuple):
    """The options of a kind and their other names."""

    spec: dict[str, dict[str, t.Any]]
    aliases: dict[str, str]


_WORDS: dict[str, Words] = {}


def words_of(kind: Kind) -> Words:
    """Return the options that an entry of the kind may have; looked up once."""
    if kind.name not in _WORDS:
        spec = kind.options()
        aliases = {alias: name for name, option in spec.items() for alias in option.get("aliases", ())}
        _WORDS[kind.name] = Words(spec, aliases)
    return _WORDS[kind.name]


def called(kind: str, table: Table, name: str | None) -> str:
    """Return what an entry is called in messages, such as ``instances[3] (web)``."""
    number = "" if table.index is None else f"[{table.index}]"
    return f"{kind}{number}{f' ({shortened(name)})' if name else ''}"


def rough_name(kind: Kind, table: t.Mapping[str, t.Any]) -> str | None:
    """Return the key or name of an entry as it stands in the file."""
    key = table.get(KEY)
    return str(key) if isinstance(key, (str, int)) and str(key) else kind.name_of(table)


def check_top(document: Table, mistakes: Mistakes) -> Table:
    """Return the document without what cannot be in it."""
    for key in document:
        if key not in TOP:
            mistakes.note(document.source_of(key), f"{key!r} is nothing that a site file has. {_meant(key)}")
    known = {key: value for key, value in document.items() if key in TOP}
    return Table(known, document.source, document.sources)


def _meant(key: str) -> str:
    plural = next((kind.name for kind in KINDS.values() if key in (kind.module, f"{kind.name}s")), None)
    return f"Did you mean {plural!r}?" if plural else did_you_mean(key, TOP)


def spelled(kind: Kind, table: Table, entry: str, mistakes: Mistakes, *, labels: bool = True) -> Table:
    """Return the entry with the names of options as the module's documentation has them first, unknown ones left out.

    ``labels`` tells whether ``key`` and ``remove`` may be there.
    """
    words = words_of(kind)
    seen: dict[str, str] = {}
    for key in table:
        name = words.aliases.get(key, key)
        known = name in words.spec or (labels and name in (KEY, REMOVE))
        if not known:
            msg = _OF_AN_ENTRY.format(key) if key in (KEY, REMOVE) else _unknown(kind, words, key)
            mistakes.append(_at(table, key, entry, kind, msg))
        elif name in seen:
            msg = f"{key} and {seen[name]} are two names for one option. Leave one of them out."
            mistakes.append(_at(table, key, entry, kind, msg))
        else:
            seen[name] = key
    kept = table.without([key for key in table if key not in seen.values()])
    return kept.renamed({key: name for name, key in seen.items()})


def _at(table: Table, key: str, entry: str, kind: Kind, msg: str) -> Mistake:
    return Mistake(table.source_of(key), entry, msg, kind.name, rough_name(kind, table))


def _unknown(kind: Kind, words: Words, key: str) -> str:
    if key in kind.fixed:
        return f"{key}: it is always {kind.fixed[key]!r} for {kind.name}. Leave it out."
    if key in kind.excluded or key in WAITING:
        return f"{key}: it has no place in a site file; it belongs to a task. Leave it out."
    if key in CONNECTION:
        return f"{key}: how the service is reached is not declared here; it is an option of the task. Leave it out."
    near = nearest(key, [*words.spec, *words.aliases, KEY], 1)
    hint = f"Did you mean {near[0]!r}?" if near else f"{kind.name} take {', '.join(sorted(words.spec))}."
    return f"there is no option {key!r}. {hint}"


def is_template(value: t.Any) -> bool:
    """Whether the value is a text that has to be resolved first."""
    return isinstance(value, Text) and not value.literal and may_be_template(value)


def may_be_template(value: str) -> bool:
    """Whether Jinja would see something in the text."""
    return "{{" in value or "{%" in value or "{#" in value or value.startswith("#jinja2:")
