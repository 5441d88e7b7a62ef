#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: instance_info
short_description: Read instances
version_added: 1.0.0
description:
  - Finds instances (virtual machines) by ID, by name, or with the filters of the service, and optionally reads what
    belongs to them.
  - Deleted instances are ignored.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes.reading
options:
  id:
    description:
      - IDs of instances. IDs that do not exist are listed in RV(missing).
    type: list
    elements: int
    aliases: [instance_id]
  name:
    description:
      - Exact names of instances, or patterns with C(*), C(?) or C([...]), such as V(web-*). For a pattern, the whole
        list is read. If several instances share a name, all of them are returned.
      - Names that do not exist, and patterns that no name matches, are listed in RV(missing).
    type: list
    elements: str
    aliases: [instance_name]
  query:
    description:
      - Text that the service searches for. Which fields it searches depends on the service, but they include the name.
    type: str
  is_turned_on:
    description:
      - Whether to return only instances that are turned on (V(true)) or only those that are turned off (V(false)).
    type: bool
  subregion:
    description:
      - Return only instances in this subregion, given by name or ID. For an unknown subregion, the error suggests
        similar ones.
    type: str
  subregion_id:
    description:
      - Return only instances in the subregion with this ID.
    type: int
  type:
    description:
      - Return only instances of this type, given by name or ID. For an unknown type, the error suggests similar ones.
    type: str
  type_id:
    description:
      - Return only instances of the type with this ID.
    type: int
  template_type:
    description:
      - Return only instances with this kind of template, given by label or by ID from dictionary 52. For an unknown
        label, the error suggests similar ones.
    type: str
  template_type_id:
    description:
      - Return only instances whose kind of template has this ID.
    type: int
  include:
    description:
      - What else to read about the instances. It is returned in RV(instances[].included).
      - For several instances, V(disks), V(ip_addresses) and V(private_networks) take one list request each, regardless
        of the number of instances. Everything else takes one request for each instance, which O(include_limit) bounds.
      - With V(access_data) or V(init_script), the result is hidden from the output, from every event and from every
        callback, but can still be used if it is registered. Tasks with C(async) are rejected, since
        M(ansible.builtin.async_status) would reveal it.
    type: list
    elements: str
    choices:
      - disks
      - ip_addresses
      - private_networks
      - ssh_keys
      - snapshots
      - interfaces
      - events
      - software
      - autoscaler
      - access_data
      - init_script
  include_limit:
    description:
      - Maximum number of instances for which to read data that takes a request for each instance. With more instances,
        the task fails before it sends any of these requests.
    type: int
    default: 100
notes:
  - With each instance, the service reports only the IDs of its subregion and template. Looking up their names takes one
    request for the subregions, plus one for each template if there are up to three, or one for the list of all
    templates otherwise.
  - An instance that is removed while the task is still reading is not returned.
  - To connect to thousands of instances, the inventory plugin is the better choice.
seealso:
  - module: fcd.cloud.instance
  - module: fcd.cloud.instance_type_info
  - module: fcd.cloud.disk_info
  - module: fcd.cloud.ip_address_info
  - module: fcd.cloud.private_network_info
  - module: fcd.cloud.snapshot_info
  - plugin: fcd.cloud.instances
    plugin_type: inventory
  - ref: ansible_collections.fcd.cloud.docsite.infrastructure
    description: Guide to instances and other infrastructure.
"""

EXAMPLES = r"""
- name: Read all instances that are turned on in a subregion
  fcd.cloud.instance_info:
    subregion: EU-001
    is_turned_on: true
  register: running

- name: Show the addresses of the instances
  ansible.builtin.debug:
    msg: "{{ running.instances | items2dict(key_name='name', value_name='ip_address') }}"

- name: Create an instance
  fcd.cloud.instance:
    name: web
    template: CentOS 7
    subregion: EU-001
    type: v1.standard-2.2

- name: Read the disks, addresses and events of the instance
  fcd.cloud.instance_info:
    name: web
    include: [disks, ip_addresses, events]
  register: web

- name: Show the size of the system disk
  ansible.builtin.debug:
    msg: "{{ web.instances[0].included.disks | selectattr('is_system_disk') | map(attribute='size') | first }}"

