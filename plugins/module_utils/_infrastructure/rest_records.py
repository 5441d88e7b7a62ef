# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Records of what the REST service has: members by our names, IDs, and the labels of what a record refers to.

Subregions, templates and instances are named by their IDs, with few requests; each is made at most once in a task.
"""

from __future__ import annotations

import contextlib
import threading
import typing as t

from .._core.errors import Ambiguous, InvalidInput, RateLimited, Rejected, Unauthorized
from .._core.text import did_you_mean, nearest, shortened

if t.TYPE_CHECKING:
    from .api import Infrastructure
    from .rest_client import Item, Items

Api = t.Mapping[str, t.Any]
Row = t.Dict[str, t.Any]

TEMPLATE_OBJECT, DISK_OBJECT, NETWORK_OBJECT = 140, 276, 284  # dictionary 42, wire-facts section 3.2


def item(value: t.Any) -> dict[str, t.Any] | None:
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


def single(kinds: str, key: str, name: str, found: t.Sequence[Row], or_else: str = "") -> Row | None:
    """Return the one that was found, or None. Raises Ambiguous with the IDs of all.

    ``kinds`` is what a person calls several, ``key`` what the name is; ``or_else`` ends the sentence on what to do.
    """
    if len(found) > 1:
        ids = sorted(record["id"] for record in found)
        raise Ambiguous(
            f"There are {len(found)} {kinds} with the {key} {name!r}: {', '.join(map(str, ids))}.",
            next_step=f"Give the ID of the right one in id{or_else}.",
            ids=ids,
        )
    return found[0] if found else None


def check_numbers(params: t.Mapping[str, t.Any], where: str = "") -> None:
    """Raise InvalidInput for an option ``id`` or ``..._id`` with an ID below 1.

    ``where`` is what precedes the name of the option in the message.
    """
    for option, given in params.items():
        if option == "id" or option.endswith("_id"):
            for number in given if isinstance(given, list) else [given]:
                check_number(where + option, number)


def check_number(option: str, given: t.Any) -> None:
    """Raise InvalidInput for an ID below 1; anything else than a number passes."""
    if isinstance(given, int) and given < 1:
        raise InvalidInput(f"{option}: {given} is not a valid ID; IDs start at 1.", option=option)


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

    def subregion(self, number: int) -> str | None:
        """Return the name of a subregion, None if the service does not return it."""
        return _name(self.entry(SUBREGION, number))

    def template(self, number: int) -> str | None:
        """Return the name of a template, None if the service does not return it: it may be withdrawn or removed."""
        return _name(self.entry(TEMPLATE, number))

    def instance(self, number: int) -> str | None:
        """Return the name of an instance, None if the service does not return it."""
        return _name(self.entry(INSTANCE, number))

    def entries(self, kind: str) -> Items:
        """Return the whole list. A refusal is raised each time, without asking again."""
        with self._lock:
            if kind not in self._whole:
                try:
                    self._whole[kind] = found = self._list(kind)
                    self.know(kind, found)
                except Rejected as refusal:
                    self._whole[kind] = _final(refusal)
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
                except Rejected as refusal:
                    _final(refusal)
                    self._found[kind, number] = None
            return self._found[kind, number]

    def know(self, kind: str, entries: t.Iterable[Item]) -> None:
        """Take in what was read for another reason."""
        with self._lock:
            self._found.update(((kind, entry["Id"]), entry) for entry in entries)

    def fill(self, records: t.Iterable[dict[str, t.Any]], *attributes: str, ask: bool = True) -> None:
        """Give ``{id, label: None}`` of these attributes their labels, in place; an attribute may be a list of them.

        What the service does not name, or refuses to return, keeps None. Without ``ask``, only what is known is named.
        """
        found: dict[str, list[dict[str, t.Any]]] = {}
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


def _final(refusal: Rejected) -> Rejected:
    """Return a refusal of what was requested. Raises one that does not tell anything about it."""
    if isinstance(refusal, (RateLimited, Unauthorized)):
        raise refusal
    return refusal


def _bare(value: t.Any) -> list[dict[str, t.Any]]:
    """Return the references without a label."""
    items = value if isinstance(value, list) else [value]
    return [one for one in items if isinstance(one, dict) and one.get("id") is not None and one["label"] is None]


def _name(entry: t.Mapping[str, t.Any] | None) -> str | None:
    return None if entry is None or entry.get("Name") is None else str(entry["Name"])


def no_instance(text: str, option: str, listed: t.Iterable[str | None]) -> InvalidInput:
    """Return the error for an instance that does not exist; ``listed`` are the names of those that do."""
    near = nearest(text.strip(), filter(None, listed))
    return InvalidInput(
        f"{option}: there is no instance {shortened(text.strip())!r}.",
        next_step=did_you_mean(text.strip(), near) if near else "Check the name or the ID.",
        option=option,
    )
