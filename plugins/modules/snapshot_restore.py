#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: snapshot_restore
short_description: Restore an instance from a snapshot
version_added: 1.0.0
description:
  - Restores an instance from a snapshot, and waits until the operation has completed. Everything that the instance has
    written since then is lost.
  - This is a one-off action, not a declared state; it is run each time the task runs.
  - A snapshot is identified by its exact name among the snapshots of O(instance), or by O(id). If several share the
    name, the task fails and lists their IDs.
  - Whether a running instance can be restored depends on the service. If the service refuses it, stop the instance
    first, with M(fcd.cloud.instance) and O(fcd.cloud.instance#module:state=stopped).
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes.acting
options:
  name:
    description:
      - The name of the snapshot. Required unless O(id) is given.
    type: str
    aliases: [snapshot_name]
  id:
    description:
      - ID of the snapshot. With O(name), it must have that name.
    type: int
  instance:
    description:
      - Name or ID of the instance that the snapshot belongs to.
    type: str
    aliases: [instance_id]
  wait:
    description:
      - Whether to wait until the operation has completed and the instance is unlocked.
    type: bool
    default: true
  wait_timeout:
    description:
      - Maximum time in seconds to wait for everything in this task, including other operations that are already running
        on the instance, and the creation of the snapshot if an earlier task has only started it.
      - Units are accepted, as in V(90s), V(10m) or V(2h).
    type: str
    default: "2700"
notes:
  - The request is sent once. After a response that leaves open whether the restore has begun, the task fails and says
    so.
  - If another operation has locked the instance, the module waits for it.
  - A snapshot that is still being created is waited for too. With O(wait=false), the task fails instead.
seealso:
  - module: fcd.cloud.snapshot
  - module: fcd.cloud.instance
  - ref: ansible_collections.fcd.cloud.docsite.infrastructure
    description: Guide to instances and other infrastructure.
"""

EXAMPLES = r"""
- name: Stop the instance, in case the service cannot restore a running one
  fcd.cloud.instance:
    name: web
    state: stopped
    force_stop: true

- name: Restore the state before the update
  fcd.cloud.snapshot_restore:
    name: before-update
    instance: web
"""

RETURN = r"""
snapshot:
  description: The snapshot.
  returned: success
  type: dict
  contains:
    id:
      description: The ID.
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
      returned: always
    creation_date:
      description: When it was created, in UTC.
      type: str
      returned: always
    last_change_date:
      description: When it was last changed, in UTC.
      type: str
      returned: always
    is_system:
      description: Whether it was created by the system, and not by a user.
      type: bool
      returned: always
    is_current:
      description: Whether the service marks it as the current snapshot of its instance.
      type: bool
      returned: always
    parent:
      description:
        - Snapshot that it is based on, as an ID and label; null for the first one. The label may be null.
        - Keys as in RV(snapshot.instance).
      type: dict
      returned: always
    creation_user:
      description: Login of the user who created it.
      type: str
      returned: always
  sample:
    id: 51001
    name: before-update
    description: before the update
    instance: {id: 250017, label: web}
ticket:
  description: ID of the ticket that the service assigned; null in check mode.
  returned: success
  type: int
  sample: 5000000001
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.snapshot import SNAPSHOT_RESTORE as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()
