# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Records of what the REST service has, how they are found, and the options that nouns share."""

from __future__ import annotations

import abc
import contextlib
import typing as t
from fnmatch import fnmatchcase
from functools import cached_property, partial

from .._connection.options import SizeWithUnit
from .._connection.task import Params
from .._core.errors import Ambiguous, Forbidden, IncompleteList, InvalidInput, NotFound, Rejected, Unusable
from .._core.text import is_alike, shortened
from .._core.type_aliases import JsonMapping, JsonObject
from .._engine.plan import CREATE, UPDATE
from .reference_names import ReferenceNames
from .rest_client import ListedValue

if t.TYPE_CHECKING:
    from .._core.type_aliases import JsonObject
    from .api import Infrastructure


INSTANCE_OBJECT, TEMPLATE_OBJECT, DISK_OBJECT, NETWORK_OBJECT = 139, 140, 276, 284  # dictionary 42


OF_ITEM = ("id", "label")
"""The members of what ``item`` returns."""


def item(value: object) -> JsonObject | None:
    """Return a dictionary value, a reference or a named reference as ``{id, label}``."""
    if not isinstance(value, dict):
        return None
    label = value.get("Label", value.get("Name", value.get("Address")))
    return {"id": value.get("Id"), "label": label}


def same_item(desired: t.Any, current: t.Any) -> bool:
    """Return whether two ``{id, label}`` stand for the same item."""
    return current is not None and desired["id"] == current["id"]


def same_host(desired: t.Any, current: t.Any) -> bool:
    """Return whether two host names are equal; the letter case counts only after a slash."""
    (one, *path), (other, *shown) = (str(value or "").split("/", 1) for value in (desired, current))
    return path == shown and one.lower().rstrip(".") == other.lower().rstrip(".")


def plain_members(entry: JsonMapping, members: t.Mapping[str, str]) -> JsonObject:
    """Return members as they are, by our names; what the service left out is None."""
    return {name: entry.get(member) for name, member in members.items()}


def item_members(entry: JsonMapping, members: t.Mapping[str, str]) -> JsonObject:
    """Return values of dictionaries and references as ``{id, label}``."""
    return {name: item(entry.get(member)) for name, member in members.items()}


def record_of(entry: JsonMapping, plain: t.Mapping[str, str], named: t.Mapping[str, str]) -> JsonObject:
    """Return the record of an object: ``plain`` and ``named`` members, and the login of the user who created it."""
    login = (entry.get("CreationUser") or {}).get("Login")
    return {**plain_members(entry, plain), **item_members(entry, named), "creation_user": login}


def single(kind: str, key: str, name: str, found: t.Sequence[JsonObject], or_else: str = "") -> JsonObject | None:
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


MAX_SINGLE_READS = 100
"""Rows of a list that are read alone."""


