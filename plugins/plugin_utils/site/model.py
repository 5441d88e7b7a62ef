# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a site declares, after all checks: entries with complete options, their order, parts of the whole."""

from __future__ import annotations

import hashlib
import importlib
import typing as t

from ...module_utils._connection.task import Operation
from ...module_utils._core.type_aliases import JsonObject

Spec = t.Dict[str, t.Any]

FOUNDATIONS, REST = "foundations", "rest"
NETWORKS, ADDRESSES, DISKS, INSTANCES = "private_networks", "ip_addresses", "disks", "instances"
GROUPS, BALANCERS, GROUP_AUTOSCALERS = "instance_groups", "load_balancers", "group_autoscalers"
CONTAINERS, OBJECTS, FOLDERS = "storage_containers", "storage_objects", "storage_folders"
NAME, NUMBER = "name", "number"
_MODULE_UTILS = Operation.__module__.rpartition("._connection")[0]
RUN_OPTIONS = ("wait", "wait_timeout", "create_grace", "force_create")
"""Options that are for a run, not for what is declared: the site has its own."""


class Target(t.NamedTuple):
    """What an option refers to. ``by`` says what the module takes there: the name of the other entry, or its number."""

    kind: str
    by: str = NAME


class EntryKind(t.NamedTuple):
    """One kind of entries.

    ``source`` is where the operation of its module is: a path below ``module_utils``, with its name where it is not
    ``OPERATION``. ``identity`` are the ways to say which one is meant, the first that is given counts; each is a tuple
    of options. ``references`` are the options that may name entries of another kind. ``fixed`` are options with a value
    that an entry cannot change. ``makes`` says whether the service makes such a thing because it is declared,
    ``removable`` whether the module can remove one. ``creates_first``: a replacement can be created before what it
    replaces is removed, which gets another name for that time. ``resends`` are options of which an edit is only sent,
    or compared, with another option: that, and its value.
    """

    name: str
    source: str
    identity: tuple[tuple[str, ...], ...]
    references: t.Mapping[str, Target] = {}
    stage: str = REST
    excluded: tuple[str, ...] = RUN_OPTIONS
    fixed: t.Mapping[str, t.Any] = {}
    makes: bool = True
    removable: bool = True
    creates_first: bool = False
    resends: t.Mapping[str, tuple[str, object]] = {}

    def operation(self) -> Operation:
        """Return the operation of the module, which is imported when this is first called."""
        path, _colon, name = self.source.partition(":")
        found: Operation = getattr(importlib.import_module(f"{_MODULE_UTILS}.{path}"), name or "OPERATION")
        return found

    @property
    def can_be_owned(self) -> bool:
        """Whether one can be a site's own, which is what adopting, moving and releasing are about."""
        return self.makes and self.removable

    @property
    def module(self) -> str:
        """The name of the module."""
        return self.operation().name

    def defaults(self) -> JsonObject:
        """Return all options of the module as they are where nobody gives them."""
        return {name: spec.get("default") for name, spec in self.operation().options.items()}

    def options(self) -> dict[str, Spec]:
        """Return the options that an entry may have, as argument specification."""
        left_out = {*self.excluded, *self.fixed}
        return {name: spec for name, spec in self.operation().options.items() if name not in left_out}

    def identity_of(self, options: t.Mapping[str, object]) -> JsonObject:
        """Return the options that say which one is meant, nothing when it is not said."""
        for way in self.identity:
            identity = {option: options.get(option) for option in way}
            if not any(value in (None, "") for value in identity.values()):
                return identity
        return {}

    def name_of(self, options: t.Mapping[str, object]) -> str | None:
        """Return what an entry is called, unique in its kind, such as ``web``, ``assets/index.html``, ``12/304/DS-01``.

        One that is known by its number alone, where others have names, is ``#12``. None: it is not said.
        """
        identity = self.identity_of(options)
        if not identity:
            return None
        text = "/".join(str(value["ref"] if is_reference(value) else value) for value in identity.values())
        if tuple(identity) == ("id",) and self.identity[0] != ("id",):
            return f"#{text}"
        return text.rstrip("/") if "prefix" in identity else text  # docs and docs/ are one folder


def is_reference(value: object) -> bool:
    """Whether the value is a reference, as it stands in the file."""
    return isinstance(value, dict) and set(value) == {"ref"}


