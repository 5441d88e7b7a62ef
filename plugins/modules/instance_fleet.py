#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: instance_fleet
short_description: Manage many compute instances in one task
version_added: 1.0.0
description:
  - Brings a list of instances (virtual machines) to their declared state, in parallel and under one time limit.
  - Each instance is found, compared and changed, and created only once, as by M(fcd.cloud.instance). Data that all of
    them need is read for all at once. 200 instances that are up to date take two requests, plus one for each of up to
    three templates that are given by name, and one if their disks are declared.
  - If some fail, the others are completed first. The task then fails and lists the causes in RV(outcomes); the next run
    completes what is missing.
  - An invalid option for any of them is reported before anything is sent.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes
  - fcd.cloud._waiting.force
options:
  state:
    description:
      - The state of all declared instances, as in M(fcd.cloud.instance).
    type: str
    choices: [present, absent, started, running, stopped]
    default: present
  instances:
    description:
      - The instances, each with its own name. Duplicate names are an error.
      - With O(state=absent), only the names and O(instances[].delete_disks) are used.
    type: list
    elements: dict
    required: true
    suboptions:
      name:
        description: The name of the instance, as in M(fcd.cloud.instance), by which it is identified.
        type: str
        required: true
        aliases: [instance_name]
      ip_address_id:
        description: ID of an existing address for a new instance, as in M(fcd.cloud.instance).
        type: int
      ip_addresses:
        description: Public addresses, as in M(fcd.cloud.instance).
        type: list
        elements: str
      template_id: &template_id
        description: ID of the template, as in M(fcd.cloud.instance).
        type: int
      template: &template
        description: Name or ID of the template, as in M(fcd.cloud.instance).
        type: str
      subregion_id: &subregion_id
        description: ID of the subregion, as in M(fcd.cloud.instance).
        type: int
      subregion: &subregion
        description: Name or ID of the subregion, as in M(fcd.cloud.instance).
        type: str
      type_id: &type_id
        description: ID of the instance type, as in M(fcd.cloud.instance). The default is that of the template.
        type: int
      type: &type
        description: Label or ID of the instance type, as in M(fcd.cloud.instance).
        type: str
      disk_class: &disk_class
        description: Class of the system disk, as in M(fcd.cloud.instance). The default is that of the template.
        type: str
      init_disk_size: &init_disk_size
        description:
          - Size of the system disk in GB, as in M(fcd.cloud.instance). The default is that of the template.
          - Units are accepted, as in V(20GiB) or V(1T).
        type: str
      authorization_method_id: &authorization_method_id
        description:
          - Login method for a new instance, as an ID, as in M(fcd.cloud.instance). The default is a password, or the
            SSH keys if any are given.
        type: int
      authorization_method: &authorization_method
        description: Login method for a new instance, as a label or ID, as in M(fcd.cloud.instance).
        type: str
      ssh_keys: &ssh_keys
        description: SSH keys for a new instance, as in M(fcd.cloud.instance).
        type: list
        elements: str
      init_script: &init_script
        description: Text of the script to run at first boot of a new instance, as in M(fcd.cloud.instance).
        type: str
      private_networks: &private_networks
        description: Private networks, as in M(fcd.cloud.instance).
        type: list
        elements: str
      purge_private_networks: &purge_private_networks
        description: Whether to detach other private networks, as in M(fcd.cloud.instance). The default is V(false).
        type: bool
      purge_ip_addresses: &purge_ip_addresses
        description: Whether to detach other public addresses, as in M(fcd.cloud.instance). The default is V(false).
        type: bool
      without_public_ip: &without_public_ip
        description: Whether to create a new instance without a public address, as in M(fcd.cloud.instance).
        type: bool
      isfreemium: &isfreemium
        description: Whether the instance uses the freemium plan, as in M(fcd.cloud.instance).
        type: bool
        aliases: [is_freemium]
      scsi_controller_type: &scsi_controller_type
        description: Type of the disk controller, as in M(fcd.cloud.instance).
        type: str
        aliases: [scsi_controller]
      is_hot_plug_enabled: &is_hot_plug_enabled
        description: Whether CPU and memory can be added to a running instance, as in M(fcd.cloud.instance).
        type: bool
        aliases: [hot_plug]
      delete_disks: &delete_disks
        description: >-
          Whether to also remove the additional disks when an instance is removed, as in M(fcd.cloud.instance).
        type: bool
      recreate: &recreate
        description:
          - Whether to remove the instance and create it again if something differs that cannot be changed in place, as
            in M(fcd.cloud.instance). The default is V(false).
        type: bool
      force_stop: &force_stop
        description: Whether to cut the power if an instance does not shut down, as in M(fcd.cloud.instance).
        type: bool
      stop_timeout: &stop_timeout
        description: >-
          Time in seconds, or with a unit, for an instance to shut down, as in M(fcd.cloud.instance), and with the same
          default.
        type: str
  instance_defaults:
    description:
      - Options for all O(instances) that do not set them themselves.
      - If there are two ways to set a value, such as O(instance_defaults.type) and O(instances[].type_id), the
        instance's own option takes precedence.
    type: dict
    suboptions:
      template_id: *template_id
      template: *template
      subregion_id: *subregion_id
      subregion: *subregion
      type_id: *type_id
      type: *type
      disk_class: *disk_class
      init_disk_size: *init_disk_size
      authorization_method_id: *authorization_method_id
      authorization_method: *authorization_method
      ssh_keys: *ssh_keys
      init_script: *init_script
      private_networks: *private_networks
      purge_private_networks: *purge_private_networks
      purge_ip_addresses: *purge_ip_addresses
      without_public_ip: *without_public_ip
      isfreemium: *isfreemium
      scsi_controller_type: *scsi_controller_type
      is_hot_plug_enabled: *is_hot_plug_enabled
      delete_disks: *delete_disks
      recreate: *recreate
      force_stop: *force_stop
      stop_timeout: *stop_timeout
  concurrency:
    description:
      - Maximum number of concurrent requests, 1 to 100.
    type: int
    default: 20
  fleet:
    description:
      - The name of the fleet. Instances created by tasks with this name are recorded in O(state_dir), for
        O(prune.from_journal). If the record is damaged, pruning by it is rejected, and other tasks warn and start a new
        record.
    type: str
  prune:
    description:
      - Remove existing instances that are not listed in O(instances), within the given bounds.
      - Pruning starts when all declared instances have reached their state. If one of them fails, nothing is removed.
      - With O(wait=false), a run in which declared instances do not exist yet removes nothing and warns; a later run
        removes what is left.
    type: dict
    suboptions:
      name_pattern:
        description:
          - Prune only instances whose names match this shell pattern, such as V(web-*). Matching is case-sensitive.
        type: str
      from_journal:
        description:
          - Whether to prune only instances that O(fleet) has created from this host and whose ID and name are
            unchanged.
          - With O(prune.name_pattern), both conditions must be met.
        type: bool
        default: false
      max_delete:
        description:
          - Maximum number of instances that may be removed, as a number (V(10)) or as a share (V(30%)) of all instances
            within the bounds.
          - If there are more, the task fails before anything is done, in check mode too.
          - If omitted, the limit is 20 %, at least 1 and at most 5, and never all.
        type: str
      delete_disks:
        description: Whether to also remove their additional disks.
        type: bool
  wait:
    description:
      - Whether to wait until all instances are ready, as in M(fcd.cloud.instance).
    type: bool
    default: true
  wait_timeout:
    description:
      - Maximum time in seconds for everything in this task. Whatever is not completed by then is reported as failed but
        continues at the service.
      - Units are accepted, as in V(90s), V(10m) or V(2h).
    type: str
    default: "2700"
  create_grace:
    description:
      - Time in seconds during which a new instance may not be listed yet, as in M(fcd.cloud.instance).
      - Units are accepted, as in V(90s), V(10m) or V(2h).
    type: str
    default: "30"
