#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: snapshot
short_description: Manage snapshots of instances
version_added: 1.0.0
description:
  - Creates, renames, describes and removes snapshots of instances, and waits until the operation has completed.
  - A snapshot is identified by its exact name among the snapshots of O(instance), or by O(id). The service does not
    enforce unique names; if several snapshots share the name, the task fails and lists their IDs.
  - A snapshot created by the system, and not by a user, can only be given by ID.
  - An existing snapshot is left unchanged, however old it is. To take a new one, use a new name.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes
  - fcd.cloud._waiting
  - fcd.cloud._waiting.create
  - fcd.cloud._waiting.force
options:
  state:
    description:
      - Whether the snapshot should exist.
    type: str
    choices: [present, absent]
    default: present
  name:
    description:
      - The name of the snapshot, 1 to 500 characters, without C(/ \ | < > %).
      - If O(id) is given too, this is the name that the snapshot should have; it is changed in place.
      - Required unless O(id) is given.
    type: str
    aliases: [snapshot_name]
  id:
    description:
      - ID of an existing snapshot.
      - Required for renaming, and for selecting one of several that share a name.
      - With O(name), O(state=absent) removes the snapshot only if it has that name.
    type: int
  instance:
    description:
      - Name or ID of the instance that the snapshot belongs to.
      - Required to create a snapshot. If omitted, the name is searched for among the snapshots of all instances.
    type: str
    aliases: [instance_id]
  description:
    description:
      - Description of the snapshot, without C(/). Changed in place.
    type: str
notes:
  - If another operation has locked the instance, the module waits for it.
seealso:
  - module: fcd.cloud.snapshot_info
  - module: fcd.cloud.snapshot_restore
  - module: fcd.cloud.instance
  - ref: ansible_collections.fcd.cloud.docsite.infrastructure
    description: Guide to instances and other infrastructure.
"""

EXAMPLES = r"""
- name: Create a snapshot of an instance
  fcd.cloud.snapshot:
    name: before-update
    instance: web
    description: before the update
  register: before

- name: Change the description of the snapshot
  fcd.cloud.snapshot:
    id: "{{ before.snapshot.id }}"
    description: before the update to version 2

- name: Remove the snapshot
  fcd.cloud.snapshot:
    name: before-update
    instance: web
    state: absent
"""

RETURN = r"""
snapshot:
  description:
    - The snapshot after the task, or in check mode as it would be; null if it does not exist.
    - In check mode, and if a create is only started, a new object has only the values that were given.
  returned: success
  type: dict
  contains:
    id:
      description: The ID; not known in check mode for a new object.
      type: int
      returned: always
    name:
      description: The name of the object.
      type: str
      returned: always
    instance:
      description: Instance that the snapshot belongs to, as an ID and label.
      type: dict
      returned: always
      contains:
        id:
          description: ID.
          type: int
          returned: always
        label:
          description: Label.
          type: str
          returned: always
    description:
      description: Its description.
      type: str
      returned: when it exists
    creation_date:
      description: When it was created, in UTC.
      type: str
      returned: when it exists
    last_change_date:
      description: When it was last changed, in UTC.
      type: str
      returned: when it exists
    is_system:
      description: Whether it was created by the system, and not by a user.
      type: bool
      returned: when it exists
    is_current:
      description: Whether the service marks it as the current snapshot of its instance.
      type: bool
      returned: when it exists
    parent:
      description:
        - Snapshot that it is based on, as an ID and label; null for the first one. The label may be null.
        - Keys as in RV(snapshot.instance).
      type: dict
      returned: when it exists
    creation_user:
      description: Login of the user who created it.
      type: str
      returned: when it exists
  sample:
    id: 51001
    name: before-update
    description: before the update
    instance: {id: 250017, label: web}
action:
  description: >-
    The action taken, or in check mode the action that would be taken, one of V(create), V(update), V(delete) and
    V(none).
  returned: success
  type: str
  sample: create
ticket:
  description: ID of the ticket of the last operation that was started; null if there was none.
  returned: success
  type: int
  sample: 5000000001
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.snapshot import OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()
