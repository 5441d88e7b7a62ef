# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Wrong calls, as people write them who come from other collections, and the answers."""

from __future__ import annotations

import importlib
import itertools
import re
import typing as t
from pathlib import Path

import pytest
from ansible.module_utils.common.arg_spec import ArgumentSpecValidator

from ansible_collections.fcd.cloud.plugins import action
from ansible_collections.fcd.cloud.plugins.module_utils._ansible import option_suggestions, option_synonyms
from ansible_collections.fcd.cloud.plugins.module_utils._ansible.execution import argument_spec, check_shapes
from ansible_collections.fcd.cloud.plugins.module_utils._ansible.option_suggestions import with_unknown_options
from ansible_collections.fcd.cloud.plugins.module_utils._connection.options import OPTIONS
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput

INSTANCE = {"name": "web"}
DESCRIPTIONS = [{"language": "1", "description": "a"}]


MODULES = [path.stem for path in sorted(Path(action.__path__[0]).glob("[a-z]*.py"))]
OPPOSITES = (
    *(
        "undeleted",
        "undestroyed",
        "unremoved",
        "selected",
        "detected",
        "related",
        "revoked",
        "no",
        "archive",
        "unpaused",
    ),
    *("unsuspended", "reactivated", "unbanned", "demoted"),
)
GUESSED = ("new_name", "purge", "force", "delete", "disks_delete", "recreated", "detach", "create", "instance_name2")
Above = t.Tuple[t.Tuple[str, bool], ...]


def operation_of(module: str) -> t.Any:
    return importlib.import_module(f"{action.__name__}.{module}").ActionModule.operation


def dictionaries(spec: t.Mapping[str, t.Any], above: Above = ()) -> t.Iterator[tuple[Above, str, bool]]:
    """Yield the dictionaries of a specification: the options above them, their own name, and whether it is a list."""
    for name, option in spec.items():
        is_list = option.get("elements") == "dict"
        if is_list or option.get("type") == "dict":
            yield above, name, is_list
        yield from dictionaries(option.get("options", {}), (*above, (name, is_list)))


def answered(module: str, args: dict[str, t.Any]) -> str:
    """Return what a user reads, however the module runs."""
    operation = operation_of(module)
    spec = argument_spec(operation)
    try:
        check_shapes(spec, args)
    except InvalidInput as wrong:
        return with_unknown_options(str(wrong), module, spec, args)
    checked = ArgumentSpecValidator(spec, **operation.rules).validate(args)
    return with_unknown_options(checked.error_messages[0], module, spec, args)


NEEDED_TO_RUN = "Missing required arguments: disk_class, instance_name, networks, type"