notes:
  - To recover from an interrupted task, run it again. It finds what was already requested and does not request it a
    second time.
  - Tasks for the same instances may run at the same time on one host; each instance is created only once.
  - If the service responds that there are too many requests, instances that are to be created, removed or replaced wait
    for their turn until O(wait_timeout).
  - Options that are used only when an instance is created are not compared with one that exists; a warning names them.
seealso:
  - module: fcd.cloud.instance
  - module: fcd.cloud.instance_info
  - module: fcd.cloud.site
  - ref: ansible_collections.fcd.cloud.docsite.infrastructure
    description: Guide to instances and other infrastructure.
"""

EXAMPLES = r"""
- name: Create three web servers and a larger database server
  fcd.cloud.instance_fleet:
    fleet: shop
    instance_defaults:
      template: CentOS 7
      subregion: EU-001
      type: v1.standard-2.2
    instances:
      - name: shop-web-1
      - name: shop-web-2
      - name: shop-web-3
      - name: shop-db
        type: v1.standard-4.4
        disk_class: Tier 1
        init_disk_size: 40
  register: shop

- name: Show the addresses of the instances
  ansible.builtin.debug:
    msg: "{{ dict(shop.instances | map(attribute='name') | zip(shop.instances | map(attribute='ip_address'))) }}"

