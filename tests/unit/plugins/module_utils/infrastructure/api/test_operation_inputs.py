# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Each operation builds a request that the sandbox's description takes, and refuses what that would not take."""

from __future__ import annotations

import re
import typing as t
from urllib.parse import unquote

import pytest
from sandbox.rest.description import PREFIX, Operation, described

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.module_utils._core.text import snake
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.operation_inputs import (
    BuiltRequest,
    DescribedOperation,
    find_operation,
    operations,
    reads_of,
    types,
)
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.rest_client import _in_query

OLDER, LATER = "D1", "D2"
NAMES = {"2020": OLDER, "2023": LATER}
WORDS = ("a", "abc", "203.0.113.7", "04:30", "folder/machine.ovf")
SAMPLES = {"bool": True, "date_time": "2026-11-21T08:30:00Z"}


def said(one: t.Any) -> dict[str, t.Any]:
    return {"type": one} if isinstance(one, str) else one


def sample(one: t.Any, line: str, *, everything: bool) -> t.Any:
    """Return a value that fits what is said of it."""
    given = said(one)
    kind = given["type"]
    if kind.startswith("list of "):
        return [sample(kind[8:], line, everything=everything)]
    if kind in types():
        return samples(types()[kind], line, everything=everything)
    if kind == "string":
        fits = (
            given.get("enum")
            or given.get("values")
            or [word for word in WORDS if re.fullmatch(given.get("pattern", ".*"), word)]
        )
        return fits[0]
    return SAMPLES.get(kind, given.get("min", 1))


def samples(table: dict[str, t.Any], line: str, *, everything: bool = False) -> dict[str, t.Any]:
    """Return a value for each input that the line requires, or has."""
    found = {}
    for name, one in table.items():
        needed, only = said(one).get("required"), said(one).get("line")
        required = needed is True or NAMES.get(str(needed)) == line
        if (required or everything) and (only is None or NAMES[only] == line):
            found[name] = sample(one, line, everything=everything)
    return found


def faults(request: BuiltRequest, operation: DescribedOperation, line: str) -> list[str]:
    """Return what the sandbox has against a request."""
    found = described(line).find(operation.verb, PREFIX + unquote(request.path))
    assert isinstance(found, tuple), found
    there, texts = found
    assert there.id == operation.name
    query = {name: texts_of(value) for name, value in request.query.items() if not isinstance(value, list)}
    lists = {name: value for name, value in request.query.items() if isinstance(value, list)}
    _values, wrong = there.path_parameters.read(texts)
    return [*wrong, *query_faults(there, query, lists), *(there.body_faults(request.body) if operation.body else [])]


def query_faults(operation: Operation, query: dict[str, str], lists: dict[str, t.Any]) -> list[str]:
    """Return what is wrong with a query; the values of lists are given one by one."""
    values, _wrong = operation.query_parameters.read(query)
    return operation.query_parameters._checker.faults({**values, **lists})


