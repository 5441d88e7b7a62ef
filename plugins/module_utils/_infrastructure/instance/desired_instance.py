# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the options ask for of one instance, in the terms in which the service shows it."""

from __future__ import annotations

import typing as t

from ..._connection.task import Params, Task, non_null_options
from ..._core.errors import Ambiguous
from ..._core.type_aliases import JsonObject
from ..rest_records import INSTANCE_OBJECT, disk_size
from ..rest_resource import RestResource
from .instance_options import (
    ATTACHED_LISTS,
    DISK,
    NOT_READABLE,
    PLAIN_CREATE_OPTIONS,
    REFERENCE_OPTIONS,
    Labels,
    id_or_label,
    reference,
)
from .instance_records import DISK_FIELDS, POWERED_OFF, POWERED_ON, InstanceSearch, instance_fields, only_instance

NAMELESS = ("template", "subregion")
"""What an instance refers to by ID only (docs/service/infrastructure.md, "Conventions")."""
POWER_STATES = {"started": POWERED_ON, "stopped": POWERED_OFF}


class DesiredInstance(RestResource):
    """One instance, and what its options ask for."""

    search: InstanceSearch
    name: str
    object_type = INSTANCE_OBJECT

    def __init__(self, task: Task, search: InstanceSearch, params: Params, name: str) -> None:
        super().__init__(task, search, params)
        self.name = name
        self.fields = instance_fields(params)
        self.may_replace = bool(params.get("recreate"))

    @property
    def labels(self) -> Labels:
        """What the labels in the options stand for."""
        return t.cast("Labels", self.search.names)

    def by_identity(self) -> JsonObject | None:
        """Return the instance that the name means without an ID, as lists show it, or None."""
        name = self.params.get("name")
        return None if name is None else only_instance(name, self.search.by_names([name])[name])

    def desired_of_existing(self, current: JsonObject) -> JsonObject:
        """Return what is desired of an existing instance, as far as it can be compared.

        A warning names the rest. An ID, and a label that the instance has already, cost no request. Raises
        InvalidInput.
        """
        params = self.params
        by_id = params.get("id") is not None
        desired: JsonObject = {"name": self.name} if not by_id else non_null_options(params, ("name",))
        desired.update((option, params[option]) for option in PLAIN_CREATE_OPTIONS if params.get(option) is not None)
        if DISK in desired:
            desired[DISK] = disk_size(DISK, desired[DISK], current.get(DISK))
        for option in REFERENCE_OPTIONS:
            given = reference(params, option)
            if given is not None and option not in NOT_READABLE:
                desired[option] = self._compared_item(option, given, current.get(option) or {})
        desired.update(self.lists(current), **self.power(current))
        return self._comparable({name: desired[name] for name in desired if name not in NOT_READABLE}, current)

    def _comparable(self, desired: JsonObject, current: JsonObject) -> JsonObject:
        sent = [field.name for field in self.fields if field.sent_if_unknown]
        known = {name: value for name, value in desired.items() if name in sent or current.get(name) is not None}
        of_disk = [option for option in desired if option in DISK_FIELDS and option not in current]
        others = [option for option in desired if option not in (*known, *of_disk)]
        whose = f"of instance {current['name']!r}"
        if of_disk:
            self.task.warn(f"The service lists no system disk {whose}: {' and '.join(of_disk)} not compared.")
        if others:
            self.task.warn(f"The service does not return {', '.join(others)} {whose}: not compared.")
        return known

    def lists(self, current: JsonObject) -> JsonObject:
        """Return the desired private networks and addresses, as far as they are given; each once."""
        desired: JsonObject = {}
        for option in ATTACHED_LISTS:
            if self.params.get(option) is None:
                continue
            items: dict[int, JsonObject] = {}
            for given in map(id_or_label, self.params[option]):
                have = (one for one in current.get(option) or () if given in (one["id"], one["label"]))
                found = self.item(option, given, next(have, {}))
                items[found["id"]] = found
            desired[option] = list(items.values())
        return desired

    def power(self, current: JsonObject) -> JsonObject:
        """Return the desired status, as far as it is given."""
        number = POWER_STATES.get(self.params["state"])
        if number is None:
            return {}
        status = current.get("status") or {}
        return {"status": status if status.get("id") == number else {"id": number, "label": None}}

    def item(self, option: str, given: int | str, current: JsonObject | None = None) -> JsonObject:
        """Return ``{id, label}`` for what was given; what is there already costs no request."""
        current = current or {}
        if isinstance(given, int):
            return {"id": given, "label": current.get("label") if current.get("id") == given else None}
        return current if current.get("label") == given else self.labels.item(option, given)

    def _compared_item(self, option: str, given: int | str, current: JsonObject) -> JsonObject:
        """Return ``{id, label}`` for what was given, compared first with the current one.

        The service only returns the ID of the current one, so that decides: several templates share a name, and the one
        that the instance was created from may be withdrawn or removed. What cannot be named counts as desired, because
        an unknown name must never cost an instance.
        """
        if isinstance(given, int) or option not in NAMELESS or "id" not in current:
            return self.item(option, given, current)
        names = self.labels.names_in_use(option, current["id"])
        if not names:
            self.task.warn(
                f"{option}: the service does not (or no longer) list {option} {current['id']}, so it is not compared "
                f"with {given!r}. Give {option}_id to have the IDs compared."
            )
            return current
        current["label"] = names[0]
        if given in names:
            return current
        try:
            return self.labels.item(option, given)
        except Ambiguous as several:
            if current["id"] in several.details["ids"]:
                return current
            raise
