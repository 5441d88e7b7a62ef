# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Wrong calls, as people write them who come from other collections, and the answers."""

from __future__ import annotations

import importlib
import typing as t

import pytest
from ansible.module_utils.common.arg_spec import ArgumentSpecValidator

from ansible_collections.fcd.cloud.plugins.module_utils._ansible import borrowed_words
from ansible_collections.fcd.cloud.plugins.module_utils._ansible.execution import argument_spec, with_unknown_options
from ansible_collections.fcd.cloud.plugins.module_utils._connection.options import OPTIONS

ACTION = "ansible_collections.fcd.cloud.plugins.action"
INSTANCE = {"name": "web"}


def answered(module: str, args: dict[str, t.Any]) -> str:
    """Return what a user reads, however the module runs."""
    operation = importlib.import_module(f"{ACTION}.{module}").ActionModule.operation
    spec = argument_spec(operation)
    checked = ArgumentSpecValidator(spec, **operation.rules).validate(args)
    return with_unknown_options(checked.error_messages[0], spec, args)


@pytest.mark.parametrize(
    ("module", "args", "words"),
    [
        ("instance", {"image": "ubuntu"}, "There is no option 'image'. Use 'template'."),
        ("instance", {"flavor": "m1.small"}, "There is no option 'flavor'. Use 'type'."),
        ("instance", {"server_type": "cx22"}, "There is no option 'server_type'. Use 'type'."),
        ("instance", {"size": "s-1vcpu-1gb"}, "There is no option 'size'. Use 'type'."),
        ("instance", {"location": "fsn1"}, "There is no option 'location'. Use 'subregion'."),
        ("instance", {"region": "eu"}, "There is no option 'region'. Use 'subregion'."),
        ("instance", {"availability_zone": "a"}, "There is no option 'availability_zone'. Use 'subregion'."),
        ("instance", {"public_ip": "1.2.3.4"}, "There is no option 'public_ip'. Use 'ip_addresses'."),
        ("instance", {"key_name": "me"}, "There is no option 'key_name'. Use 'ssh_keys'."),
        ("instance", {"nics": []}, "There is no option 'nics'. Use 'private_networks'."),
        ("instance", {"user_data": ""}, "There is no option 'user_data'. Use 'init_script'."),
        ("instance", {"exact_count": 3}, "There is no option 'exact_count'. Use 'instances_count'."),
        ("instance", {"volumes": []}, f"There is no option 'volumes'. {borrowed_words.DISKS}"),
        ("instance", {"security_groups": []}, f"There is no option 'security_groups'. {borrowed_words.NO_FIREWALL}"),
        ("instance", {"security_group": ""}, f"There is no option 'security_group'. {borrowed_words.NO_FIREWALL}"),
        ("instance", {"tags": {}}, f"There is no option 'tags'. {borrowed_words.NO_TAGS}"),
        ("instance", {"templat": "x"}, "There is no option 'templat': did you mean 'template'?"),
        (
            "instance",
            {"image": "x", "flavor": "y"},
            "There is no option 'image'. Use 'template'. There is no option 'flavor'. Use 'type'.",
        ),
        ("instance", {"cloud": "me"}, "There is no option 'cloud'. Use 'profile'."),
        ("disk", {"volume_type": "ssd"}, "There is no option 'volume_type'. Use 'disk_class'."),
        ("disk", {"server": "web"}, "There is no option 'server'. Use 'instances'."),
        ("snapshot", {"server": "web"}, "There is no option 'server'. Use 'instance'."),
        ("ip_address", {"floating_ip": "1.2.3.4"}, "There is no option 'floating_ip'. Use 'address'."),
        ("storage_container", {"public": True}, f"There is no option 'public'. {borrowed_words.PUBLIC}"),
        ("storage_sync", {"src": "a"}, f"There is no option 'src'. {borrowed_words.SIDES}"),
        ("storage_object", {"body": "a"}, "There is no option 'body'. Use 'content'."),
        ("ip_address", {"name": "a"}, "There is no option 'name'. Use 'comment'."),
        ("instance_info", {"filters": {}}, "There is no option 'filters'. Use 'query'."),
        ("private_network", {"cidr": "10.0.0.0/8"}, f"There is no option 'cidr'. {borrowed_words.NO_RANGES}"),
        ("client_info", {"name": "a"}, "There is no option 'name'. Use 'search_text'."),
        ("client", {"name": "a"}, "There is no option 'name'. Use 'id'."),
        ("client_user", {"user": "a"}, "There is no option 'user'. Use 'user_name'."),
        ("document_download", {"path": "a"}, "There is no option 'path'. Use 'dest'."),
        ("instance", {"usrname": "a"}, "There is no option 'usrname': did you mean 'username'?"),
        ("instance", {"time_out": 1}, "There is no option 'time_out': did you mean 'timeout'?"),
        ("instance", {"acess_tokn": "a"}, "There is no option 'acess_tokn': did you mean 'access_token'?"),
        ("instance", {"ca_file": "a"}, "There is no option 'ca_file'. Use 'ca_path'."),
        ("storage_object", {"dest": "a"}, f"There is no option 'dest'. {borrowed_words.DOWNLOAD}"),
    ],
)
def test_borrowed_options(module: str, args: dict[str, t.Any], words: str) -> None:
    needed: dict[str, t.Any] = {
        "storage_sync": {"mode": "push", "container": "www", "path": "."},
        "storage_object": {"container": "www", "name": "a"},
        "ip_address": {"comment": "web"},
        "client": {"id": 100},
        "client_user": {"user_name": "a"},
        "document_download": {"invoice_id": 1, "dest": "a"},
        "client_info": {},
        "instance_info": {},
    }
    assert answered(module, {**needed.get(module, INSTANCE), **args}) == words


