# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Records of what the REST service has, how they are found, what they refer to, and the options that nouns share.

Subregions, templates and instances are named by their IDs, with few requests; each is made at most once in a task.
"""

from __future__ import annotations

import abc
import contextlib
import threading
import typing as t
from fnmatch import fnmatchcase

from .._connection.options import OptionSpec, SizeWithUnit, resolve_label
from .._connection.task import Params
from .._core.errors import Ambiguous, Forbidden, InvalidInput, NotFound, RateLimited, Rejected, Unauthorized
from .._core.text import did_you_mean, nearest, number_in, shortened

if t.TYPE_CHECKING:
    from .._connection.task import Task
    from .._engine.change import Ticket
    from .._engine.plan import Record
    from .api import Infrastructure
    from .rest_client import Item, Items

Api = t.Mapping[str, t.Any]
Row = t.Dict[str, t.Any]
Key = t.TypeVar("Key", int, str)

TEMPLATE_OBJECT, DISK_OBJECT, NETWORK_OBJECT = 140, 276, 284  # dictionary 42, wire-facts section 3.2


def item(value: object) -> Row | None:
    """Return a dictionary value, a reference or a named reference as ``{id, label}``."""
    if not isinstance(value, dict):
        return None
    label = value.get("Label", value.get("Name", value.get("Address")))
    return {"id": value.get("Id"), "label": label}


def same_item(desired: t.Any, current: t.Any) -> bool:
    """Return whether two ``{id, label}`` stand for the same item."""
    return current is not None and desired["id"] == current["id"]


def plain_members(entry: Api, members: t.Mapping[str, str]) -> Row:
    """Return members as they are, by our names; what the service left out is None."""
    return {name: entry.get(member) for name, member in members.items()}


def item_members(entry: Api, members: t.Mapping[str, str]) -> Row:
    """Return values of dictionaries and references as ``{id, label}``."""
    return {name: item(entry.get(member)) for name, member in members.items()}


def record_of(entry: Api, plain: t.Mapping[str, str], named: t.Mapping[str, str]) -> Row:
    """Return the record of an object: ``plain`` and ``named`` members, and the login of the user who created it."""
    login = (entry.get("CreationUser") or {}).get("Login")
    return {**plain_members(entry, plain), **item_members(entry, named), "creation_user": login}


def single(kind: str, key: str, name: str, found: t.Sequence[Row], or_else: str = "") -> Row | None:
    """Return the one that was found, or None. Raises Ambiguous with the IDs of all.

    ``kind`` is what a person calls one, ``key`` what the name is; ``or_else`` ends the sentence on what to do.
    """
    if len(found) > 1:
        ids = sorted(record["id"] for record in found)
        kinds = f"{kind}es" if kind.endswith("s") else f"{kind}s"
        raise Ambiguous(
            f"There are {len(found)} {kinds} with the {key} {name!r}: {', '.join(map(str, ids))}.",
            next_step=f"Give the ID of the right one in id{or_else}.",
            ids=ids,
        )
    return found[0] if found else None


SUBREGION, TEMPLATE, INSTANCE = "subregion", "template", "instance"
OF_ATTRIBUTE = {"default_subregion": SUBREGION, "instances": INSTANCE}
"""What an attribute of a record refers to; the others have the same name."""

FEW = 3  # up to so many are read one by one; more come from the list


class ReferenceNames:
    """What the service returns for subregions, templates and instances, by their IDs."""

    def __init__(self, api: Infrastructure) -> None:
        self._api = api
        self._found: dict[tuple[str, int], Item | None] = {}
        self._whole: dict[str, Items | Rejected] = {}
        self._lock = threading.RLock()  # the instances of a fleet are worked on in parallel

    def label(self, kind: str, number: int) -> str | None:
        """Return the name of one, None if the service does not return it: it may be withdrawn or removed."""
        return _name(self.entry(kind, number))

    def entries(self, kind: str) -> Items:
        """Return the whole list. A refusal is raised each time, without asking again."""
        with self._lock:
            if kind not in self._whole:
                try:
                    self._whole[kind] = found = self._list(kind)
                    self.know(kind, found)
                except (RateLimited, Unauthorized):
                    raise  # it tells nothing about what was requested
                except Rejected as refusal:
                    self._whole[kind] = refusal
            whole = self._whole[kind]
        if isinstance(whole, Rejected):
            raise whole
        return whole

    def entry(self, kind: str, number: int) -> Item | None:
        """Return what the service returns for an ID, None if it returns nothing or must not be asked."""
        with self._lock:
            if (kind, number) not in self._found:
                try:
                    self._found[kind, number] = self._read(kind, number)
                except (RateLimited, Unauthorized):
                    raise
                except Rejected:
                    self._found[kind, number] = None
            return self._found[kind, number]

    def know(self, kind: str, entries: t.Iterable[Item]) -> None:
        """Take in what was read for another reason."""
        with self._lock:
            self._found.update(((kind, entry["Id"]), entry) for entry in entries)

    def fill(self, records: t.Iterable[Row], *attributes: str, ask: bool = True) -> None:
        """Give ``{id, label: None}`` of these attributes their labels, in place; an attribute may be a list of them.

        What the service does not name, or refuses to return, keeps None. Without ``ask``, only what is known is named.
        """
        found: dict[str, list[Row]] = {}
        for record in records:
            for attribute in attributes:
                found.setdefault(OF_ATTRIBUTE.get(attribute, attribute), []).extend(_bare(record.get(attribute)))
        for kind, bare in found.items():
            if ask:
                self._prepare(kind, {one["id"] for one in bare})
            for one in bare:
                one["label"] = _name(self._found.get((kind, one["id"])))

    def _prepare(self, kind: str, numbers: set[int]) -> None:
        """Read what is not known of the IDs, with few requests."""
        unknown = [number for number in numbers if (kind, number) not in self._found]
        if len(unknown) <= FEW:
            for number in unknown:
                self.entry(kind, number)
            return
        with contextlib.suppress(Rejected):
            self.entries(kind)

    def _list(self, kind: str) -> Items:
        if kind == TEMPLATE:
            return self._api.list_templates(source="All")
        return self._api.list_subregions() if kind == SUBREGION else self._api.list_instances()

    def _read(self, kind: str, number: int) -> Item | None:
        if kind == SUBREGION:
            return next((one for one in self.entries(kind) if one["Id"] == number), None)
        if kind == INSTANCE:
            return self._api.get_instance(number)
        return self._api.get_template(number)


def _bare(value: object) -> list[Row]:
    """Return the references without a label."""
    items = value if isinstance(value, list) else [value]
    return [one for one in items if isinstance(one, dict) and one.get("id") is not None and one["label"] is None]


def _name(entry: t.Mapping[str, object] | None) -> str | None:
    return None if entry is None or entry.get("Name") is None else str(entry["Name"])


class RestSearch(abc.ABC):
    """Finds objects of one kind by their name, which is not unique, or by their ID.

    ``kind`` is what a person calls one. ``describe`` makes the record of one. ``key`` is the attribute that serves as
    the name, and ``member`` is that of the service. ``queries`` says that the list takes a free-text filter.
    ``references`` are the attributes of a record that refer to something whose name the service does not include.
    """

    kind: str
    describe: t.Callable[[Api], Row]
    key = "name"
    member = "Name"
    queries = False
    references: t.Sequence[str] = ()

    def __init__(self, api: Infrastructure) -> None:
        self.api = api
        self.names = ReferenceNames(api)
        self.removed: set[int] = set()  # by this task; a list may show them for a while
        self.instance_names: t.Collection[str | None] = ()  # as far as they were listed when one was looked for

    @abc.abstractmethod
    def list_items(self, **filters: t.Any) -> list[Item]:
        """Return them as the service lists them."""

    @abc.abstractmethod
    def read(self, number: int) -> Item:
        """Return one as the service has it. Raises Forbidden or NotFound."""

    def name_references(self, *records: Row | None) -> None:
        """Set the labels of what these records refer to, in place; what cannot be named keeps None."""
        self.names.fill([record for record in records if record], *self.references)

    def by_name(self, name: str) -> Row | None:
        """Return the one with exactly this name, or None. Raises Ambiguous.

        The filter is described as free text and no more, so what it does not find only counts as missing after the
        whole list was read.
        """
        found = self.match(name, self.list_items(query=name)) if self.queries else []
        return single(self.kind, self.key, name, found or self.match(name, self.list_items()))

    def by_id(self, number: int) -> Row | None:
        """Return the one with this ID, or None.

        The answer is 403 for missing objects and for missing rights (wire-facts section 2.1); the list tells these
        apart. Raises Forbidden.
        """
        try:
            return self.describe(self.read(number))
        except (Forbidden, NotFound):
            if any(item.get("Id") == number for item in self.list_items()):
                raise
            return None

    def has_name(self, record: Row, name: str) -> bool:
        """Return whether a record that a create has left is still the one of that name."""
        return bool(record[self.key] == name)

    def match(self, name: str, items: t.Iterable[Item], *, wild: bool = False) -> list[Row]:
        """Return the records of those with exactly this name; with ``wild``, also of those that match the pattern."""
        names = ((item, item.get(self.member)) for item in items)
        found = [item for item, own in names if own == name or (wild and fnmatchcase(str(own), name))]
        return [record for record in map(self.describe, found) if record["id"] not in self.removed]


class RequestedObject(t.NamedTuple):
    """What is known of an object that was requested: its ID, the ticket that creates it, and its current state."""

    id: int | None = None
    ticket: Ticket | None = None
    record: Row | None = None


class CreateTrace:
    """Where the note of one create leads. ``identity`` (service, account, kind, name) identifies the object."""

    def __init__(self, task: Task, search: RestSearch, identity: t.Sequence[object], name: str) -> None:
        from .._engine.create_once import note_of_create  # readers do without it

        self.identity = identity
        self.note = note_of_create(task, identity)
        self._search = search
        self._name = name

    def find(self) -> RequestedObject | None:
        """Return what the note leads to, if that still exists or is still being created."""
        facts = self.note.lead()
        if facts is None:
            return None
        found = self.find_by_facts(facts)
        if found is None and "id" in facts:  # it was created, and is gone; a ticket says less: lists may lag behind it
            self.note.clear_lead(facts)
        return found

    def find_by_facts(self, facts: Record) -> RequestedObject | None:
        """Return what a note with these facts leads to."""
        if "id" in facts:
            return self._find_by_id(facts["id"], None)
        ticket = self.read_ticket(facts)
        return None if ticket is None else self.find_by_ticket(ticket)

    def read_ticket(self, facts: Record) -> Ticket | None:
        """Return the ticket that a note names, if the service has it."""
        if "ticket" not in facts:
            return None
        try:
            return self._search.api.get_ticket(facts["ticket"])
        except NotFound:
            return None

    def find_by_ticket(self, ticket: Ticket) -> RequestedObject | None:
        """Return what a ticket creates or has created.

        At the start of a create it names no object (wire-facts 5.3), at its end perhaps the source of the object.
        """
        from .._engine.change import FAILED, SUCCEEDED, status_of_ticket

        status, number = status_of_ticket(ticket), ticket.get("ObjectId")
        if status == FAILED:
            return None
        found = None if number is None else self._find_by_id(number, ticket)
        return found or (None if status == SUCCEEDED else RequestedObject(ticket=ticket))

    def _find_by_id(self, number: int, ticket: Ticket | None) -> RequestedObject | None:
        record = self._search.by_id(number)
        if record is None or not self._search.has_name(record, self._name):
            return None
        return RequestedObject(number, ticket, record)


def no_instance(text: str, option: str, listed: t.Iterable[str | None]) -> InvalidInput:
    """Return the error for an instance that does not exist; ``listed`` are the names of those that do."""
    near = nearest(text.strip(), filter(None, listed))
    return InvalidInput(
        f"{option}: there is no instance {shortened(text.strip())!r}.",
        next_step=did_you_mean(text.strip(), near) if near else "Check the name or the ID.",
        option=option,
    )


# ---------------------------------------------------------------- options of nouns

IDS: OptionSpec = {"type": "list", "elements": "int"}
LARGEST_PLAIN_SIZE = 10_000  # GB; more is rather meant as MB
NAME_REFUSED, TEXT_REFUSED = "/\\|<>%", "/"  # letters; wire-facts 5.3, 6 and 7, infrastructure facts a.8


def check_numbers(params: t.Mapping[str, object], where: str = "") -> None:
    """Raise InvalidInput for an option ``id`` or ``..._id`` with an ID below 1.

    ``where`` is what precedes the name of the option in the message.
    """
    for option, given in params.items():
        if option == "id" or option.endswith("_id"):
            for number in given if isinstance(given, list) else [given]:
                check_number(where + option, number)


def check_number(option: str, given: object) -> None:
    """Raise InvalidInput for an ID below 1; anything else than a number passes."""
    if isinstance(given, int) and given < 1:
        raise InvalidInput(f"{option}: {given} is not a valid ID; IDs start at 1.", option=option)


def check_name(name: str | None, longest: int, *, any_letters: bool = False, option: str = "name") -> None:
    """Raise InvalidInput for a name that the service does not accept."""
    if name is None:
        return
    if name and not name.strip():
        raise InvalidInput(f"{option}: the name consists of spaces only.", option=option)
    if not 1 <= len(name) <= longest:
        raise InvalidInput(f"{option}: it has {len(name)} characters; 1 to {longest} are allowed.", option=option)
    if not any_letters:
        check_letters(name, NAME_REFUSED, option)


def check_letters(text: str | None, refused: str, option: str) -> None:
    """Raise InvalidInput for a text with characters that the service refuses there."""
    wrong = [letter for letter in refused if letter in (text or "")]
    if not wrong:
        return
    has, next_step = "the character", "The service does not accept it here."
    if len(refused) > 1:
        has, next_step = f"one of the characters {' '.join(refused)}, namely", "The service accepts none of them here."
    message = f"{option}: {shortened(str(text))!r} contains {has} {' '.join(wrong)}."
    raise InvalidInput(message, next_step=next_step, option=option)


def check_not_empty(params: Params, *options: str) -> None:
    """Raise InvalidInput for empty texts."""
    for option in options:
        if params.get(option) is not None and not str(params[option]).strip():
            raise InvalidInput(f"{option}: the text is empty.", option=option)


def require_options(params: Params, kind: str, name: str, options: t.Sequence[str]) -> None:
    """Raise InvalidInput for options that a create needs and that were not given."""
    missing = [option for option in options if params.get(option) is None]
    if missing:
        raise InvalidInput(
            f"There is no {kind} {name!r}, and these options are missing to create it: {', '.join(missing)}.",
            next_step="Give all of them, or check the name.",
            options=missing,
        )


def resolve_item(
    given: object, present: Row | None, items: t.Callable[[], t.Sequence[Row]], option: str, where: str
) -> Row:
    """Return ``{id, label}`` for an ID or a label; what the object already has costs no request.

    ``items`` reads all there are. Raises InvalidInput with the most similar labels, or for an inactive one, as
    subregions may be; or Ambiguous.
    """
    text = str(given).strip()
    if present is not None and text in (str(present["id"]), present["label"]):
        return present
    entries = items()
    labels = _labels(entries)
    number = resolve_label(text, labels, option=option, where=where)
    label = dict(labels)[number]
    idle = {entry["Id"] for entry in entries if entry.get("IsActive") is False}
    if number in idle:
        active = [other for one, other in labels if one not in idle]
        raise InvalidInput(
            f"{option}: {label} ({number}) is not active.",
            next_step=f"Active are: {', '.join(active)}." if active else "None is active.",
            option=option,
        )
    return {"id": number, "label": label}


def _labels(entries: t.Iterable[Row]) -> list[tuple[int, str]]:
    return [(entry["Id"], str(entry.get("Label") or entry.get("Name"))) for entry in entries]


# ---------------------------------------------------------------- options of readers


def ids_in(params: Params) -> list[int] | None:
    """Return the IDs that the option ``id`` gives, each once, None without it.

    Raises InvalidInput for an ID in any option that cannot exist.
    """
    check_numbers(params)
    return None if params.get("id") is None else unique_keys(params["id"])


def unique_keys(keys: t.Iterable[Key]) -> list[Key]:
    """Return the keys in their order, each once."""
    return list(dict.fromkeys(keys))


def pick_records(records: t.Iterable[Row], keys: t.Sequence[Key], attribute: str = "id") -> tuple[list[Row], list[Key]]:
    """Return the records that have one of the keys, in the order of the keys, and the keys that none has.

    A key that is a pattern stands for all that match it.
    """
    found: dict[Key, list[Row]] = {key: [] for key in keys}
    patterns = [key for key in found if is_pattern(key)]
    for record in records:
        for key in _keys_of(record.get(attribute), found, patterns):
            found[key].append(record)
    whole = {id(record): record for same in found.values() for record in same}
    return list(whole.values()), [key for key in keys if not found[key]]


def _keys_of(value: object, keys: t.Collection[Key], patterns: t.Iterable[Key]) -> list[Key]:
    """Return the keys that a value has or, as patterns, fits."""
    same: list[t.Any] = [value] if value in keys else []
    return [*same, *(key for key in patterns if key != value and fnmatchcase(str(value), str(key)))]


def disk_size(option: str, size: int, present: int | None) -> int:
    """Return the size of a disk in GB; it cannot shrink again, so a large one needs a unit. Raises InvalidInput."""
    if size > LARGEST_PLAIN_SIZE and size > (present or 0) and not isinstance(size, SizeWithUnit):
        raise InvalidInput(
            f"{option} is in GB; {size} would be {size / 1024:.3g} TB.",
            next_step=f"Write '{size}GiB' if that is meant.",
            option=option,
        )
    return int(size)


def is_pattern(name: object) -> bool:
    """Return whether a name contains wildcards: readers support them, the service does not."""
    return isinstance(name, str) and any(mark in name for mark in "*?[")


def resolve_id(option: str, given: str | None, entries: t.Callable[[], Items], where: str) -> int | None:
    """Return the ID that an option gives, by itself or by its label among the entries.

    An ID costs no request. Raises InvalidInput with the most similar labels.
    """
    if given is None:
        return None
    text = given.strip()
    if not text:
        raise InvalidInput(f"{option}: the label is empty.", option=option)
    number = number_in(text)
    return resolve_label(text, _labels(entries()), option=option, where=where) if number is None else number