class RestSearch(abc.ABC):
    """Finds objects of one kind by their name, which is not unique, or by their ID.

    ``kind`` is what a person calls one. ``describe`` makes the record of one. ``key`` is the attribute that serves as
    the name, and ``member`` is that of the service. ``queries`` says that the list takes a free-text filter.
    ``references`` are the attributes of a record that refer to something whose name the service does not include.
    ``within`` are the attributes of a record in which its name is to be unique, besides the account.
    """

    kind: str
    describe: t.Callable[[JsonMapping], JsonObject]
    key = "name"
    member = "Name"
    queries = False
    references: t.Sequence[str] = ()
    within: t.Sequence[str] = ()

    def __init__(self, api: Infrastructure) -> None:
        self.api = api
        self.ignored: set[int] = set()  # what this task has removed, or was there before; lists may show it
        self._looked_at: tuple[str, list[tuple[JsonObject, str]]] | None = None  # the last name, all rows with theirs
        self.members: dict[int, t.Collection[str]] = {}  # that the service has returned of what was read by its ID
        self.instance_names: t.Collection[str | None] = ()  # as far as they were listed when one was looked for

    @cached_property
    def names(self) -> ReferenceNames:
        """What the service returns for what the records refer to."""
        return ReferenceNames(self.api)

    @abc.abstractmethod
    def list_items(self, **filters: t.Any) -> list[JsonObject]:
        """Return them as the service lists them."""

    @abc.abstractmethod
    def read(self, number: int) -> JsonObject:
        """Return one as the service has it. Raises Forbidden or NotFound."""

    def name_references(self, *records: JsonObject | None) -> None:
        """Set the labels of what these records refer to, in place; what cannot be named keeps None."""
        if self.references:
            self.names.fill([record for record in records if record], *self.references)

    def by_name(self, name: str) -> JsonObject | None:
        """Return the one with exactly this name, or None. Raises Ambiguous.

        The filter is described as free text and no more, so what it does not find only counts as missing after the
        whole list was read.
        """
        found = (self.match(name, items) for items in self.listings(name))
        record = single(self.kind, self.key, name, next(filter(None, found), []))
        if record is not None:
            self.expect(record["id"], name)
        return record

    def expect(self, number: int, value: object, member: str = "") -> None:
        """Have the object confirm its name, or another member, before anything is sent that goes to it or names it."""
        read = partial(self.read, number)
        what = f"{self.kind} {number}"
        self.api.unconfirmed[self.kind, number] = ListedValue(what, read, member or self.member, value)

    def listings(self, name: str) -> t.Iterator[list[JsonObject]]:
        """Read the lists that may show the one of that name, the whole one last."""
        if self.queries:
            yield self.list_items(query=name)
        yield self.list_items()

    def list_shows(self, names: t.Collection[str]) -> bool:
        """Return whether lists show any of these attributes."""
        return bool(names)

    def by_id(self, number: int) -> JsonObject | None:
        """Return the one with this ID, or None. Raises what ``require_unlisted`` does."""
        try:
            found = self.read(number)
        except (Forbidden, NotFound) as refusal:
            self.require_unlisted(number, refusal)
            return None
        self.members[number] = found.keys()
        self.api.observe(self.kind, number, found)
        return self.describe(found)

    def is_named(self, record: JsonObject, name: str) -> bool:
        """Return whether something new has the name that was sent, or can still get it."""
        return bool(record[self.key] == name)

    def require_unlisted(self, number: int, refusal: Rejected) -> None:
        """Raise ``refusal`` if the list has the object: 403 is the answer for missing objects and for missing rights.

        Raises IncompleteList after 403 if only a whole list could tell.
        """
        listed: t.Sequence[JsonObject]
        incomplete = None
        try:
            listed = self.list_items()
        except IncompleteList as error:
            incomplete, listed = error, error.rows
        if any(item.get("Id") == number for item in listed):
            raise refusal
        if incomplete is not None and isinstance(refusal, Forbidden):
            raise incomplete

    def has_name(self, record: JsonObject, name: str) -> bool:
        """Return whether a record that a create has left is still the one of that name."""
        return self.is_named(record, name)

    def match(self, name: str, items: t.Iterable[JsonObject], *, wild: bool = False) -> list[JsonObject]:
        """Return the records of those with exactly this name; with ``wild``, also of those that match the pattern."""
        names = [(item, str(item.get(self.member) or "")) for item in self.complete(items)]
        self._looked_at = name, names

        def fits(own: str) -> bool:
            return own == name or (wild and fnmatchcase(own, name))

        found = [item for item, own in names if fits(own) and item.get("Id") not in self.ignored]
        return [self.describe(item) for item in self.whole(found) if fits(str(item.get(self.member) or ""))]

    def whole(self, rows: t.Iterable[JsonObject]) -> t.Iterable[JsonObject]:
        """Return rows of a list with all attributes; of a kind whose lists lack some, each is read alone."""
        return rows

    def complete(self, items: t.Iterable[JsonObject]) -> t.Iterator[JsonObject]:
        """Return the rows of a list; those that do not tell the name, not even that there is none, are read alone.

        Raises Unusable if these are too many.
        """
        rows = [*items]
        bare = [item["Id"] for item in rows if self.member not in item and "Id" in item]
        if len(bare) > MAX_SINGLE_READS:
            raise Unusable(
                f"{len(bare)} rows in the list of the {self.kind}s have no {self.member}.",
                next_step=f"Give the ID in id; up to {MAX_SINGLE_READS} such rows are read one by one.",
            )
        for item in rows:
            with contextlib.suppress(NotFound):
                yield self.read(item["Id"]) if bare and item.get("Id") in bare else item

    def require_free(self, name: str, record: JsonMapping) -> None:
        """Raise InvalidInput for a new name of an object that another one has: it would lead to neither."""

        def scope(one: JsonMapping) -> list[object]:
            values = [one.get(member) for member in self.within]
            return [value["id"] if isinstance(value, dict) else value for value in values]

        same = [one["id"] for one in self.match(name, self.list_items()) if scope(one) == scope(record)]
        others = [number for number in same if number != record["id"]]
        if others:
            raise InvalidInput(
                f"{self.key}: {self.kind} {record['id']} cannot get the name {name!r}, which another one has: "
                f"{', '.join(map(str, others))}.",
                next_step="Choose another name, or first rename or remove that one.",
                option=self.key,
                ids=others,
            )

    @property
    def alike(self) -> list[int] | None:
        """The IDs of those whose names are like the last one that was looked for; None if none was."""
        if self._looked_at is None:
            return None
        name, names = self._looked_at
        return [item["Id"] for item, own in names if own != name and is_alike(name, own)]

    def find_alike(self, name: str) -> list[JsonObject]:
        """Return the records of those whose names the service may have made of this one."""
        found = ((item, item.get(self.member)) for item in self.complete(self.list_items()))
        return [self.describe(item) for item, own in found if own and own != name and is_alike(name, own)]


