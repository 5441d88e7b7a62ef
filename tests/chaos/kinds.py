# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The four kinds of objects whose create is dangerous or at least important: how each is made, and counted for real."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

State = t.Mapping[str, t.Any]
Wish = t.Dict[str, t.Any]

CONTAINER = "crates"
DELETED = 126
NO_TICKETS = {"Items": [], "Meta": {"Total": 0}}
PLACE = {"template": "CentOS 7", "subregion": "EU-001", "type": "v1.standard-2.2"}


@dataclass(frozen=True)
class Kind:
    """``create`` and ``read`` select requests at the sandbox: that which makes the object, those that look for it.

    ``own`` selects every request of a task that makes one, except log-ins. ``stale`` are the settings, by service, that
    hide a new object from all searches for some seconds. ``other_trace`` is a list that tells of the create too, and
    its answer when it has nothing to tell.
    """

    module: str
    service: str
    create: Wish
    read: Wish
    own: Wish
    args: t.Callable[[str], Wish]
    count: t.Callable[[State, str], int]
    stale: t.Callable[[float], Wish]
    graceful: bool = True
    other_trace: Wish | None = None

    def desired(self, name: str, grace: float = 3.0) -> Wish:
        """Return the options of a task that makes the object."""
        return {**self.args(name), **({"create_grace": grace} if self.graceful else {})}

    def objects(self, state: State, name: str) -> int:
        """Return how many objects of that name there really are."""
        return self.count(state, name)


def instance(name: str) -> Wish:
    """Return the options of an instance."""
    return {"name": name, **PLACE, "wait_timeout": 7200}


def warehouse(name: str) -> Wish:
    """Return the options of a warehouse."""
    return {"name": name, "partner_id": 12, "template_id": 304, "data_store_number": f"DS-{name}", "queue_length": 4}


def client_user(name: str) -> Wish:
    """Return the options of a user."""
    return {
        "user_name": name,
        "user_password": "tamarack-bittern-7",
        "first_name": "Odd",
        "last_name": "Reader",
        "email": f"{name}@example.com",
        "privileges": ["4", "5"],
    }


def storage_object(name: str) -> Wish:
    """Return the options of an object; its container is there."""
    return {"container": CONTAINER, "name": name, "content": f"content of {name}\n" * 20, "metadata": {"made-by": "us"}}


def _instances(state: State, name: str) -> int:
    return sum(one["Name"] == name and one["Status"] != DELETED for one in state["rest"]["instances"])


def _warehouses(state: State, name: str) -> int:
    return sum(one["WarehouseName"] == name for one in state["soap"]["warehouses"])


def _users(state: State, name: str) -> int:
    return sum(one["AdLogin"] == name for one in state["soap"]["users"])


def _objects(state: State, name: str) -> int:
    return int(name in state["storage"]["containers"][CONTAINER]["objects"])


KINDS = {
    kind.module: kind
    for kind in (
        Kind(
            module="instance",
            service="rest",
            create={"service": "rest", "method": "POST", "path": "/instances$"},
            read={"service": "rest", "method": "GET", "path": "/instances"},
            own={"service": "rest"},
            args=instance,
            count=_instances,
            stale=lambda seconds: {"rest": {"visibility_delay": seconds}},
            other_trace={"service": "rest", "method": "GET", "path": r"/tickets\?", "body": NO_TICKETS},
        ),
        Kind(
            module="warehouse",
            service="soap",
            create={"service": "soap", "operation": "^CreateWarehouse$"},
            read={"service": "soap", "operation": "^(WarehouseExists|GetWarehouses?)$"},
            own={"service": "soap", "operation": "Warehouse"},
            args=warehouse,
            count=_warehouses,
            stale=lambda seconds: {"soap": {"visibility_delay": seconds}},
        ),
        Kind(
            module="client_user",
            service="soap",
            create={"service": "soap", "operation": "^CreateUserWithPrivileges$"},
            read={"service": "soap", "operation": "^(Is|GetUser)"},
            own={"service": "soap", "operation": "^(Is|GetUser|LogonUser|CreateUser)"},
            args=client_user,
            count=_users,
            stale=lambda seconds: {"soap": {"users_visibility_delay": seconds, "refuse_duplicate_users": False}},
        ),
        Kind(
            module="storage_object",
            service="storage",
            create={"service": "storage", "operation": "^PUT object$"},
            read={"service": "storage", "operation": "^(HEAD|GET) object$"},
            own={"service": "storage", "operation": " (container|object)$"},
            args=storage_object,
            count=_objects,
            stale=lambda _seconds: {},
            graceful=False,
        ),
    )
}
DANGEROUS = ("instance", "warehouse", "client_user")
"""Those without any key that makes a repeated create harmless."""
