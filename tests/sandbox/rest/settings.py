# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What can be changed at run time, with the defaults."""

from __future__ import annotations

from typing import Any

DEFAULTS: dict[str, Any] = {
    # Seconds from the start of an operation to the end of its ticket.
    "ticket_seconds": 0.3,
    # Seconds for which a ticket is New (134) before it is Running (135).
    "ticket_new_seconds": 0.0,
    # Seconds for which an object stays locked after its ticket ended.
    "lock_tail": 0.1,
    # Seconds for which a new instance stays Initializing (1748) after its ticket ended.
    "initializing_tail": 0.0,
    # Regular expressions, searched in the operation id (createInstance), the label of the operation type (Renaming) and
    # the object's name: which tickets end with 137, never end, cannot be read; which objects stay locked for ever.
    "fail_tickets": None,
    "hang_tickets": None,
    "lost_tickets": None,
    "stuck_locks": None,
    # Seconds after the POST at which lists show a new instance: the sum of both. A change also counts for
    # instances that no list has shown yet.
    "visible_after": 0.1,
    "visibility_delay": 0.0,
    # Seconds after the creation at which the access data stand there.
    "access_data_after": 0.2,
    # Items in a list when no pageSize is given; number of the first page.
    "default_page_size": 20,
    "first_page": 1,
    # Status for an instance, disk or private network that does not exist: the sources say 403, older ones 404.
    "missing_status": 403,
    # Sources of templates listed when no source is given.
    "templates_without_source": ["Own", "Marketplace"],
    # Whatever costs money answers 402.
    "payment_required": False,
    # Whether a disk of a running instance can be extended or replaced.
    "disk_change_while_running": True,
    # Whether the account has the free plan.
    "freemium_enabled": True,
    # So many instances more than the seed has, made at the next request.
    "bulk_instances": 0,
}