SUGGESTED_OPTIONS: list[tuple[t.Any, ...]] = [
    ("storage_object", {"expires": "1d"}, "There is no option 'expires'. Use 'expires_in'."),
    ("instance", {"image": "ubuntu"}, "There is no option 'image'. Use 'template'."),
    ("instance", {"flavor": "m1.small"}, "There is no option 'flavor'. Use 'type'."),
    ("instance", {"server_type": "cx22"}, "There is no option 'server_type'. Use 'type'."),
    ("instance", {"size": "s-1vcpu-1gb"}, "There is no option 'size'. Use 'type'."),
    ("instance", {"location": "fsn1"}, "There is no option 'location'. Use 'subregion'."),
    ("instance", {"region": "eu"}, "There is no option 'region'. Use 'subregion'."),
    ("instance", {"availability_zone": "a"}, "There is no option 'availability_zone'. Use 'subregion'."),
    ("instance", {"public_ip": False}, f"There is no option 'public_ip'. {option_synonyms.ADDRESS_ADVICE}"),
    ("instance", {"floating_ip": "1.2.3.4"}, "There is no option 'floating_ip'. Use 'ip_addresses'."),
    ("instance", {"new_name": "web2"}, f"There is no option 'new_name'. {option_synonyms.RENAME_ADVICE}"),
    ("disk", {"new_name": "web2"}, f"There is no option 'new_name'. {option_synonyms.RENAME_ADVICE}"),
    ("ssh_key", {"new_name": "a"}, "There is no option 'new_name'. See ansible-doc fcd.cloud.ssh_key."),
    ("instance", {"purge_disks": True}, "There is no option 'purge_disks'. Use 'delete_disks'."),
    ("instance", {"forse_stop": True}, "There is no option 'forse_stop'. Did you mean 'force_stop'?"),
    ("instance", {"force": True}, "There is no option 'force'. See ansible-doc fcd.cloud.instance."),
    ("disk", {"force": True}, "There is no option 'force'. Use 'force_detach'."),
    (
        "instance",
        {"image": "x", "qqq": "y"},
        "There is no option 'image'. Use 'template'. There is no option 'qqq'. See ansible-doc fcd.cloud.instance.",
    ),
    (
        "instance_power",
        {"state": "started"},
        (
            f"There is no option 'state'. {option_synonyms.POWER_STATE_ADVICE} "
            "Missing required arguments: action; action is one of reboot, reset"
        ),
    ),
    (
        "instance_clone",
        {"source": "a"},
        (
            "There is no option 'source'. Use 'name'. Missing required arguments: "
            "clone_type; clone_type is one of new_configuration, current_configuration"
        ),
    ),
    ("instance_to_template", {"instance": "a"}, "There is no option 'instance'. Use 'name'."),
    ("instance_template", {"new_name": "a"}, f"There is no option 'new_name'. {option_synonyms.RENAME_ADVICE}"),
    ("instance_import_run", {"server": "a"}, f"There is no option 'server'. Use 'instance_name'. {NEEDED_TO_RUN}"),
    ("instance_import_run", {"flavor": "a"}, f"There is no option 'flavor'. Use 'type'. {NEEDED_TO_RUN}"),
    ("instance_template_info", {"label": "a"}, "There is no option 'label'. Use 'query'."),
    ("instance_template_info", {"name": "a"}, "There is no option 'name'. Use 'query'."),
    ("instance_type_info", {"label": "a"}, "There is no option 'label'. Use 'name'."),
    ("dictionary_info", {"name": "a"}, "There is no option 'name'. Use 'dictionary'."),
    ("contract_call", {"arguments": {}}, "There is no option 'arguments'. Use 'inputs'."),
    ("storage_object", {"version_id": "1"}, f"There is no option 'version_id'. {option_synonyms.VERSION_ADVICE}"),
    ("storage_container", {"cors": "*"}, "There is no option 'cors'. Use 'cors_allow_origin'."),
    ("orchestration", {"project_path": "a"}, "There is no option 'project_path'. Use 'path'."),
    ("client_user", {"groups": ["a"]}, "There is no option 'groups'. Use 'privileges'."),
    ("instance", {"key_name": "me"}, "There is no option 'key_name'. Use 'ssh_keys'."),
    ("instance", {"nics": []}, "There is no option 'nics'. Use 'private_networks'."),
    ("instance", {"user_data": ""}, "There is no option 'user_data'. Use 'init_script'."),
    ("instance", {"exact_count": 3}, "There is no option 'exact_count'. Use 'instances_count'."),
    ("instance", {"volumes": []}, f"There is no option 'volumes'. {option_synonyms.DISK_ADVICE}"),
    ("instance", {"security_groups": []}, f"There is no option 'security_groups'. {option_synonyms.NO_FIREWALL}"),
    ("instance", {"security_group": ""}, f"There is no option 'security_group'. {option_synonyms.NO_FIREWALL}"),
    ("instance", {"tags": {}}, f"There is no option 'tags'. {option_synonyms.NO_TAGS}"),
    ("instance", {"templat": "x"}, "There is no option 'templat'. Did you mean 'template'?"),
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
    ("storage_container", {"public": True}, f"There is no option 'public'. {option_synonyms.PUBLIC_ADVICE}"),
    ("storage_sync", {"src": "a"}, f"There is no option 'src'. {option_synonyms.SYNC_ADVICE}"),
    ("storage_object", {"body": "a"}, "There is no option 'body'. Use 'content'."),
    ("ip_address", {"name": "a"}, "There is no option 'name'. Use 'comment'."),
    ("instance_info", {"filters": {}}, "There is no option 'filters'. Use 'query'."),
    ("ticket_info", {"instance": "web"}, f"There is no option 'instance'. {option_synonyms.TICKET_ADVICE}"),
    ("ticket_info", {"name": "web"}, f"There is no option 'name'. {option_synonyms.TICKET_ADVICE}"),
    ("ticket_info", {"timeot": 1}, "There is no option 'timeot'. Did you mean 'timeout'?"),
    ("private_network", {"cidr": "10.0.0.0/8"}, f"There is no option 'cidr'. {option_synonyms.NO_RANGES}"),
    ("client_info", {"name": "a"}, "There is no option 'name'. Use 'search_text'."),
    ("client", {"name": "a"}, f"There is no option 'name'. {option_synonyms.CLIENT_ADVICE}"),
    ("snapshot", {"keep": 7}, f"There is no option 'keep'. {option_synonyms.KEEP_ADVICE}"),
    ("snapshot_restore", {"snapshot": "a"}, "There is no option 'snapshot'. Use 'name'."),
    ("private_network", {"private_network": "a"}, "There is no option 'private_network'. Use 'name'."),
    ("disk", {"depends_on": "a"}, f"There is no option 'depends_on'. {option_synonyms.ORDER_ADVICE}"),
    ("instance", {"for_each": "a"}, f"There is no option 'for_each'. {option_synonyms.LOOP_ADVICE}"),
    ("instance_fleet", {"count": 3}, f"There is no option 'count'. {option_synonyms.FLEET_ADVICE}"),
    (
        "instance_fleet",
        {"template": "a"},
        "There is no option 'template'. Did you mean 'instances.template' or 'instance_defaults.template'?",
    ),
    ("client_user", {"user": "a"}, "There is no option 'user'. Use 'user_name'."),
    ("document_download", {"path": "a"}, "There is no option 'path'. Use 'dest'."),
    ("instance", {"usrname": "a"}, "There is no option 'usrname'. Did you mean 'username'?"),
    ("instance", {"time_out": 1}, "There is no option 'time_out'. Did you mean 'timeout'?"),
    ("instance", {"acess_tokn": "a"}, "There is no option 'acess_tokn'. Did you mean 'access_token'?"),
    ("instance", {"ca_file": "a"}, "There is no option 'ca_file'. Use 'ca_path'."),
    ("storage_object", {"dest": "a"}, f"There is no option 'dest'. {option_synonyms.DOWNLOAD_ADVICE}"),
]


