# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is particular to the creation of an instance: its request, what is checked after it, and its access data.

That it is created exactly once is the business of rest_creation.py, as for everything else.
"""

from __future__ import annotations

import base64
import typing as t

from ..._core.errors import FcdError, OperationFailed, WaitTimeout
from ..._core.type_aliases import JsonMapping, JsonObject
from ..._engine.change import Ticket, TolerantReader
from ..._engine.create_once import ChangeEnvironment, CreateNote, create_note, identity_of
from ..._engine.plan import Created, in_words
from ..._engine.scheduler import Job, Progress, run_jobs
from ..reference_names import TEMPLATE
from ..rest_creation import create_resource
from .desired_instance import DesiredInstance
from .instance_change_plans import require_complete
from .instance_options import AFTER_CREATION, DISK_SIZE, NOT_READABLE, PASSWORD_METHOD, SSH_KEYS_METHOD
from .instance_records import KIND, first_system_disk, read_access_data, with_belongings

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


def instance_body(values: JsonMapping, template: JsonMapping | None) -> dict[str, object]:
    """Return the body of POST /instances: what the user gave, and what the service may require.

    All known clients send the count, the class and size of the disk, and the way to log in: if the user does not set
    them, they are those of the template. InstancesCount above 1 still creates one instance only. Without IPAddressId,
    there is a new address; what zero means is not known (docs/service/infrastructure.md, "Creating an instance").
    """
    body: JsonObject = {
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


def _disk_members(template: JsonMapping | None) -> JsonObject:
    disks = (template or {}).get("Disks") or ()
    disk = first_system_disk((disk, disk) for disk in disks) or {}
    tier = (disk.get("Tier") or {}).get("Id") or DISK_CLASS
    return {"DiskClass": tier, "DiskSize": max(DISK_SIZE[0], disk.get("SpaceCapacity") or 0)}


def _network_members(values: JsonMapping) -> dict[str, object]:
    members: JsonObject = {}
    if values.get("private_networks"):
        members["OpnsIds"] = [one["id"] for one in values["private_networks"]]
    if values.get("ip_addresses"):
        members["IPAddressId"] = values["ip_addresses"][0]["id"]  # the others are attached afterwards
    if values.get("without_public_ip"):
        members["WithoutPublicIp"] = True
    return members


def instance_create_note(task: ChangeEnvironment, name: str) -> CreateNote:
    """Return the note of the create of an instance."""
    return create_note(task, identity_of(task, KIND, name))


def instance_request(instance: DesiredInstance, values: JsonObject) -> t.Callable[[], Ticket]:
    """Return what sends the create. Raises InvalidInput if the values are not sufficient.

    If the create does not support private networks yet, they are left out: the instance is attached to them afterwards.
    """
    require_complete(values, instance.name)
    api = instance.search.api
    template = instance.search.names.entry(TEMPLATE, values["template"]["id"])
    if values.get("private_networks") and api.is_older_line():
        del values["private_networks"]
    body = instance_body(values, template)  # whatever is wrong with the values is raised before a note is made
    return lambda: api.create_instance(body)


def create_instance(instance: DesiredInstance, values: JsonMapping) -> Job[Created]:
    """Create the instance exactly once, and add what the service does not return in the instance itself."""
    created = yield from create_resource(instance, values)
    record = {name: value for name, value in created.record.items() if name != "init_script"}  # may be secret
    if record["id"] is None:
        record = {name: value for name, value in record.items() if name not in AFTER_CREATION}
    elif not created.by_us:
        return created
    elif instance.context.wait:
        _require_no_address(instance, record)
    sent = {name: values[name] for name in NOT_READABLE if name in values and name != "init_script"}
    return Created({**record, **sent}, created.by_us)


def _require_no_address(instance: DesiredInstance, record: JsonObject) -> None:
    """Raise OperationFailed if the new instance has an address despite ``without_public_ip``.

    The service may ignore what it does not know, and this member of a create is younger than the rest.
    """
    number = record["id"]
    if instance.desired.get("without_public_ip"):
        found = with_belongings(instance.search.api, ("ip_addresses",), record)["ip_addresses"]
        if found:
            raise OperationFailed(
                f"Instance {instance.name!r} ({number}) was created with the public address {in_words(found)} "
                "despite without_public_ip.",
                next_step="Detach it with ip_addresses: [] and purge_ip_addresses: true, or remove the instance.",
                id=number,
            )


MAX_TEMPLATE_WAIT = 300.0  # seconds; one client asks 3 times, 60 s apart


def access_data(instance: DesiredInstance, number: int, *, wait: bool) -> JsonObject | None:
    """Return ``{password, ssh_keys}``; without waiting, None if the service has no data yet.

    Raises WaitTimeout.
    """
    what, task = f"Reading the access data of instance {instance.name!r}", instance.task
    limit = task.deadline.within(instance.params["wait_timeout"], "wait").within(
        MAX_TEMPLATE_WAIT if wait else 0.0, "wait"
    )
    ended = run_jobs({"": _poll_access_data(instance, number, what)}, limit, tell=task.tell)[""]
    if isinstance(ended, WaitTimeout):
        if not wait:
            return None
        ended.next_step = "The instance itself is ready: run the task again later."
    if isinstance(ended, FcdError):
        raise ended
    return ended


def _poll_access_data(instance: DesiredInstance, number: int, what: str) -> Job[JsonObject]:
    reader = TolerantReader(instance.task)
    nothing: JsonObject = {"password": None, "ssh_keys": []}
    while True:
        found = reader.read(lambda: read_access_data(instance.search.api, number), nothing)
        if found["password"] or found["ssh_keys"]:
            return found
        yield Progress(what, "the service has no data yet")
