# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The kinds that are exported, in the order in which a site makes them: who needs which interface, and who reads it."""

from __future__ import annotations

import typing as t

from ..._session.options import REST, SOAP, STORAGE
from .account import Account
from .found import Found

Read = t.Callable[[Account], Found]


def _keys(account: Account) -> Found:
    from .keys_and_networks import keys

    return keys(account)


def _networks(account: Account) -> Found:
    from .keys_and_networks import networks

    return networks(account)


def _addresses(account: Account) -> Found:
    from .addresses import addresses

    return addresses(account)


def _containers(account: Account) -> Found:
    from .containers import containers

    return containers(account)


def _clients(account: Account) -> Found:
    from .clients import clients

    return clients(account)


def _instances(account: Account) -> Found:
    from .machines import instances

    return instances(account)


def _disks(account: Account) -> Found:
    from .disks import disks

    return disks(account)


def _objects(account: Account) -> Found:
    from .objects import objects

    return objects(account)


def _warehouses(account: Account) -> Found:
    from .warehouses import warehouses

    return warehouses(account)


def _users(account: Account) -> Found:
    from .client_users import users

    return users(account)


def _pricelists(account: Account) -> Found:
    from .pricelists import pricelists

    return pricelists(account)


KINDS: dict[str, tuple[str, Read]] = {
    "ssh_keys": (REST, _keys),
    "private_networks": (REST, _networks),
    "ip_addresses": (REST, _addresses),
    "storage_containers": (STORAGE, _containers),
    "clients": (SOAP, _clients),
    "instances": (REST, _instances),
    "disks": (REST, _disks),
    "storage_objects": (STORAGE, _objects),
    "warehouses": (SOAP, _warehouses),
    "client_users": (SOAP, _users),
    "client_pricelists": (SOAP, _pricelists),
}
NOT_EXPORTED = {
    "storage_folders": "nothing tells from which folder objects came; they are among the storage_objects",
    "client_fixed_amounts": "the service lists them for one client at a time only",
}
"""Kinds of a site file that the service cannot list, with the reasons."""
