#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: instance_template
short_description: Manage your own templates of instances
version_added: 1.0.0
description:
  - Renames, describes and removes templates that the account owns. M(fcd.cloud.instance_to_template) creates them.
  - A template is identified by its exact name, and by O(version) and O(system_category) where several share it, or by
    O(id). The service does not enforce unique names; if several templates fit, the task fails and lists their IDs.
  - Templates of the service and of other accounts are not found by name. With the ID of one, the task fails before it
    changes anything.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes
  - fcd.cloud._waiting
options:
  state:
    description:
      - Whether the template should exist.
      - With V(present), a template that does not exist is an error, since only an instance can become one.
    type: str
    choices: [present, absent]
    default: present
  name:
    description:
      - The name of the template, 1 to 300 characters.
      - If O(id) is given too, this is the name that the template should have; it is changed in place.
      - Required unless O(id) is given.
    type: str
    aliases: [template_name]
  id:
    description:
      - ID of an existing template.
      - Required for renaming, and for selecting one of several that share name, version and system.
      - With O(name), O(state=absent) removes the template only if it has that name.
    type: int
    aliases: [template_id]
  version:
    description:
      - Only a template of this version is meant by O(name); an empty text means one without a version.
      - The version of a template cannot be changed.
    type: str
  system_category:
    description:
      - Only a template of this family of operating systems is meant by O(name), a label or ID from dictionary 70.
    type: str
    aliases: [system_category_id]
  descriptions:
    description:
      - Description of the template, in one or more languages. The first one is used for languages without a
        description.
      - The service returns only one text, and not its language. Nothing is changed if that is one of the texts given
        here, so another text for another language is not noticed.
    type: list
    elements: dict
    suboptions:
      language:
        description:
          - The language, as a label or ID from dictionary 1.
        type: str
        required: true
      description:
        description:
          - The description in that language.
        type: str
        required: true
  create_grace:
    description:
      - Time in seconds during which a changed template may still be listed with its old values. The task waits until
        the list has the new ones.
      - Units are accepted, as in V(90s), V(10m) or V(2h).
    type: str
    default: "30"
notes:
  - Name and descriptions are sent together. If O(descriptions) is omitted when the name changes, the text that the
    service returns becomes the description in every language.
  - Instances that were created from a template stay when it is removed.
seealso:
  - module: fcd.cloud.instance_to_template
  - module: fcd.cloud.instance_template_info
  - module: fcd.cloud.instance
  - ref: ansible_collections.fcd.cloud.docsite.infrastructure
    description: Guide to instances and other infrastructure.
"""

EXAMPLES = r"""
- name: Describe a template
  fcd.cloud.instance_template:
    name: Golden image
    version: 2025-01
    descriptions:
      - language: English
        description: The base of all web servers
  register: golden

- name: Rename the template
  fcd.cloud.instance_template:
    id: "{{ golden.template.id }}"
    name: Golden image, old

- name: Remove the template
  fcd.cloud.instance_template:
    name: Golden image, old
    state: absent
"""

RETURN = r"""
template:
  description: The template after the task, or in check mode as it would be; null if it does not exist.
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
    version:
      description: Its version; null if it has none.
      type: str
      returned: when it exists
    description:
      description: Description of the template.
      type: str
      returned: when it exists
    template_type:
      description: Its kind, as an ID and label from dictionary 52.
      type: dict
      returned: when it exists
      contains:
        id:
          description: ID.
          type: int
          returned: when it exists
        label:
          description: Label.
          type: str
          returned: when it exists
    system_category:
      description:
        - Operating system family, as an ID and label from dictionary 70.
        - Keys as in RV(template.template_type).
      type: dict
      returned: when it exists
    default_instance_type:
      description:
        - Default type of an instance created from it, as an ID and label.
        - Keys as in RV(template.template_type).
      type: dict
      returned: when it exists
    minimum_instance_type:
      description: Smallest type allowed for it, as an ID and label. Keys as in RV(template.template_type).
      type: dict
      returned: when it exists
    disks:
      description: The disks of an instance created from it.
      type: list
      elements: dict
      returned: when it exists
      contains:
        id:
          description: ID of the disk.
          type: int
          returned: when it exists
        name:
          description: The name of the object.
          type: str
          returned: when it exists
        size:
          description: Size in GB.
          type: int
          returned: when it exists
        disk_class:
          description: Its class, as an ID and label from dictionary 17. Keys as in RV(template.template_type).
          type: dict
          returned: when it exists
        is_system_disk:
          description: Whether it is the system disk.
          type: bool
          returned: when it exists
        controller:
          description: Number of its controller.
          type: int
          returned: when it exists
        slot:
          description: Its slot on the controller.
          type: int
          returned: when it exists
        creation_date:
          description: When it was created, in UTC.
          type: str
          returned: when it exists
    software:
      description: Software in it, each with its ID and label. Keys as in RV(template.template_type).
      type: list
      elements: dict
      returned: when it exists
    ethernet_controllers_number:
      description: Number of network controllers.
      type: int
      returned: when it exists
    ethernet_controllers_type:
      description:
        - Type of the network controllers, as an ID and label from dictionary 167.
        - Keys as in RV(template.template_type).
      type: dict
      returned: when it exists
    owner_account:
      description:
        - Account that owns the template, as an ID and label; null for templates of the service.
        - Keys as in RV(template.template_type).
      type: dict
      returned: when it exists
    publication_status:
      description:
        - Publication status, as an ID and label from dictionary 140; null for templates of the service.
        - Keys as in RV(template.template_type).
      type: dict
      returned: when it exists
    creation_date:
      description: When it was created, in UTC.
      type: str
      returned: when it exists
    last_change_date:
      description: When it was last changed, in UTC; null if never.
      type: str
      returned: when it exists
    creation_user:
      description: Login of the user who created it.
      type: str
      returned: when it exists
  sample:
    id: 60001
    name: Golden image
    version: 2025-01
    description: The base of all web servers
    system_category: {id: 1272, label: Debian}
action:
  description: >-
    The action taken, or in check mode the action that would be taken, one of V(update), V(delete) and V(none).
  returned: success
  type: str
  sample: update
ticket:
  description: Always null, since these changes are made at once.
  returned: success
  type: int
  sample:
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.instance.instance_template import OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()
