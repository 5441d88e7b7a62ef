# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Public addresses: reserved, described, attached, released and listed.

Source: docs/service/infrastructure.md, "Public addresses". An address has no name. It is identified by its ID,
its text, or its comment.
"""

from __future__ import annotations

import re
import typing as t
from functools import partial

from .._connection.options import REST
from .._connection.task import (
    CREATE_OPTIONS,
    STATE,
    WAIT_OPTIONS,
    ManagedObject,
    Operation,
    Params,
    Result,
    Task,
    non_null_options,
)
from .._core.errors import Ambiguous, InvalidInput, mark_changed_on_error
from .._core.type_aliases import JsonMapping, JsonObject
from .._engine.change import duplicate_error
from .._engine.create_once import all_notes, identity_of, lock_note
from .._engine.plan import DELETE, Field, in_words, same_text
from .api import Infrastructure, infrastructure
from .create_trace import RequestedObject
from .named_instances import instance_of
from .reference_names import SUBREGION, resolve_item
from .rest_changes import attachment_of, change_of, detachment_of, owners, removal_of
from .rest_records import RestSearch, check_not_empty, record_of, require_later_line, same_host, same_item
from .rest_resource import WholeUpdates, reconcile_resource, rest_reader

if t.TYPE_CHECKING:
    from .._engine.change import Change
    from .._engine.create_once import CreateSettings

STATIC, AUTOMATIC = 1106, 1107  # dictionary 123
_PLAIN = {
    "id": "Id",
    "address": "Address",
    "address_v6": "AddressV6",
    "comment": "Comment",
    "reverse_dns": "RevDns",
    "reverse_dns_v6": "RevDnsV6",
    "gateway": "Gateway",
    "netmask": "NetMask",
    "mac_address": "MacAddress",
    "interface_id": "InterfaceId",
    "dns_prefix": "DnsPrefix",
    "dhcp_branch": "DhcpBranch",
}
_NAMED = {
    "instance": "Instance",
    "subregion": "Subregion",
    "default_subregion": "DefaultSubregion",
    "type": "Type",
    "mode": "Mode",
    "owner_account": "OwnerAccount",
}


def ip_address_record(address: JsonMapping) -> JsonObject:
    """Return the record of an address; ``static`` is what its type says."""
    record = record_of(address, _PLAIN, _NAMED)
    return {**record, "static": None if record["type"] is None else record["type"].get("id") == STATIC}


def same_address(given: object, shown: object) -> bool:
    """Return whether a text that was given is this IPv4 or IPv6 address."""
    return str(given).strip().lower() == str(shown).lower()


class AddressSearch(RestSearch):
    """Finds public addresses by their comment, the only text of them that a user sets; or by the address itself."""

    kind = "IP address"
    describe = staticmethod(ip_address_record)
    key = "comment"
    member = "Comment"
    references = ("subregion", "default_subregion", "instance")

    def list_items(self, **filters: t.Any) -> list[JsonObject]:
        """Return the addresses that the service lists."""
        return self.api.list_ip_addresses(**filters)

    def read(self, number: int) -> JsonObject:
        """Return one address."""
        return self.api.get_ip_address(number)

    def is_named(self, record: JsonObject, name: str) -> bool:
        """Return whether the address has that comment; a new one gets it in a second step."""
        return record["comment"] in (None, "", name)

    def by_address(self, text: str) -> JsonObject | None:
        """Return the one with this IPv4 or IPv6 text, or None."""
        for item in self.list_items():
            for member in ("Address", "AddressV6"):
                if same_address(text, item.get(member)):
                    self.expect(item["Id"], item[member], member)
                    return ip_address_record(item)
        return None


MAX_COMMENT = 50  # characters
HOST_NAME = re.compile(r"[A-Za-z0-9_ \-.]{3,255}")
TEXT_MEMBERS = {"comment": "Comment", "reverse_dns": "RevDns", "reverse_dns_v6": "RevDnsV6"}
RESTORED = {"reverse_dns": "RestoreRevDns", "reverse_dns_v6": "RestoreRevDnsV6"}
IN_PLACE = (*TEXT_MEMBERS, "static")


def address_body(current: JsonMapping, changes: JsonMapping) -> JsonObject:
    """Return the body of the PUT: the changes, and what has a value now.

    It is not known whether values that are left out are kept, so all that can be sent again is sent again.
    """
    values = {**current, **{name: changes[name] for name in IN_PLACE if name in changes}}
    sent: JsonObject = {member: values[name] for name, member in TEXT_MEMBERS.items() if values[name]}
    if "comment" in changes:
        sent["Comment"] = changes["comment"]
    sent.update({member: True for name, member in RESTORED.items() if changes.get(name) == ""})
    if "static" in changes or values["static"]:
        sent["SetStatic"] = values["static"]
    return sent


def same_or_none(desired: object, current: object) -> bool:
    """Return whether two instances are the same, or both none."""
    return current is None if desired is None else same_item(desired, current)


class DeclaredAddress(WholeUpdates):
    """The address that the options declare."""

    search: AddressSearch
    _known: t.Sequence[int] = ()
    fields = (
        Field("comment", same_text),
        Field("static", follows=("type",), may_be_unknown=True),
        Field("reverse_dns", same_host),
        Field("reverse_dns_v6", same_host),
        Field("subregion", same_item, may_be_unknown=True),
        Field("instance", same_or_none, follows=("mac_address", "interface_id")),
    )

    def locate(self) -> JsonObject | None:
        """Return the address that is meant: by its ID, else by its text, else by its comment."""
        text = self.params.get("address")
        if self.params.get("id") is not None or text is None:
            return super().locate()
        record = self.search.by_address(text)
        if record is None and self.params["state"] == "present":
            raise InvalidInput(
                f"address: the account has no address {text}.",
                next_step="Check it; to reserve a new one, omit address and give comment and subregion.",
                option="address",
            )
        if record is not None and self.params["state"] == "absent":
            self.require_same(record, "address")
        return record

    def identity(self) -> JsonObject:
        """Return the comment and the text."""
        return non_null_options(self.params, ("comment", "address"))

    def by_identity(self) -> JsonObject | None:
        """Return the address with the text, else with the comment."""
        text = self.params.get("address")
        return super().by_identity() if text is None else self.search.by_address(text)

    def is_called(self, record: JsonMapping, option: str, given: object) -> bool:
        """Return whether the address has this comment, or one of its two texts is this."""
        if option != "address":
            return super().is_called(record, option, given)
        return any(same_address(given, record[one]) for one in ("address", "address_v6"))

    def desired_values(self, current: JsonObject | None) -> JsonObject:
        """Return the desired values, labels resolved."""
        params, present = self.params, current or {}
        if current is None and params.get("subregion") is None:
            raise InvalidInput(
                f"There is no IP address with the comment {params.get('comment')!r}, and subregion is missing to "
                "reserve one.",
                next_step="Give subregion, or check the comment.",
                options=["subregion"],
            )
        desired = non_null_options(params, IN_PLACE)
        if params.get("subregion") is not None:
            desired["subregion"] = resolve_item(
                params["subregion"],
                present.get("subregion"),
                lambda: self.search.names.entries(SUBREGION),
                "subregion",
                "the subregions",
            )
        if params.get("instance") is not None:
            known = [present["instance"]] if present.get("instance") else []

            desired["instance"] = instance_of(self.search, params["instance"], known)
        elif params.get("detached"):
            desired["instance"] = None
        return desired

    def sent_along(self, current: JsonMapping, changes: JsonMapping) -> t.Mapping[str, str]:
        """Return the texts, which are sent together."""
        del current
        return TEXT_MEMBERS if any(name in changes for name in IN_PLACE) else {}

    def verify(self, action: str, changes: JsonMapping, current: JsonMapping | None) -> None:
        """Raise for what would lose the address, or what the service would refuse."""
        require_later_line(self.search.api, self.kind, action, changes)
        super().verify(action, changes, current)
        if current is None or current["instance"] is None:
            return
        owner = in_words(current["instance"])
        if action == DELETE and not self.params["force_detach"]:
            raise InvalidInput(
                f"IP address {current['address']} is attached to instance {owner} and was not released.",
                next_step="Set force_detach: true to have it detached first.",
                option="force_detach",
                id=current["id"],
            )
        kind = current["type"] or {"id": AUTOMATIC}  # if the service does not return it, it may be one that gets lost
        automatic = kind["id"] == AUTOMATIC and not self.desired.get("static")
        if action != DELETE and "instance" in changes and automatic:
            raise InvalidInput(
                f"IP address {current['address']} of instance {owner} is automatic: once detached, it may be lost.",
                next_step="Set static: true too, so that it is kept; or state: absent with force_detach: true.",
                option="static",
                id=current["id"],
            )

    def title(self, record: JsonMapping) -> str:
        """Return the name of an address in messages."""
        return f"IP address {record['address']}"

    def create_request(self, values: JsonMapping) -> t.Callable[[], JsonObject]:
        """Return what reserves an address; the service takes the subregion only."""
        return lambda: self.search.api.create_ip_address(values["subregion"]["id"])

    def alone(self, settings: CreateSettings) -> t.ContextManager[object]:
        """Let no other address be reserved: until it has its comment, it could be anybody's."""
        return lock_note(settings, identity_of(self.task, self.kind), "a new IP address")

    def facts_before_create(self) -> JsonObject:
        """Return the existing addresses."""
        self._known = [item["Id"] for item in self.search.list_items()]
        return {"known": self._known}

    def find_duplicates(self, record: JsonObject, listed: t.Sequence[JsonObject]) -> dict[int, str]:
        """Return possible duplicates; a second delivery of the create leaves a new address without a comment."""
        fresh = [item for item in listed if item["Id"] not in self._known and _is_fresh(item, record)]
        new = {item["Id"]: f"{item.get('Address')}, without a comment" for item in fresh if item["Id"] != record["id"]}
        return {**super().find_duplicates(record, listed), **new}

    def require_no_duplicate(self, record: JsonObject, lead: JsonMapping) -> None:
        """Raise Ambiguous if there is an address without a comment that appeared together with this one."""
        if "known" not in lead:
            return

        noted, unfinished = self._noted()
        self._known = [*lead["known"], *noted]
        others = self.find_duplicates(record, self.search.list_items())
        if len(others) > unfinished:
            raise duplicate_error(f"Reserving an address for {record['comment']!r}", record["id"], others)

    def complete(self, record: JsonObject, values: JsonMapping) -> JsonObject:
        """Give the new address its comment and texts.

        That is done under the lock of the create, so that no other task takes it for an address without a comment.
        """
        with mark_changed_on_error():
            self.search.api.change_ip_address(record["id"], address_body(record, values), record["address"])
        return self.search.by_id(record["id"]) or record

    def find_leftover(self, facts: JsonMapping, values: JsonMapping) -> RequestedObject | None:
        """Return the address that was not there before, is free and has no comment.

        If several runs were killed before they gave their comments, it does not matter which of them it is. Raises
        Ambiguous if there are more.
        """
        if "known" not in facts:
            return None
        new = [
            item for item in self.search.list_items() if item["Id"] not in facts["known"] and _is_fresh(item, values)
        ]
        ids = sorted(item["Id"] for item in new)
        if len(new) > 1 and len(new) > self._noted()[1]:
            raise Ambiguous(
                f"An earlier run has reserved an IP address for {values['comment']!r}, and {len(new)} new ones could "
                f"be it: {', '.join(map(str, ids))}.",
                next_step="Give the right one in id, together with the comment.",
                ids=ids,
            )
        if not new:
            return None

        first = next(item for item in new if item["Id"] == ids[0])
        return RequestedObject(ids[0], record=self.search.describe(first))

    def _noted(self) -> tuple[set[int], int]:
        """Return the IDs in all notes, and how many addresses were requested and are not known by their IDs."""
        leads = [(note.lead() or {}, note.read() or {}) for note in all_notes(self.task)]
        requested = sum("known" in intent and "id" not in lead for lead, intent in leads)
        return {lead["id"] for lead, _intent in leads if "id" in lead}, requested

    def updates(self, current: JsonObject, changes: JsonMapping) -> list[Change]:
        """Return the requests of a change: an address becomes static before it is detached, and is attached last."""
        api, text = self.search.api, current["address"]
        requests = [self._in_place(current, changes)] if any(name in changes for name in IN_PLACE) else []
        if "instance" in changes:
            detach = partial(api.detach_ip_address, text=text)
            requests += [detachment_of(self, current, detach, one) for one in owners(current)]
        if "subregion" in changes:
            place = changes["subregion"]["id"]
            requests.append(
                change_of(
                    self,
                    current,
                    f"Moving {self.title(current)}",
                    lambda: api.change_ip_address_subregion(current["id"], place, text),
                    lambda record: record is not None and (record["subregion"] or {}).get("id") == place,
                )
            )
        if changes.get("instance") is not None:
            attach = partial(api.attach_ip_address, text=text)
            requests.append(attachment_of(self, current, attach, changes["instance"]["id"]))
        return requests

    def removals(self, current: JsonObject) -> list[Change]:
        """Return the requests of a removal; an automatic address may be gone as soon as it is detached."""
        api, text = self.search.api, current["address"]
        detach, delete = partial(api.detach_ip_address, text=text), partial(api.delete_ip_address, text=text)
        detaching = [detachment_of(self, current, detach, one, may_go=True) for one in owners(current)]
        return [*detaching, removal_of(self, current, delete, doing="Giving back")]

    def _in_place(self, current: JsonMapping, changes: JsonMapping) -> Change:
        """Return the one PUT; only the service knows a restored reverse name."""
        whole = address_body(current, changes)
        values = {
            name: changes[name] for name in IN_PLACE if name in changes and (name not in RESTORED or changes[name])
        }
        return change_of(
            self,
            current,
            f"Changing {self.title(current)}",
            lambda: self.search.api.change_ip_address(current["id"], whole, current["address"]),
            lambda record: record is not None and all((record[name] or "") == (values[name] or "") for name in values),
        )


