# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Hosts made of the records of instances."""

from __future__ import annotations

import typing as t

from ansible.inventory.data import InventoryData
from ansible.inventory.host import Host
from ansible.plugins.inventory import Constructable

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.module_utils._core.text import did_you_mean, fit_for_json, join_names
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.instance import instance_choice
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.instance.instance_details import DETAILS
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.instance.instance_info import share_items
from ansible_collections.fcd.cloud.plugins.plugin_utils._constructed import (
    EMPTY_VALUES,
    ConstructedInventory,
    HostVariables,
    refuse_braces,
)
from ansible_collections.fcd.cloud.plugins.plugin_utils._host_names import (
    connection_address,
    distinct_host_names,
    host_name,
)
from ansible_collections.fcd.cloud.plugins.plugin_utils._instance_source import InstanceRecords

ADDRESS = "ansible_host"
AROUND_NAME = ("prefix", "name", "suffix")


class InstanceHosts:
    """Adds hosts to the inventory of a plugin, as its options say. Raises InvalidInput for one that cannot be right."""

    def __init__(self, plugin: Constructable, options: t.Mapping[str, t.Any], warn: t.Callable[[str], None]) -> None:
        self._inventory = t.cast(InventoryData, plugin.inventory)
        self._warn = warn
        self._include = instance_choice.rules_of("include", options["include"])
        self._exclude = instance_choice.rules_of("exclude", options["exclude"])
        self._hostnames = [_parts_of(entry) for entry in options["hostnames"]]
        expressions = [entry[part] for entry in self._hostnames for part in AROUND_NAME]
        refuse_braces("hostnames", expressions)
        self._address: str = options["address"]
        prefix = str(options["hostvars_prefix"] or "")
        if not f"{prefix}id".isidentifier():
            raise InvalidInput(
                f"hostvars_prefix: {prefix!r} begins no name of a variable.",
                next_step="Use letters, digits and underscores.",
                option="hostvars_prefix",
            )
        keys = (*instance_choice.RECORD_KEYS, *(DETAILS[name] for name in options["details"]))
        self._names = {key: prefix + key for key in keys}
        self._told = [self._names[key] for key in instance_choice.ADDRESSES]
        unread = {prefix + DETAILS[name]: f"details: [{name}]" for name in DETAILS if name not in options["details"]}
        if not options["template_names"]:
            unread[f"{prefix}template"] = "template_names: true"  # for its label
        self._constructed = ConstructedInventory(plugin, [*self._names.values(), ADDRESS], warn, unread)
        self._constructed.require_known("hostnames", expressions, instance_choice.RECORD_KEYS)
        self._shared: list[str] = []

    def add(self, records: InstanceRecords) -> None:
        """Add the hosts, their variables and their groups. The list is emptied: thousands of records are not small.

        Warns of hosts that another account has, too: Ansible knows a host by its name alone.
        """
        for place, record in enumerate(records):
            records[place] = fit_for_json(record)
        share_items(records)
        fits = instance_choice.fits_rules
        chosen = [one for one in records if not self._include or fits(one, self._include)]
        chosen = [one for one in chosen if not fits(one, self._exclude)]
        records.clear()
        numbers = [record["id"] for record in chosen]
        variables, own_names = [], []
        while chosen:
            record = chosen.pop()
            variables.append(self._variables(record))
            own_names.append(host_name(self._name(record, variables[-1])))
        groups = self._inventory.groups  # variables of a host that is called so would be set for that
        names = distinct_host_names(own_names[::-1], numbers, lambda name, _number: name in groups, self._warn)
        hosts = [self._host(name, own) for name, own in zip(names, variables[::-1])]
        self._constructed.build(hosts)
        self._set_addresses([*hosts, *self._leave_names_to_groups()])
        if self._shared:
            self._warn(
                f"{len(self._shared)} hosts are in another inventory of this plugin as well, and have the variables of "
                f"both: {join_names(self._shared, 5)}. Give each a name of its own with hostnames, such as fcd_name ~ "
                "'.staging'."
            )

    def _variables(self, record: HostVariables) -> HostVariables:
        own = {name: record.get(key) for key, name in self._names.items()}
        address = instance_choice.address_of(record, self._address)
        return own if address is None or host_name(address) != address else {**own, ADDRESS: address}

    def _name(self, record: HostVariables, variables: HostVariables) -> str:
        for entry in self._hostnames:
            values = {part: self._text(record, variables, entry[part]) for part in AROUND_NAME}
            if values["name"]:
                return str(entry["separator"]).join(filter(None, values.values()))
        return str(record["id"])

    def _text(self, record: HostVariables, variables: HostVariables, desired: t.Any) -> str:
        """Return the value of a key or an expression, empty for none."""
        if desired is None:
            return ""
        if desired in instance_choice.RECORD_KEYS:
            value = record[desired]
        else:
            value = self._constructed.value("hostnames", f"instance {record['id']}", desired, variables)
        return "" if value is None or not str(value).strip() else str(value)

    def _leave_names_to_groups(self) -> list[Host]:
        """Rename the hosts, also those of earlier files, that have the name of a group by now; return them.

        A play for the group would run on that host alone.
        """
        hosts, groups, number = self._inventory.hosts, self._inventory.groups, self._names["id"]
        found = [host for name, host in hosts.items() if name in groups and number in host.vars]
        names = distinct_host_names(
            [host.name for host in found],
            [t.cast("int", host.vars[number]) for host in found],
            lambda name, _number: name in groups or name in hosts,
            self._warn,
        )
        for host, name in zip(found, names):
            own = [group for group in host.get_groups() if host.name in group.host_names]
            for group in own:
                group.remove_host(host)
            del hosts[host.name]
            host.name = host.address = name
            hosts[name] = host
            for group in own:
                group.add_host(host)
        return found

    def _set_addresses(self, hosts: t.Iterable[Host]) -> None:
        """See that nothing connects to the mere name of a host, unless the user wants that, or says where to."""
        for host in hosts if self._address != "none" else ():
            if host.vars.get(ADDRESS) in EMPTY_VALUES:
                address = connection_address(None, host.name, [host.vars.get(name) for name in self._told])
                host.vars.pop(ADDRESS, None)
                if address is not None:
                    host.vars[ADDRESS] = address

    def _host(self, name: str, variables: HostVariables) -> Host:
        """Return the host with its variables; each one set by the inventory itself would take most of the time."""
        is_new = name not in self._inventory.hosts
        host = self._inventory.hosts[self._inventory.add_host(name)]
        if is_new:
            host.vars.update(variables)
        else:
            if self._names["id"] in host.vars:
                self._shared.append(name)
            for key, value in variables.items():
                host.set_variable(key, value)
        return host


def _parts_of(entry: t.Any) -> dict[str, t.Any]:
    """Return an entry of hostnames as a mapping. Raises InvalidInput."""
    usual = {"prefix": None, "name": None, "suffix": None, "separator": "_"}
    given = entry if isinstance(entry, t.Mapping) else {"name": entry}
    for name in given:
        if name not in usual:
            raise InvalidInput(
                f"hostnames: there is no {name!r}.", next_step=did_you_mean(str(name), usual), option="hostnames"
            )
    if not given.get("name"):
        raise InvalidInput(
            f"hostnames: each entry is a text, or a mapping with a name, not {entry!r}.", option="hostnames"
        )
    return {**usual, **{name: value for name, value in given.items() if value is not None}}
