# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The account that is read, and what the export of one kind finds in it.

An account has a client for each interface, and what several kinds need is read once. An object is named in an entry by
its name where nothing else has it, else by its number.
"""

from __future__ import annotations

import typing as t
from collections import Counter
from fnmatch import fnmatchcase
from functools import cached_property, partial

from .._connection.task import Params, Task
from .._core.clock import Deadline
from .._core.errors import Forbidden, InvalidInput, Rejected
from .._core.text import number_in

if t.TYPE_CHECKING:
    from .._contract.api import CommonFcd
    from .._infrastructure.api.infrastructure import Infrastructure
    from .._object_storage.api import ObjectStorage


Values = t.Dict[str, t.Any]
NO_OPTIONS: t.Mapping[str, str] = {}
IN_IT = "a secret of this task is in it"


class ExportTable(t.NamedTuple):
    """Every option of a kind's module is in one of these.

    ``identity`` are those that say which object is meant, ``told`` the others that are exported, both in the order in
    which they are written. ``withheld`` has for what the account has, and the export leaves out, the reason; it is told
    to the user. ``of_tasks`` has the reason for what says how a task works and not what there is.
    """

    kind: str
    identity: tuple[str, ...]
    told: tuple[str, ...]
    withheld: t.Mapping[str, str] = NO_OPTIONS
    of_tasks: t.Mapping[str, str] = NO_OPTIONS

    def ordered(self, values: Values) -> Values:
        """Return an entry with its options in their order; what is None is left out."""
        names = ("key", *self.identity, *self.told)
        return {name: values[name] for name in names if values.get(name) is not None}


class LeftOut(t.NamedTuple):
    """What is not in the export: without a name said of all of the kind, without an option of all of the object."""

    kind: str
    name: str | None
    option: str | None
    reason: str


class ExportedKind:
    """The entries of one kind, and what was left out of them."""

    def __init__(self, table: ExportTable) -> None:
        self.table = table
        self.entries: list[Values] = []
        self.left_out: list[LeftOut] = []
        self.changed = False

    def add(self, values: Values) -> None:
        """Take in an entry."""
        self.entries.append(self.table.ordered(values))

    def leave(self, name: t.Any, reason: str, option: str | None = None) -> None:
        """Note that an object, or one option of it, is left out."""
        self.left_out.append(LeftOut(self.table.kind, str(name), option, reason))

    def conceal(self, secret: t.Callable[[t.Any], bool]) -> None:
        """Leave out what has a secret of the task in it, which would be told as asterisks; ``secret`` says so."""
        kept = [
            self._concealed(entry, [name for name, value in entry.items() if secret(value)]) for entry in self.entries
        ]
        self.entries = [entry for entry in kept if entry is not None]

    def _concealed(self, entry: Values, hidden: t.Collection[str]) -> Values | None:
        """Return an entry without these options, None where it cannot be told which object is meant."""
        told = {name: value for name, value in entry.items() if name not in hidden}
        said = "/".join(str(told[name]) for name in self.table.identity if name in told)
        of_all = any(name in self.table.identity for name in hidden)
        for name in hidden:
            self.leave(said, IN_IT, None if of_all else name)
        return None if of_all else told

    def leave_withheld(self) -> None:
        """Note what no entry of the kind tells, if there are entries."""
        if self.entries:
            told = [LeftOut(self.table.kind, None, name, reason) for name, reason in self.table.withheld.items()]
            self.left_out[:0] = told


NOT_READABLE = "the service does not tell it"
CONCEALED = "it is a secret"
ONCE = "it matters only when the object is made"
HOW = "it says how a task works, not what there is"
NOT_DECLARED = "what is not declared stays as it is"
WAITING = dict.fromkeys(("wait", "wait_timeout", "create_grace"), HOW)


Record = t.Dict[str, t.Any]
Item = t.TypeVar("Item")
Value = t.TypeVar("Value")
SHORTEST_SECRET = 4  # characters; anything shorter is in ordinary words too


class UniqueLabels:
    """Which labels lead to one number only, among the ``(number, label)`` of a list."""

    def __init__(self, items: t.Iterable[tuple[int, str | None]]) -> None:
        pairs = {(number, label) for number, label in items if label}
        counts = Counter(label for _number, label in pairs)
        self._labels: dict[int, list[str]] = {}
        for number, label in sorted(pairs):
            if counts[label] == 1 and label == label.strip() and number_in(label) is None:
                self._labels.setdefault(number, []).append(label)

    def of(self, number: int) -> str | None:
        """Return the shortest label that stands for the number and nothing else, None when there is none."""
        return min(self._labels.get(number, ()), key=len, default=None)

    def said(self, number: int) -> str:
        """Return the label, or the number as text where no label will do."""
        return self.of(number) or str(number)


class ExportedAccount:
    """What can be read with the settings of a task; ``params`` are the options of site_info."""

    def __init__(self, task: Task, params: Params) -> None:
        self.task = task
        self.params = params
        self._secrets = [secret for secret in task.settings.secrets() if len(secret) >= SHORTEST_SECRET]

    @property
    def deadline(self) -> Deadline:
        """When the task has to end."""
        return self.task.deadline

    @cached_property
    def rest(self) -> Infrastructure:
        """The infrastructure interface. Raises MissingSettings."""
        from .._infrastructure.connection import infrastructure

        return infrastructure(self.task)

    @cached_property
    def soap(self) -> CommonFcd:
        """The SOAP interface. Raises MissingSettings."""
        from .._contract.api import common_fcd

        return common_fcd(self.task)

    @cached_property
    def storage(self) -> ObjectStorage:
        """The object storage. Raises MissingSettings."""
        from .._object_storage.connection import object_storage

        return object_storage(self.task)

    @cached_property
    def infrastructure(self) -> InfrastructureLists:
        """The lists of the infrastructure interface."""
        return InfrastructureLists(self.rest)

    @cached_property
    def containers(self) -> dict[str, dict[str, str]]:
        """The containers with their headers, by name; one that is gone meanwhile is left out."""
        from .._object_storage.api import administrator_missing, list_containers
        from .._object_storage.listing import listing_entries

        try:
            names = [str(one["name"]) for one in listing_entries(partial(list_containers, self.storage), None)]
        except Forbidden as exc:
            raise administrator_missing(exc, "Listing the containers of the account", "") from None
        headers = self.each(names, self.storage.container_metadata)
        return {name: one for name, one in zip(names, headers) if one is not None}

    def wanted(self, kind: str, name: t.Any) -> bool:
        """Whether the option ``names`` lets an object of this name through."""
        patterns = (self.params["names"] or {}).get(kind)
        return patterns is None or any(fnmatchcase(str(name), pattern) for pattern in patterns)

    def holds_secret(self, value: t.Any) -> bool:
        """Whether one of the secrets of this task is in a value: it would be masked, so that something else is told."""
        if isinstance(value, dict):
            return any(self.holds_secret(one) for pair in value.items() for one in pair)
        if isinstance(value, list):
            return any(map(self.holds_secret, value))
        return isinstance(value, str) and any(secret in value for secret in self._secrets)

    def each(self, items: t.Iterable[Item], work: t.Callable[[Item], Value]) -> list[Value]:
        """Return what ``work`` returns for each item, in their order; several requests are on their way at a time."""
        from .._object_storage.segments import map_side_by_side

        return map_side_by_side(list(items), work, deadline=self.deadline, most=self.params["concurrency"])


class InfrastructureLists:
    """The lists of the infrastructure interface, each read when it is needed first."""

    def __init__(self, api: Infrastructure) -> None:
        from .._infrastructure.instance.instance_options import Labels as Catalogue
        from .._infrastructure.reference_names import ReferenceNames

        self.api = api
        self.names = ReferenceNames(api)
        self._catalogue = Catalogue(api, self.names)
        self._labels: dict[str, UniqueLabels] = {}

    @cached_property
    def instances(self) -> list[Record]:
        """The instances, without deleted ones."""
        from .._infrastructure.instance.instance_info import read_instances

        return read_instances(self.api, {}, self.names)

    @cached_property
    def disks(self) -> list[Record]:
        """The disks, system disks too."""
        from .._infrastructure.disk import DiskSearch

        search = DiskSearch(self.api)
        return [search.described(item) for item in search.listed()]

    @cached_property
    def addresses(self) -> list[Record]:
        """The public addresses."""
        from .._infrastructure.ip_address import AddressSearch

        search = AddressSearch(self.api)
        return [search.described(item) for item in search.listed()]

    @cached_property
    def networks(self) -> list[Record]:
        """The private networks."""
        from .._infrastructure.private_network import NetworkSearch

        search = NetworkSearch(self.api)
        return [search.described(item) for item in search.listed()]

    @cached_property
    def keys(self) -> list[Record]:
        """The SSH keys."""
        from .._infrastructure.ssh_key import KeySearch

        search = KeySearch(self.api)
        return [search.described(item) for item in search.listed()]

    def labels(self, what: str) -> UniqueLabels:
        """Return the labels of a list by the name of the option that takes them; none where it may not be read."""
        if what not in self._labels:
            self._labels[what] = UniqueLabels(self._items(what))
        return self._labels[what]

    def _items(self, what: str) -> list[tuple[int, str | None]]:
        own = {"instances": lambda: self.instances, "private_networks": lambda: self.networks}
        if what in own:
            return [(record["id"], record["name"]) for record in own[what]()]
        try:
            entries = self._entries(what)
        except Rejected:
            return []
        return [(entry["Id"], label) for entry in entries for label in _labels_of(entry)]

    def _entries(self, what: str) -> list[Record]:
        if what == "shared_disk_type":
            from .._infrastructure.disk import SHARED_TYPES

            return self.api.get_dictionary(SHARED_TYPES)
        return self._catalogue.entries(what)


def _labels_of(entry: t.Mapping[str, t.Any]) -> list[str]:
    """Return how an entry may be called; a template by its name and its version too."""
    label = entry.get("Label") or entry.get("Name")
    versioned = [f"{label} ({entry['Version']})"] if entry.get("Version") else []
    return [str(label), *versioned] if label else []


Check = t.Callable[[str], t.Any]


def identified_records(
    account: ExportedAccount,
    found: ExportedKind,
    records: t.Iterable[Record],
    check: Check,
    key: str = "name",
    numbered: str = "id",
) -> t.Iterator[tuple[Record, Record]]:
    """Yield each record that is wanted with the options that say which one is meant, in the order of their names.

    ``check`` raises InvalidInput for a name that the module does not take. ``key`` is the attribute and option of the
    name, ``numbered`` those of what an object has that nothing else has.
    """
    every = list(records)
    counts = Counter(record[key] for record in every)
    for record in sorted(every, key=lambda one: (str(one[key] or ""), str(one[numbered]))):
        name = record[key]
        if not account.wanted(found.table.kind, name or ""):
            continue
        why = _unfit(account, name, check) or (counts[name] > 1 and "others have the same")
        if not why:
            yield record, {key: name}
        else:
            if name:
                found.leave(name, f"{why}; it is declared by {numbered} {record[numbered]}", key)
            yield record, {numbered: record[numbered]}


def _unfit(account: ExportedAccount, name: str | None, check: Check) -> str | None:
    """Return why an object cannot be declared by its name."""
    if not name:
        return "there is none"
    if account.holds_secret(name):
        return IN_IT
    try:
        check(name)
    except InvalidInput as wrong:
        return f"the module does not take it ({wrong.message.rstrip('.')})"
    return None


Exporter = t.Callable[[ExportedAccount], ExportedKind]
"""Reads one kind of the account."""
