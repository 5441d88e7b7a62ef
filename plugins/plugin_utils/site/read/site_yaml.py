# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""YAML as Ansible writes it, read with the line of everything: whatever is in the text, reading it ends soon.

Ansible's own loader gives positions in another form with each release, lets the last of two equal keys win, and dies of
lists in lists in lists.
"""

from __future__ import annotations

import re
import typing as t

import yaml

from ....module_utils._core.errors import InvalidInput
from ....module_utils._core.text import visible


class SourceLine(t.NamedTuple):
    """A place in a file: ``label`` is what messages call the file, ``folder`` where its relative paths begin."""

    label: str
    folder: str
    line: int | None = None

    def __str__(self) -> str:
        """Return ``site.yml:12``."""
        return self.label if self.line is None else f"{self.label}:{self.line}"


class Text(str):
    """A text of the file. ``literal`` is one that is no template whatever is in it, ``vaulted`` one still encrypted.

    ``secret`` is what the file says of the value (``!secret`` or ``!reveal``), None where it says nothing.
    """

    __slots__ = ("literal", "secret", "source", "vaulted")
    source: SourceLine
    literal: bool
    vaulted: bool
    secret: bool | None


def text_at(
    value: str, source: SourceLine, *, literal: bool = False, vaulted: bool = False, secret: bool | None = None
) -> Text:
    """Return the text with its place."""
    made = Text(value)
    made.source, made.literal, made.vaulted, made.secret = source, literal, vaulted, secret
    return made


class _AsWritten:
    written = ""

    def __str__(self) -> str:
        """Return it as it was written, so that a name without quotes is what stands there."""
        return self.written


_MISREAD = re.compile(r"[-+]?(0[0-7_]+|[0-9_]+(:[0-9.]+)+)")
"""Octal numbers, and those in base 60."""


class WrittenInt(_AsWritten, int):
    """A whole number that becomes another text than the one in the file: 012, 0x1F, 12:30:45."""


class WrittenFloat(_AsWritten, float):
    """The same for 1.10 and 1e3."""


def number_as_written(value: float, written: str) -> float:
    """Return the number, with its text where that would be another."""
    if isinstance(value, bool) or str(value) == written:
        return value
    made: WrittenInt | WrittenFloat = WrittenInt(value) if isinstance(value, int) else WrittenFloat(value)
    made.written = written
    return made


def written_text(value: float) -> str | float:
    """Return the text of a number that has one; others are as they are."""
    return value.written if isinstance(value, _AsWritten) else value


def plain_number(value: float, name: str) -> float:
    """Return a number without its text. Raises InvalidInput for one that YAML takes for another one than people do."""
    plain = value + 0
    if isinstance(value, _AsWritten) and _MISREAD.fullmatch(value.written):
        raise InvalidInput(
            f"{name}: {value.written} without quotes is the number {plain} in YAML. Write the number in decimal digits "
            "without leading zeros, or a text in quotes."
        )
    return plain


class Table(t.Dict[str, t.Any]):
    """A mapping of the file; ``sources`` has the place of each key. ``index`` is its number in a list, from 0."""

    def __init__(
        self,
        values: t.Mapping[str, object],
        source: SourceLine,
        sources: t.Mapping[str, SourceLine] | None = None,
        index: int | None = None,
    ) -> None:
        super().__init__(values)
        self.source = source
        self.sources = dict(sources or {})
        self.index = index

    def source_of(self, key: str) -> SourceLine:
        """Return the place of a key, that of the table when it is not known."""
        return self.sources.get(key, self.source)

    def renamed(self, names: t.Mapping[str, str]) -> Table:
        """Return the table with other keys, where ``names`` has them."""
        values = {names.get(key, key): value for key, value in self.items()}
        sources = {names.get(key, key): source for key, source in self.sources.items()}
        return Table(values, self.source, sources, self.index)

    def without(self, keys: t.Container[str]) -> Table:
        """Return the table without these keys."""
        values = {key: value for key, value in self.items() if key not in keys}
        return Table(values, self.source, self.sources, self.index)


def merge_tables(lower: Table, upper: t.Mapping[str, object]) -> Table:
    """Return both tables as one: what is in ``upper`` counts, and tables in the same place become one too."""
    values: dict[str, t.Any] = dict(lower)
    for key, value in upper.items():
        below = values.get(key)
        values[key] = merge_tables(below, value) if isinstance(below, Table) and isinstance(value, Table) else value
    sources = {**lower.sources, **(upper.sources if isinstance(upper, Table) else {})}
    return Table(values, lower.source, sources, lower.index)


MAX_SHOWN_MISTAKES = 100


class Mistake(t.NamedTuple):
    """One thing that is wrong. ``entry`` is such as ``instances[3] (web)``, empty for what concerns no entry."""

    source: SourceLine
    entry: str
    msg: str
    kind: str | None = None
    name: str | None = None

    def __str__(self) -> str:
        """Return the line of the message, whatever is in the names of which it tells."""
        return f"{visible(str(self.source))}: {f'{visible(self.entry)}: ' if self.entry else ''}{visible(self.msg)}"


class Mistakes(t.List[Mistake]):
    """All that is wrong."""

    def note(self, source: SourceLine, msg: str) -> None:
        """Add something that concerns no entry."""
        self.append(Mistake(source, "", msg))

    def raise_any(self) -> None:
        """Raise InvalidInput when there are any; its detail ``errors`` is a list of dictionaries."""
        if not self:
            return
        ordered = sorted(dict.fromkeys(self), key=_place)
        lines = [str(one) for one in ordered]
        more = [f"... and {len(lines) - MAX_SHOWN_MISTAKES} more."] if len(lines) > MAX_SHOWN_MISTAKES else []
        whole = "\n".join([*lines[:MAX_SHOWN_MISTAKES], *more])
        count = "" if len(lines) == 1 else f"{len(lines)} errors in the site file. Nothing was sent.\n"
        wrong = InvalidInput(f"{count}{whole}", errors=[_plain(one) for one in ordered])
        wrong.has_lines = True
        raise wrong


def _place(one: Mistake) -> tuple[str, int]:
    """Return file and line, for the order of what is told."""
    label, _colon, line = str(one.source).rpartition(":")
    return (label, int(line)) if line.isdigit() else (str(one.source), 0)


def only_mistake(source: SourceLine, msg: str) -> InvalidInput:
    """Return the error for one thing that ends the reading."""
    alone = Mistake(source, "", msg)
    return InvalidInput(str(alone), errors=[_plain(alone)])


def _plain(one: Mistake) -> dict[str, object]:
    texts = {"entry": visible(one.entry), "msg": visible(one.msg)}
    return {"source": str(one.source), "kind": one.kind, "name": one.name, **texts}


def _yaml_problem(error: yaml.YAMLError) -> str:
    """Return what is wrong, and in which column; no text of the file, which may be a secret."""
    problem, mark = getattr(error, "problem", None) or "it cannot be read", getattr(error, "problem_mark", None)
    context, begin = getattr(error, "context", None), getattr(error, "context_mark", None)
    column = "" if mark is None else f" in column {mark.column + 1}"
    since = "" if begin is None or not context else f", {context} from line {begin.line + 1}"
    return f"{problem}{column}{since}"


MAX_YAML_VALUES = 500_000  # what aliases multiply is counted each time
MAX_YAML_DEPTH = 60
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_PLAIN = "tag:yaml.org,2002:"
_VAULTED = ("!vault", "!vault-encrypted")
_UNSAFE = "!unsafe"
_SAID_SECRET = {"!secret": True, "!reveal": False}
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
        self._whole = SourceLine(label, folder)
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
            mark = getattr(error, "problem_mark", None)
            where = self._whole._replace(line=None if mark is None else mark.line + 1)
            raise only_mistake(where, f"this is not YAML: {_yaml_problem(error)}.") from None
        if self._root is None or self._root.value is None:
            raise only_mistake(
                self._whole,
                "the file is empty. A site file needs site, its name, at least; an environment that "
                "changes nothing is {}.",
            )
        if not isinstance(self._root.value, Table):
            raise only_mistake(self._root.source, "a mapping with site and kinds such as instances is expected.")
        return self._root.value

    def _source(self, event: t.Any) -> SourceLine:
        return SourceLine(self._whole.label, self._whole.folder, event.start_mark.line + 1)

    def _take(self, event: object) -> None:
        if isinstance(event, yaml.ScalarEvent):
            self._scalar(event)
        elif isinstance(event, yaml.AliasEvent):
            self._alias(event)
        elif isinstance(event, yaml.CollectionStartEvent):
            self._begin(event)
        elif isinstance(event, yaml.CollectionEndEvent):
            self._end()
        elif isinstance(event, yaml.DocumentStartEvent) and self._root is not None:
            raise only_mistake(self._source(event), "a second document begins here; a site file has only one.")

    def _key_is_next(self) -> bool:
        above = self._stack[-1] if self._stack else None
        return above is not None and above.is_table and above.key is None and not above.merging

    def _begin(self, event: t.Any) -> None:
        source = self._source(event)
        if self._key_is_next():
            raise only_mistake(source, 'a key cannot be a list or mapping. A template needs quotes: "{{ ... }}".')
        if event.tag not in (None, "!", f"{_PLAIN}map", f"{_PLAIN}seq"):
            raise only_mistake(source, f"{event.tag} is not allowed here.")
        if len(self._stack) >= MAX_YAML_DEPTH:
            raise only_mistake(source, f"lists and mappings are nested more than {MAX_YAML_DEPTH} deep.")
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
            raise only_mistake(
                self._source(event), f"there is no anchor &{event.anchor} before this, or this is inside it."
            )
        if self._key_is_next():
            raise only_mistake(self._source(event), "a key cannot be an alias. Write it out.")
        self._put(known)

    def _scalar(self, event: t.Any) -> None:
        source = self._source(event)
        if self._key_is_next():
            self._key(self._stack[-1], event, source)
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
            raise only_mistake(source, f"{event.value!r} is already in line {first.line}. Remove one of them.")
        above.key = (event.value, source)
        above.sources[event.value] = source

    def _value(self, event: t.Any, source: SourceLine) -> t.Any:
        tag = event.tag
        if tag in _VAULTED:
            return text_at(event.value, source, literal=True, vaulted=True)
        if tag == _UNSAFE:
            return text_at(event.value, source, literal=True)
        if tag in _SAID_SECRET:
            return text_at(event.value, source, secret=_SAID_SECRET[tag])
        if tag in (None, "!"):
            tag = self._resolver.resolve(yaml.ScalarNode, event.value, event.implicit)
        short = tag[len(_PLAIN) :] if tag.startswith(_PLAIN) else ""
        if short in _AS_WRITTEN:
            return text_at(event.value, source)
        if short not in ("int", "float", "bool", "null"):
            raise only_mistake(source, f"{tag} is not allowed here.")
        node = yaml.ScalarNode(tag, event.value)
        try:
            value = self._constructor.yaml_constructors[tag](self._constructor, node)
            return number_as_written(value, event.value) if short in ("int", "float") else value
        except (ValueError, KeyError, OverflowError):
            raise only_mistake(source, f"this is not a valid {short}.") from None

    def _put(self, made: _Sized) -> None:
        """Give what was read to what it stands in."""
        if not self._stack:
            self._root = made
            return
        above = self._stack[-1]
        above.size += made.size
        if above.size > MAX_YAML_VALUES:
            raise only_mistake(made.source, f"there are more than {MAX_YAML_VALUES} values, aliases counted each time.")
        if not above.is_table:
            above.items.append(made.value)
        elif above.merging:
            above.merging = False
            tables = made.value if isinstance(made.value, list) else [made.value]
            if not all(isinstance(one, Table) for one in tables):
                raise only_mistake(made.source, "<< takes a mapping, or a list of mappings.")
            above.below.extend(tables)
        elif above.key is not None:
            above.table[above.key[0]] = made.value
            above.key = None


def read_yaml(content: str, label: str, folder: str) -> Table:
    """Return the mapping that a file is; ``label`` is what messages call it. Raises InvalidInput."""
    return YamlReading(label, folder).read(content)


def may_be_template(value: str) -> bool:
    """Whether Jinja would see something in the text."""
    return "{{" in value or "{%" in value or "{#" in value or value.startswith("#jinja2:")
