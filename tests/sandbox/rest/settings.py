# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The settings, changeable at run time, and the presets: hard and friendly readings of what is not known.

The open questions and what the collection does about them: docs/service/assumptions.md, "Infrastructure interface".
"""

from __future__ import annotations

import random
from typing import Any, NamedTuple

PLAIN: dict[str, Any] = {
    # Seconds from the start of an operation to the end of its ticket.
    "ticket_seconds": 0.3,
    # Regular expressions, searched in the operation id (create_instance), the label of the operation type (Renaming)
    # and the object's name: which tickets end with 137, do not end before this is null again, cannot be read; which
    # objects stay locked for ever.
    "fail_tickets": None,
    "hang_tickets": None,
    "lost_tickets": None,
    "stuck_locks": None,
    # Seconds after the POST at which lists show a new instance: the sum of both. A change also counts for
    # instances that no list has shown yet.
    "visible_after": 0.1,
    "visibility_delay": 0.0,
    # Sources of templates listed when no source is given.
    "templates_without_source": ["Own", "Marketplace"],
    # Changes are accepted, their tickets end well, and nothing is changed.
    "accept_only": False,
    # Whatever costs money answers 402.
    "payment_required": False,
    # Whether the account has the free plan.
    "freemium_enabled": True,
    # What becomes of the names of objects: "as sent", "lower", "stripped" or "cut" to eight characters.
    "kept_names": "as sent",
    # So many instances more than the seed has, made at the next request.
    "bulk_instances": 0,
}
"""Settings that are no reading of an open question."""


class Reading(NamedTuple):
    """An open question: its reading in the hard and in the friendly preset, and what else may be drawn."""

    hard: Any
    friendly: Any
    others: tuple[Any, ...] = ()


NULLS = [
    "account.Payment",
    "disk.IsFreemium",
    "instance.CpuNumber",
    "instance.DnsAddress",
    "instance.IsFreemium",
    "instance.RamMb",
    "instance.TotalDisksCapacity",
    "ip_address.AddressV6",
    "ip_address.DnsPrefix",
    "ip_address.Gateway",
    "ip_address.NetMask",
    "private_ip.CreationDate",
    "snapshot.CreationUser",
    "ssh_key.CreationDate",
    "ticket.CreationUser",
    "ticket.Progress",
]

READINGS: dict[str, Reading] = {
    # The line: D1, which lacks what came since 2020 and wants two members more, or D2.
    "line": Reading("D2", "D2"),
    # Whether references have a name besides their number; all sources show the number alone.
    "reference_names": Reading(False, True),
    # Members of a request's body that the line does not have: "ignored" without a word, or "refused".
    "unknown_members": Reading("ignored", "refused"),
    # Whether a create may leave out what every public client sends.
    "bare_creates": Reading(False, True),
    # Whether IPAddressId 0 means a new address, as its absence does.
    "address_zero": Reading(False, True),
    # Items in a list when no pageSize is given; number of the first page.
    "default_page_size": Reading(10, 20),
    "first_page": Reading(1, 1, (0,)),
    # The longest page, whatever is asked for (0: any); whether pageSize=0 gives everything, nothing or 400.
    "longest_page": Reading(100, 0, (1000,)),
    "page_size_zero": Reading("refused", "everything", ("nothing",)),
    # Query parameters that the operation does not have, pages among them.
    "unknown_parameters": Reading("refused", "ignored"),
    # Whether rows whose order the request leaves open come in another order each time.
    "shuffled": Reading(True, False),
    # Whether orderBy takes Id and GroupId, as a public plugin sends them.
    "orders_by_number": Reading(False, True),
    # Whether /dictionaries/{ids} takes more than one number.
    "several_dictionaries": Reading(False, True),
    # Where the filter query looks: in the "name" alone, or in every text of the object ("all").
    "query_looks_in": Reading("all", "name"),
    # Members that are null in every answer, as type.Member.
    "null_members": Reading(NULLS, []),
    # Whether every object has a member that nobody knows.
    "further_members": Reading(True, False),
    # Whether a refused request hears what is wrong with it.
    "validation_words": Reading(False, True),
    # Status for an instance, a disk or a private network that does not exist, and for a template.
    "missing_status": Reading(403, 403, (404,)),
    "missing_template_status": Reading(403, 404),
    # Status for a group that does not exist, and for removing one that has instances or a load balancer.
    "missing_group_status": Reading(403, 404),
    "group_in_use_status": Reading(409, 400),
    # Whether groups and their autoscalers go on listing instances that have been removed, or have lost the address.
    "removed_members_stay": Reading(True, False),
    # What a group without a load balancer answers to the question for it: null or a status.
    "without_balancer": Reading(None, 404, (403,)),
    # Seconds for which a server is busy before it is out of service, if it is taken out gracefully.
    "drain_seconds": Reading(0.2, 0.0),
    # The same for an export, and for an import.
    "missing_record_status": Reading(403, 404),
    # What a PUT leaves out: emptied, or left as it is. Also for the description of a snapshot.
    "put_empties": Reading(True, False),
    # What a new instance from an import is called: as the "file", or as the "import".
    "imported_name": Reading("file", "import"),
    # Whether removed imports are still listed, with a status that says so.
    "removed_imports_stay": Reading(True, False),
    # Which of a template's descriptions, written in several languages, is the one that is read.
    "read_language": Reading("last", "first"),
    # Status for a change of an object on which another operation runs.
    "locked_status": Reading(409, 409, (400,)),
    # Seconds for which an object stays locked, and a new instance Initializing (1748), after its ticket ended.
    "lock_tail": Reading(0.2, 0.0),
    "initializing_tail": Reading(0.1, 0.0),
    # Seconds for which a ticket is New (134) before it is Running (135); whether the first poll
    # after its end sees the Status of an end without an EndDate.
    "ticket_new_seconds": Reading(0.05, 0.0),
    "split_ends": Reading(True, False),
    # ObjectId of a clone's, a snapshot's and a conversion's ticket: the "new" object, the "source", or "null".
    "copied_object_id": Reading("source", "new", ("null",)),
    # Whether a create that fails leaves its instance behind, powered off.
    "failed_create_leaves": Reading(False, False, (True,)),
    # Whether subregion and disk controller of a running instance can be changed; else the ticket fails.
    "changes_while_running": Reading(False, True),
    # Whether a disk of a running instance can be extended or replaced, and one PUT may change several members.
    "disk_change_while_running": Reading(True, True),
    "disk_put_changes_several": Reading(False, True),
    # Whether deep removes a shared disk too, or fails.
    "deep_with_shared_disks": Reading(False, True),
    # Whether a running instance can be restored.
    "restore_while_running": Reading(False, True),
    # What reading answers where no remote console is open, "null" or 404 ("missing"); whether a second POST is
    # "refused" with 409 or makes a new password ("renewed").
    "no_console": Reading("null", "missing"),
    "second_console": Reading("refused", "renewed"),
    # Whether the text of a screenshot is "base64" of a picture, or something "other" that nobody knows.
    "screenshot_text": Reading("base64", "base64", ("other",)),
    # Seconds after the creation at which the access data stand there; whether the password is shown once only,
    # as is that of a remote console.
    "access_data_after": Reading(0.2, 0.2),
    "password_once": Reading(True, False),
    # Whether a time without a zone is taken, for UTC.
    "times_without_zone": Reading(False, True),
    # Whether the assignment of a sensor has an ID of its own, which the list of the assigned ones shows, or that of it.
    "own_assignment_ids": Reading(True, False),
    # Whether a POST replaces the autoscaler that a group has, or is refused.
    "autoscaler_post_replaces": Reading(False, True),
    # Whether a schedule's StartDate is the time of clocks in its TimeZoneName, whatever offset is written, and may be
    # in the past; whether a deleted one stays listed; the status for one that does not exist.
    "start_is_wall_clock": Reading(True, False),
    "starts_in_the_past": Reading(False, True),
    "deleted_schedules_stay": Reading(True, False),
    "missing_schedule_status": Reading(403, 404),
    # Whether events have numbers of their "own" for operations and statuses, or those of the "ticket".
    "event_numbers": Reading("own", "ticket"),
    # Seconds for which lists lag behind creates and changes, counted from the end of the ticket, and
    # the list of tickets behind new ones.
    "list_lag": Reading(0.3, 0.0),
    "ticket_list_lag": Reading(0.3, 0.0),
    # How answers show the password of a SIP health check: "masked", as "null", or "plain".
    "sip_password": Reading("masked", "plain", ("null",)),
    # The same for the address of a notification.
    "notification_address": Reading("plain", "plain", ("masked", "null")),
}

HARD: dict[str, Any] = {name: one.hard for name, one in READINGS.items()}
FRIENDLY: dict[str, Any] = {name: one.friendly for name, one in READINGS.items()}
OLDER: dict[str, Any] = {**HARD, "line": "D1"}
DEFAULTS: dict[str, Any] = {**PLAIN, **HARD}


def drawn(seed: int) -> dict[str, Any]:
    """A reading for each open question, drawn with that seed."""
    chance = random.Random(seed)
    return {name: chance.choice([one.hard, one.friendly, *one.others]) for name, one in READINGS.items()}


def preset(text: str) -> dict[str, Any]:
    """The readings of a preset: hard, friendly, older (hard, of the older line) or random:SEED.

    Raises:
        ValueError: there is no such preset.
    """
    known = {"hard": HARD, "friendly": FRIENDLY, "older": OLDER}
    name, _, seed = text.partition(":")
    if name == "random" and seed.isdigit():
        return drawn(int(seed))
    if text not in known:
        raise ValueError(f"there is no preset {text!r}; known are {', '.join(known)} and random:SEED")
    return dict(known[text])
