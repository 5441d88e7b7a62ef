#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: snapshot
short_description: Manage snapshots of instances
version_added: 0.1.0
description:
  - Creates, renames, describes and removes snapshots of instances, and waits until that is done.
  - A snapshot is found by its name, which has to match exactly, among those of O(instance), or by O(id).
    Names are not unique at the service; when several snapshots bear the name, the task ends with an error that lists
    their numbers.
  - A snapshot that the system created, and not a user, can only be given by its number.
  - An existing snapshot is left as it is, however old it is. Give a new one a new name.
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
      - Name of the snapshot, 1 to 500 characters, without C(/ \ | < > %).
      - Together with O(id) it is the name that the snapshot should have; it is changed in place.
      - Needed unless O(id) is given.
    type: str
    aliases: [snapshot_name]
  id:
    description:
      - Number of a snapshot that exists.
      - Needed to rename one, and to choose one of several that have the same name.
    type: int
  instance:
    description:
      - Name or number of the instance that the snapshot is of.
      - Needed to create one. Without it, a snapshot with the name is looked for among those of all instances.
    type: str
    aliases: [instance_id]
  description:
    description:
      - Description of the snapshot, without C(/); it is changed in place.
    type: str
notes:
  - A locked instance, on which another operation runs, is waited for.
seealso:
  - module: fcd.cloud.snapshot_restore
"""

EXAMPLES = r"""
- name: Create a snapshot of an instance
  fcd.cloud.snapshot:
    name: before-update
    instance: web
    description: before the update
  register: before

- name: Change its description
  fcd.cloud.snapshot:
    id: "{{ before.snapshot.id }}"
    description: before the update to version 2

- name: Remove it
  fcd.cloud.snapshot:
    name: before-update
    instance: web
    state: absent
"""

RETURN = r"""
snapshot:
  description:
    - The snapshot as it is, or in check mode would be; null when it is not there.
    - In check mode, and where a create is only started, a new one has only the values that were given.
  returned: success
  type: dict
  contains:
    id:
      description: Its number; null in check mode for a new one.
      type: int
      returned: always
    name:
      description: Its name.
      type: str
      returned: always
    instance:
      description: Instance that it is of, number and label.
      type: dict
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
      description: When it was changed last, in UTC.
      type: str
      returned: when it exists
    is_system:
      description: Whether the system created it, and not a user.
      type: bool
      returned: when it exists
    is_current:
      description: Whether the service calls it the current one of its instance.
      type: bool
      returned: when it exists
    parent:
      description: Snapshot that it comes from, number and label; null for the first. The label may be null.
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
  description: What was done, or in check mode would be done, one of V(create), V(update), V(delete) and V(none).
  returned: success
  type: str
  sample: create
ticket:
  description: Number of the ticket of the last operation that was started; null without one.
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