def _is_fresh(item: JsonObject, values: JsonMapping) -> bool:
    """Return whether an address is as the service creates it: free, without a comment, in the desired subregion."""
    subregion, desired = (item.get("Subregion") or {}).get("Id"), values["subregion"]
    return not item.get("Comment") and not item.get("Instance") and desired is not None and subregion == desired["id"]


def check_ip_address(params: Params) -> None:
    """Raise InvalidInput for values that the service does not accept."""
    check_not_empty(params, "address", "subregion")
    check_not_empty(params, "instance", advice="Name an instance; to detach the address, set detached to true instead.")
    comment = params.get("comment")
    if params.get("id") is None and params.get("address") is None:
        check_not_empty(params, "comment")
    if comment is not None and len(comment) > MAX_COMMENT:
        raise InvalidInput(
            f"comment: it has {len(comment)} characters; at most {MAX_COMMENT} are allowed.", option="comment"
        )
    for option in ("reverse_dns", "reverse_dns_v6"):
        if params.get(option) and not HOST_NAME.fullmatch(params[option]):
            raise InvalidInput(
                f"{option}: {params[option]!r} is not a host name: 3 to 255 letters, digits, dots, hyphens, "
                "underscores and spaces.",
                option=option,
            )


def run(task: Task, params: Params) -> Result:
    """Bring the address to its state."""
    check_ip_address(params)
    return reconcile_resource(DeclaredAddress(task, AddressSearch(infrastructure(task)), params), "ip_address")


