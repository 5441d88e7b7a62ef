# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Variables and groups that a user composes, for thousands of hosts: the options of core's fragment C(constructed).

Core's own helper makes a template of every key for every host. Here a key that only names a variable is looked up, and
the members of a group are added together; everything else goes the way that core goes.
"""

from __future__ import annotations

import typing as t

from ansible.errors import AnsibleError, AnsibleParserError
from ansible.inventory.data import InventoryData
from ansible.inventory.host import Host
from ansible.module_utils.parsing.convert_bool import boolean
from ansible.plugins.inventory import Constructable

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.plugin_utils._group_names import KeyedGroup, keyed_group
from ansible_collections.fcd.cloud.plugins.plugin_utils._plain_paths import Undefined, Unsure, path_of, value_at
from ansible_collections.fcd.cloud.plugins.plugin_utils._untrusted import Untrusted

Hosts = t.Sequence[Host]
Variables = t.Dict[str, t.Any]
_NOTHING = object()
_ALL = "all"


class ConstructedInventory:
    """What is composed for the hosts of one plugin; ``final`` are their variables that hold no templates."""

    def __init__(self, plugin: Constructable, final: t.Collection[str]) -> None:
        self._plugin = plugin
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
        for host in hosts:
            self._compose_for(host)
        self._final = self._final - frozenset(self._compose)
        for name, condition in self._groups.items():
            self._group(self._safe(name), [host for host in hosts if self._holds(name, condition, host)])
        for entry in self._keyed:
            self._key(entry, hosts)

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

    def _compose_for(self, host: Host) -> None:
        """Set the variables of one host; as in core, none of them sees another."""
        values = [(name, self._of_host(f"compose: {name}", text, host)) for name, text in self._compose.items()]
        for name, value in values:
            if value is not _NOTHING:
                self._inventory.set_variable(host.name, name, self._untrusted.composed(value))

    def _of_host(self, what: str, expression: t.Any, host: Host) -> t.Any:
        return self._tried(what, host.name, lambda: self._evaluated(expression, host.vars, host.get_vars))

    def _holds(self, name: str, condition: t.Any, host: Host) -> bool:
        return self._tried(f"groups: {name}", host.name, lambda: self._conditional(condition, host)) is True

    def _conditional(self, condition: t.Any, host: Host) -> bool:
        found = self._looked_up(condition, host.vars)
        if isinstance(found, bool):
            return found
        templar = self._plugin.templar
        templar.available_variables = host.get_vars()
        if hasattr(templar, "evaluate_conditional"):
            return bool(templar.evaluate_conditional(condition))
        return bool(boolean(templar.template(f"{{% if {condition} %}} True {{% else %}} False {{% endif %}}")))

    def _key(self, entry: KeyedGroup, hosts: Hosts) -> None:
        members: dict[str, list[Host]] = {}
        parents: dict[tuple[str, str], None] = {}
        for host in hosts:
            value = self._of_host(f"keyed_groups: {entry.key}", entry.key, host)
            names = [] if value is _NOTHING else [self._safe(name) for name in entry.names(value) if name]
            if not names and self._strict and value not in ([], {}):
                raise AnsibleParserError(f"keyed_groups: {entry.key!r} is empty for host {host.name!r}.")
            parent = self._parent(entry, host) if names else None
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
