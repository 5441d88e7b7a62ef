#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: instance_info
short_description: Read instances
version_added: 0.1.0
description:
  - Finds instances (virtual machines) by number, by name, or with the filters of the service, and reads what belongs
    to them.
  - Instances that were deleted do not count.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes.reading
options:
  id:
    description:
      - Numbers of instances. Those that are not there are listed in RV(missing).
    type: list
    elements: int
    aliases: [instance_id]
  name:
    description:
      - Names of instances, exactly as they are. Several instances may have one name, and all of them are returned.
      - Those that are not there are listed in RV(missing).
    type: list
    elements: str
    aliases: [instance_name]
  query:
    description:
      - Text that the service searches for. What it searches in is up to the service; the name is part of it.
    type: str
  is_turned_on:
    description:
      - Only instances that are turned on, or only those that are not.
    type: bool
  subregion:
    description:
      - Only instances in this subregion, its name or its number. A wrong one is answered with the nearest.
    type: str
  subregion_id:
    description:
      - Only instances in the subregion with this number.
    type: int
  type:
    description:
      - Only instances of this type, its name or its number. A wrong one is answered with the nearest.
    type: str
  type_id:
    description:
      - Only instances of the type with this number.
    type: int
  template_type:
    description:
      - Only instances whose template is of this kind, its label or its number from dictionary 52. A wrong label is
        answered with the nearest.
    type: str
  template_type_id:
    description:
      - Only instances whose template is of the kind with this number.
    type: int
  include:
    description:
      - What to read of the instances besides. It comes in RV(instances[].included).
      - For several instances, V(disks), V(ip_addresses) and V(private_networks) are one list each, whatever the
        number of instances. All others are one request for each instance, and O(include_limit) bounds them.
      - With V(access_data) or V(init_script) the result is hidden from the output, from every event and from every
        callback, yet it can be used when it is registered. With C(async) the task is refused, since
        M(ansible.builtin.async_status) would show it.
    type: list
    elements: str
    choices:
      - disks
      - ip_addresses
      - private_networks
      - ssh_keys
      - snapshots
      - events
      - software
      - access_data
      - init_script
  include_limit:
    description:
      - Most instances for which something is read that takes a request for each. For more of them the task fails
        before any of that is sent.
    type: int
    default: 100
notes:
  - The service tells only the numbers of subregions and templates with the instances. Their names take one request for
    the subregions, and one for each of up to three templates, or one for the list of all.
  - An instance that is removed while the task reads what belongs to it is not returned.
  - Connecting to thousands of instances is easier with the inventory plugin.
seealso:
  - module: fcd.cloud.instance
  - module: fcd.cloud.instance_type_info
  - plugin: fcd.cloud.instances
    plugin_type: inventory
"""

EXAMPLES = r"""
- name: Read all instances that are turned on in a subregion
  fcd.cloud.instance_info:
    subregion: EU-001
    is_turned_on: true
  register: running

- name: Show their addresses
  ansible.builtin.debug:
    msg: "{{ running.instances | items2dict(key_name='name', value_name='ip_address') }}"

- name: Create an instance
  fcd.cloud.instance:
    name: web
    template: CentOS 7
    subregion: EU-001
    type: v1.standard-2.2

- name: Read its disks, its addresses and what was done with it
  fcd.cloud.instance_info:
    name: web
    include: [disks, ip_addresses, events]
  register: web

- name: Show the size of its system disk
  ansible.builtin.debug:
    msg: "{{ web.instances[0].included.disks | selectattr('is_system_disk') | map(attribute='size') | first }}"

- name: Read how to log in to it
  fcd.cloud.instance_info:
    id: "{{ web.instances[0].id }}"
    include: [access_data]
  register: access
  until: access.instances[0].included.access_data.password is not none
  retries: 10
  delay: 30
