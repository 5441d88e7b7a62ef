# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The roles take what their modules take: each option is described, and handed on."""

from __future__ import annotations

import re
import typing as t
from pathlib import Path

import tree_yaml

from ansible_collections.fcd.cloud.plugins.module_utils._connection.options import OPTIONS as CONNECTION

ROOT = Path(__file__).resolve().parents[2]
ROLES = ROOT / "roles"
CLIENTS = "client_onboarding_clients"
MODULES = {
    "object_storage_containers": ("storage_container", "object_storage/tasks/containers.yml"),
    "object_storage_objects": ("storage_object", "object_storage/tasks/objects.yml"),
    "object_storage_folders": ("storage_sync", "object_storage/tasks/folders.yml"),
    "instances_private_networks": ("private_network", "instances/tasks/private_networks.yml"),
    "instances_ssh_keys": ("ssh_key", "instances/tasks/ssh_keys.yml"),
    "instances_ip_addresses": ("ip_address", "instances/tasks/ip_addresses.yml"),
    "instances_disks": ("disk", "instances/tasks/disks.yml"),
    "warehouses_list": ("warehouse", "warehouses/tasks/main.yml"),
    CLIENTS: ("client", "client_onboarding/tasks/clients.yml"),
    f"{CLIENTS}.pricelist": ("client_pricelist", "client_onboarding/tasks/prices.yml"),
    f"{CLIENTS}.fixed_amount": ("client_fixed_amount", "client_onboarding/tasks/prices.yml"),
    f"{CLIENTS}.users": ("client_user", "client_onboarding/tasks/users.yml"),
}
FOR_ALL = {"wait", "wait_timeout", "create_grace", "force_create"}
NOT_DECLARED = {
    "client_user": {"id", "sid"},
    "warehouse": {"id"},
    "storage_sync": {"mode", "source_container", "source_prefix", "file_mode", "directory_mode"},
    **{module: {"id", *FOR_ALL} for module in ("private_network", "ssh_key", "ip_address", "disk")},
    "client_pricelist": {"client_ids"},
    "client_fixed_amount": {"client_id"},
}
"""An entry says what is to be, under a name; numbers and security identifiers are given by the service.

Folders are only published. The role
instances waits for all of its parts in one way, and client_onboarding knows which client an entry belongs to."""

OWN = {CLIENTS: {"accept_regulations", "pricelist", "fixed_amount", "users"}}
"""Parts of an entry that are no options of its module."""

SPECS = {role.name: tree_yaml.of_file(role / "meta" / "argument_specs.yml") for role in sorted(ROLES.iterdir())}
OPTIONS = {
    role: {name: option for entry in spec["argument_specs"].values() for name, option in entry["options"].items()}
    for role, spec in SPECS.items()
}
HANDED_ON = re.compile(
    r"__(?:item|instance|user|container|object|folder|network|key|address|disk|client|pricelist|amount|wanted|check|schedule)\.(\w+)"
)
PLAIN = re.compile(r"\{\{ (\w+)(?: \| default\(.*\))? \}\}")
FLEET = {"instances_present": "instances", "instances_defaults": "instance_defaults", "instances_prune": "prune"}
TIER = "web_tier_definition"
TIER_PARTS = {"load_balancer": "load_balancer", "health_check": "health_check", "schedules": "instance_schedule"}
CREDENTIALS = {"settings": "common", "infrastructure": "rest", "object_storage": "storage", "soap": "soap"}


def of_module(name: str) -> dict[str, t.Any]:
    """Return the options that a module documents, those of the connection aside."""
    return tree_yaml.options_of(name)


def entry_options(path: str) -> dict[str, t.Any]:
    """Return the options that the specification of a role has for an entry, or for a part of one."""
    variable, *parts = path.split(".")
    (entry,) = (options[variable] for options in OPTIONS.values() if variable in options)
    for part in parts:
        entry = entry["options"][part]
    options: dict[str, t.Any] = entry["options"]
    return options


def described(path: str) -> set[str]:
    """Return the names of these options, without parts that are no options of the module."""
    return set(entry_options(path)) - OWN.get(path, set())


def tasks_in(tasks: t.Iterable[dict[str, t.Any]]) -> t.Iterator[dict[str, t.Any]]:
    """Yield the tasks of a file, with those in blocks."""
    for task in tasks:
        yield task
        for part in ("block", "rescue", "always"):
            yield from tasks_in(task.get(part, ()))


def handed_on() -> t.Iterator[tuple[str, dict[str, t.Any], dict[str, t.Any]]]:
    """Yield where a variable of a role becomes an option of a module as it is, with the specifications of both."""
    for role, options in OPTIONS.items():
        for file in sorted((ROLES / role / "tasks").glob("*.yml")):
            for task in tasks_in(tree_yaml.of_file(file)):
                (module,) = [name for name in task if name.startswith("fcd.cloud.")] or [""]
                given = (module and task[module]) or {}
                for name, value in given.items():
                    plain = PLAIN.fullmatch(str(value))
                    if plain and plain[1] in options:
                        desired = of_module(module.rpartition(".")[2])[name]
                        yield f"{role}: {plain[1]} in {file.name}", options[plain[1]], desired


