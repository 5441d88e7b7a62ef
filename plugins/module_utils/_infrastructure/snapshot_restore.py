# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bringing an instance back to one of its snapshots (wire-facts section 7)."""

from __future__ import annotations

import typing as t

from .._connection.options import REST
from .._connection.task import WAIT, Operation, Params, Result, Task
from .._core.errors import CannotDetermine, InvalidInput, OperationFailed, Rejected, ServiceError, Unclear
from .api import infrastructure
from .rest_options import NUMBER, check_not_empty, instance_of
from .rest_records import Row, check_numbers
from .snapshot import SnapshotSearch

if t.TYPE_CHECKING:
    from .._engine.change import ChangeContext, Ticket
    from .._engine.scheduler import Job

TURN_OFF = "If the instance is running, turn it off first: instance with state: stopped."
"""It is not known whether a running instance can be restored (infrastructure-facts, open point 32)."""


def run(task: Task, params: Params) -> Result:
    """Bring an instance back to a snapshot."""
    check_not_empty(params, "instance", "name")
    check_numbers(params)
    search = SnapshotSearch(infrastructure(task))
    if params.get("instance") is not None:
        search.instance = instance_of(search, params["instance"], "instance")
    number, name = params.get("id"), params.get("name")
    found = search.by_id(number) if number is not None else search.by_name(str(name))
    if found is None and number is None:
        found = _made_here(task, search, params)
    if found is None or not search.meant(found):
        raise InvalidInput(
            f"There is no snapshot {number if number is not None else repr(name)}"
            f"{'' if params.get('instance') is None else ' of instance ' + params['instance']}.",
            next_step="Check it with snapshot_info.",
            option="name" if number is None else "id",
        )
    search.name_references(found)
    ticket = None if task.check_mode else _restored(task, search, params, found)
    return {"changed": True, "snapshot": found, "ticket": ticket}


def _made_here(task: Task, search: SnapshotSearch, params: Params) -> Row | None:
    """Return the snapshot that an earlier task on this machine has made and that is not listed yet, or None."""
    from .snapshot import DeclaredSnapshot

    return DeclaredSnapshot(task, search, {**params, "state": "absent"}).located()


def _restored(task: Task, search: SnapshotSearch, params: Params, found: Row) -> int:
    from .._core.errors import ChangeTracker
    from .._engine.change import ChangeContext, run_to_end
    from .rest_creation import WithHolders

    holders = [found["instance"]["id"]] if found["instance"] else []
    deadline = task.deadline.within(params["wait_timeout"], "wait")
    context = ChangeContext(task, WithHolders(search, holders), deadline, params["wait"], 0.0, ChangeTracker())
    return run_to_end(context, _restoring(context, search, found))


def _restoring(context: ChangeContext, search: SnapshotSearch, found: Row) -> Job[int]:
    from .._engine.change import Change, reached, ticket_ended, unlocked

    number, what = found["id"], f"Restoring snapshot {found['name']!r}"

    def send() -> Ticket:
        try:
            return search.api.restore_snapshot(number)
        except Rejected:
            raise
        except (Unclear, ServiceError) as cause:
            if cause.details.get("redirect"):  # an answer of something in front of the service; nothing was done
                raise
            raise CannotDetermine(
                f"{what}: nobody knows whether it has begun ({cause.message})",
                next_step="Look at the events of the instance before the task is run again.",
                cause=type(cause).__name__,
            ) from cause

    ticket = t.cast(
        "Ticket", (yield from Change(context, number, what, send, lambda _record: False, kind=search.kind).sent())
    )
    if context.wait:
        try:
            yield from ticket_ended(context, ticket, what)
        except OperationFailed as failure:
            failure.next_step = f"{failure.next_step} {TURN_OFF}"
            raise
        yield from reached(context, number, unlocked, what)
    return int(ticket["Id"])


OPERATION = Operation(
    "snapshot_restore",
    (REST,),
    {
        "name": {"type": "str", "aliases": ["snapshot_name"]},
        **NUMBER,
        "instance": {"type": "str", "aliases": ["instance_id"]},
        **WAIT,
    },
    run,
    {"required_one_of": [("name", "id")]},
)