_NAMED = (("name",), ("id",))
_ALL = (
    EntryKind("ssh_keys", "_infrastructure.ssh_key", _NAMED, stage=FOUNDATIONS),
    EntryKind(NETWORKS, "_infrastructure.private_network", _NAMED, stage=FOUNDATIONS),
    EntryKind(
        ADDRESSES,
        "_infrastructure.ip_address",
        (("comment",), ("address",), ("id",)),
        {"instance": Target(INSTANCES)},
        FOUNDATIONS,  # one that is to be attached comes after its instance: its entry is of the rest
    ),
    EntryKind(
        CONTAINERS,
        "_object_storage.container",
        (("name",),),
        {"versions_location": Target(CONTAINERS)},
        FOUNDATIONS,
    ),
    EntryKind("clients", "_contract.client", (("id",),), stage=FOUNDATIONS, makes=False),
    EntryKind(
        INSTANCES,
        "_infrastructure.instance.instance",
        _NAMED,
        {
            "ssh_keys": Target("ssh_keys"),
            "private_networks": Target(NETWORKS),
            "ip_addresses": Target(ADDRESSES, NUMBER),
            "ip_address_id": Target(ADDRESSES, NUMBER),
        },
        excluded=(*RUN_OPTIONS, "access_data", "purge_instances", "max_delete"),
        creates_first=True,
    ),
    EntryKind(DISKS, "_infrastructure.disk", _NAMED, {"instances": Target(INSTANCES)}),
    EntryKind(
        GROUPS,
        "_infrastructure.instance_group",
        _NAMED,
        {"instances": Target(INSTANCES), "ip_addresses": Target(ADDRESSES, NUMBER)},
    ),
    EntryKind(
        BALANCERS,
        "_infrastructure.load_balancer",
        (("group",),),
        {"group": Target(GROUPS), "ip_address": Target(ADDRESSES, NUMBER)},
    ),
    EntryKind(
        "health_checks",
        "_infrastructure.health_check",
        _NAMED,
        resends={"sip_password": ("update_password", "always")},
    ),
    EntryKind(
        "health_check_notifications", "_infrastructure.health_check_notification", (("address", "type"), ("id",))
    ),
    EntryKind(
        "instance_schedules",
        "_infrastructure.instance_schedule",
        (("instance", "name"), ("id",)),
        {"instance": Target(INSTANCES)},
    ),
    EntryKind(
        "group_schedules",
        "_infrastructure.group_schedule",
        (("group", "name"), ("id",)),
        {"group": Target(GROUPS), "instance": Target(INSTANCES)},
    ),
    EntryKind(
        "instance_autoscalers",
        "_infrastructure.instance_autoscaler",
        (("instance",),),
        {"instance": Target(INSTANCES)},
    ),
    EntryKind(
        GROUP_AUTOSCALERS,
        "_infrastructure.group_autoscaler",
        (("group",),),
        {"group": Target(GROUPS), "instances": Target(INSTANCES)},
    ),
    EntryKind(
        OBJECTS,
        "_object_storage.object",
        (("container", "name"),),
        {"container": Target(CONTAINERS), "segment_container": Target(CONTAINERS)},
        excluded=("remote_src",),
    ),
    EntryKind(
        FOLDERS,
        "_object_storage.sync",
        (("container", "prefix"), ("container",)),
        {"container": Target(CONTAINERS), "segment_container": Target(CONTAINERS)},
        excluded=("source_container", "source_prefix", "file_mode", "directory_mode"),
        fixed={"mode": "push"},
        removable=False,
        resends={"headers": ("verify_headers", True)},
    ),
    EntryKind("warehouses", "_contract.warehouse", (("partner_id", "template_id", "data_store_number"), ("id",))),
    EntryKind(
        "client_users",
        "_contract.client_user",
        (("user_name",), ("id",), ("sid",)),
        {"client_id": Target("clients", NUMBER)},
        resends={"user_password": ("update_password", "always")},
    ),
    EntryKind(
        "client_pricelists",
        "_contract.pricelist:CLIENT_PRICELIST",
        (("pricelist", "owner_client_id"), ("pricelist",), ("pricelist_id",)),
        {"client_ids": Target("clients", NUMBER), "owner_client_id": Target("clients", NUMBER)},
        makes=False,
        removable=False,
    ),
    EntryKind(
        "client_fixed_amounts",
        "_contract.client_fixed_amount",
        (("client_id",),),
        {"client_id": Target("clients", NUMBER)},
    ),
)
KINDS: dict[str, EntryKind] = {kind.name: kind for kind in _ALL}
"""All kinds by name, in the order in which they are made."""


SELECTING = ("include", "exclude")
"""Options that say what an entry is about: what they leave out is left alone."""