def test_borrowed_options(subtests: pytest.Subtests) -> None:
    for module, args, words in SUGGESTED_OPTIONS:
        with subtests.test(module=module, args=args):
            needed: dict[str, t.Any] = {
                "storage_sync": {"mode": "push", "container": "www", "path": "."},
                "storage_object": {"container": "www", "name": "a"},
                "ip_address": {"comment": "web"},
                "client": {"id": 100},
                "instance_fleet": {"instances": [{"name": "web"}]},
                "client_user": {"user_name": "a"},
                "document_download": {"invoice_id": 1, "dest": "a"},
                **{
                    one: {}
                    for one in ("instance_template_info", "instance_type_info", "dictionary_info", "client_info")
                },
                "contract_call": {"operation": "GetClient"},
                "instance_clone": {"clone_name": "a"},
                "instance_to_template": {
                    "name": "a",
                    "template_name": "a",
                    "version": "1",
                    "descriptions": [{"language": "1", "description": "a"}],
                },
                "orchestration": {"path": ".", "instances": []},
                **{one: {} for one in ("instance_info", "ticket_info")},
            }
            assert answered(module, {**needed.get(module, INSTANCE), **args}) == words


def test_no_credential_or_address_is_suggested_for_what_is_only_part_of_it(subtests: pytest.Subtests) -> None:
    for word in ("name", "path", "cidr", "filters", "url", "file", "prefix", "state", "secret", "client"):
        with subtests.test(word=word):
            known = [*(option for option in OPTIONS if option != word), f"{word}_of_mine"]
            assert option_suggestions.may_be_meant(option_suggestions.Asked(word, known)) == [f"{word}_of_mine"]


def test_no_value_is_guessed_from_its_opposite(subtests: pytest.Subtests) -> None:
    for module, value in itertools.product(
        ("instance", "disk", "ip_address", "snapshot", "client_user", "instance_power"), OPPOSITES
    ):
        with subtests.test(module=module, value=value):
            option = "action" if module == "instance_power" else "state"
            choices = operation_of(module).options[option]["choices"]
            assert option_suggestions.answer_to_value(option, value, choices, operation_of(module).options) == ""


LITTLE_ALIKE: list[tuple[t.Any, ...]] = [
    *((module, word) for module in ("instance", "storage_sync") for word in ("max_size", "max", "delete_all_of")),
    *(("storage_container", word) for word in ("source", "enforce", "erase")),
    *(("ip_address", word) for word in ("hostname", "city")),
    ("storage_object", "delete_all"),
    ("client_user", "erase"),
]


def test_what_is_only_a_little_alike_is_not_suggested(subtests: pytest.Subtests) -> None:
    for module, word in LITTLE_ALIKE:
        with subtests.test(module=module, word=word):
            known = argument_spec(operation_of(module))
            assert option_suggestions.answer_to_option(option_suggestions.Asked(word, known)) == ""