def in_entries() -> t.Iterator[tuple[str, dict[str, t.Any], dict[str, t.Any]]]:
    """Yield the options of entries, with those of their modules."""
    fleet = of_module("instance_fleet")
    modules = {variable: of_module(module) for variable, (module, _tasks) in MODULES.items()}
    modules |= {variable: fleet[option]["suboptions"] for variable, option in FLEET.items()}
    modules |= {f"{TIER}.{part}": of_module(module) for part, module in TIER_PARTS.items()}
    modules[f"{TIER}.instance"] = fleet["instance_defaults"]["suboptions"]
    for path, desired in modules.items():
        for name, option in entry_options(path).items():
            if name in desired:
                yield f"{path}.{name}", option, desired[name]


def misfits(where: str, option: dict[str, t.Any], desired: dict[str, t.Any]) -> t.Iterator[str]:
    """Yield how the type of an option of a role differs from that of the option of its module."""
    types = [(one.get("type", "str"), one.get("elements")) for one in (option, desired)]
    if types[0] != types[1]:
        yield f"{where} is {types[0]}, but {types[1]} in the module"
    inside = desired.get("suboptions", {})
    for name, part in option.get("options", {}).items():
        if name in inside:
            yield from misfits(f"{where}.{name}", part, inside[name])


def test_every_option_has_the_type_that_it_has_in_the_module() -> None:
    """A role that was stricter would refuse what its module takes, such as a time with a unit."""
    connection = [
        (f"credentials_{variable}.{name}", option, {"type": CONNECTION[name].type.replace("seconds", "str")})
        for variable in CREDENTIALS
        for name, option in entry_options(f"credentials_{variable}").items()
    ]
    variables = [*handed_on()]
    assert len(variables) > 50
    pairs = [*variables, *in_entries(), *connection]
    assert [misfit for pair in pairs for misfit in misfits(*pair)] == []


def test_every_option_is_described_and_handed_on() -> None:
    for variable, (module, tasks) in MODULES.items():
        left_out = NOT_DECLARED.get(module, set()) | ({"client_id"} if variable.startswith(CLIENTS) else set())
        desired = set(of_module(module)) - left_out
        assert described(variable) == desired, variable
        text = (ROLES / tasks).read_text(encoding="utf-8")
        in_removal = {"force", "state"} if module == "storage_container" else set()
        assert desired - set(HANDED_ON.findall(text)) - in_removal == set(), variable


def test_every_option_of_the_fleet_is_described() -> None:
    """The role instances hands these on as they are."""
    for variable, option in FLEET.items():
        assert described(variable) == set(of_module("instance_fleet")[option]["suboptions"]), variable


def test_every_option_of_a_tier_is_one_of_its_module_and_handed_on() -> None:
    """Health checks and schedules are those that suit a tier; the role decides when an instance is replaced."""
    given = HANDED_ON.findall((ROLES / "web_tier" / "tasks" / "present.yml").read_text(encoding="utf-8"))
    for part, module in TIER_PARTS.items():
        assert described(f"{TIER}.{part}") <= set(of_module(module)) & set(given), part
    balancer = set(of_module("load_balancer")) - {"group", "state", "create_grace"}
    assert described(f"{TIER}.load_balancer") == balancer
    instance = set(of_module("instance_fleet")["instance_defaults"]["suboptions"]) - {"recreate"}
    assert described(f"{TIER}.instance") == instance


def test_no_secret_of_a_connection_is_a_variable() -> None:
    """What the role credentials takes it hands on as facts; they are all that the modules take besides."""
    for variable, group in CREDENTIALS.items():
        plain = {name for name, option in CONNECTION.items() if group in option.groups and not option.secret}
        assert described(f"credentials_{variable}") == plain


def test_every_variable_has_the_default_that_is_documented() -> None:
    """A variable without one would be undefined when it is not given; one that is needed has to be."""
    for role, options in OPTIONS.items():
        defaults = tree_yaml.of_file(ROLES / role / "defaults" / "main.yml")
        assert set(defaults) == {name for name, option in options.items() if not option.get("required")}, role
        documented = {name: option["default"] for name, option in options.items() if "default" in option}
        assert {name: defaults[name] for name in documented} == documented, role


def test_the_whole_site_takes_each_option_of_its_action() -> None:
    """What decides about a run; not what a playbook decides itself, nor what is left to a task."""
    given = set(tree_yaml.of_file(ROLES / "provision" / "tasks" / "site.yml")[0]["fcd.cloud.site"])
    assert set(of_module("site")) - given == {"lock_lease", "create_grace", "show_plan"}


def test_every_entry_point_of_a_site_is_a_playbook() -> None:
    """But for main, which is apply."""
    for entry in SPECS["provision"]["argument_specs"]:
        assert (ROLES / "provision" / "tasks" / f"{entry}.yml").is_file()
        if entry != "main":
            playbook = (ROOT / "playbooks" / f"{entry}.yml").read_text(encoding="utf-8")
            assert f"tasks_from: {entry}\n" in playbook or f"provision__run: {entry}\n" in playbook
            at_work = [play["hosts"] for play in tree_yaml.load(playbook) if "'tasks_from'" in repr(play)]
            assert at_work == ["{{ provision_hosts | default('localhost') }}"], entry


def test_a_host_of_a_site_has_the_variables_of_the_inventory() -> None:
    from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.instance.instance_choice import RECORD_KEYS

    (task,) = tree_yaml.of_file(ROLES / "provision" / "tasks" / "hosts.yml")
    assert set(task["ansible.builtin.add_host"]) == {
        "name",
        "groups",
        "ansible_host",
        *(f"fcd_{key}" for key in RECORD_KEYS),
    }