OPERATION = Operation(
    "ip_address",
    (REST,),
    {
        **STATE,
        "comment": {"type": "str"},
        "address": {"type": "str", "aliases": ["ip_address"]},
        "id": {"type": "int", "aliases": ["ip_address_id"]},
        "subregion": {"type": "str", "aliases": ["subregion_id"]},
        "static": {"type": "bool"},
        "reverse_dns": {"type": "str"},
        "reverse_dns_v6": {"type": "str"},
        "instance": {"type": "str", "aliases": ["instance_id"]},
        "detached": {"type": "bool"},
        "force_detach": {"type": "bool", "default": False},
        **WAIT_OPTIONS,
        **CREATE_OPTIONS,
    },
    run,
    {"required_one_of": [("comment", "address", "id")], "mutually_exclusive": [("instance", "detached")]},
    fields=DeclaredAddress.fields,
    members=tuple(ip_address_record({})),
    manages=ManagedObject("ip_address", "ip_address"),
    check=check_ip_address,
)


def _search(api: Infrastructure, params: Params) -> AddressSearch:
    search = AddressSearch(api)
    if params.get("address") is not None:
        search.key, search.member = "address", "Address"
    return search


INFO = rest_reader(
    "ip_address_info",
    "ip_addresses",
    _search,
    {
        "address": {"type": "str", "aliases": ["ip_address"]},
        "comment": {"type": "str"},
        "instance": {"type": "str", "aliases": ["instance_id"]},
        "only_free": {"type": "bool", "default": False},
    },
    {"mutually_exclusive": [("id", "address", "comment"), ("id", "instance", "only_free")]},
    lambda params: {"only_free": params["only_free"] or None},
)