# ---------------------------------------------------------------- options of nouns

MAX_PLAIN_SIZE = 10_000  # GB; more is rather meant as MB
NAME_REFUSED, TEXT_REFUSED = "/\\|<>%", "/"  # docs/service/infrastructure.md, "Conventions"


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
    check_blanks(name, option)  # the last one, since it suggests a name


def check_blanks(name: str, option: str) -> None:
    """Raise InvalidInput for a name that looks like another one."""
    if name != name.strip():
        raise InvalidInput(
            f"{option}: {shortened(name)!r} begins or ends with a blank.",
            next_step=f"Write {shortened(name.strip())!r}. To change or remove what has such a name, give its id.",
            option=option,
        )


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


VALUE_OR_NONE = "Give a value, or leave the option out if it is not required."


def check_not_empty(params: Params, *options: str, advice: str = VALUE_OR_NONE) -> None:
    """Raise InvalidInput for empty texts; ``advice`` is what to write instead."""
    for option in options:
        if params.get(option) is not None and not str(params[option]).strip():
            raise InvalidInput(f"{option}: the text is empty.", next_step=advice, option=option)


def require_options(params: Params, kind: str, name: str, options: t.Sequence[str]) -> None:
    """Raise InvalidInput for options that a create needs and that were not given."""
    missing = [option for option in options if params.get(option) is None]
    if missing:
        raise InvalidInput(
            f"There is no {kind} {name!r}, and these options are missing to create it: {', '.join(missing)}.",
            next_step="Give all of them, or check the name.",
            options=missing,
        )


LATER_OPTIONS = {
    ("instance", CREATE): ("create an instance with it", ("init_script", "without_public_ip")),
    ("instance", UPDATE): ("change hot plug", ("is_hot_plug_enabled",)),
    ("IP address", UPDATE): ("move an IP address", ("subregion",)),
    ("load balancer", UPDATE): ("give it to a load balancer", ("proxy_protocol", "ssl_target_port")),
}
"""What the older line of the interface ignores or refuses (docs/service/infrastructure.md, "The two lines")."""


def require_later_line(api: Infrastructure, kind: str, action: str, values: JsonMapping) -> None:
    """Raise InvalidInput for values that the line of the interface which the service runs does not know.

    The line is only asked for if there are such values.
    """
    doing, options = LATER_OPTIONS.get((kind, action), ("", ()))
    given = [option for option in options if values.get(option) or (action == UPDATE and option in values)]
    if given and api.is_older_line():
        raise InvalidInput(
            f"{given[0]}: the service runs version 2020 of the interface, which cannot {doing}.",
            next_step=f"Omit {' and '.join(given)}; or set api_version to 2023 if the service runs a later version.",
            option=given[0],
        )


def disk_size(option: str, size: int, present: int | None) -> int:
    """Return the size of a disk in GB; it cannot shrink again, so a large one needs a unit. Raises InvalidInput."""
    if size > MAX_PLAIN_SIZE and size > (present or 0) and not isinstance(size, SizeWithUnit):
        unit, per_gb = ("bytes", 1 << 30) if size >= 1 << 30 else ("MB", 1 << 10)
        meant = f"If these are {unit}, write {-(-size // per_gb)}"
        raise InvalidInput(
            f"{option} is in GB; {size} would be {size / 1024:.3g} TB.",
            next_step=f"{meant}." if unit == "bytes" else f"{meant}; if that is meant, write '{size}GiB'.",
            option=option,
        )
    return int(size)
