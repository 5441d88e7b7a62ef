# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The state of the REST service: all objects by id, the ids to come, and what is due later."""

from __future__ import annotations

import itertools
from collections import defaultdict

from sandbox.rest import seeding
from sandbox.rest.models import Address, Disk, Event, Instance, Network, Snapshot, Ticket
from sandbox.rest.timeline import Timeline
from sandbox.rest.values import Dictionaries


class World:
    """Everything that a reset throws away."""

    def __init__(self, login: str, now: float) -> None:
        """Read the seed; its objects were made now (unix seconds)."""
        self.account = seeding.account(login)
        self.dictionaries = Dictionaries(seeding.dictionary_names(), seeding.dictionary_labels())
        self.subregions = seeding.subregions()
        self.types = seeding.instance_types()
        self.templates = seeding.templates(now)
        self.keys = seeding.ssh_keys(now)
        self.networks: dict[int, Network] = seeding.networks(now)
        self.instances: dict[int, Instance] = {}
        self.disks: dict[int, Disk] = {}
        self.deleted_disks: dict[int, tuple[Disk, list[int]]] = {}
        self.addresses: dict[int, Address] = {}
        self.snapshots: dict[int, Snapshot] = {}
        self.tickets: dict[int, Ticket] = {}
        self.events: dict[int, list[Event]] = defaultdict(list)
        self.address_texts: dict[str, int] = {}
        """Ids of addresses by their IPv4 text."""
        self.fresh: dict[str, dict[int, float]] = defaultdict(dict)
        """Objects that no list has shown yet, by kind: when each id was made."""
        self.timeline = Timeline()
        self.bulk = 0
        """How many instances stand here because of the setting bulk_instances."""
        self.instance_ids = itertools.count(250001)
        self.disk_ids = itertools.count(400001)
        self.address_ids = itertools.count(120001)
        self.interface_ids = itertools.count(700001)
        self.key_ids = itertools.count(31101)
        self.network_ids = itertools.count(41101)
        self.snapshot_ids = itertools.count(51101)
        self.template_ids = itertools.count(60101)
        self.ticket_ids = itertools.count(5_000_000_001)
        self.event_ids = itertools.count(7_000_000_001)

    def touch(self, instance: int) -> None:
        """Forget the kept description of an instance, since something in it changed."""
        if instance in self.instances:
            self.instances[instance].fragment = None

    def move(self, origin: str) -> None:
        """Show links with that origin from now on."""
        if self.dictionaries.move(origin):
            self.forget_texts()

    def forget_texts(self) -> None:
        """Forget the kept descriptions of all instances, since what is shown of them changed."""
        for instance in self.instances.values():
            instance.fragment = None
