# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Taking an instance out of a load balancer, and putting it back.

Source: docs/service/infrastructure.md, "Load balancers".
"""

from __future__ import annotations

import typing as t
from functools import partial

from .._connection.options import REST
from .._connection.task import WAIT_OPTIONS, Operation, Params, Result, Task, result_of
from .._core.errors import ChangeTracker, InvalidInput
from .._core.type_aliases import JsonMapping, JsonObject
from .._engine.change import Change, ChangeContext, run_to_end
from .._engine.plan import Field, in_words, reconcile
from .api import infrastructure
from .check_mode_infrastructure import BALANCED_SERVICE
from .instance_group import required_group
from .load_balancer import BalancerSearch
from .named_instances import required_instance
from .rest_records import check_not_empty

if t.TYPE_CHECKING:
    from .._engine.scheduler import Job

DRAINED, ACTIVE = "drained", "active"
BUSY, OUT_OF_SERVICE, DOWN, UP = 1562, 1563, 1564, 1565  # of a dictionary whose number is not known
STATES = {OUT_OF_SERVICE: DRAINED, DOWN: ACTIVE, UP: ACTIVE}
"""A busy one may be in service, or on its way out."""
PLANNED_STATUSES = {DRAINED: OUT_OF_SERVICE, ACTIVE: UP}
"""The status that a service is taken to have after a change in check mode."""
NOT_YET = {DRAINED: (BUSY, DOWN, UP), ACTIVE: (OUT_OF_SERVICE,)}
"""Statuses that a service still has after a change that was accepted. Any other may be all that it ever shows."""
TIME_TO_SHOW = 30.0  # seconds in which a change has to show


def status_of_service(service: JsonMapping) -> int | None:
    """Return the number of the status of a service."""
    return (service["status"] or {}).get("id")


class BalancedInstance:
    """An instance behind a load balancer; it has a service for each port."""

    kind = "instance of a load balancer"
    fields = (Field("state", may_be_unknown=True, sent_if_unknown=True, follows=("services",)),)

    def __init__(
        self, task: Task, search: BalancerSearch, params: Params, group: JsonObject, instance: JsonObject
    ) -> None:
        deadline = task.deadline.within(params["wait_timeout"], "wait")
        self._context = ChangeContext(task, search, deadline, params["wait"], TIME_TO_SHOW, ChangeTracker())
        self._check_mode = task.check_mode
        self._params = params
        self._group = group
        self._instance = instance
        self.run_job = partial(run_to_end, self._context)

    def find(self, desired: JsonMapping) -> JsonObject:
        """Return the instance as the load balancer shows it. Raises InvalidInput if it is not behind it."""
        del desired
        return self._record(self._context.reader.by_id(self._group["id"]))

    def _record(self, balancer: JsonObject | None) -> JsonObject:
        services = self._services(balancer)
        is_planned = self._check_mode and balancer is not None and not balancer["servers"]
        if not services and not is_planned:
            where = f"the load balancer of group {in_words(self._group)}"
            port = "" if self._params.get("port") is None else f" at port {self._params['port']}"
            raise InvalidInput(
                f"instance: {in_words(self._instance)} is not behind {where}{port}."
                if balancer
                else f"group: group {in_words(self._group)} has no load balancer.",
                next_step="Check it with load_balancer_info and details: true.",
                option="instance" if balancer else "group",
            )
        states = {STATES.get(status_of_service(one) or 0) for one in services}
        return {
            "id": self._instance["id"],
            "name": self._instance["label"],
            "group": self._group,
            "state": states.pop() if len(states) == 1 else None,
            "services": services,
        }

    def _services(self, balancer: JsonObject | None) -> list[JsonObject]:
        """Return the services of the instance, each address and port once."""
        port = self._params.get("port")
        own = [
            one
            for server in (balancer or {}).get("servers", ())
            for one in server["services"]
            if (one["instance"] or {}).get("id") == self._instance["id"] and port in (None, one["port"])
        ]
        return list({(one["ip_address"], one["port"]): one for one in own}.values())

    def create(self, values: JsonMapping) -> t.NoReturn:
        """Never be called: an instance that is not behind the load balancer is an error."""
        raise NotImplementedError(values)

    def delete(self, current: JsonMapping) -> t.NoReturn:
        """Never be called: the state is never absent."""
        raise NotImplementedError(current)

    def update(self, current: JsonMapping, changes: JsonMapping) -> Job[JsonObject | None]:
        """Return the job that takes out, or puts back, each service that is not known to be so."""
        state = changes["state"]
        requests = [
            self._change(one, state) for one in current["services"] if STATES.get(status_of_service(one) or 0) != state
        ]
        for request in requests:
            yield from request.submit()
        if not self._context.wait:
            return None
        balancer: JsonObject | None = None
        for request in requests:
            balancer = yield from request.wait(None)
        record = self._record(balancer)
        if record["state"] is None:
            shown = in_words([one["status"] for one in record["services"]])
            what = f"Instance {in_words(self._instance)} in {in_words(self._group)}"
            self._context.task.warn(f"{what}: whether it is {state} cannot be seen; its status is {shown}.")
        return record

    def _change(self, service: JsonMapping, state: str) -> Change:
        place, group = (service["ip_address"], service["port"]), self._group["id"]
        api = t.cast("BalancerSearch", self._context.reader).api
        body = {"IpAddress": place[0], "Port": place[1], "Enabled": state == ACTIVE}
        if state == DRAINED:
            body["Graceful"] = self._params["graceful"]
        accepted = False

        def send() -> None:
            nonlocal accepted
            api.change_load_balancer_service(group, body)
            accepted = True

        def is_done(balancer: JsonObject | None) -> bool:
            now = next((one for one in self._services(balancer) if (one["ip_address"], one["port"]) == place), None)
            status = None if now is None else status_of_service(now) or 0
            return STATES.get(status or 0) == state or (accepted and status not in (None, *NOT_YET[state]))

        doing = "Taking out" if state == DRAINED else "Putting back"
        what = f"{doing} instance {in_words(self._instance)} at port {place[1]}"
        return Change(self._context, group, what, send, is_done, kind="load balancer", strict=True)


def run(task: Task, params: Params) -> Result:
    """Bring the instance to its state in the load balancer."""
    check_not_empty(params, "group", "instance")
    api = infrastructure(task)
    search = BalancerSearch(api, details=True)
    group = required_group(api, params["group"])
    record = required_instance(search, params["instance"].strip(), "instance")
    instance = {"id": record["id"], "label": record["name"]}
    balanced = BalancedInstance(task, search, params, group, instance)
    outcome = reconcile(balanced, {"state": params["state"]}, "present", check_mode=task.check_mode)
    if task.planned_objects is not None and outcome.changed:
        for one in outcome.before["services"]:
            key, status = [group["id"], one["ip_address"], one["port"]], PLANNED_STATUSES[params["state"]]
            task.planned_objects.add(task, BALANCED_SERVICE, key, {"status": {"id": status, "label": None}})
    return result_of("instance", outcome)


OPERATION = Operation(
    "load_balancer_drain",
    (REST,),
    {
        "group": {"type": "str", "required": True, "aliases": ["group_id", "instance_group"]},
        "instance": {"type": "str", "required": True, "aliases": ["instance_id"]},
        "port": {"type": "int"},
        "state": {"type": "str", "choices": [DRAINED, ACTIVE], "default": DRAINED},
        "graceful": {"type": "bool", "default": True},
        **WAIT_OPTIONS,
    },
    run,
)
