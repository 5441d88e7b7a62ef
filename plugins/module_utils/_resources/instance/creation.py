# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The create of one instance, for create_once: how it is sent, and how it is found again after an unclear answer.

The service has no idempotency key and names are not unique, and a new instance may be missing in the list for a while.
So it is looked for in three places: the list, the ticket that an earlier run noted on disk, and the tickets that the
service lists for that name.
"""

from __future__ import annotations

import base64
import time
import typing as t

from ..._core.errors import NotFound
from ..._engine.change import FAILED, SUCCEEDED, Ticket, status_of_ticket
from ..._engine.converge import Created
from ..._engine.create_once import create_once
from ..._engine.journal import Intent, identity_of
from ..reference_names import TEMPLATE, ReferenceNames
from .context import InstanceContext
from .create_note import started
from .options import DISK_SIZE, PASSWORD_METHOD, SSH_KEYS_METHOD
from .record import Api, Record, system_disk_of_template
from .search import only_one
from .wanted import require_complete

LOOK_BACK = 3 * 3600.0  # seconds; a create takes up to 45 minutes (wire-facts section 8), and clocks may differ
INSTANCE_OBJECT = 139  # dictionary 42, wire-facts section 3.2
_NUMBERED = {
    "template": "TemplateId",
    "subregion": "SubregionId",
    "type": "TypeId",
    "disk_class": "DiskClass",
    "authorization_method": "AuthorizationMethodId",
}
_PLAIN = {
    "name": "InstanceName",
    "init_disk_size": "DiskSize",
    "ssh_keys": "SshKeysIds",
    "ip_address_id": "IPAddressId",
    "isfreemium": "Freemium",
}
DISK_CLASS = 48  # dictionary 17; the class of the disks of all templates of the provider (wire-facts section 3.2)


def body(values: t.Mapping[str, t.Any], template: Api | None) -> dict[str, t.Any]:
    """Return the body of POST /instances: what the user gave, and what the service may refuse to do without.

    No client is known that leaves out the count, the disk's class and size, or the way to log in: where the user says
    nothing, these are those of the template. More than one of InstancesCount makes one machine all the same. No
    IPAddressId means a new address, zero does not (wire-facts section 5.3).
    """
    disk = system_disk_of_template(template) or {}
    sent: dict[str, t.Any] = {
        "InstancesCount": 1,
        "DiskClass": (disk.get("Tier") or {}).get("Id") or DISK_CLASS,
        "DiskSize": max(DISK_SIZE[0], disk.get("SpaceCapacity") or 0),
        "AuthorizationMethodId": SSH_KEYS_METHOD if values.get("ssh_keys") else PASSWORD_METHOD,
    }
    sent.update({member: values[name] for name, member in _PLAIN.items() if name in values})
    sent.update({member: values[name]["id"] for name, member in _NUMBERED.items() if name in values})
    if values.get("private_networks"):
        sent["OpnsIds"] = [one["id"] for one in values["private_networks"]]
    if values.get("ip_addresses"):
        sent["IPAddressId"] = values["ip_addresses"][0]["id"]  # the others are attached afterwards
    if values.get("without_public_ip"):
        sent["WithoutPublicIp"] = True
    if values.get("init_script") is not None:
        sent["InitScript"] = base64.b64encode(values["init_script"].encode("utf-8")).decode("ascii")
    return sent


class InstanceCreation:
    """One create. What it finds or makes is ``{id, ticket, record}``, as far as it is known.

    ``gone`` is the number of a machine that was removed before to make room: lists may still show it.
    """

    def __init__(self, context: InstanceContext, values: t.Mapping[str, t.Any], gone: int | None = None) -> None:
        self._context = context
        self._values = values
        self._gone = gone
        self._template: Api | None = None
        self.name: str = values["name"]
        self.started = started(context.change.task, self.name)

    def once(self) -> Created:
        """Send the create exactly once, and note its ticket until ``forget``."""
        task = self._context.change.task
        identity = identity_of(task, "instance", self.name)
        made = create_once(task.once(self._context.change.grace), identity, f"instance {self.name!r}", self)
        if made.by_us:
            self._context.change.begun(made.record["ticket"])
        return made

    def verify(self) -> None:
        """Raise InvalidInput when the values do not suffice and no create is under way that they could speak of.

        What a create needs of the template is read here: nothing but the create itself may fail when it is sent.
        """
        require_complete(self._values, self.name)
        names = self._context.search.names or ReferenceNames(self._context.api)
        self._template = names.entry(TEMPLATE, self._values["template"]["id"])

    def noted(self) -> Record | None:
        """Return what the create has made, or is making, whose ticket is noted; where it led to nothing, forget it."""
        facts = self.started.read()
        found = self._noted(facts)
        if (
            facts
            and found is None
            and self._context.change.task.clock.now() > float(facts["time"]) + self._context.change.grace
        ):
            self.started.clear()
        return found

    def find(self) -> Record | None:
        """Return the instance, or the create of it that is under way."""
        return self._kept(self._listed() or self._noted(self.started.read()) or self.ticketed())

    def ticketed(self) -> Record | None:
        """Return what one of the tickets of the last hours has made, or is making."""
        return self._ticketed(self._context.change.task.clock.now())

    def send(self, intent: Intent) -> Record:
        """Send the create; the ticket is noted at once."""
        ticket = self._context.api.create_instance(body(self._values, self._template))
        intent.add(ticket=ticket["Id"])
        self.started.write(ticket=ticket["Id"])
        return under_way(ticket)

    def resume(self, facts: t.Mapping[str, t.Any]) -> Record | None:
        """Return what a create that was sent before has made, or is making."""
        return self._kept(self._noted(facts) or self._listed() or self._ticketed(float(facts["time"])))

    def _kept(self, found: Record | None) -> Record | None:
        """Note the ticket that led to it: no list has shown the machine yet."""
        if found is not None and found["ticket"] is not None:
            self.started.write(ticket=found["ticket"]["Id"])
        return found

    def _listed(self) -> Record | None:
        found = [one for one in self._context.search.named(self.name) if one["id"] != self._gone]
        record = only_one(self.name, found)
        return None if record is None else {"id": record["id"], "ticket": None, "record": record}

    def _noted(self, facts: t.Mapping[str, t.Any] | None) -> Record | None:
        ticket = self._noted_ticket(facts)
        return None if ticket is None else self._of_ticket(ticket)

    def _noted_ticket(self, facts: t.Mapping[str, t.Any] | None) -> Ticket | None:
        if not facts or "ticket" not in facts:
            return None
        try:
            return self._context.api.get_ticket(facts["ticket"])
        except NotFound:
            return None

    def _ticketed(self, since: float) -> Record | None:
        start = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(since - LOOK_BACK))
        looked: set[int | None] = set()
        for ticket in self._context.api.list_tickets(creation_date_from=start):
            if ticket.get("ObjectName") != self.name or not _on_instance(ticket) or ticket.get("ObjectId") in looked:
                continue
            found = self._of_ticket(ticket)
            if found is not None:
                return found
            if ticket.get("ObjectId") is not None:
                looked.add(ticket["ObjectId"])
        return None

    def _of_ticket(self, ticket: Ticket) -> Record | None:
        """Return what the ticket makes or has made, if it is still there under the name.

        At the start of a create the ticket names no object (wire-facts section 5.3); one that does may as well belong
        to the removal of an older machine of that name.
        """
        status, number = status_of_ticket(ticket), ticket.get("ObjectId")
        if status == FAILED:
            return None
        if number is None:
            return None if status == SUCCEEDED else under_way(ticket)
        record = None if number == self._gone else self._context.search.by_id(number)
        if record is None or record["name"] != self.name:
            return None
        return {"id": number, "ticket": ticket, "record": record}


def under_way(ticket: Ticket) -> Record:
    """Return what is known of a machine that is being made."""
    return {"id": None, "ticket": ticket, "record": None}


def _on_instance(ticket: Ticket) -> bool:
    return (ticket.get("ObjectType") or {}).get("Id") == INSTANCE_OBJECT
