#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: snapshot_info
short_description: Read snapshots of instances
version_added: 1.0.0
description:
  - Reads the snapshots of all instances, those of one instance, or a single snapshot.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes.reading
options:
  id:
    description:
      - ID of one snapshot; if it does not exist, it is listed in RV(missing).
    type: int
  name:
    description:
      - The exact name, or a pattern with C(*), C(?) or C([...]), such as V(web-*). The whole list is then read.
      - Names are not unique, so several objects may be returned.
    type: str
  instance:
    description:
      - Return only snapshots of the instance with this name or ID.
    type: str
    aliases: [instance_id]
seealso:
  - module: fcd.cloud.snapshot
  - module: fcd.cloud.snapshot_restore
  - ref: ansible_collections.fcd.cloud.docsite.infrastructure
    description: Guide to instances and other infrastructure.
"""

EXAMPLES = r"""
- name: List the snapshots of an instance
  fcd.cloud.snapshot_info:
    instance: web
  register: found

- name: List the IDs of the snapshots created by users
  ansible.builtin.debug:
    msg: "{{ found.snapshots | rejectattr('is_system') | map(attribute='id') }}"

- name: Show when the snapshots were created
  ansible.builtin.debug:
    msg: "{{ found.snapshots | map(attribute='creation_date') }}"
"""

RETURN = r"""
snapshots:
  description: The snapshots.
  returned: success
  type: list
  elements: dict
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
        - Keys as in RV(snapshots[].instance).
      type: dict
      returned: always
    creation_user:
      description: Login of the user who created it.
      type: str
      returned: always
  sample:
    - id: 51001
      name: before-update
      description: before the update
      instance: {id: 250017, label: web}
      is_system: false
      is_current: true
      parent:
missing:
  description: The value of O(id) if it does not exist; otherwise, an empty list.
  returned: if O(id) is given
  type: list
  elements: int
  sample: []
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.snapshot import INFO as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()