NEVER_TOLD = frozenset(
    (
        *("state", "force", "force_stop", "force_detach", "stop_timeout", "recreate", "delete_disks", "detached"),
        *("purge_metadata", "purge_addresses", "purge_phones", "purge_private_networks", "purge_ip_addresses"),
        "purge_instances",
        *("address_types", "status_comment", "delete_comment", "update_password", "privilege_type_id"),
        *("overwrite", "delete", "max_delete", "compare", "checksum_cache", "verify_headers", "connections"),
        *("list_limit", "symlinks", "empty_directories"),
        *("container", "prefix", "path", *SELECTING, "content", "src", "copy_from"),
        *("fields", "secret_fields"),
    )
)
"""Options that the service has no field for, and that need no word when they are edited: they say how something is
done, or what they stand for is compared all the same, such as contents by their digests.
"""


Place = t.Tuple[str, str]  # kind and name of an entry


class NumberReference(t.NamedTuple):
    """Stands in ``params`` where the number of another entry belongs, which only the service knows.

    ``as_text``: the option takes it as a text.
    """

    kind: str
    name: str
    as_text: bool = False


class Lifecycle(t.NamedTuple):
    """What an entry says about how it may change.

    ``prevent_destroy``: no run removes or replaces it. ``ignore_changes``: options that matter only when it is created.
    ``create_before_destroy``: a replacement is created before what it replaces is removed.
    """

    prevent_destroy: bool = False
    ignore_changes: tuple[str, ...] = ()
    create_before_destroy: bool = False


class Entry(t.NamedTuple):
    """One thing that is declared.

    ``name`` is unique in its kind and the same in each run, ``key`` is the label that references use. ``given`` are the
    options as they are declared, defaults of the site merged in, references to names resolved; ``params`` are complete
    and checked, as ``Operation.run`` takes them, but for ``NumberReference`` at any depth (``with_numbers``). ``refs``
    are the entries that have to be there before this one. ``stage`` is that of the kind, or ``rest`` where a ref is.
    ``adopt``: what exists becomes the site's own. ``secrets``: the options whose values are secret, or have something
    secret in them: decrypted, looked up, or given to an option that is secret itself. ``plain``: the texts beside that.
    """

    kind: str
    key: str
    name: str
    given: dict[str, t.Any]
    params: dict[str, t.Any]
    source: str
    refs: tuple[Place, ...] = ()
    stage: str = REST
    lifecycle: Lifecycle = Lifecycle()
    adopt: bool = False
    secrets: frozenset[str] = frozenset()
    plain: frozenset[str] = frozenset()

    @property
    def place(self) -> Place:
        """Kind and name, which no two entries share."""
        return self.kind, self.name

    @property
    def of(self) -> EntryKind:
        """The kind itself."""
        return KINDS[self.kind]

    @property
    def identity(self) -> dict[str, t.Any]:
        """The options that say which one is meant."""
        return self.of.identity_of(self.params)

    @property
    def absent(self) -> bool:
        """Whether it is declared to be gone."""
        return self.params.get("state") == "absent"


class Moved(t.NamedTuple):
    """An entry that has another place now: what the site owns as ``old`` (key or name) is the entry ``new``."""

    kind: str
    old: str
    new: Place
    source: str


class Released(t.NamedTuple):
    """What is declared no more, by key or name: with ``destroy`` it is removed, else the site no longer owns it."""

    kind: str
    label: str
    destroy: bool
    source: str


class Output(t.NamedTuple):
    """A value to tell after a run: what ``path`` leads to in the result of the module of an entry."""

    name: str
    place: Place
    path: tuple[str, ...]
    source: str


class Declaration(t.NamedTuple):
    """A whole site, or a part of one. Entries are in the order of ``KINDS``, then as in the file.

    ``registry`` is ``{"container": name}``, also with ``others_may_write``, ``{"path": file}`` (absolute) or
    empty. ``digest`` is over all of the site, also in a part; values of secret options are not in it. ``policies`` are
    absolute paths of files and folders.
    """

    site: str
    environment: str | None
    registry: t.Mapping[str, t.Any]
    entries: tuple[Entry, ...]
    digest: str
    moved: tuple[Moved, ...] = ()
    removed: tuple[Released, ...] = ()
    outputs: tuple[Output, ...] = ()
    policies: tuple[str, ...] = ()

    def by_place(self) -> dict[Place, Entry]:
        """Return the entries by kind and name."""
        return {entry.place: entry for entry in self.entries}

    def services(self) -> tuple[str, ...]:
        """Return the services that the declared kinds need, in a fixed order."""
        kinds = dict.fromkeys(entry.kind for entry in self.entries)
        return tuple(sorted({service for kind in kinds for service in KINDS[kind].operation().services}))


