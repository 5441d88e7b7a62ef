# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Variables and groups that a user composes, for thousands of hosts: the options of core's fragment C(constructed).

Core's own helper makes a template of every key for every host. Here a key that only names a variable is looked up, and
the members of a group are added together; everything else goes the way that core goes.
"""

from __future__ import annotations

import re
import typing as t
from functools import lru_cache

from ansible.errors import AnsibleError, AnsibleParserError
from ansible.inventory.data import InventoryData
from ansible.inventory.host import Host
from ansible.module_utils.parsing.convert_bool import boolean
from ansible.plugins.inventory import Constructable

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.module_utils._core.text import did_you_mean
from ansible_collections.fcd.cloud.plugins.plugin_utils._untrusted import Untrusted

Path = t.Tuple[str, ...]

_PATH = re.compile(r"""[A-Za-z_]\w*(?:\.[A-Za-z_]\w*|\[(?:'[^'"\\{}%#]*'|"[^'"\\{}%#]*")\])*""", re.ASCII)
_PART = re.compile(r"""\.?([A-Za-z_]\w*)|\[['"]([^'"]*)['"]\]""", re.ASCII)


class Undefined(Exception):
    """There is no such variable or key."""


class Unsure(Exception):
    """Only a template can tell the value."""


def path_of(expression: t.Any) -> Path | None:
    """Return the names in an expression that is a variable with keys behind it, None for any other."""
    return _path(expression.strip()) if isinstance(expression, str) else None


@lru_cache(maxsize=1024)
def _path(text: str) -> Path | None:
    if not _PATH.fullmatch(text):
        return None
    return tuple(str(found.group(1) or found.group(2) or "") for found in _PART.finditer(text))


def value_at(path: Path, variables: t.Mapping[str, t.Any], final: t.Container[str]) -> t.Any:
    """Return the value as the template would. Raises Undefined or Unsure.

    ``final`` are the variables that hold no templates, whatever is in their texts.
    """
    head, *rest = path
    if head not in variables:
        raise Unsure
    value = variables[head]
    for name in rest:
        value = _below(value, name)
    is_final = head in final or value is None or isinstance(value, (int, float))
    if is_final or (isinstance(value, str) and "{" not in value):
        return value
    raise Unsure


def _below(value: t.Any, name: str) -> t.Any:
    plain = value is None or isinstance(value, (str, int, float))
    if hasattr(value, name) or not (plain or isinstance(value, dict)):
        raise Unsure  # Jinja would take the attribute first, such as dict.items
    if plain or name not in value:
        raise Undefined
    return value[name]


EMPTY = (None, "")
TEXT, WRITABLE = (str,), (str, int, float)
OPTIONS: dict[str, tuple[type, ...]] = {
    "key": TEXT,
    "prefix": WRITABLE,
    "separator": WRITABLE,
    "parent_group": TEXT,
    "default_value": WRITABLE,
    "trailing_separator": (bool,),
}
"""What an entry has, and as what."""


class KeyedGroup(t.NamedTuple):
    """One entry of ``keyed_groups``; ``lead`` is what stands before every name."""

    key: t.Any
    lead: str
    separator: str
    parent: t.Any
    default: t.Any
    trailing_separator: t.Any

    def names(self, value: t.Any) -> list[str]:
        """Return the names, not yet sanitized; none for an empty value. Raises InvalidInput."""
        return [f"{self.lead}{name}" for name in self._bare(value)]

    def _bare(self, value: t.Any) -> list[t.Any]:
        if value in EMPTY:
            return [] if self.default is None else [self.default]
        if isinstance(value, (str, int, float)):
            return [value]
        if isinstance(value, t.Mapping):
            return [self._pair(name, one) for name, one in value.items()]
        if isinstance(value, list):
            return [self.default if one in EMPTY and self.default is not None else one for one in value]
        raise InvalidInput(
            f"keyed_groups: {self.key!r} is a {type(value).__name__}.",
            next_step="Groups are named after texts, numbers, lists and mappings.",
            option="keyed_groups",
        )

    def _pair(self, name: t.Any, value: t.Any) -> str:
        if value in EMPTY:
            if self.default is None and self.trailing_separator is False:
                return str(name)
            value = value if self.default is None else self.default
        return f"{name}{self.separator}{value}"


def keyed_group(entry: t.Any, *, leading_separator: bool) -> KeyedGroup:
    """Return an entry as it was configured; what is null is not given. Raises InvalidInput."""
    if not isinstance(entry, t.Mapping) or not entry.get("key"):
        raise _wrong(f"each entry is a mapping with a key, not {entry!r}.")
    given = {name: value for name, value in entry.items() if value is not None}
    for name, value in given.items():
        _check_keyed(name, value)
    if {"default_value", "trailing_separator"} <= set(given):
        raise _wrong(f"of {entry['key']!r}, give default_value or trailing_separator, not both.")
    prefix, separator = given.get("prefix", ""), given.get("separator", "_")
    return KeyedGroup(
        key=entry["key"],
        lead=f"{prefix}{separator}" if prefix != "" or leading_separator else "",
        separator=str(separator),
        parent=given.get("parent_group"),
        default=given.get("default_value"),
        trailing_separator=given.get("trailing_separator"),
    )


def _check_keyed(name: t.Any, value: t.Any) -> None:
    if name not in OPTIONS:
        raise _wrong(f"there is no {name!r}.", did_you_mean(str(name), OPTIONS))
    if not isinstance(value, OPTIONS[name]):
        kind = "true or false" if name == "trailing_separator" else "a text"
        raise _wrong(f"{name} is {kind}, not {value!r}.")


def _wrong(what: str, next_step: str | None = None) -> InvalidInput:
    return InvalidInput(f"keyed_groups: {what}", next_step=next_step, option="keyed_groups")


Hosts = t.Sequence[Host]
Variables = t.Dict[str, t.Any]
_NOTHING = object()
_ALL = "all"


class ConstructedInventory:
    """What is composed for the hosts of one plugin; ``final`` are their variables that hold no templates."""

    def __init__(self, plugin: Constructable, final: t.Collection[str], warn: t.Callable[[str], None]) -> None:
        self._plugin = plugin
        self._warn = warn
        self._inventory = t.cast(InventoryData, plugin.inventory)
        self._strict: bool = plugin.get_option("strict")
        self._compose: dict[str, t.Any] = plugin.get_option("compose") or {}
        self._groups: dict[str, t.Any] = plugin.get_option("groups") or {}
        leading = plugin.get_option("leading_separator") is not False
        entries = plugin.get_option("keyed_groups") or []
        self._keyed = [keyed_group(entry, leading_separator=leading) for entry in entries]
        written = {"compose": self._compose.values(), "groups": self._groups.values()}
        for option, expressions in {**written, "keyed_groups": [entry.key for entry in self._keyed]}.items():
            refuse_braces(option, expressions)
        extra = plugin._vars if plugin.get_option("use_extra_vars") else None  # noqa: SLF001 - made for subclasses
        self._extra = frozenset(extra or ())
        self._final = frozenset(final)
        self._names: dict[str, str] = {}
        self._untrusted = Untrusted()

    def build(self, hosts: Hosts) -> None:
        """Set the variables, then make the groups, in the order in which core does it for each host."""
        for host in hosts:  # as in core, none of the variables of one host sees another
            values = [(name, self._of_host(f"compose: {name}", text, host)) for name, text in self._compose.items()]
            for name, value in values:
                if value is not _NOTHING:
                    self._inventory.set_variable(host.name, name, self._untrusted.composed(value))
        self._final = self._final - frozenset(self._compose)
        for name, condition in self._groups.items():
            self._group(self._safe(name), [host for host in hosts if self._holds(name, condition, host)])
        for entry in self._keyed:
            self._make_keyed(entry, hosts)

    def value(self, what: str, whose: str, expression: t.Any, variables: Variables) -> t.Any:
        """Return what the expression is with these variables; None where it has no value and the user does not mind."""
        found = self._tried(
            f"{what}: {expression}", whose, lambda: self._evaluated(expression, variables, lambda: variables)
        )
        return None if found is _NOTHING else found

    def _evaluated(self, expression: t.Any, variables: Variables, every: t.Callable[[], Variables]) -> t.Any:
        """Return the value; ``every`` gives the variables for a template. Raises whatever a template raises."""
        found = self._looked_up(expression, variables)
        if found is not _NOTHING:
            return found
        return self._plugin._compose(expression, every())  # noqa: SLF001 - made for subclasses

    def _looked_up(self, expression: t.Any, variables: Variables) -> t.Any:
        """Return the value without a template, _NOTHING where it takes one. Raises Undefined."""
        path = path_of(expression)
        if path is None or path[0] in self._extra:
            return _NOTHING
        try:
            return value_at(path, variables, self._final)
        except Unsure:
            return _NOTHING
        except Undefined:
            if self._strict:
                return _NOTHING  # for the words of the template
            raise

    def _of_host(self, what: str, expression: t.Any, host: Host) -> t.Any:
        return self._tried(what, host.name, lambda: self._evaluated(expression, host.vars, host.get_vars))

    def _holds(self, name: str, condition: t.Any, host: Host) -> bool:
        def evaluated() -> bool:
            found = self._looked_up(condition, host.vars)
            if isinstance(found, bool):
                return found
            templar = self._plugin.templar
            templar.available_variables = host.get_vars()
            if hasattr(templar, "evaluate_conditional"):
                return bool(templar.evaluate_conditional(condition))
            return bool(boolean(templar.template(f"{{% if {condition} %}} True {{% else %}} False {{% endif %}}")))

        return self._tried(f"groups: {name}", host.name, evaluated) is True

    def _make_keyed(self, entry: KeyedGroup, hosts: Hosts) -> None:
        """Make the groups of one entry, then put them into their parents."""
        members: dict[str, list[Host]] = {}
        parents: dict[tuple[str, str], None] = {}
        for host, names in self._named(entry, hosts):
            parent = self._parent(entry, host)
            if parent is _NOTHING:
                continue
            for name in names:
                members.setdefault(name, []).append(host)
                if parent:
                    parents[name, parent] = None
        for name, found in members.items():
            self._group(name, found)
        for name, parent in parents:
            self._nest(name, parent)

    def _named(self, entry: KeyedGroup, hosts: Hosts) -> t.Iterator[tuple[Host, list[str]]]:
        """Give the hosts that have groups by this entry, with their names; warns if its key has no value for any."""
        has_value = not hosts
        for host in hosts:
            names = self._names_for(entry, host)
            has_value = has_value or names is not None
            if names:
                yield host, names
        if not has_value:
            self._warn(f"keyed_groups: {entry.key!r} has no value for any host, so it makes no group.")

    def _names_for(self, entry: KeyedGroup, host: Host) -> list[str] | None:
        """Return the names of the groups that a host is in by this entry; None where its key has no value."""
        value = self._of_host(f"keyed_groups: {entry.key}", entry.key, host)
        names = [] if value is _NOTHING else [self._safe(name) for name in entry.names(value) if name]
        if names or value in ([], {}):
            return names
        if self._strict:
            raise AnsibleParserError(f"keyed_groups: {entry.key!r} is empty for host {host.name!r}.")
        return None

    def _nest(self, name: str, parent: str) -> None:
        """Put the group into its parent. Where that makes a circle, as an instance's name may, it stays where it is."""
        try:
            if name in (_ALL, parent):  # core finds the first only at the end, and gives up everything
                raise AnsibleParserError("there is no such parent for it")
            self._inventory.add_child(self._inventory.add_group(parent), name)
        except AnsibleError as problem:
            if self._strict:
                raise AnsibleParserError(f"keyed_groups: parent_group: {parent!r} of {name!r}: {problem}") from problem

    def _parent(self, entry: KeyedGroup, host: Host) -> t.Any:
        """Return the name of the parent, None where there is to be none, _NOTHING where it cannot be told."""
        parent = entry.parent
        if isinstance(parent, str) and "{" in parent:
            self._plugin.templar.available_variables = host.get_vars()
            parent = self._tried(
                "keyed_groups: parent_group", host.name, lambda: self._plugin.templar.template(entry.parent)
            )
        return parent if parent is _NOTHING or not parent else self._safe(parent)

    def _tried(self, what: str, host: str, evaluate: t.Callable[[], t.Any]) -> t.Any:
        """Return the value; _NOTHING where there is none and the user does not mind."""
        try:
            return evaluate()
        except Exception as problem:  # as in core: filters raise anything
            if self._strict:
                raise AnsibleParserError(f"{what} has no value for {host!r}: {problem}") from problem
            return _NOTHING

    def _group(self, name: str, hosts: Hosts) -> None:
        """Add the hosts to the group; ``add_host`` of the inventory costs several times as much for each."""
        if hosts:
            group = self._inventory.groups[self._inventory.add_group(name)]
            for host in hosts:
                group.add_host(host)

    def _safe(self, name: str) -> str:
        if name not in self._names:
            self._names[name] = self._plugin._sanitize_group_name(name)  # noqa: SLF001 - made for subclasses
        return self._names[name]


def refuse_braces(option: str, expressions: t.Iterable[t.Any]) -> None:
    """Raise InvalidInput for a template where an expression is wanted: it would have no value for any host."""
    for expression in expressions:
        if isinstance(expression, str) and expression.lstrip().startswith(("{{", "{%")):
            raise InvalidInput(
                f"{option}: {str(expression)!r} is an expression already.",
                next_step="Leave out the braces around it.",
                option=option,
            )
