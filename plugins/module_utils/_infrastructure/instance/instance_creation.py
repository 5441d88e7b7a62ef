# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Creating an instance exactly once, and waiting for it.

The service has no idempotency key and names are not unique, and a new instance may be missing from the list for a
while. So it is looked for in three places: the list, the ticket that an earlier run noted on disk, and the tickets that
the service lists for that name.
"""

from __future__ import annotations

import base64
import time
import typing as t

from ..._connection.task import Params, Task
from ..._core.clock import Clock, Deadline
from ..._core.errors import (
    CannotDetermine,
    ChangeTracker,
    FcdError,
    InvalidInput,
    NotFound,
    OperationFailed,
    WaitTimeout,
)
from ..._engine.change import (
    FAILED,
    INSTANCE_OBJECT,
    SUCCEEDED,
    ChangeContext,
    Listing,
    Ticket,
    TolerantReader,
    is_over,
    object_type_of_ticket,
    search_for_new_object,
    status_of_ticket,
    wait_and_check_duplicates,
    wait_for_new_object,
    wait_for_ticket,
)
from ..._engine.create_once import ADVICE, Intent, create_once, note_of_create
from ..._engine.plan import Created, Record, identity_of
from ..._engine.scheduler import Job, Progress, run_jobs
from ..reference_names import TEMPLATE, ReferenceNames
from ..rest_records import Api, Row
from .instance_change_plans import require_complete
from .instance_options import DISK_SIZE, PASSWORD_METHOD, SSH_KEYS_METHOD
from .instance_records import KIND, InstanceSearch, first_system_disk, only_instance, read_access_data

if t.TYPE_CHECKING:
    from ..._engine.create_once import Host
    from ..api import Infrastructure

LOOK_BACK = 3 * 3600.0  # seconds; a create takes up to 45 minutes, and clocks may differ
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
DISK_CLASS = 48  # dictionary 17; the class of the disks of all templates of the provider


def instance_body(values: Record, template: Api | None) -> dict[str, object]:
    """Return the body of POST /instances: what the user gave, and what the service may require.

    All known clients send the count, the class and size of the disk, and the way to log in: if the user does not set
    them, they are those of the template. InstancesCount above 1 still creates one instance only. Without IPAddressId,
    there is a new address; what zero means is not known (docs/service/infrastructure.md, "Creating an instance").
    """
    body: Row = {
        "InstancesCount": 1,
        **_disk_members(template),
        "AuthorizationMethodId": SSH_KEYS_METHOD if values.get("ssh_keys") else PASSWORD_METHOD,
    }
    body.update({member: values[name] for name, member in _PLAIN.items() if name in values})
    body.update({member: values[name]["id"] for name, member in _NUMBERED.items() if name in values})
    body.update(_network_members(values))
    if values.get("init_script") is not None:
        body["InitScript"] = base64.b64encode(values["init_script"].encode("utf-8")).decode("ascii")
    return body


def _disk_members(template: Api | None) -> Row:
    disks = (template or {}).get("Disks") or ()
    disk = first_system_disk((disk, disk) for disk in disks) or {}
    tier = (disk.get("Tier") or {}).get("Id") or DISK_CLASS
    return {"DiskClass": tier, "DiskSize": max(DISK_SIZE[0], disk.get("SpaceCapacity") or 0)}


def _network_members(values: Record) -> dict[str, object]:
    members: Row = {}
    if values.get("private_networks"):
        members["OpnsIds"] = [one["id"] for one in values["private_networks"]]
    if values.get("ip_addresses"):
        members["IPAddressId"] = values["ip_addresses"][0]["id"]  # the others are attached afterwards
    if values.get("without_public_ip"):
        members["WithoutPublicIp"] = True
    return members


class InstanceContext(t.NamedTuple):
    """The context of changes of instances, with what finds them and the options that say how they are made."""

    change: ChangeContext
    search: InstanceSearch
    params: Params

    @property
    def api(self) -> Infrastructure:
        """The service."""
        return self.search.api


def context_of(task: Task, search: InstanceSearch, params: Params, deadline: Deadline | None = None) -> InstanceContext:
    """Return the context of the changes of one instance; without a deadline the time to wait begins now."""
    deadline = deadline or task.deadline.within(params["wait_timeout"], "wait")
    change = ChangeContext(task, search, deadline, params["wait"], params["create_grace"], ChangeTracker())
    return InstanceContext(change, search, params)


def note_of_instance(task: Host, name: str) -> Intent:
    """Return the note of the create of an instance."""
    return note_of_create(task, identity_of(task, KIND, name))


class InstanceCreation:
    """One create. What it finds or creates is ``{id, ticket, record}``, as far as it is known.

    ``others`` are the IDs of instances that are not meant, such as one that was removed before to make room: lists may
    still show it. If the create does not support private networks yet, they are left out; the instance must be
    attached to them afterwards.
    """

    def __init__(self, context: InstanceContext, values: Record, others: t.Collection[int] = ()) -> None:
        if values.get("private_networks") and context.api.is_older_line():
            values = {name: value for name, value in values.items() if name != "private_networks"}
        self._context = context
        self._values = values
        self._others = others
        self._template: Api | None = None
        self._sent = False
        self.name: str = values["name"]
        self.note = note_of_instance(context.change.task, self.name)

    def once(self) -> Created:
        """Send the create exactly once, and note its ticket until a list shows the instance."""
        task = self._context.change.task
        once = task.create_settings(self._context.change.grace, force=bool(self._context.params.get("force_create")))
        created = create_once(once, identity_of(task, KIND, self.name), f"instance {self.name!r}", self)
        if self._sent:
            self._context.change.note_start(created.record["ticket"])
        return created._replace(by_us=self._sent)  # after a refusal, one may exist because of a second delivery

    def verify(self) -> None:
        """Raise InvalidInput if the values are not sufficient and no create is in progress that they could describe.

        What a create needs from the template is read here: nothing but the create itself may fail when it is sent.
        """
        require_complete(self._values, self.name)
        names = self._context.search.names or ReferenceNames(self._context.api)
        self._template = names.entry(TEMPLATE, self._values["template"]["id"])

    def send(self, intent: Intent) -> Row:
        """Send the create; the ticket is noted at once."""
        self._sent = True
        ticket = self._request()
        intent.add_answer(ticket=ticket["Id"])
        return creation_under_way(ticket)

    def _request(self) -> Ticket:
        return self._context.api.create_instance(instance_body(self._values, self._template))

    def find(self) -> Row | None:
        """Return the instance, or its create in progress."""
        return self._note_ticket(self._find_in_list() or self._follow(self.note.lead()) or self.find_by_tickets())

    def resume(self, facts: Record) -> Row | None:
        """Return what a create that was sent before has created or is creating."""
        found = self._follow(facts) or self._find_in_list() or self.find_by_tickets(float(facts["time"]))
        return self._note_ticket(found)

    def _note_ticket(self, found: Row | None) -> Row | None:
        """Note the ticket that led to it: no list has shown the instance yet."""
        if found is not None and found["ticket"] is not None:
            self.note.add_answer(ticket=found["ticket"]["Id"])
        return found

    def find_by_note(self) -> Row | None:
        """Return what the create with the noted ticket has created or is creating; one that has failed is forgotten."""
        facts = self.note.lead()
        found = self._follow(facts)
        if facts and found is None and self.has_failed(facts, looked=False):
            self.note.clear_lead(facts)
        return found

    def find_by_tickets(self, moment: float | None = None) -> Row | None:
        """Return what the tickets of the hours before the moment, which is now, say about an instance of that name."""
        moment = self._context.change.task.clock.now() if moment is None else moment
        missing: set[int] = set()
        for ticket in tickets_of(self._context.api, self.name, moment):
            number = ticket.get("ObjectId")
            found = None if number in missing else self._of_ticket(ticket)
            if found is not None:
                return found
            if number is not None:
                missing.add(number)
        return None

    def has_failed(self, facts: t.Mapping[str, object], *, looked: bool) -> bool:
        """Return whether the service says that this create has failed or, after a look, that the result is gone."""
        ticket = self._noted_ticket(facts)
        if ticket is None:
            return looked and "id" in facts
        return status_of_ticket(ticket) == FAILED or (looked and self._number_of(ticket) is not None)

    def wait_until_listed(self, number: int, what: str) -> Job[None]:
        """Wait until a list shows the new instance, and then forget its create. Raises Ambiguous for a second one."""

        def listing() -> Listing:
            listed = self._context.search.listed_by_name(self.name)
            return Listing(number in listed, {one: "" for one in listed if one not in (number, *self._others)})

        if (yield from wait_and_check_duplicates(self._context.change, listing, number, what)):
            self.note.remove()

    def _find_in_list(self) -> Row | None:
        found = [one for one in self._context.search.filter_by_name(self.name) if one["id"] not in self._others]
        record = only_instance(self.name, found)
        return None if record is None else {"id": record["id"], "ticket": None, "record": record}

    def _follow(self, facts: Record | None) -> Row | None:
        """Return what a note leads to."""
        if facts and "id" in facts:
            return self._numbered(facts["id"], None)
        ticket = self._noted_ticket(facts)
        return None if ticket is None else self._of_ticket(ticket)

    def _noted_ticket(self, facts: Record | None) -> Ticket | None:
        if not facts or "ticket" not in facts:
            return None
        try:
            return self._context.api.get_ticket(facts["ticket"])
        except NotFound:
            return None

    def _number_of(self, ticket: Ticket) -> int | None:
        return ticket.get("ObjectId")

    def _of_ticket(self, ticket: Ticket) -> Row | None:
        """Return what the ticket creates or has created, if it still exists under the name.

        At the start of a create, the ticket names no object; one that does may as well belong
        to the removal of an older instance of that name.
        """
        status, number = status_of_ticket(ticket), ticket.get("ObjectId")
        if status == FAILED:
            return None
        if number is None:
            return None if status == SUCCEEDED else creation_under_way(ticket)
        return self._numbered(number, ticket)

    def _numbered(self, number: int, ticket: Ticket | None) -> Row | None:
        """Return the instance if it still exists under the name."""
        record = None if number in self._others else self._context.search.by_id_and_name(number, self.name)
        return None if record is None else {"id": number, "ticket": ticket, "record": record}


def creation_under_way(ticket: Ticket) -> Row:
    """Return what is known of an instance that is being created."""
    return {"id": None, "ticket": ticket, "record": None}


def tickets_of(api: Infrastructure, name: str, moment: float) -> list[Ticket]:
    """Return the tickets for instances of that name, starting some hours before the moment."""
    start = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(moment - LOOK_BACK))
    listed = api.list_tickets(creation_date_from=start)
    return [one for one in listed if one.get("ObjectName") == name and object_type_of_ticket(one) == INSTANCE_OBJECT]


def unlisted(search: InstanceSearch, name: str) -> Row | None:
    """Return the instance of that name that a ticket leads to, or None.

    Raises Ambiguous for several, InvalidInput for one that is being created and has no ID yet.
    """
    tickets = tickets_of(search.api, name, Clock().now())
    numbers = dict.fromkeys(one.get("ObjectId") for one in tickets)
    found = [record for number in numbers if (record := search.by_id_and_name(number, name)) is not None]
    coming = next((one for one in tickets if not is_over(one) and one.get("ObjectId") is None), None)
    if coming and not found:
        raise InvalidInput(
            f"Instance {name!r} is still being created (ticket {coming['Id']}).",
            next_step="Wait for it: with wait: true in its own task, or with ticket_info.",
            ticket=coming["Id"],
        )
    return only_instance(name, found)


def wait_for_instance(
    context: InstanceContext, name: str, found: Row, test: t.Callable[[Row], bool], what: str
) -> Job[Row]:
    """Wait for the ticket of what was found, if there is one, then until the instance passes the test."""
    number, ticket = found["id"], found["ticket"]
    if ticket is not None:
        try:
            ended = yield from wait_for_ticket(context.change, ticket, what)
        except OperationFailed:  # the service itself says that nothing was created
            note_of_instance(context.change.task, name).clear_lead()
            raise
        number = (ended or {}).get("ObjectId") or number
    if number is None:
        number = (yield from wait_for_name(context, name, ticket, what))["id"]
    return (yield from wait_for_new_object(context.change, number, test, what))


def wait_for_name(context: InstanceContext, name: str, ticket: Ticket | None, what: str) -> Job[Row]:
    """Look for a new instance by its name, because its ticket does not lead to it."""

    def find() -> Row | None:
        return only_instance(name, context.search.filter_by_name(name))

    def missing() -> CannotDetermine:
        return CannotDetermine(
            f"{what}: ticket {ticket and ticket['Id']} leads to no instance, and none of that name is listed.",
            next_step=ADVICE,
            ticket=ticket and ticket["Id"],
        )

    return (yield from search_for_new_object(context.change, find, missing, what))


LONGEST = 300.0  # seconds; one client asks 3 times, 60 s apart


def access_data(context: InstanceContext, number: int, name: str) -> Row | None:
    """Return ``{password, ssh_keys}``; without waiting, None if the service has no data yet.

    Raises WaitTimeout.
    """
    what, wait = f"Reading the access data of instance {name!r}", context.change.wait
    limit = context.change.deadline.within(LONGEST if wait else 0.0, "wait")
    ended = run_jobs({"": _poll_access_data(context, number, what)}, limit, tell=context.change.task.tell)[""]
    if isinstance(ended, WaitTimeout):
        if not wait:
            return None
        ended.next_step = "The instance itself is ready: run the task again later."
    if isinstance(ended, FcdError):
        raise ended
    return ended


def _poll_access_data(context: InstanceContext, number: int, what: str) -> Job[Row]:
    reader = TolerantReader(context.change.task)
    nothing: Row = {"password": None, "ssh_keys": []}
    while True:
        found = reader.read(lambda: read_access_data(context.api, number), nothing)
        if found["password"] or found["ssh_keys"]:
            return found
        yield Progress(what, "the service has no data yet")
