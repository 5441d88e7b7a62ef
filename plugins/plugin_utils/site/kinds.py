# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The kinds of things that a site file declares: which module makes them, what they are known by, what they refer to.

What an entry may say is not repeated here: it is the options of the operation.
"""

from __future__ import annotations

import typing as t

from ...module_utils._connection.task import Operation

Options = t.Mapping[str, t.Any]
Spec = t.Dict[str, t.Any]

FOUNDATIONS, REST = "foundations", "rest"
NAME, NUMBER = "name", "number"
WAITING = ("wait", "wait_timeout", "create_grace")
"""Options that are for a run, not for what is declared: the site has its own."""


class Target(t.NamedTuple):
    """What an option refers to. ``by`` says what the module takes there: the name of the other entry, or its number."""

    kind: str
    by: str = NAME


class EntryKind(t.NamedTuple):
    """One kind of entries.

    ``identity`` are the ways to say which one is meant, the first that is given counts; each is a tuple of options.
    ``references`` are the options that may name entries of another kind. ``fixed`` are options with a value that an
    entry cannot change. ``makes`` says whether the service makes such a thing because it is declared, ``removable``
    whether the module can remove one.
    """

    name: str
    load: t.Callable[[], Operation]
    identity: tuple[tuple[str, ...], ...]
    references: t.Mapping[str, Target] = {}
    stage: str = REST
    excluded: tuple[str, ...] = WAITING
    fixed: t.Mapping[str, t.Any] = {}
    makes: bool = True
    removable: bool = True

    def operation(self) -> Operation:
        """Return the operation of the module, which is imported when this is first called."""
        return self.load()

    @property
    def module(self) -> str:
        """The name of the module."""
        return self.operation().name

    def options(self) -> dict[str, Spec]:
        """Return the options that an entry may have, as argument specification."""
        left_out = {*self.excluded, *self.fixed}
        return {name: spec for name, spec in self.operation().options.items() if name not in left_out}

    def identity_of(self, options: Options) -> dict[str, t.Any]:
        """Return the options that say which one is meant, nothing when it is not said."""
        for way in self.identity:
            identity = {option: options.get(option) for option in way}
            if not any(value in (None, "") for value in identity.values()):
                return identity
        return {}

    def name_of(self, options: Options) -> str | None:
        """Return what an entry is called, unique in its kind, such as ``web``, ``assets/index.html``, ``12/304/DS-01``.

        One that is known by its number alone, where others have names, is ``#12``. None: it is not said.
        """
        identity = self.identity_of(options)
        if not identity:
            return None
        text = "/".join(str(value["ref"] if is_reference(value) else value) for value in identity.values())
        if tuple(identity) == ("id",) and self.identity[0] != ("id",):
            return f"#{text}"
        return text.rstrip("/") if "prefix" in identity else text  # docs and docs/ are one folder


def is_reference(value: t.Any) -> bool:
    """Whether the value is a reference, as it stands in the file."""
    return isinstance(value, dict) and set(value) == {"ref"}


def _ssh_key() -> Operation:
    from ...module_utils._infrastructure.ssh_key import OPERATION

    return OPERATION


def _private_network() -> Operation:
    from ...module_utils._infrastructure.private_network import OPERATION

    return OPERATION


def _ip_address() -> Operation:
    from ...module_utils._infrastructure.ip_address import OPERATION

    return OPERATION


def _storage_container() -> Operation:
    from ...module_utils._object_storage.container import OPERATION

    return OPERATION


def _client() -> Operation:
    from ...module_utils._contract.client import OPERATION

    return OPERATION


def _instance() -> Operation:
    from ...module_utils._infrastructure.instance.declared_instances import OPERATION

    return OPERATION


def _disk() -> Operation:
    from ...module_utils._infrastructure.disk import OPERATION

    return OPERATION


def _storage_object() -> Operation:
    from ...module_utils._object_storage.object import OPERATION

    return OPERATION


def _storage_sync() -> Operation:
    from ...module_utils._object_storage.sync import OPERATION

    return OPERATION


def _warehouse() -> Operation:
    from ...module_utils._contract.warehouse import OPERATION

    return OPERATION


def _client_user() -> Operation:
    from ...module_utils._contract.client_user import OPERATION

    return OPERATION


def _client_pricelist() -> Operation:
    from ...module_utils._contract.pricelist import CLIENT_PRICELIST as OPERATION

    return OPERATION


def _client_fixed_amount() -> Operation:
    from ...module_utils._contract.client_fixed_amount import OPERATION

    return OPERATION


_NAMED = (("name",), ("id",))
_ALL = (
    EntryKind("ssh_keys", _ssh_key, _NAMED, stage=FOUNDATIONS),
    EntryKind("private_networks", _private_network, _NAMED, stage=FOUNDATIONS),
    EntryKind(
        "ip_addresses",
        _ip_address,
        (("comment",), ("address",), ("id",)),
        {"instance": Target("instances")},
        FOUNDATIONS,  # one that is to be attached comes after its instance: its entry is of the rest
    ),
    EntryKind(
        "storage_containers",
        _storage_container,
        (("name",),),
        {"versions_location": Target("storage_containers")},
        FOUNDATIONS,
    ),
    EntryKind("clients", _client, (("id",),), stage=FOUNDATIONS, makes=False),
    EntryKind(
        "instances",
        _instance,
        _NAMED,
        {
            "ssh_keys": Target("ssh_keys"),
            "private_networks": Target("private_networks"),
            "ip_addresses": Target("ip_addresses", NUMBER),
            "ip_address_id": Target("ip_addresses", NUMBER),
        },
        excluded=(*WAITING, "access_data"),
    ),
    EntryKind("disks", _disk, _NAMED, {"instances": Target("instances")}),
    EntryKind(
        "storage_objects",
        _storage_object,
        (("container", "name"),),
        {"container": Target("storage_containers"), "segment_container": Target("storage_containers")},
        excluded=("remote_src",),
    ),
    EntryKind(
        "storage_folders",
        _storage_sync,
        (("container", "prefix"), ("container",)),
        {"container": Target("storage_containers"), "segment_container": Target("storage_containers")},
        excluded=("source_container", "source_prefix", "file_mode", "directory_mode"),
        fixed={"mode": "push"},
        removable=False,
    ),
    EntryKind("warehouses", _warehouse, (("partner_id", "template_id", "data_store_number"), ("id",))),
    EntryKind(
        "client_users", _client_user, (("user_name",), ("id",), ("sid",)), {"client_id": Target("clients", NUMBER)}
    ),
    EntryKind(
        "client_pricelists",
        _client_pricelist,
        (("pricelist", "owner_client_id"), ("pricelist",), ("pricelist_id",)),
        {"client_ids": Target("clients", NUMBER), "owner_client_id": Target("clients", NUMBER)},
        makes=False,
        removable=False,
    ),
    EntryKind(
        "client_fixed_amounts", _client_fixed_amount, (("client_id",),), {"client_id": Target("clients", NUMBER)}
    ),
)
KINDS: dict[str, EntryKind] = {kind.name: kind for kind in _ALL}
"""All kinds by name, in the order in which they are made."""
