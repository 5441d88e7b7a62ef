# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Variables and groups that a user composes, for thousands of hosts: the options of core's fragment C(constructed).

Core's own helper makes a template of every key for every host. Here a key that only names a variable is looked up, and
the members of a group are added together; everything else goes the way that core goes.

Whoever names an instance writes no templates here: Ansible takes no text for one, nor for an expression, unless it is
trusted, and no text of the service ever is.
"""

from __future__ import annotations

import re
import types
import typing as t
from functools import lru_cache

from ansible.errors import AnsibleError, AnsibleParserError
from ansible.inventory.data import InventoryData
from ansible.inventory.host import Host
from ansible.module_utils.parsing.convert_bool import boolean
from ansible.plugins.inventory import Constructable

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.module_utils._core.text import did_you_mean, nearest

_PATH = re.compile(r"""[A-Za-z_]\w*(?:\.[A-Za-z_]\w*|\[(?:'[^'"\\{}%#]*'|"[^'"\\{}%#]*")\])*""", re.ASCII)
_PART = re.compile(r"""\.?([A-Za-z_]\w*)|\[['"]([^'"]*)['"]\]""", re.ASCII)
_NO_VALUE: t.Any = object()
_ALL = "all"
EMPTY_VALUES = (None, "")
NOTHING_UNREAD: t.Mapping[str, str] = types.MappingProxyType({})
TEXT, WRITABLE = (str,), (str, int, float)
KEYED_GROUP_OPTIONS: dict[str, tuple[type, ...]] = {
    "key": TEXT,
    "prefix": WRITABLE,
    "separator": WRITABLE,
    "parent_group": TEXT,
    "default_value": WRITABLE,
    "trailing_separator": (bool,),
}
"""What an entry of ``keyed_groups`` has, and as what."""
Hosts = t.Sequence[Host]
HostVariables = t.Dict[str, object]


@lru_cache(maxsize=1024)
def _path_of(expression: str) -> tuple[str, ...] | None:
    """Return the names in an expression that is a variable with keys behind it, None for any other."""
    if not _PATH.fullmatch(expression):
        return None
    return tuple(str(found.group(1) or found.group(2) or "") for found in _PART.finditer(expression))


class KeyedGroup:
    """One entry of ``keyed_groups``, as it was configured; what is null is not given."""

    def __init__(self, entry: object, *, leading_separator: bool) -> None:
        if not isinstance(entry, t.Mapping) or not entry.get("key"):
            raise _wrong(f"each entry is a mapping with a key, not {entry!r}.")
        given = {name: value for name, value in entry.items() if value is not None}
        for name, value in given.items():
            _check_keyed(name, value)
        self.key = given["key"]
        self.parent = given.get("parent_group")
        self._default = given.get("default_value")
        self._trailing_separator = given.get("trailing_separator")
        if None not in (self._default, self._trailing_separator):
            raise _wrong(f"of {self.key!r}, give default_value or trailing_separator, not both.")
        prefix, self._separator = given.get("prefix", ""), str(given.get("separator", "_"))
        self._lead = f"{prefix}{self._separator}" if prefix != "" or leading_separator else ""

    def names(self, value: object) -> list[str]:
        """Return the names, not yet sanitized; none for an empty value. Raises InvalidInput."""
        if value in EMPTY_VALUES:
            found = [] if self._default is None else [self._default]
        elif isinstance(value, (str, int, float)):
            found = [value]
        elif isinstance(value, t.Mapping):
            found = [self._pair(name, one) for name, one in value.items()]
        elif isinstance(value, list):
            found = list(map(self._or_default, value))
        else:
            raise InvalidInput(
                f"keyed_groups: {self.key!r} is a {type(value).__name__}.",
                next_step="Groups are named after texts, numbers, lists and mappings.",
                option="keyed_groups",
            )
        return [f"{self._lead}{name}" for name in found]

    def _pair(self, name: object, value: object) -> str:
        if value in EMPTY_VALUES and self._default is None and self._trailing_separator is False:
            return str(name)
        return f"{name}{self._separator}{self._or_default(value)}"

    def _or_default(self, value: object) -> object:
        return self._default if value in EMPTY_VALUES and self._default is not None else value


def _check_keyed(name: object, value: object) -> None:
    if name not in KEYED_GROUP_OPTIONS:
        raise _wrong(f"there is no {name!r}.", did_you_mean(str(name), KEYED_GROUP_OPTIONS))
    if not isinstance(value, KEYED_GROUP_OPTIONS[name]):
        kind = "true or false" if name == "trailing_separator" else "a text"
        raise _wrong(f"{name} is {kind}, not {value!r}.")


def _wrong(what: str, next_step: str | None = None) -> InvalidInput:
    return InvalidInput(f"keyed_groups: {what}", next_step=next_step, option="keyed_groups")


class ConstructedInventory:
    """What is composed for the hosts of one plugin; ``final`` are their variables that hold no templates.

    ``unread`` are those that are not read, with the option that reads them.
    """

    def __init__(
        self,
        plugin: Constructable,
        final: t.Collection[str],
        warn: t.Callable[[str], None],
        unread: t.Mapping[str, str] = NOTHING_UNREAD,
    ) -> None:
        self._plugin = plugin
        self._warn = warn
        self._unread = unread
        self._inventory = t.cast(InventoryData, plugin.inventory)
        self._strict: bool = plugin.get_option("strict")
        self._compose: dict[str, object] = plugin.get_option("compose") or {}
        self._groups: dict[str, object] = plugin.get_option("groups") or {}
        leading = plugin.get_option("leading_separator") is not False
        entries = plugin.get_option("keyed_groups") or []
        self._keyed = [KeyedGroup(entry, leading_separator=leading) for entry in entries]
        for option, composed in (("compose", self._compose), ("groups", self._groups)):
            _require_names(option, composed)
            refuse_braces(option, composed.values())
        refuse_braces("keyed_groups", [entry.key for entry in self._keyed])
        extra = plugin._vars if plugin.get_option("use_extra_vars") else None  # noqa: SLF001 - made for subclasses
        self._extra = frozenset(extra or ())
        self._final = frozenset(final)
        self._names: dict[str, str] = {}

    def build(self, hosts: Hosts) -> None:
        """Set the variables, then make the groups, in the order in which core does it for each host."""
        for host in hosts:  # as in core, none of the variables of one host sees another
            values = [(name, self._of_host(f"compose: {name}", text, host)) for name, text in self._compose.items()]
            for name, value in values:
                if value is not _NO_VALUE:
                    self._inventory.set_variable(host.name, name, value)
        self._final = self._final - frozenset(self._compose)
        for name, condition in self._groups.items():
            self._add_group(self._safe(name), [host for host in hosts if self._holds(name, condition, host)])
        for entry in self._keyed:
            self._add_keyed_groups(entry, hosts)

    # ---------------------------------------------------------------- values of expressions

    def require_known(self, option: str, expressions: t.Iterable[object], keys: t.Collection[str]) -> None:
        """Raise InvalidInput for a mere name that neither ``keys`` nor the variables of a new host have."""
        known = {*keys, *self._final, *self._unread, *self._extra}
        for expression in expressions:
            path = _path_of(expression) if isinstance(expression, str) else None
            if path and path[0] not in known:
                raise InvalidInput(
                    f"{option}: an instance has no {path[0]!r}.",
                    next_step=did_you_mean(path[0], nearest(path[0], known) or keys),
                    option=option,
                )

    def value(self, what: str, whose: str, expression: object, variables: HostVariables) -> t.Any:
        """Return what the expression is with these variables; None where it has no value and the user does not mind."""
        found = self._evaluate(f"{what}: {expression}", whose, expression, variables, lambda: variables)
        return None if found is _NO_VALUE else found

    def _of_host(self, what: str, expression: object, host: Host) -> object:
        return self._evaluate(what, host.name, expression, host.vars, host.get_vars)

    def _evaluate(
        self,
        what: str,
        whose: str,
        expression: object,
        variables: HostVariables,
        read_all: t.Callable[[], HostVariables],
    ) -> object:
        """Return the value, as a template would that has the variables of ``read_all``, or _NO_VALUE."""

        def evaluate() -> object:
            found = self._look_up(expression, variables)
            if found is not _NO_VALUE:
                return found
            return self._plugin._compose(expression, read_all())  # noqa: SLF001 - made for subclasses

        return self._attempt(what, whose, evaluate)

    def _holds(self, name: str, condition: t.Any, host: Host) -> bool:
        def evaluate() -> bool:
            found = self._look_up(condition, host.vars)
            if isinstance(found, bool):
                return found
            templar = self._plugin.templar
            templar.available_variables = host.get_vars()
            if hasattr(templar, "evaluate_conditional"):
                return bool(templar.evaluate_conditional(condition))
            return bool(boolean(templar.template(f"{{% if {condition} %}} True {{% else %}} False {{% endif %}}")))

        return self._attempt(f"groups: {name}", host.name, evaluate) is True

    def _attempt(self, what: str, host: str, evaluate: t.Callable[[], object]) -> t.Any:
        """Return the value; _NO_VALUE where there is none and the user does not mind."""
        try:
            return evaluate()
        except Exception as problem:  # as in core: filters raise anything
            if self._strict:
                raise AnsibleParserError(f"{what} has no value for {host!r}: {problem}") from problem
            return _NO_VALUE

    def _look_up(self, expression: object, variables: HostVariables) -> object:
        """Return the value without a template, _NO_VALUE where it takes one. Raises KeyError for what is undefined."""
        path = _path_of(expression.strip()) if isinstance(expression, str) else None
        if path is None or path[0] in self._extra or path[0] not in variables:
            return _NO_VALUE
        value = variables[path[0]]
        for name in path[1:]:
            value = self._member(value, name)
        is_final = path[0] in self._final or isinstance(value, (int, float, type(None)))
        return value if is_final or (isinstance(value, str) and "{" not in value) else _NO_VALUE

    def _member(self, value: t.Any, name: str) -> object:
        plain = value is None or isinstance(value, (str, int, float))
        if hasattr(value, name) or not (plain or isinstance(value, dict)):
            return _NO_VALUE  # Jinja would take the attribute first, such as dict.items
        if not plain and name in value:
            return value[name]
        if self._strict:
            return _NO_VALUE  # for the words of the template
        raise KeyError(name)

    # ---------------------------------------------------------------- groups

    def _add_keyed_groups(self, entry: KeyedGroup, hosts: Hosts) -> None:
        """Make the groups of one entry, then put them into their parents; warns if its key has no value for any."""
        members: dict[str, list[Host]] = {}
        parents: dict[tuple[str, str], None] = {}
        has_value = not hosts
        for host in hosts:
            names = self._group_names(entry, host)
            has_value = has_value or names is not None
            if not names:
                continue
            parent = self._parent(entry, host)
            for name in names if parent is not _NO_VALUE else ():
                members.setdefault(name, []).append(host)
                if parent:
                    parents[name, parent] = None
        if not has_value:
            words = f"keyed_groups: {entry.key!r} has no value for any host, so it makes no group."
            used = [name for name in self._unread if re.search(rf"\b{name}\b", entry.key)]
            self._warn("".join([words, *(f" To read it, set {self._unread[name]}." for name in used)]))
        for name, found in members.items():
            self._add_group(name, found)
        for name, parent in parents:
            self._nest(name, parent)

    def _group_names(self, entry: KeyedGroup, host: Host) -> list[str] | None:
        """Return the names of the groups that a host is in by this entry; None where its key has no value."""
        value = self._of_host(f"keyed_groups: {entry.key}", entry.key, host)
        names = [] if value is _NO_VALUE else [self._safe(name) for name in entry.names(value) if name]
        if names or value in ([], {}):
            return names
        if self._strict:
            raise AnsibleParserError(f"keyed_groups: {entry.key!r} is empty for host {host.name!r}.")
        return None

    def _parent(self, entry: KeyedGroup, host: Host) -> t.Any:
        """Return the name of the parent, None where there is to be none, _NO_VALUE where it cannot be told."""
        parent, templar = entry.parent, self._plugin.templar
        if isinstance(parent, str) and "{" in parent:
            templar.available_variables = host.get_vars()
            parent = self._attempt("keyed_groups: parent_group", host.name, lambda: templar.template(entry.parent))
        return parent if parent is _NO_VALUE or not parent else self._safe(parent)

    def _nest(self, name: str, parent: str) -> None:
        """Put the group into its parent. Where that makes a circle, as an instance's name may, it stays where it is."""
        try:
            if name in (_ALL, parent):  # core finds the first only at the end, and gives up everything
                raise AnsibleParserError("there is no such parent for it")
            self._inventory.add_child(self._inventory.add_group(parent), name)
        except AnsibleError as problem:
            if self._strict:
                raise AnsibleParserError(f"keyed_groups: parent_group: {parent!r} of {name!r}: {problem}") from problem

    def _add_group(self, name: str, hosts: Hosts) -> None:
        """Add the hosts to the group; ``add_host`` of the inventory costs several times as much for each."""
        if hosts:
            group = self._inventory.groups[self._inventory.add_group(name)]
            for host in hosts:
                group.add_host(host)

    def _safe(self, name: str) -> str:
        if name not in self._names:
            self._names[name] = self._plugin._sanitize_group_name(name)  # noqa: SLF001 - made for subclasses
        return self._names[name]


def _require_names(option: str, composed: t.Iterable[object]) -> None:
    """Raise InvalidInput for a name that is no text."""
    for name in composed:
        if not isinstance(name, str):
            raise InvalidInput(
                f"{option}: {name!r} is not a name.",
                next_step="Put the name in quotes: YAML reads on, off, yes and no as true or false.",
                option=option,
            )


def refuse_braces(option: str, expressions: t.Iterable[object]) -> None:
    """Raise InvalidInput for a template where an expression is wanted: it would have no value for any host."""
    for expression in expressions:
        if isinstance(expression, str) and expression.lstrip().startswith(("{{", "{%")):
            raise InvalidInput(
                f"{option}: {str(expression)!r} is an expression already.",
                next_step="Leave out the braces around it.",
                option=option,
            )