- name: Create twelve instances, worker-01 to worker-12, six at a time
  fcd.cloud.instance_fleet:
    concurrency: 6
    instance_defaults:
      template_id: 767
      type_id: 34
    instances: "{{ dict(names | product(['EU-001'])) | dict2items(key_name='name', value_name='subregion') }}"
  vars:
    names: "{{ query('ansible.builtin.sequence', 'start=1 end=12 format=worker-%02d') }}"

- name: Keep two instances and remove the others that this fleet has created
  fcd.cloud.instance_fleet:
    fleet: shop
    instance_defaults:
      template: CentOS 7
      subregion: EU-001
      type: v1.standard-2.2
    instances:
      - name: shop-web-1
      - name: shop-web-2
    prune:
      from_journal: true
      name_pattern: shop-*
      max_delete: 2

- name: Remove the instances
  fcd.cloud.instance_fleet:
    state: absent
    instances:
      - name: shop-web-1
      - name: shop-web-2
"""

RETURN = r"""
outcomes:
  description:
    - The outcome for each instance, in the order of O(instances), followed by the instances that were pruned.
  returned: always, unless an option is invalid
  type: list
  elements: dict
  contains:
    name:
      description: The name of the object.
      type: str
      returned: always
    id:
      description: ID of the instance; null if it is not known.
      type: int
      returned: always
    action:
      description:
        - The action taken, or in check mode the action that would be taken, one of V(create), V(update), V(delete),
          V(replace) and V(none); or V(failed).
      type: str
      returned: always
    changed:
      description:
        - Whether something was changed, or in check mode would be changed.
        - For a failed instance, whether something was changed before the failure, or was started and is not known to
          have failed.
      type: bool
      returned: always
    ticket:
      description: ID of the ticket of the last operation that was started; null if there was none.
      type: int
      returned: always
    msg:
      description: The error message.
      type: str
      returned: if it failed
    error:
      description: >-
        The error in machine-readable form, with its kind and what is known about the ticket and the response.
      type: dict
      returned: if it failed
      contains:
        kind:
          description: Kind of the error, such as V(InvalidInput).
          type: str
          returned: always
  sample:
    - {name: shop-web-1, id: 250017, action: create, changed: true, ticket: 5000000001}
    - {name: shop-web-2, id: 250018, action: none, changed: false, ticket: null}
instances:
  description:
    - The instances that exist, or in check mode would exist, in the form of RV(fcd.cloud.instance#module:instance).
    - Failed instances are not included.
  returned: always, unless an option is invalid
  type: list
  elements: dict
counts:
  description: How many instances were C(created), C(changed), C(removed), C(unchanged) or C(failed).
  returned: always, unless an option is invalid
  type: dict
  contains:
    created:
      description: Instances that were created.
      type: int
      returned: always
    changed:
      description: Instances that were changed.
      type: int
      returned: always
    removed:
      description: Instances that were removed.
      type: int
      returned: always
    unchanged:
      description: Instances that stayed as they were.
      type: int
      returned: always
    failed:
      description: Instances that failed.
      type: int
      returned: always
  sample: {created: 1, removed: 0, changed: 0, unchanged: 1, failed: 0}
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.instance.instance_fleet import OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()