def texts_of(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


@pytest.mark.parametrize("line", [OLDER, LATER])
@pytest.mark.parametrize("everything", [False, True])
def test_each_operation_builds_a_request_that_fits(line: str, everything: bool) -> None:
    of_line = {name: one for name, one in operations().items() if not one.line or line == LATER}
    assert {*of_line} == {*described(line).operations} - {"list_dictionaries_slash"}
    astray = {}
    for name, operation in of_line.items():
        values = {snake(key): one for key, one in samples(operation.inputs, line, everything=everything).items()}
        astray[name] = faults(operation.request(values, lambda: line == OLDER), operation, line)
    assert {name: wrong for name, wrong in astray.items() if wrong} == {}


def test_the_lines_have_176_and_190_operations() -> None:
    assert len(operations()) == 190
    assert sum(not one.line for one in operations().values()) == 176


def test_no_two_inputs_of_an_operation_have_the_same_name() -> None:
    for one in operations().values():
        assert not (one.query and one.body)
        named = [*one.params, *one.query, *types().get(one.body, {})]
        assert len({snake(name) for name in named}) == len(named) == len(one.inputs)


def test_names_of_a_query_can_be_told_from_ours() -> None:
    names = {name for one in operations().values() if one.reads for name in one.query}
    assert {_in_query(snake(name)) for name in names} == names


def wrong_values(given: dict[str, t.Any]) -> t.Iterator[t.Any]:
    """Yield values just outside of what is said."""
    if given["type"] in ("int32", "int64"):
        yield from (given.get("min", -(2 ** (31 if given["type"] == "int32" else 63))) - 1, "one", True, 1.5)
        yield given.get("max", 2 ** (31 if given["type"] == "int32" else 63) - 1) + 1
    elif given["type"] in ("string", "date_time"):
        yield from ([], True)
        if "max_length" in given:
            yield "a" * (given["max_length"] + 1)
        if given.get("min_length", 0) > 0:
            yield ""
        if given.get("pattern") or given.get("enum") or given["type"] == "date_time":
            yield "/" if "[^/" in given.get("pattern", "") else "?"
    else:
        yield from ("neither", 7) if given["type"] == "bool" else ("text", {"no_such": 1})


def refusal(operation: DescribedOperation, values: dict[str, t.Any]) -> str:
    """Return what is said of inputs that have to be refused; empty if they are not."""
    try:
        operation.request(values, lambda: False)
    except InvalidInput as wrong:
        return str(wrong)
    return ""


def test_what_is_out_of_bounds_is_refused_in_one_line() -> None:
    tried, astray = 0, []
    for operation in operations().values():
        least = samples(operation.inputs, LATER)
        for name, given in operation.inputs.items():
            for value in wrong_values(given) if given.get("line") != "2020" else ():
                words, tried = refusal(operation, {**least, name: value}), tried + 1
                if not words.startswith(f"{operation.name}.{snake(name)}") or "\n" in words:
                    astray.append((operation.name, name, value, words))
    assert astray == []
    assert tried > 2000


def test_what_is_required_is_named() -> None:
    astray = []
    for operation in operations().values():
        least = samples(operation.inputs, LATER)
        for name in least:
            rest = {key: value for key, value in least.items() if key != name}
            said = [refusal(operation, given) for given in (rest, {**rest, name: None})]
            astray += [(operation.name, words) for words in said if not re.search(rf"\b{snake(name)}\b", words)]
    assert astray == []


SAID: list[tuple[str, dict[t.Any, t.Any], str]] = [
    ("read_disk", {"idd": 1}, "read_disk.idd: there is no such input. Did you mean 'id'?"),
    ("read_disk", {1: 1}, "read_disk.1: there is no such input. Known: fields, id."),
    ("create_disk", {"disk_name": "a", "DiskName": "b"}, "create_disk.disk_name: is given twice, in two spellings."),
    ("read_disk", {"id": 0}, "read_disk.id: 0 is not a valid ID; IDs start at 1."),
    ("read_disk", {"id": "one"}, "read_disk.id: must be a whole number, not 'one'."),
    ("read_floating_ip", {"ip": ".."}, "read_floating_ip.ip: cannot be a part of a path, not '..'."),
    ("create_disk", {"disk_name": "a"}, "create_disk: required inputs are missing: space_capacity, tier_id."),
    ("list_disks", {"disk_type": "none"}, "list_disks.disk_type: must be one of All, System, Custom, not 'none'."),
    (
        "create_private_network",
        {"opn_name": "a/b"},
        "create_private_network.opn_name: 'a/b' contains one of the characters / \\ | < > %, namely /.",
    ),
    (
        "update_group_load_balancer_services",
        {"id": 1, "enabled": True, "ip_address": "web", "port": 80},
        "update_group_load_balancer_services.ip_address: must be an IPv4 address, not 'web'.",
    ),
    ("update_group_assignments", {"id": 1, "assignments": [{}]}, "update_group_assignments.assignments[0]: required"),
    ("create_ip_address", {"subregion_id": None}, "create_ip_address.subregion_id: may not be null."),
    (
        "list_events",
        {"date_from": "today"},
        "list_events.date_from: must be a date and time in ISO 8601, such as 2026-11-21T08:30:00Z, not 'today'.",
    ),
    ("create_health_check_sip", {"sip_password": ["canary"]}, "create_health_check_sip.sip_password: must be a text."),
]


@pytest.mark.parametrize(("name", "values", "words"), SAID)
def test_what_is_wrong_is_said(name: str, values: dict[str, t.Any], words: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        find_operation(name).request(values, lambda: False)
    assert str(caught.value).startswith(words)


@pytest.mark.parametrize("spelled", ["list_private_networks", "ListPrivateNetworks", "GET /opns"])
def test_an_operation_is_found_in_any_spelling(spelled: str) -> None:
    assert find_operation(spelled).name == "list_private_networks"


def test_an_unknown_operation_is_answered_with_similar_ones() -> None:
    with pytest.raises(InvalidInput, match=r"There is no operation 'list_disk'\. Did you mean 'list_disks'"):
        find_operation("list_disk")


def test_values_are_sent_in_their_types() -> None:
    values = {"SubregionID": "1", "instance_name": 7, "template-id": "767", "sshKeysIds": ["3"], "freemium": "no"}
    request = find_operation("create_instance").request(values, lambda: False)
    assert request == BuiltRequest(
        "/instances",
        {},
        {"SubregionId": 1, "InstanceName": "7", "TemplateId": 767, "SshKeysIds": [3], "Freemium": False},
    )
    assert find_operation("read_floating_ip").request({"ip": "a/b?c"}, lambda: False).path == "/floating_ips/a%2Fb%3Fc"
    assert find_operation("list_disks").request({"disk_type": "SYSTEM"}, lambda: False).query == {"diskType": "System"}


LINES: list[tuple[str, dict[str, t.Any], bool, str]] = [
    ("read_private_network", {"id": 1}, True, "version 2020 of the interface, which does not have this operation"),
    ("create_instance", {"instance_name": "a", "template_id": 1, "opns_ids": []}, True, "opns_ids: only version 2023"),
    ("update_template", {"id": 1, "is_public": True}, False, "is_public: only version 2020"),
    ("create_disk", {"disk_name": "a", "space_capacity": 5, "tier_id": 48}, True, "inputs are missing: is_shared"),
]


@pytest.mark.parametrize(("name", "values", "older", "words"), LINES)
def test_the_line_is_asked_where_it_matters(name: str, values: dict[str, t.Any], older: bool, words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        find_operation(name).request(values, lambda: older)
    if "missing" not in words:
        find_operation(name).request(values, lambda: not older)


def test_the_line_is_not_asked_where_it_does_not_matter() -> None:
    def fail() -> bool:
        raise AssertionError

    for name, values in (("read_disk", {"id": 1}), ("create_instance", {"instance_name": "a", "template_id": 1})):
        assert find_operation(name).request(values, fail)
    with pytest.raises(InvalidInput, match="there is no such input"):
        find_operation("create_disk").request({"name": "a"}, fail)


def test_operations_that_read_what_another_writes() -> None:
    assert reads_of("/instances/{id}/power_on_ticket") == ["read_instance"]
    assert reads_of("/opns") == ["list_private_networks"]
    assert all(reads_of(one.path) for one in operations().values())
