#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: snapshot_restore
short_description: Restore an instance from a snapshot
version_added: 0.1.0
description:
  - Restores a snapshot of an instance, and waits until that is done. What the instance has written since is lost.
  - This is an act, not a declared state; it is done each time that the task runs.
  - A snapshot is found by its name, which has to match exactly, among those of O(instance), or by O(id).
    When several bear the name, the task ends with an error that lists their numbers.
  - Whether a running instance can be restored is up to the service. Where it is refused, turn the instance off first,
    with M(fcd.cloud.instance) and O(fcd.cloud.instance#module:state=stopped).
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes.acting
options:
  name:
    description:
      - Name of the snapshot. Needed unless O(id) is given.
    type: str
    aliases: [snapshot_name]
  id:
    description:
      - Number of the snapshot.
    type: int
  instance:
    description:
      - Name or number of the instance that the snapshot is of.
    type: str
    aliases: [instance_id]
  wait:
    description:
      - Whether to wait until the operation has ended and the instance is not locked any more.
    type: bool
    default: true
  wait_timeout:
    description:
      - Seconds to wait for everything in this task, the end of other operations on the instance included.
    type: float
    default: 2700.0
notes:
  - It is sent once. After an answer that leaves open whether it has begun, the task fails and says so.
  - A locked instance, on which another operation runs, is waited for.
seealso:
  - module: fcd.cloud.snapshot
"""

EXAMPLES = r"""
- name: Stop the instance, in case the service does not restore a running one
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
      description: Its number.
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
      returned: always
    creation_date:
      description: When it was created, in UTC.
      type: str
      returned: always
    last_change_date:
      description: When it was changed last, in UTC.
      type: str
      returned: always
    is_system:
      description: Whether the system created it, and not a user.
      type: bool
      returned: always
    is_current:
      description: Whether the service calls it the current one of its instance.
      type: bool
      returned: always
    parent:
      description: Snapshot that it comes from, number and label; null for the first. The label may be null.
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
  description: Number of the ticket that the service gave it; null in check mode.
  returned: success
  type: int
  sample: 5000000001
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.snapshot import RESTORE as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()