"""

RETURN = r"""
instances:
  description:
    - The instances; with O(id) or O(name) in that order, else in that of the service.
    - Each is as M(fcd.cloud.instance) returns it.
  returned: success
  type: list
  elements: dict
  contains:
    id:
      description: Its number.
      type: int
      returned: always
    name:
      description: Its name.
      type: str
      returned: always
    status:
      description: Its status, number and label from dictionary 27.
      type: dict
      returned: always
    is_locked:
      description: Whether an operation is running on it.
      type: bool
      returned: always
    locking_date:
      description: Since when, in UTC; null without one.
      type: str
      returned: always
    type:
      description: Its type, number and label.
      type: dict
      returned: always
    template:
      description: >-
        The template it was created from, number and label. The label is null where the service does not name it any
        more.
      type: dict
      returned: always
    subregion:
      description: Where it is, number and label. The label is null where the subregions may not be read.
      type: dict
      returned: always
    ip_address:
      description: Its public address; null without one.
      type: str
      returned: always
    private_ip_address:
      description: Its private address; null without one.
      type: str
      returned: always
    dns_address:
      description: Its generated host name.
      type: str
      returned: always
    cpu_number:
      description: Number of CPUs.
      type: int
      returned: always
    ram_mb:
      description: Memory in MB.
      type: int
      returned: always
    total_disks_capacity:
      description: Size of all its disks together, in GB.
      type: int
      returned: always
    isfreemium:
      description: Whether it uses the freemium plan.
      type: bool
      returned: always
    creation_date:
      description: When it was created, in UTC.
      type: str
      returned: always
    creation_user:
      description: Login of the user who created it.
      type: str
      returned: always
    is_hot_plug_enabled:
      description: Whether CPU and memory can be added while it runs.
      type: bool
      returned: always
    template_type:
      description: Kind of its template, number and label from dictionary 52.
      type: dict
      returned: always
    system_category:
      description: Family of its operating system, number and label from dictionary 70.
      type: dict
      returned: always
    autoscaling_type:
      description: Number and label from dictionary 56.
      type: dict
      returned: always
    guest_tools_status:
      description: Number and label from dictionary 155.
      type: dict
      returned: always
    monitoring_status:
      description: Number and label from dictionary 92.
      type: dict
      returned: always
    payment_type:
      description: Number and label from dictionary 11.
      type: dict
      returned: always
    support_type:
      description: Number and label of its support plan; null without one.
      type: dict
      returned: always
    scsi_controller_type:
      description: Number and label from dictionary 182.
      type: dict
      returned: always
    health_check:
      description: Its health check; null without one.
      type: dict
      returned: always
    included:
      description: What O(include) asks for.
      type: dict
      returned: with O(include)
      contains:
        disks:
          description: Its disks, as M(fcd.cloud.disk_info) returns them.
          type: list
          elements: dict
          returned: when asked for
        ip_addresses:
          description: Its public addresses, as M(fcd.cloud.ip_address_info) returns them.
          type: list
          elements: dict
          returned: when asked for
        private_networks:
          description: Its private networks, as M(fcd.cloud.private_network_info) returns them, with this instance only.
          type: list
          elements: dict
          returned: when asked for
        ssh_keys:
          description: Its SSH keys, as M(fcd.cloud.ssh_key_info) returns them.
          type: list
          elements: dict
          returned: when asked for
        snapshots:
          description: Its snapshots, as M(fcd.cloud.snapshot_info) returns them.
          type: list
          elements: dict
          returned: when asked for
        events:
          description: What was done with it.
          type: list
          elements: dict
          returned: when asked for
          contains:
            id:
              description: Number of the event.
              type: int
              returned: always
            date:
              description: When it was, in UTC.
              type: str
              returned: always
            operation_type:
              description: What was done, number and label from dictionary 41.
              type: dict
              returned: always
            operation_status:
              description: How it went, number and label from dictionary 40.
              type: dict
              returned: always
            message:
              description: What the service says about it.
              type: str
              returned: always
            user:
              description: Login of the user who did it.
              type: str
              returned: always
        software:
          description: Software on it, number and label of each.
          type: list
          elements: dict
          returned: when asked for
        init_script:
          description: Text of its init script; null without one. What is not base64 of a text is as the service has it.
          type: str
          returned: when asked for
        access_data:
          description: How to log in to it.
          type: dict
          returned: when asked for
          contains:
            password:
              description: The first password; null when there is none, or not yet.
              type: str
              returned: always
            ssh_keys:
              description: Its SSH keys, each with C(id), C(name) and C(public_key).
              type: list
              elements: dict
              returned: always
  sample:
    - id: 250017
      name: web
      status: {id: 86, label: Powered On}
      is_locked: false
      type: {id: 34, label: v1.standard-2.2}
      template: {id: 776, label: Ubuntu Server 18.04 LTS}
      subregion: {id: 1, label: EU-001}
      ip_address: 192.0.2.17
      included:
        disks: [{id: 410017, name: System disk, size: 20, is_system_disk: true}]
missing:
  description: Those that are asked for with O(id) or O(name) and are not there.
  returned: when one of these options is given
  type: list
  elements: raw
  sample: []
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.instance.instance_info import OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()
