# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""YAML as Ansible writes it, read with the line of everything: whatever is in the text, reading it ends soon.

Ansible's own loader gives positions in another form with each release, lets the last of two equal keys win, and dies of
lists in lists in lists.
"""

from __future__ import annotations

import typing as t

import yaml

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.sources import (
    SourceLine,
    Table,
    number_as_written,
    placed_text,
    single_mistake,
)

MOST_VALUES = 500_000  # what aliases multiply is counted each time
DEEPEST = 60
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_PLAIN = "tag:yaml.org,2002:"
_VAULTED = ("!vault", "!vault-encrypted")
_UNSAFE = "!unsafe"
_MERGE = f"{_PLAIN}merge"
_AS_WRITTEN = ("str", "timestamp", "value", "binary")  # a date without quotes is the text that stands there


class _Open:
    """A mapping or a list that is being read."""

    def __init__(self, event: t.Any, source: SourceLine) -> None:
        self.anchor = event.anchor
        self.source = source
        self.is_table = isinstance(event, yaml.MappingStartEvent)
        self.items: list[t.Any] = []
        self.sources: dict[str, SourceLine] = {}
        self.table: dict[str, t.Any] = {}
        self.below: list[Table] = []
        self.key: tuple[str, SourceLine] | None = None
        self.merging = False
        self.size = 1


class _Sized(t.NamedTuple):
    value: t.Any
    size: int
    source: SourceLine


class YamlReading:
    """One text that is read."""

    def __init__(self, label: str, folder: str) -> None:
        self._label = label
        self._folder = folder
        self._resolver = yaml.resolver.Resolver()
        self._constructor = yaml.constructor.SafeConstructor()
        self._anchors: dict[str, _Sized] = {}
        self._stack: list[_Open] = []
        self._root: _Sized | None = None

    def read(self, content: str) -> Table:
        """Return the mapping that the text is. Raises InvalidInput with the line of what is wrong."""
        try:
            for event in yaml.parse(content, _LOADER):
                self._take(event)
        except yaml.YAMLError as error:
            raise self._not_yaml(error) from None
        if self._root is None or self._root.value is None:
            raise single_mistake(
                SourceLine(self._label, self._folder),
                "the file is empty. A site file begins with site, the name of what is declared; an environment that "
                "changes nothing is {}.",
            )
        if not isinstance(self._root.value, Table):
            raise single_mistake(self._root.source, "a mapping with site and kinds such as instances is expected.")
        return self._root.value

    def _not_yaml(self, error: yaml.YAMLError) -> InvalidInput:
        mark = getattr(error, "problem_mark", None)
        where = SourceLine(self._label, self._folder, None if mark is None else mark.line + 1)
        problem = getattr(error, "problem", None) or "it cannot be read"
        return single_mistake(where, f"this is not YAML: {problem}.")

    def _source(self, event: t.Any) -> SourceLine:
        return SourceLine(self._label, self._folder, event.start_mark.line + 1)

    def _take(self, event: t.Any) -> None:
        if isinstance(event, yaml.ScalarEvent):
            self._scalar(event)
        elif isinstance(event, yaml.AliasEvent):
            self._alias(event)
        elif isinstance(event, yaml.CollectionStartEvent):
            self._begin(event)
        elif isinstance(event, yaml.CollectionEndEvent):
            self._end()
        elif isinstance(event, yaml.DocumentStartEvent) and self._root is not None:
            raise single_mistake(self._source(event), "a second document begins here; a site file is one.")

    def _begin(self, event: t.Any) -> None:
        source = self._source(event)
        above = self._stack[-1] if self._stack else None
        if above is not None and above.is_table and above.key is None and not above.merging:
            raise single_mistake(source, 'a key cannot be a list or mapping. A template needs quotes: "{{ ... }}".')
        if event.tag not in (None, "!", f"{_PLAIN}map", f"{_PLAIN}seq"):
            raise single_mistake(source, f"{event.tag} means nothing here.")
        if len(self._stack) >= DEEPEST:
            raise single_mistake(source, f"more than {DEEPEST} lists and mappings are in one another.")
        self._stack.append(_Open(event, source))

    def _end(self) -> None:
        done = self._stack.pop()
        value: t.Any = done.items
        if done.is_table:
            value = Table(done.table, done.source, done.sources)
            for below in done.below:  # what the table says itself counts, and of several the first
                for key in below:
                    if key not in value:
                        value[key], value.sources[key] = below[key], below.source_of(key)
        made = _Sized(value, done.size, done.source)
        if done.anchor:
            self._anchors[done.anchor] = made
        self._put(made)

    def _alias(self, event: t.Any) -> None:
        known = self._anchors.get(event.anchor)
        if known is None:
            raise single_mistake(
                self._source(event), f"there is no anchor &{event.anchor} before, or it is around this."
            )
        above = self._stack[-1]
        if above.is_table and above.key is None and not above.merging:
            raise single_mistake(self._source(event), "a key is written out, not an alias.")
        self._put(known)

    def _scalar(self, event: t.Any) -> None:
        source = self._source(event)
        above = self._stack[-1] if self._stack else None
        if above is not None and above.is_table and above.key is None and not above.merging:
            self._key(above, event, source)
            return
        made = _Sized(self._value(event, source), 1, source)
        if event.anchor:
            self._anchors[event.anchor] = made
        self._put(made)

    def _key(self, above: _Open, event: t.Any, source: SourceLine) -> None:
        if event.value == "<<" and event.implicit[0]:
            above.merging = True
            return
        first = above.sources.get(event.value)
        if first is not None:
            raise single_mistake(source, f"{event.value!r} stands in line {first.line} already. Leave one of them out.")
        above.key = (event.value, source)
        above.sources[event.value] = source

    def _value(self, event: t.Any, source: SourceLine) -> t.Any:
        tag = event.tag
        if tag in _VAULTED:
            return placed_text(event.value, source, literal=True, vaulted=True)
        if tag == _UNSAFE:
            return placed_text(event.value, source, literal=True)
        if tag in (None, "!"):
            tag = self._resolver.resolve(yaml.ScalarNode, event.value, event.implicit)
        short = tag[len(_PLAIN) :] if tag.startswith(_PLAIN) else ""
        if short in _AS_WRITTEN:
            return placed_text(event.value, source)
        if short not in ("int", "float", "bool", "null"):
            raise single_mistake(source, f"{tag} means nothing here.")
        node = yaml.ScalarNode(tag, event.value)
        try:
            value = self._constructor.yaml_constructors[tag](self._constructor, node)
            return number_as_written(value, event.value) if short in ("int", "float") else value
        except (ValueError, KeyError, OverflowError):
            raise single_mistake(source, f"this is no {short}.") from None

    def _put(self, made: _Sized) -> None:
        """Give what was read to what it stands in."""
        if not self._stack:
            self._root = made
            return
        above = self._stack[-1]
        above.size += made.size
        if above.size > MOST_VALUES:
            raise single_mistake(made.source, f"there are more than {MOST_VALUES} values, aliases counted each time.")
        if not above.is_table:
            above.items.append(made.value)
        elif above.merging:
            above.merging = False
            self._merge(above, made)
        elif above.key is not None:
            above.table[above.key[0]] = made.value
            above.key = None

    def _merge(self, above: _Open, made: _Sized) -> None:
        tables = made.value if isinstance(made.value, list) else [made.value]
        if not all(isinstance(one, Table) for one in tables):
            raise single_mistake(made.source, "<< takes a mapping, or a list of mappings.")
        above.below.extend(tables)


def read_yaml(content: str, label: str, folder: str) -> Table:
    """Return the mapping that a file is; ``label`` is what messages call it. Raises InvalidInput."""
    return YamlReading(label, folder).read(content)
