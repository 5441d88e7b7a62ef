# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What records and options refer to, by IDs and labels.

Subregions, templates and instances are named by their IDs, with few requests; each is made at most once in a task.
"""

from __future__ import annotations

import contextlib
import threading
import typing as t

from .._connection.options import resolve_label
from .._core.errors import InvalidInput, RateLimited, Rejected, Unauthorized
from .._core.text import number_in
from .._core.type_aliases import JsonObject, JsonObjects
from .api import Infrastructure

SUBREGION, TEMPLATE, INSTANCE = "subregion", "template", "instance"
OF_ATTRIBUTE = {"default_subregion": SUBREGION, "instances": INSTANCE}
"""What an attribute of a record refers to; the others have the same name."""

MAX_SINGLE_REFERENCES = 3  # up to so many are read one by one; more come from the list


class ReferenceNames:
    """What the service returns for subregions, templates and instances, by their IDs."""

    def __init__(self, api: Infrastructure) -> None:
        self._api = api
        self._found: dict[tuple[str, int], JsonObject | None] = {}
        self._whole: dict[str, JsonObjects | Rejected] = {}
        self._lock = threading.RLock()  # the instances of a fleet are worked on in parallel

    def label(self, kind: str, number: int) -> str | None:
        """Return the name of one, None if the service does not return it: it may be withdrawn or removed."""
        return _name(self.entry(kind, number))

    def entries(self, kind: str) -> JsonObjects:
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

    def entry(self, kind: str, number: int) -> JsonObject | None:
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

    def know(self, kind: str, entries: t.Iterable[JsonObject]) -> None:
        """Take in what was read for another reason."""
        with self._lock:
            self._found.update(((kind, entry["Id"]), entry) for entry in entries)

    def fill(self, records: t.Iterable[JsonObject], *attributes: str, ask: bool = True) -> None:
        """Give ``{id, label: None}`` of these attributes their labels, in place; an attribute may be a list of them.

        What the service does not name, or refuses to return, keeps None. Without ``ask``, only what is known is named.
        """
        found: dict[str, list[JsonObject]] = {}
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
        if len(unknown) <= MAX_SINGLE_REFERENCES:
            for number in unknown:
                self.entry(kind, number)
            return
        with contextlib.suppress(Rejected):
            self.entries(kind)

    def _list(self, kind: str) -> JsonObjects:
        if kind == TEMPLATE:
            return self._api.list_templates(source="All")
        return self._api.list_subregions() if kind == SUBREGION else self._api.list_instances()

    def _read(self, kind: str, number: int) -> JsonObject | None:
        if kind == SUBREGION:
            return next((one for one in self.entries(kind) if one["Id"] == number), None)
        if kind == INSTANCE:
            return self._api.get_instance(number)
        return self._api.get_template(number)


def _bare(value: object) -> list[JsonObject]:
    """Return the references without a label."""
    items = value if isinstance(value, list) else [value]
    return [one for one in items if isinstance(one, dict) and one.get("id") is not None and one["label"] is None]


def _name(entry: t.Mapping[str, object] | None) -> str | None:
    return None if entry is None or entry.get("Name") is None else str(entry["Name"])


# ---------------------------------------------------------------- what an option refers to


def resolve_item(
    given: object, present: JsonObject | None, items: t.Callable[[], t.Sequence[JsonObject]], option: str, where: str
) -> JsonObject:
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


def _labels(entries: t.Iterable[JsonObject]) -> list[tuple[int, str]]:
    return [(entry["Id"], str(entry.get("Label") or entry.get("Name"))) for entry in entries]


def resolve_id(option: str, given: str | None, entries: t.Callable[[], JsonObjects], where: str) -> int | None:
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