- name: Read the access data of the instance
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
    - The instances. With O(id) or O(name), they are in the order given there; otherwise, in the order of the service.
    - Each has the form that M(fcd.cloud.instance) returns.
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
    status:
      description: Its status, as an ID and label from dictionary 27.
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
    is_locked:
      description: Whether an operation is running on it, which locks it.
      type: bool
      returned: always
    locking_date:
      description: When the instance was locked, in UTC; null if it is not locked.
      type: str
      returned: always
    type:
      description: Its type, as an ID and label. Keys as in RV(instances[].status).
      type: dict
      returned: always
    template:
      description: >-
        The template that the instance was created from, as an ID and label. The label is null if the service no longer
        has a name for it. Keys as in RV(instances[].status).
      type: dict
      returned: always
    subregion:
      description:
        - Its subregion, as an ID and label. The label is null if the account may not read the subregions.
        - Keys as in RV(instances[].status).
      type: dict
      returned: always
    ip_address:
      description: Public IP address of the instance; null if it has none.
      type: str
      returned: always
    private_ip_address:
      description: Private IP address of the instance; null if it has none.
      type: str
      returned: always
    dns_address:
      description: Generated host name of the instance.
      type: str
      returned: always
    cpu_number:
      description: Number of CPUs, null if the service does not return it.
      type: int
      returned: always
    ram_mb:
      description: Memory in MB, null if the service does not return it.
      type: int
      returned: always
    total_disks_capacity:
      description: Total size of all its disks in GB.
      type: int
      returned: always
    isfreemium:
      description: Whether the instance uses the freemium plan.
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
      description: Whether CPU and memory can be added while the instance is running.
      type: bool
      returned: always
    template_type:
      description: Kind of its template, as an ID and label from dictionary 52. Keys as in RV(instances[].status).
      type: dict
      returned: always
    system_category:
      description: Operating system family, as an ID and label from dictionary 70. Keys as in RV(instances[].status).
      type: dict
      returned: always
    autoscaling_type:
      description: Type of autoscaling, as an ID and label from dictionary 56. Keys as in RV(instances[].status).
      type: dict
      returned: always
    guest_tools_status:
      description: Status of the guest tools, as an ID and label from dictionary 155. Keys as in RV(instances[].status).
      type: dict
      returned: always
    monitoring_status:
      description: Status of monitoring, as an ID and label from dictionary 92. Keys as in RV(instances[].status).
      type: dict
      returned: always
    payment_type:
      description: Type of payment, as an ID and label from dictionary 11. Keys as in RV(instances[].status).
      type: dict
      returned: always
    support_type:
      description: Support plan, as an ID and label; null if there is none. Keys as in RV(instances[].status).
      type: dict
      returned: always
    scsi_controller_type:
      description:
        - Type of the SCSI controller, as an ID and label from dictionary 182.
        - Keys as in RV(instances[].status).
      type: dict
      returned: always
    health_check:
      description: Health check of the instance; null if it has none. A free mapping.
      type: dict
      returned: always
    included:
      description: The data requested with O(include).
      type: dict
      returned: if O(include) is given
      contains:
        disks:
          description: Its disks, as M(fcd.cloud.disk_info) returns them.
          type: list
          elements: dict
          returned: if requested
        ip_addresses:
          description: Its public addresses, as M(fcd.cloud.ip_address_info) returns them.
          type: list
          elements: dict
          returned: if requested
        private_networks:
          description: >-
            Its private networks, as M(fcd.cloud.private_network_info) returns them, listing only this instance.
          type: list
          elements: dict
          returned: if requested
        ssh_keys:
          description: Its SSH keys, as M(fcd.cloud.ssh_key_info) returns them.
          type: list
          elements: dict
          returned: if requested
        snapshots:
          description: Its snapshots, as M(fcd.cloud.snapshot_info) returns them.
          type: list
          elements: dict
          returned: if requested
        interfaces:
          description: Its network interfaces, as M(fcd.cloud.instance_interface) returns them.
          type: list
          elements: dict
          returned: if requested
        events:
          description: Past operations on the instance.
          type: list
          elements: dict
          returned: if requested
          contains:
            id:
              description: ID of the event.
              type: int
              returned: always
            date:
              description: When it happened, in UTC.
              type: str
              returned: always
            operation_type:
              description: The operation, as an ID and label from dictionary 41. Keys as in RV(instances[].status).
              type: dict
              returned: always
            operation_status:
              description: The outcome, as an ID and label from dictionary 40. Keys as in RV(instances[].status).
              type: dict
              returned: always
            message:
              description: Message of the service about the event.
              type: str
              returned: always
            user:
              description: Login of the user who started the operation.
              type: str
              returned: always
        software:
          description:
            - Software installed on the instance, each with its ID and label.
            - Keys as in RV(instances[].status).
          type: list
          elements: dict
          returned: if requested
        autoscaler:
          description: Parameters of its autoscaler; RV(instances[].autoscaling_type) tells whether it is on.
          type: dict
          returned: if requested
          contains:
            mode:
              description: What it does, V(notify) or V(change_type).
              type: str
              returned: always
            min_ram:
              description: Lower limit of the memory in MB.
              type: int
              returned: always
            max_ram:
              description: Upper limit of the memory in MB.
              type: int
              returned: always
            min_cpu:
              description: Lower limit of the number of processors.
              type: int
              returned: always
            max_cpu:
              description: Upper limit of the number of processors.
              type: int
              returned: always
            increase_type:
              description: Whether it may change to a larger type.
              type: bool
              returned: always
            decrease_type:
              description: Whether it may change to a smaller type.
              type: bool
              returned: always
            restart:
              description: Whether it may restart the instance.
              type: bool
              returned: always
            restart_from:
              description: Time of day from which it may restart the instance.
              type: str
              returned: always
            restart_to:
              description: Time of day until which it may restart the instance.
              type: str
              returned: always
            timezone:
              description: Name of the time zone of these times.
              type: str
              returned: always
            hot_plug:
              description: Whether the service adds memory and processors without a restart.
              type: bool
              returned: always
        init_script:
          description: >-
            Text of the init script; null if there is none. If it is not valid Base64-encoded text, it is returned as
            stored by the service.
          type: str
          returned: if requested
        access_data:
          description: Initial access data of the instance.
          type: dict
          returned: if requested
          contains:
            password:
              description: The initial password; null if there is none, or none yet.
              type: str
              returned: always
            ssh_keys:
              description: Its SSH keys, each with C(id), C(name) and C(public_key).
              type: list
              elements: dict
              returned: always
              contains:
                id:
                  description: ID of the key.
                  type: int
                  returned: always
                name:
                  description: The name of the key.
                  type: str
                  returned: always
                public_key:
                  description: The public key.
                  type: str
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
  description: The values of O(id) or O(name) that do not exist.
  returned: if one of these options is given
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