def reject_duplicate_keys(members: list[tuple[str, t.Any]]) -> dict[str, t.Any]:
    """Return the members of an object in JSON (object_pairs_hook). Raises ValueError when two have one name.

    People and programs that read such a document do not agree on what it says.
    """
    found = dict(members)
    if len(found) != len(members):
        raise ValueError("two members of one object have the same name")
    return found


Find = t.Callable[[str, str], t.Optional[int]]


def with_numbers(params: object, find: Find) -> t.Any:
    """Return the options with the numbers of other entries; ``find`` gets kind and name of each.

    Where ``find`` returns None there is None.
    """
    if isinstance(params, NumberReference):
        number = find(params.kind, params.name)
        return str(number) if params.as_text and number is not None else number
    if isinstance(params, dict):
        return {name: with_numbers(value, find) for name, value in params.items()}
    if isinstance(params, list):
        return [with_numbers(value, find) for value in params]
    return params


def unknown_numbers(params: object, find: Find) -> list[NumberReference]:
    """Return those of the numbers in the options that are not known yet."""
    if isinstance(params, NumberReference):
        return [params] if find(params.kind, params.name) is None else []
    inside = params.values() if isinstance(params, dict) else params if isinstance(params, list) else ()
    return [number for value in inside for number in unknown_numbers(value, find)]


def of_stage(declaration: Declaration, stage: str) -> Declaration:
    """Return the declaration with the entries of ``foundations`` or ``rest``; ``all`` is the whole."""
    if stage not in (FOUNDATIONS, REST):
        return declaration
    return declaration._replace(entries=tuple(entry for entry in declaration.entries if entry.stage == stage))


def of_part(declaration: Declaration, number: int, of: int) -> Declaration:
    """Return part ``number`` (from 1) of ``of``: the parts together are the whole, and have no entry in common.

    What belongs to which part depends on kinds and names only. Entries of the rest that refer to one another are in one
    part, so that no part waits for another; all parts come after the foundations.
    """
    groups = _groups(declaration.entries)
    chosen = []
    for entry in declaration.entries:
        digest = hashlib.sha256("\0".join(groups[entry.place]).encode("utf-8", "surrogateescape")).digest()
        if int.from_bytes(digest[:8], "big") % of == number - 1:
            chosen.append(entry)
    return declaration._replace(entries=tuple(chosen))


def _groups(entries: t.Iterable[Entry]) -> dict[Place, Place]:
    """Return for each entry the first, by name, of those that it is tied to by references within the rest."""
    entries = list(entries)
    rest = {entry.place for entry in entries if entry.stage == REST}
    above: dict[Place, Place] = {entry.place: entry.place for entry in entries}

    def top(place: Place) -> Place:
        while above[place] != place:
            above[place] = above[above[place]]
            place = above[place]
        return place

    for entry in entries:
        for ref in entry.refs if entry.place in rest else ():
            if ref in rest:
                first, second = sorted((top(entry.place), top(ref)))
                above[second] = first
    return {place: top(place) for place in above}


def levels(entries: t.Sequence[Entry]) -> list[list[Entry]]:
    """Return the entries in groups: those of one group do not refer to one another, only to entries of earlier ones."""
    known = {entry.place: entry for entry in entries}
    depths: dict[Place, int] = {}

    def depth(place: Place, above: frozenset[Place]) -> int:
        if place not in depths:
            refs = [ref for ref in known[place].refs if ref in known and ref not in above]
            depths[place] = 1 + max((depth(ref, above | {place}) for ref in refs), default=-1)
        return depths[place]

    found: list[list[Entry]] = []
    for entry in entries:
        number = depth(entry.place, frozenset())
        while len(found) <= number:
            found.append([])
        found[number].append(entry)
    return found


def with_refs(chosen: t.Sequence[Entry], whole: t.Mapping[Place, Entry]) -> list[Entry]:
    """Return those of the whole that the chosen entries refer to, directly or not, and that are not chosen."""
    seen = {entry.place for entry in chosen}
    found: list[Entry] = []
    left = list(chosen)
    while left:
        for ref in left.pop().refs:
            if ref in whole and ref not in seen:
                seen.add(ref)
                found.append(whole[ref])
                left.append(whole[ref])
    return found