@pytest.mark.parametrize(
    "word", ["name", "path", "cidr", "filters", "url", "file", "prefix", "state", "secret", "client"]
)
def test_no_credential_or_address_is_suggested_for_what_is_only_part_of_it(word: str) -> None:
    connection = [option for option in OPTIONS if option != word]
    assert borrowed_words.without_distant(word, [*connection, "filters_of_mine"]) == ["filters_of_mine"]


def test_the_options_of_the_members_of_a_fleet() -> None:
    told = answered("instance_fleet", {"instances": [{"name": "web", "flavor": "x"}]})
    assert told == "There is no option 'instances.flavor'. Use 'type'."


def test_what_is_missing_as_well_is_said_too() -> None:
    told = answered("storage_object", {"bucket": "www", "object": "a"})
    assert told == "There is no option 'bucket'. Use 'container'. Missing required arguments: container"


def test_a_word_that_nobody_uses_is_answered_with_all_options() -> None:
    told = answered("ssh_key_info", {"qqqqqqqq": 1})
    assert told.startswith("There is no option 'qqqqqqqq'. Qqqqqqqq. Supported parameters include: ")


@pytest.mark.parametrize(
    ("module", "args", "words"),
    [
        ("instance", {"state": "restarted"}, f"state: there is no value 'restarted'. {borrowed_words.POWER} "),
        ("instance", {"state": "Rebooted"}, f"state: there is no value 'Rebooted'. {borrowed_words.POWER} "),
        ("instance", {"state": "terminated"}, "state: there is no value 'terminated'. Use 'absent'. "),
        ("instance", {"state": "off"}, "state: there is no value 'off'. Use 'stopped'. "),
        ("instance_power", {"action": "onn"}, f"action: there is no value 'onn'. {borrowed_words.SWITCH} "),
        ("instance_power", {"action": "rebot"}, "action: there is no value 'rebot'. Did you mean 'reboot'? "),
        ("instance", {"state": "startd"}, "state: there is no value 'startd'. Did you mean 'started'? "),
        ("instance_power", {"action": "restart"}, "action: there is no value 'restart'. Use 'reboot'. "),
        ("storage_container", {"state": "deleted"}, "state: there is no value 'deleted'. Use 'absent'. "),
    ],
)
def test_borrowed_values(module: str, args: dict[str, t.Any], words: str) -> None:
    told = answered(module, {**INSTANCE, **args})
    assert told.startswith(f"{words}Value of {next(iter(args))} must be one of: ")
