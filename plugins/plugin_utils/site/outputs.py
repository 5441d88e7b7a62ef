# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a run tells those who come after it: the outputs that the site file names, and its instances as hosts."""

from __future__ import annotations

import typing as t

from ...module_utils._connection.task import Params, Result, Task
from ...module_utils._core.errors import InvalidInput
from ...module_utils._core.later import LATER
from ...module_utils._core.text import HIDDEN
from ...module_utils._infrastructure.instance.instance_choice import ADDRESSES, RECORD_KEYS, address_of
from .._host_names import NO_ADDRESS, connection_address, distinct_host_names, host_name
from .model import INSTANCES, Declaration, Output
from .plan.plan_document import redacted_values
from .stages import Done, Planned, hidden_names

PREFIX, ADDRESS = "fcd_", "public_or_private"  # as the inventory plugin has them by default


class _Host(t.TypedDict):
    """An instance as a host; ``vars`` are those that the inventory plugin gives."""

    name: str
    id: int
    vars: dict[str, t.Any]


def with_outputs(
    result: Result, plans: t.Sequence[Planned], declaration: Declaration, params: Params, task: Task
) -> Result:
    """Return the result with ``outputs``, and with ``hosts`` where they are asked for.

    An output whose entry is no part of the run, or goes, is left out; one that only the apply can tell reads
    ``(known after apply)``. With one whose path leads nowhere the result says failed, whatever was done.
    """
    added: Result = {}
    if declaration.outputs:
        values, wrong = outputs_of(declaration, plans)
        added["outputs"] = redacted_values(task.redactor, values)
        if wrong:
            added.update(failed=True, msg=" ".join([*filter(None, [result.get("msg")]), *wrong]))
    if params["hosts"]:
        instances = [plan for plan in plans if plan.entry.kind == INSTANCES]
        records = [(_record(plan), hidden_names(INSTANCES, plan.secrets)) for plan in instances]
        hosts = [_host(record, hidden) for record, hidden in records if record.get("id") is not None]
        added["hosts"] = redacted_values(task.redactor, hosts)
    return {**result, **added}


def outputs_of(declaration: Declaration, plans: t.Sequence[Planned]) -> tuple[dict[str, t.Any], list[str]]:
    """Return the values by the names of the outputs, and what is wrong with paths."""
    by_place = {plan.place: plan for plan in plans if not plan.removes}
    values: dict[str, t.Any] = {}
    wrong = []
    for one in declaration.outputs:
        if one.place in by_place:
            try:
                values[one.name] = _value(one, by_place[one.place])
            except InvalidInput as error:
                values[one.name] = None
                wrong.append(str(error))
    return values, wrong


def _is_known(plan: Planned) -> bool:
    return not plan.changes or (isinstance(plan, Done) and plan.done is not None)


def _record(plan: Planned) -> t.Mapping[str, t.Any]:
    """Return what there is of the thing, nothing where it is to be changed yet, or gone."""
    return plan.outcome.record if plan.outcome is not None and not plan.removes and _is_known(plan) else {}


def _value(output: Output, plan: Planned) -> t.Any:
    """Return where the path leads. Raises InvalidInput when that is nowhere."""
    if plan.error is not None:
        return None
    if not _is_known(plan):
        return LATER
    value: t.Any = _record(plan)
    if output.path[0] in hidden_names(plan.entry.kind, plan.secrets):
        return HIDDEN
    for member in output.path:
        if isinstance(value, t.Mapping) and member in value:
            value = value[member]
        elif isinstance(value, list) and member.isdigit() and int(member) < len(value):
            value = value[int(member)]
        else:
            raise InvalidInput(
                f"outputs: {output.name} ({output.source}): {plan} has no {'.'.join(output.path)}: "
                f"there is no {member!r} in {_shape(value)}.",
                option="outputs",
            )
    return value


def _shape(value: object) -> str:
    """Return in words what there is."""
    if isinstance(value, t.Mapping):
        return ", ".join(sorted(map(str, value))) or "nothing"
    return f"a list of {len(value)}" if isinstance(value, list) else "a single value"


def _host(record: t.Mapping[str, t.Any], hidden: t.Collection[str]) -> _Host:
    shown = {key: HIDDEN if key in hidden and record.get(key) is not None else record.get(key) for key in RECORD_KEYS}
    variables = {f"{PREFIX}{key}": value for key, value in shown.items()}
    name = host_name(str(record.get("name") or record["id"]))
    address = address_of({**dict.fromkeys(RECORD_KEYS), **record}, ADDRESS)
    address = connection_address(address, name, [record.get(key) for key in ADDRESSES])
    if address is not None:
        variables["ansible_host"] = address
    return {"name": name, "id": record["id"], "vars": variables}


def with_distinct_names(
    hosts: t.Sequence[_Host],
    variables: t.Mapping[str, t.Any],
    groups: t.Collection[str],
    warn: t.Callable[[str], None],
) -> list[_Host]:
    """Return the hosts with names that no other host and no group has, as the ``variables`` of a play show them.

    ``groups`` are those that the hosts will be added to. A host that is there already keeps its address, if any.
    """
    taken_groups, known = {*variables.get("groups", ()), *groups}, variables.get("hostvars", {})

    def is_there(name: str, number: int) -> bool:
        return name in known and known[name].get(f"{PREFIX}id") == number

    names = distinct_host_names(
        [host["name"] for host in hosts],
        [host["id"] for host in hosts],
        lambda name, number: name in taken_groups or (name in known and not is_there(name, number)),
        warn,
    )
    named: list[_Host] = []
    for host, name in zip(hosts, names):
        own = host["vars"]
        if name != host["name"] and "ansible_host" not in own:
            own = {**own, "ansible_host": NO_ADDRESS}  # its name was the address
        if own.get("ansible_host") == NO_ADDRESS and is_there(name, host["id"]):
            own = {key: value for key, value in own.items() if key != "ansible_host"}
        named.append({**host, "name": name, "vars": own})
    return named