def test_no_guess_leads_to_what_destroys_or_repeats(subtests: pytest.Subtests) -> None:
    """A nearest name is no aliases, nothing that forces, purges or replaces, unless it is nearly what was written."""
    for module in MODULES:
        with subtests.test(module=module):
            spec = argument_spec(operation_of(module))
            names = {alias: name for name, option in spec.items() for alias in (name, *option.get("aliases", ()))}
            asked = {f"new_{name}" for name in operation_of(module).options}
            for word in asked.union(GUESSED).difference(names):
                answer = option_suggestions.answer_to_option(
                    option_suggestions.Asked(word, names, set(names).difference(spec))
                )
                guess = next((name for name in names if answer == f"Did you mean {name!r}?"), "")
                risky = (
                    guess.startswith(("force", "purge", "recreate", "delete")) or guess not in spec or guess in OPTIONS
                )
                assert not guess or not risky or option_suggestions.is_misspelt(word, guess), (word, answer)


def test_what_is_no_dictionary(subtests: pytest.Subtests) -> None:
    for module in MODULES:
        with subtests.test(module=module):
            spec = argument_spec(operation_of(module))
            for above, name, is_list in dictionaries(spec):
                for value in (True, 1, "text", [1], [["a"]], [True]):
                    with pytest.raises(InvalidInput, match=r"write a (list of dictionaries|dictionary)") as caught:
                        check_shapes(spec, nested(above, {name: value}))
                    assert str(caught.value).startswith(f"{'.'.join([*(one for one, _ in above), name])}: write a ")
                check_shapes(spec, {name: [{}] if is_list else {}})


def texts(spec: t.Mapping[str, t.Any], above: Above = ()) -> t.Iterator[tuple[Above, str, bool]]:
    """Yield the texts of a specification in the same way, except those that are one of several words."""
    for name, option in spec.items():
        kind = option.get("elements") or option.get("type", "str")
        if type(kind) is str and kind in ("str", "path") and not option.get("choices"):
            yield above, name, "elements" in option
        yield from texts(option.get("options", {}), (*above, (name, option.get("elements") == "dict")))


def test_texts_must_be_text(subtests: pytest.Subtests) -> None:
    wrong = {"a list": ["a", "b"], "a dictionary": {"a": "canary"}, "true or false. Put it in quotes": True}
    for module in MODULES:
        spec = argument_spec(operation_of(module))
        with subtests.test(module=module):
            for above, name, is_list in texts(spec):
                path = ".".join([*(one for one, _ in above), name])
                for shape, value in {**wrong, **({"null": None} if is_list else {})}.items():
                    with pytest.raises(InvalidInput) as caught:
                        check_shapes(spec, nested(above, {name: ["a", value] if is_list else value}))
                    meant = "a text for each entry of the list" if is_list else "a text"
                    assert str(caught.value) == f"{path}: write {meant}, not {shape}."
                for value in ("a", "", 1, 1.5, None):
                    check_shapes(spec, nested(above, {name: [value] if is_list and value is not None else value}))


def nested(above: Above, args: dict[str, t.Any]) -> dict[str, t.Any]:
    """Return options with these inside of the dictionaries above them."""
    for option, in_list in reversed(above):
        args = {option: [args] if in_list else args}
    return args


def test_a_dictionary_as_text_is_one() -> None:
    spec = argument_spec(operation_of("instance_fleet"))
    for text in ('{"from_journal": true}', "from_journal=true"):
        check_shapes(spec, {"prune": text, "instances": [{"name": "web"}]})
    told = answered("instance_fleet", {"instances": [{"name": "web"}], "prune": True})
    assert (
        told == "prune: write a dictionary (name_pattern, from_journal, max_delete, delete_disks), not true or false."
    )


def test_the_options_of_the_members_of_a_fleet() -> None:
    told = answered("instance_fleet", {"instances": [{"name": "web", "flavor": "x"}]})
    assert told == "There is no option 'instances.flavor'. Use 'instances.type'."


def test_the_headers_of_a_sync() -> None:
    sync = {"mode": "push", "container": "c", "path": "p"}
    told = answered("storage_sync", {**sync, "headers": {"Cache-Control": "x"}})
    begin, _rules, end = re.split(r"[()]", told)
    assert begin == (
        "There is no option 'headers.Cache-Control'. Did you mean 'headers.cache_control'? "
        "headers: write a list of dictionaries "
    )
    assert end == ", not a dictionary."
    told = answered("storage_sync", {**sync, "Cache-Control": "x"})
    assert told.startswith("There is no option 'Cache-Control'. Did you mean 'headers.cache_control'?")
    told = answered("storage_sync", {**sync, "headers": [{"pattern": "*"}]})
    assert told.startswith("There is no option 'headers.pattern'. Use 'headers.match'.")


