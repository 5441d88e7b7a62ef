# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Options of instances: their bounds, what can be checked before anything is sent, and what labels in them stand for.

Bounds: docs/service/infrastructure.md, "Creating an instance". Labels stand for IDs, which differ between data
centers and change over time.
"""

from __future__ import annotations

import re
import typing as t
from functools import partial

from ..._connection.options import GIGABYTES, SECONDS, OptionSpecs, Word, resolve_label
from ..._connection.task import CREATE_OPTIONS, WAIT_OPTIONS, Params
from ..._core.errors import Ambiguous, InvalidInput, Rejected
from ..._core.text import number_in
from ..._core.type_aliases import JsonObject
from ..reference_names import TEMPLATE, ReferenceNames
from ..rest_client import ListedValue
from ..rest_records import check_blanks, check_number, check_numbers

if t.TYPE_CHECKING:
    from ..api import Infrastructure


class _State(Word):
    synonyms: t.Mapping[str, str] = {"running": "started"}


STATE_TYPE = _State("str")
INSTANCE_OPTIONS: OptionSpecs = {
    "state": {
        "type": STATE_TYPE,
        "choices": ["present", "absent", "started", "running", "stopped"],
        "default": "present",
    },
    "name": {"type": "str", "aliases": ["instance_name"]},
    "id": {"type": "int", "aliases": ["instance_id"]},
    "instances_count": {"type": "int"},
    "purge_instances": {"type": "bool", "default": False},
    "max_delete": {"type": "str"},
    "template_id": {"type": "int"},
    "template": {"type": "str"},
    "subregion_id": {"type": "int"},
    "subregion": {"type": "str"},
    "type_id": {"type": "int"},
    "type": {"type": "str"},
    "disk_class": {"type": "str"},
    "init_disk_size": {"type": GIGABYTES},
    "authorization_method_id": {"type": "int"},
    "authorization_method": {"type": "str"},
    "ssh_keys": {"type": "list", "elements": "str", "no_log": False},
    "init_script": {"type": "str", "no_log": True},
    "private_networks": {"type": "list", "elements": "str"},
    "purge_private_networks": {"type": "bool", "default": False},
    "ip_addresses": {"type": "list", "elements": "str"},
    "purge_ip_addresses": {"type": "bool", "default": False},
    "ip_address_id": {"type": "int"},
    "without_public_ip": {"type": "bool"},
    "isfreemium": {"type": "bool", "aliases": ["is_freemium"]},
    "scsi_controller_type": {"type": "str", "aliases": ["scsi_controller"]},
    "is_hot_plug_enabled": {"type": "bool", "aliases": ["hot_plug"]},
    "recreate": {"type": "bool", "default": False},
    "delete_disks": {"type": "bool"},
    "force_stop": {"type": "bool", "default": False},
    "stop_timeout": {"type": SECONDS, "default": 300},
    "access_data": {"type": "bool", "default": False},
    **WAIT_OPTIONS,
    **CREATE_OPTIONS,
}
INSTANCE_RULES: JsonObject = {
    "required_one_of": [("name", "id")],
    "mutually_exclusive": [
        ("template_id", "template"),
        ("subregion_id", "subregion"),
        ("type_id", "type"),
        ("authorization_method_id", "authorization_method"),
        ("id", "instances_count"),
        ("ip_address_id", "ip_addresses"),
    ],
}

ATTACHED_LISTS = ("private_networks", "ip_addresses")
AFTER_CREATION = ("status", "scsi_controller_type", "is_hot_plug_enabled", *ATTACHED_LISTS)
"""What a create takes only in part, or not at all."""
CREATE_REFERENCES = ("type", "subregion", "template", "disk_class", "authorization_method")
REFERENCE_OPTIONS = (*CREATE_REFERENCES, "scsi_controller_type")
REQUIRED_OPTIONS = ("name", "template", "subregion")
DISK = "init_disk_size"
PLAIN_CREATE_OPTIONS = (DISK, "isfreemium", "ip_address_id", "without_public_ip", "init_script", "is_hot_plug_enabled")
"""What is sent as it is given."""
NOT_READABLE = ("authorization_method", "ssh_keys", "ip_address_id", "without_public_ip", "init_script")
"""What is sent at a creation and never compared: it cannot be read, or means nothing afterwards."""
SSH_KEYS_METHOD, PASSWORD_METHOD = 1398, 1399  # items of dictionary 159

NAME_PATTERN = re.compile(r"[^/\\|<>%]*")
NAME_LENGTH = (1, 40)
DISK_SIZE = (5, 300)  # of a new instance; how large a disk can grow is not known
COUNT = (1, 50)  # a limit of this collection: the service creates one instance per request
NEEDS_KEY = "ssh_keys: this authorization method needs at least one key."


def numbered_names(name: str, count: int) -> list[str]:
    """Return the names of so many instances of one kind."""
    return [f"{name}-{number}" for number in range(1, count + 1)]


def instance_names(params: Params) -> list[str]:
    """Return the names of the instances that the options declare; none if only an ID is given.

    If a count may shrink, the last one is numbered too, or it would be another instance than the first of several.
    """
    name, count = params.get("name"), params.get("instances_count") or 1
    if name is None:
        return []
    return [name] if count == 1 and not params.get("purge_instances") else numbered_names(name, count)


def id_or_label(given: object) -> int | str:
    """Return what the user wrote: an ID, or else a label."""
    text = str(given).strip()
    number = number_in(text)
    return text if number is None else number


def known_id(labels: Labels, option: str, given: int | str) -> int:
    """Return the ID for what the user wrote: an ID, or else a label. Raises InvalidInput, Ambiguous."""
    found = id_or_label(given)
    return found if isinstance(found, int) else int(labels.item(option, found)["id"])


def reference(params: Params, option: str) -> int | str | None:
    """Return what the user gave for a reference: an ID, a label, or None."""
    number, label = params.get(f"{option}_id"), params.get(option)
    if number is not None:
        return int(number)
    return None if label is None else id_or_label(label)


def missing_options(params: Params) -> list[str]:
    """Return the options that a create needs and that are missing."""
    return [option for option in REQUIRED_OPTIONS if params.get(option) is None and params.get(f"{option}_id") is None]


# ---------------------------------------------------------------- checks before anything is sent


def check_instance(params: Params) -> None:
    """Raise InvalidInput for values that the service does not accept."""
    check_numbers(params)
    none = "To remove instances, set state: absent." if params.get("instances_count") == 0 else None
    _check_range("instances_count", params.get("instances_count"), COUNT, advice=none)
    size = params.get("init_disk_size")
    if size is not None and size < DISK_SIZE[0]:
        require_disk_size(size)
    for name in instance_names(params):
        check_instance_name(name)
    for option in REFERENCE_OPTIONS:
        if reference(params, option) == "":
            raise InvalidInput(f"{option}: the label is empty.", option=option)
        check_number(option, reference(params, option))
    _check_lists(params)
    _check_combinations(params)


def require_disk_size(size: int) -> None:
    """Raise InvalidInput for a size that a new instance cannot have."""
    _check_range("init_disk_size", size, DISK_SIZE, " GB")


def _check_range(
    option: str, value: int | None, bounds: tuple[int, int], unit: str = "", *, advice: str | None = None
) -> None:
    if value is not None and not bounds[0] <= value <= bounds[1]:
        words = f"{option}: {value} is not between {bounds[0]} and {bounds[1]}{unit}."
        raise InvalidInput(words, next_step=advice, option=option)


def check_instance_name(name: str, option: str = "name") -> None:
    """Raise InvalidInput for a name that is not valid for an instance."""
    problem = None
    if not NAME_LENGTH[0] <= len(name) <= NAME_LENGTH[1]:
        problem = f"{name!r} has {len(name)} characters; {NAME_LENGTH[0]} to {NAME_LENGTH[1]} are allowed."
    elif not name.strip():
        problem = "the name consists of spaces only."
    elif not NAME_PATTERN.fullmatch(name):
        problem = f"{name!r} contains one of the characters / \\ | < > %."
    if problem is not None:
        raise InvalidInput(f"{option}: {problem}", option=option)
    check_blanks(name, option)


def _check_lists(params: Params) -> None:
    for option in ATTACHED_LISTS:
        entries, purge = params.get(option), f"purge_{option}"
        if entries is None and params.get(purge):
            raise InvalidInput(f"{purge}: it needs {option}, the list of those to keep.", option=purge)
        if any(not str(entry).strip() for entry in entries or ()):
            raise InvalidInput(f"{option}: an entry is empty.", option=option)
    for option in (*ATTACHED_LISTS, "ssh_keys"):
        for entry in params.get(option) or ():
            check_number(option, id_or_label(entry))


def _check_combinations(params: Params) -> None:
    """Raise InvalidInput for options that contradict each other."""
    several, absent = len(instance_names(params)) > 1, params.get("state") == "absent"
    counted, purge = params.get("instances_count") is not None, params.get("purge_instances")
    by_id, keys = params.get("id") is not None, params.get("ssh_keys")
    address = next(filter(params.get, ("ip_address_id", "ip_addresses")), "")
    by_key = reference(params, "authorization_method") == SSH_KEYS_METHOD
    problems = {
        f"{address}: one address cannot be used for several instances.": address and several,
        f"without_public_ip: it contradicts {address}.": address and params.get("without_public_ip"),
        "purge_instances: it needs instances_count, the number to keep.": purge and not counted,
        "purge_instances: with state=absent, only the counted instances are removed.": purge and absent,
        NEEDS_KEY: by_key and keys == [],
        "access_data: it is only available for a single instance per task.": several and params.get("access_data"),
        "recreate: a re-created instance has a new ID, so give its name and no id.": by_id and params.get("recreate"),
    }
    next_steps = {
        address: "Declare that instance in a task of its own.",
        "access_data": "Read it for each instance in a loop, by its name.",
    }
    for problem, exists in problems.items():
        if exists:
            option = problem.partition(":")[0]
            raise InvalidInput(problem, next_step=next_steps.get(option), option=option)


# ---------------------------------------------------------------- labels

Named = t.Dict[str, t.Any]
DICTIONARY_NUMBERS = {
    "disk_class": 17,
    "authorization_method": 159,
    "status": 27,
    "system_category": 70,
    "scsi_controller_type": 182,
    "language": 1,
}
SAME_LIST = {
    "default_type": "type",
    "minimum_type": "type",
    "private_network": "private_networks",
    "ip_address": "ip_addresses",
}

WHERE = {
    "type": "the instance types",
    "subregion": "the subregions",
    "template": "the templates",
    "disk_class": "the disk classes",
    "authorization_method": "the authorization methods",
    "system_category": "the template system categories",
    "scsi_controller_type": "the disk controllers",
    "language": "the languages",
    "ssh_keys": "the account's SSH keys",
    "private_networks": "the account's private networks",
    "ip_addresses": "the account's public addresses",
}
TAKE_NUMBERS = (
    "disk_class",
    "scsi_controller_type",
    "language",
    "ssh_keys",
    "private_network",
    "private_networks",
    "ip_address",
    "ip_addresses",
)
"""Options that also take an ID; the others have a separate option for it."""


class Labels(ReferenceNames):
    """Labels and IDs; every list is read at most once in a task, even if the right to read it is missing."""

    def __init__(self, api: Infrastructure) -> None:
        super().__init__(api)
        self.api = api

    def item(self, option: str, label: str) -> Named:
        """Return ``{id, label}`` for a label. Raises InvalidInput with the most similar ones, or Ambiguous."""
        entries, where = self.entries(option), WHERE[SAME_LIST.get(option, option)]
        names = [(entry["Id"], name) for entry in entries for name in _names(entry)]
        try:
            number = resolve_label(label, names, option=option, where=where)
            self._expect(SAME_LIST.get(option, option), number)
            return self.item_by_id(option, number)
        except Ambiguous as several:
            ids: list[int] = several.details["ids"]
        versions = {entry["Id"]: _names(entry)[-1] for entry in entries}
        raise Ambiguous(
            f"{option}: {label!r} matches several items of {where}: "
            f"{', '.join(f'{number} = {versions[number]}' for number in ids)}.",
            next_step=f"Give the ID in {option if option in TAKE_NUMBERS else option + '_id'}"
            f"{', or the name with its version' if option == 'template' else ''}.",
            ids=ids,
        )

    def _expect(self, kind: str, number: int) -> None:
        """Have what users may rename confirm its name before anything is sent that names it: a list may be late."""
        reads = {
            "private_networks": ("private network", self.api.get_network),
            "ssh_keys": ("SSH key", self.api.get_ssh_key),
        }
        if kind in reads:
            title, read = reads[kind]
            label = self.item_by_id(kind, number)["label"]
            self.api.unconfirmed[title, number] = ListedValue(f"{title} {number}", partial(read, number), "Name", label)

    def item_by_id(self, option: str, number: int) -> Named:
        """Return ``{id, label}`` for an ID; the label is None if the service does not list it, or refuses the list.

        There are many templates: one that was not read in this task has no label.
        """
        found: Named = {"id": number, "label": None}
        if option == TEMPLATE:
            self.fill([{TEMPLATE: found}], TEMPLATE, ask=False)
            return found
        entry = self.known(option, number)
        return found if entry is None else {"id": number, "label": _names(entry)[0]}

    def known(self, option: str, number: int) -> JsonObject | None:
        """Return what the service returns for an ID, None if it returns nothing or must not be asked."""
        if option == TEMPLATE:
            return self.entry(TEMPLATE, number)
        try:
            return next((entry for entry in self.entries(option) if entry["Id"] == number), None)
        except Rejected:
            return None

    def names_in_use(self, option: str, number: int) -> list[str]:
        """Return the possible names of an item that is in use; none if the service does not name it."""
        entry = self.known(option, number)
        return _names(entry) if entry is not None and entry.get("Name") else []

    def entries(self, kind: str) -> list[JsonObject]:
        """Return the whole list of what an option refers to. A refusal is raised each time, without asking again."""
        return super().entries(SAME_LIST.get(kind, kind))

    def _list(self, kind: str) -> list[dict[str, object]]:
        if kind in DICTIONARY_NUMBERS:
            return self.api.get_dictionary(DICTIONARY_NUMBERS[kind])
        readers: dict[str, t.Callable[[], list[JsonObject]]] = {
            "type": self.api.list_instance_types,
            "ssh_keys": self.api.list_ssh_keys,
            "private_networks": self.api.list_networks,
            "ip_addresses": self.api.list_ip_addresses,
        }
        return readers[kind]() if kind in readers else super()._list(kind)


def _names(entry: t.Mapping[str, object]) -> list[str]:
    """Return the label, and with a version also ``label (version)``: template names are not unique."""
    label = str(entry.get("Label") or entry.get("Name") or entry.get("Address"))
    return [label, f"{label} ({entry['Version']})"] if entry.get("Version") else [label]
