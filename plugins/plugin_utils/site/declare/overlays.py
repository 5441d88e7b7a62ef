# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The shape of a site file, and environments: files of the same shape that are laid over it.

Options get their one spelling. Mappings merge, entries merge by key or name.
"""

from __future__ import annotations

import typing as t

from ....module_utils._ansible.option_suggestions import Asked, answer_to_option
from ....module_utils._connection.options import OPTIONS as CONNECTION
from ....module_utils._connection.options import OptionSpecs
from ....module_utils._core.errors import InvalidInput
from ....module_utils._core.text import did_you_mean, shortened
from ..model import KINDS, RUN_OPTIONS, EntryKind
from ..read.site_reader import SiteReader
from ..read.site_yaml import Mistake, SourceLine, Table, Text, may_be_template, merge_tables, text_at

KEY, REMOVE, ADOPT, LIFECYCLE = "key", "remove", "adopt", "lifecycle"
ENTRY_KEYWORDS = (KEY, REMOVE, ADOPT, LIFECYCLE)
"""What an entry may have besides options."""

LISTS, OUTPUTS = ("moved", "removed", "policies"), "outputs"
TOP = ("site", "registry", "defaults", *KINDS, *LISTS, OUTPUTS)
REGISTRY_KEYS = ("container", "path", "others_may_write")


class KindOptions(t.NamedTuple):
    """The options of a kind and their other names."""

    spec: OptionSpecs
    aliases: dict[str, str]


_OPTIONS: dict[str, KindOptions] = {}


def kind_options(kind: EntryKind) -> KindOptions:
    """Return the options that an entry of the kind may have; looked up once."""
    if kind.name not in _OPTIONS:
        spec = kind.options()
        aliases = {alias: name for name, option in spec.items() for alias in option.get("aliases", ())}
        _OPTIONS[kind.name] = KindOptions(spec, aliases)
    return _OPTIONS[kind.name]


def entry_label(kind: str, table: Table, name: str | None) -> str:
    """Return what an entry is called in messages, such as ``instances[3] (web)``."""
    number = "" if table.index is None else f"[{table.index}]"
    return f"{kind}{number}{f' ({shortened(name)})' if name else ''}"


def raw_name(kind: EntryKind, table: t.Mapping[str, object]) -> str | None:
    """Return the key or name of an entry as it stands in the file."""
    key = table.get(KEY)
    return str(key) if isinstance(key, (str, int)) and str(key) else kind.name_of(table)


def _mistake(kind: EntryKind, row: Table, msg: str, key: str | None = None, entry: str | None = None) -> Mistake:
    """Return what is wrong with a row, or with one key of it; ``entry`` is what it is called, if not by its name."""
    name = raw_name(kind, row)
    source = row.source if key is None else row.source_of(key)
    return Mistake(source, entry_label(kind.name, row, name) if entry is None else entry, msg, kind.name, name)


def check_top(document: Table, reader: SiteReader) -> Table:
    """Return the document without what cannot be in it."""
    unknown = [key for key in document if key not in TOP]
    for key in unknown:
        plural = next((kind.name for kind in KINDS.values() if key in (kind.module, f"{kind.name}s")), None)
        hint = f"Did you mean {plural!r}?" if plural else did_you_mean(key, TOP)
        reader.mistakes.note(document.source_of(key), f"there is no {key!r} in a site file. {hint}")
    return document.without(unknown)


def with_option_names(kind: EntryKind, table: Table, reader: SiteReader, defaults: str | None = None) -> Table:
    """Return the entry with the names of options as the module's documentation has them first, unknown ones left out.

    ``defaults`` is what the table is called if it is of all entries: then ``lifecycle`` is all that it may have besides
    options.
    """
    words = kind_options(kind)
    seen: dict[str, str] = {}
    for key in table:
        name = words.aliases.get(key, key)
        known = name in words.spec or name in (ENTRY_KEYWORDS if defaults is None else (LIFECYCLE,))
        if not known:
            of_one = f"{key}: it belongs to a single entry, so it cannot be a default. Remove it here."
            msg = of_one if key in ENTRY_KEYWORDS else _unknown(kind, words, key)
            reader.mistakes.append(_mistake(kind, table, msg, key, defaults))
        elif name in seen:
            msg = f"{key} and {seen[name]} are two names for one option. Remove one of them."
            reader.mistakes.append(_mistake(kind, table, msg, key, defaults))
        else:
            seen[name] = key
    kept = table.without([key for key in table if key not in seen.values()])
    return kept.renamed({key: name for name, key in seen.items()})


def _unknown(kind: EntryKind, words: KindOptions, key: str) -> str:
    if key in kind.fixed:
        return f"{key}: it is always {kind.fixed[key]!r} for {kind.name}. Remove it."
    if key in kind.excluded or key in RUN_OPTIONS:
        return f"{key}: it is an option of a task, not of a site file. Remove it."
    if key in CONNECTION:
        return f"{key}: the connection to the service is not declared here; it is an option of the task. Remove it."

    answer = answer_to_option(Asked(key, [*words.spec, *words.aliases, *ENTRY_KEYWORDS], words.aliases))
    return f"there is no option {key!r}. {answer or f'See ansible-doc fcd.cloud.{kind.module}.'}"


TableRows = t.Dict[str, t.List[Table]]
YES = (True, "true", "yes", "on")
NO = (False, "false", "no", "off")


class ListItem(t.NamedTuple):
    """What stands in a list of the file; messages call it ``where``, such as ``moved[2]``."""

    where: str
    source: SourceLine
    value: t.Any


class Layer(t.NamedTuple):
    """One file, or several that were laid over one another."""

    top: Table
    defaults: dict[str, Table]
    rows: TableRows
    lists: dict[str, list[ListItem]]


def layer_of(document: Table, reader: SiteReader) -> Layer:
    """Return the parts of a file, with the usual names of options."""
    document = check_top(document, reader)
    rows = {kind.name: _rows(kind, document, reader) for kind in KINDS.values() if kind.name in document}
    lists = {name: [*_items(name, document, reader)] for name in LISTS}
    top = document.without([*KINDS, *LISTS, "defaults", OUTPUTS])
    top[OUTPUTS] = _table(OUTPUTS, "names", document, reader)
    given = _table("defaults", "kinds", document, reader)
    defaults = {}
    for name in given:
        place = given.source_of(name)
        entry = _resolved(given[name], place, f"defaults.{name}", reader)
        if name not in KINDS:
            reader.mistakes.note(place, f"defaults: there is no kind {name!r}. {did_you_mean(name, KINDS)}")
        elif isinstance(entry, Table):
            defaults[name] = with_option_names(KINDS[name], entry, reader, f"defaults.{name}")
        elif entry is not None:
            reader.mistakes.note(place, f"defaults.{name}: write a mapping of options, not {value_kind(entry)}.")
    return Layer(top, defaults, rows, lists)


def merge_layers(layers: t.Sequence[Layer], reader: SiteReader) -> Layer:
    """Return the first layer with the others laid over it, one after the other."""
    whole = layers[0]
    msg = "remove: it is for an environment only. Here, remove the entry itself."
    for kind, rows in whole.rows.items():
        reader.mistakes.extend(_mistake(KINDS[kind], row, msg) for row in rows if REMOVE in row)
    for upper in layers[1:]:
        registry = ("registry",) if "registry" in upper.top else ()  # a container or a path: it is replaced as a whole
        top = merge_tables(whole.top.without(registry), upper.top)
        defaults = dict(whole.defaults)
        for name, table in upper.defaults.items():
            defaults[name] = merge_options(KINDS[name], defaults[name], table) if name in defaults else table
        merged = dict(whole.rows)
        for name, more in upper.rows.items():
            merged[name] = _merge_rows(KINDS[name], merged.get(name, []), more, defaults, reader)
        whole = Layer(top, defaults, merged, {name: [*whole.lists[name], *upper.lists[name]] for name in LISTS})
    return whole


def with_defaults(kind: EntryKind, row: Table, defaults: t.Mapping[str, Table]) -> Table:
    """Return the entry with the defaults of its kind laid under it."""
    below = defaults.get(kind.name)
    if below is None:
        return row
    whole = merge_options(kind, below, row)
    return Table(whole, row.source, whole.sources, row.index)


def merge_options(kind: EntryKind, lower: Table, upper: Table) -> Table:
    """Return options laid over others. Of two ways to say one thing the upper makes the lower void."""
    given = {name for name, value in upper.items() if value is not None}
    groups = [set(group) for group in kind.operation().rules.get("mutually_exclusive", ())]
    void = {name for group in groups if group & given for name in group - given}
    return merge_tables(lower.without(void), upper)


def _merge_rows(
    kind: EntryKind, lower: list[Table], upper: list[Table], defaults: t.Mapping[str, Table], reader: SiteReader
) -> list[Table]:
    whole: list[Table | None] = list(lower)
    places = _places(kind, lower, defaults)
    touched: set[int] = set()
    for row in upper:
        is_gone = row.get(REMOVE) in YES
        place = next((places[label] for label in _labels(kind, row, defaults) if label in places), None)
        if place in touched:
            reader.mistakes.append(_mistake(kind, row, "this entry is in the environment twice."))
        elif place is not None:
            touched.add(place)
            whole[place] = None if is_gone else merge_options(kind, lower[place], row.without([REMOVE]))
        elif is_gone:
            hint = did_you_mean(raw_name(kind, row) or "", places)
            reader.mistakes.append(_mistake(kind, row, f"remove: there is no such entry. {hint}"))
        else:
            whole.append(row.without([REMOVE]))
    return [row for row in whole if row is not None]


def _places(kind: EntryKind, rows: list[Table], defaults: t.Mapping[str, Table]) -> dict[str, int]:
    """Return by what each entry goes by its number in the list; of two the first."""
    places: dict[str, int] = {}
    for number, row in enumerate(rows):
        for label in _labels(kind, row, defaults):
            places.setdefault(label, number)
    return places


def _labels(kind: EntryKind, row: Table, defaults: t.Mapping[str, Table]) -> list[str]:
    """Return what the entry goes by: its key, its name."""
    name = kind.name_of({**defaults.get(kind.name, {}), **row})
    return [str(label) for label in (row.get(KEY), name) if label not in (None, "")]


def _items(name: str, document: Table, reader: SiteReader) -> t.Iterator[ListItem]:
    """Yield what stands in a list of the file, templates resolved, without those that cannot be."""
    source = document.source_of(name)
    value = _resolved(document.get(name), source, name, reader)
    if value is None:
        return
    if not isinstance(value, list):
        reader.mistakes.note(source, f"{name}: write a list of entries, not {value_kind(value)}.")
        return
    for index, given in enumerate(value):
        where, place = f"{name}[{index}]", getattr(given, "source", source)
        entry = _resolved(given, place, where, reader)
        if isinstance(entry, Table):
            entry.index = index
        if entry is not None or given is None:
            yield ListItem(where, place, entry)


def _rows(kind: EntryKind, document: Table, reader: SiteReader) -> list[Table]:
    rows = []
    for item in _items(kind.name, document, reader):
        if isinstance(item.value, Table):
            rows.append(_with_flag(kind, with_option_names(kind, item.value, reader), reader))
        else:
            msg = f"an entry is a mapping of options, not {value_kind(item.value)}."
            reader.mistakes.append(Mistake(item.source, item.where, msg, kind.name))
    return rows


def _table(name: str, members: str, document: Table, reader: SiteReader) -> Table:
    """Return a mapping of the file, an empty one where there is none, or something else."""
    source = document.source_of(name)
    value = _resolved(document.get(name), source, name, reader)
    if isinstance(value, Table):
        return value
    if value is not None:
        reader.mistakes.note(source, f"{name}: write a mapping of {members}, not {value_kind(value)}.")
    return Table({}, source)


def _with_flag(kind: EntryKind, row: Table, reader: SiteReader) -> Table:
    """Check ``remove``: a misunderstanding would leave or drop an entry."""
    if REMOVE in row and row[REMOVE] not in (*YES, *NO):
        reader.mistakes.append(_mistake(kind, row, "remove: true or false is expected."))
        return row.without([REMOVE])
    return row if REMOVE not in row or row[REMOVE] in YES else row.without([REMOVE])


def _resolved(value: object, source: SourceLine, where: str, reader: SiteReader) -> object:
    """Return what a template stands for, as if it stood in the file; None when it cannot be resolved."""
    if not isinstance(value, Text) or value.literal or not may_be_template(value):
        return value
    try:
        return data_at(reader.resolve_entries(value), source)  # what is in a variable may be templates of its own
    except InvalidInput as error:
        reader.mistakes.note(source, f"{where}: {error}")
        return None


def data_at(value: t.Any, source: SourceLine) -> object:
    """Return plain data as what stands in a file; its texts are no templates any more, unless they have a place."""
    if isinstance(value, dict):
        return Table({str(key): data_at(entry, source) for key, entry in value.items()}, source)
    if isinstance(value, list):
        return [data_at(entry, source) for entry in value]
    plain = isinstance(value, str) and not isinstance(value, Text)
    return text_at(value, source, literal=True) if plain else value


def value_kind(value: object) -> str:
    """Return what a value is, without the value."""
    if isinstance(value, (int, float)):
        return "true or false" if isinstance(value, bool) else "a number"
    names = {dict: "a mapping", list: "a list", str: "a text"}
    return next((name for kind, name in names.items() if isinstance(value, kind)), "nothing")