def test_what_is_missing_as_well_is_said_too() -> None:
    told = answered("storage_object", {"bucket": "www", "object": "a"})
    assert told == "There is no option 'bucket'. Use 'container'. Missing required arguments: container"


NUMBERS: list[tuple[str, dict[str, t.Any], str]] = [
    ("privilege_info", {}, "missing required arguments: type_dict_id; fcd.cloud.catalogue_info lists the numbers for "),
    ("client_fixed_amount_info", {"client_id": "Co"}, "; fcd.cloud.client_info lists the numbers for client_id"),
    ("client_pricelist", {"client_ids": ["Co"]}, "; fcd.cloud.client_info lists the numbers for client_ids"),
    ("client_user", {"user_name": "a", "settings": {"language_id": "pl"}}, "catalogue_info lists the numbers for "),
    ("instance", {"name": "a", "template_id": "Debian 9"}, "; a label is given as template"),
]


def test_where_a_number_comes_from_is_said_where_it_is_missing_or_none(subtests: pytest.Subtests) -> None:
    for module, args, words in NUMBERS:
        with subtests.test(module=module):
            assert words in answered(module, args)


def test_modules_that_list_numbers_are_there() -> None:
    assert set(option_synonyms.LISTED_BY.values()) <= set(MODULES)


def test_a_word_that_nobody_uses_is_answered_with_the_documentation() -> None:
    told = answered("ssh_key_info", {"qqqqqqqq": 1})
    assert told == "There is no option 'qqqqqqqq'. See ansible-doc fcd.cloud.ssh_key_info."


SUGGESTED_VALUES: list[tuple[t.Any, ...]] = [
    ("instance", {"state": "restarted"}, f"state: there is no value 'restarted'. {option_synonyms.RESTART_ADVICE} "),
    ("instance", {"state": "Rebooted"}, f"state: there is no value 'Rebooted'. {option_synonyms.RESTART_ADVICE} "),
    ("instance", {"state": "terminated"}, "state: there is no value 'terminated'. Use 'absent'. "),
    ("instance", {"state": "off"}, "state: there is no value 'off'. Use 'stopped'. "),
    ("instance", {"state": False}, "state: there is no value False. YAML reads off as false. Use 'stopped'. "),
    ("instance", {"state": "True"}, "state: there is no value 'True'. YAML reads on as true. Use 'started'. "),
    ("instance", {"state": "suspended"}, "state: there is no value 'suspended'. Use 'stopped'. "),
    ("disk", {"state": "detached"}, f"state: there is no value 'detached'. {option_synonyms.DETACH_DISK_ADVICE} "),
    ("disk", {"state": "attached"}, f"state: there is no value 'attached'. {option_synonyms.ATTACH_DISK_ADVICE} "),
    (
        "ip_address",
        {"state": "detached"},
        f"state: there is no value 'detached'. {option_synonyms.DETACH_ADDRESS_ADVICE} ",
    ),
    ("private_network", {"state": "detached"}, ""),
    ("client_user", {"state": "disabled"}, "state: there is no value 'disabled'. Use 'blocked'. "),
    ("client_user", {"state": "enabled"}, "state: there is no value 'enabled'. Use 'unblocked'. "),
    ("client", {"state": "disabled"}, ""),
    ("snapshot", {"state": "reverted"}, f"state: there is no value 'reverted'. {option_synonyms.RESTORE_ADVICE} "),
    ("snapshot", {"state": "restarted"}, ""),
    (
        "storage_object",
        {"state": "restored"},
        f"state: there is no value 'restored'. {option_synonyms.VERSION_ADVICE} ",
    ),
    ("instance_power", {"action": "rebot"}, "action: there is no value 'rebot'. Did you mean 'reboot'? "),
    ("instance", {"state": "startd"}, "state: there is no value 'startd'. Did you mean 'started'? "),
    ("instance_power", {"action": "restart"}, "action: there is no value 'restart'. Use 'reboot'. "),
    ("storage_container", {"state": "deleted"}, "state: there is no value 'deleted'. Use 'absent'. "),
]


def test_borrowed_values(subtests: pytest.Subtests) -> None:
    for module, args, words in SUGGESTED_VALUES:
        with subtests.test(module=module, args=args):
            needed: dict[str, t.Any] = {
                "ip_address": {"comment": "a"},
                "client_user": {"user_name": "a"},
                "client": {"id": 1},
                "storage_object": {"container": "www", "name": "a"},
            }
            told = answered(module, {**needed.get(module, INSTANCE), **args})
            assert told.startswith(f"{words}{'V' if words else 'v'}alue of {next(iter(args))} must be one of: ")
