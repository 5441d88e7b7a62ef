#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: instance_fleet
short_description: Manage many compute instances in one task
version_added: 0.1.0
description:
  - Brings a list of instances (virtual machines) to their state, side by side and under one time limit.
  - Each is found, compared, made once and changed as M(fcd.cloud.instance) does it. What all need to know is read for
    all at once. 200 instances that are as wanted cost two requests, one more for each of up to three templates that are
    given by name, and one more when their disks are declared.
  - When some fail, the others are finished first. Then the task fails and RV(outcomes) says which and why; the next run
    makes up what is missing.
  - An option that is wrong for any of them is told before anything is sent.
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
      - The state of all declared instances, as with M(fcd.cloud.instance).
    type: str
    choices: [present, absent, started, stopped]
    default: present
  instances:
    description:
      - The instances, each with its own name. Two with one name are an error.
      - With O(state=absent) only the names and O(instances[].delete_disks) count.
    type: list
    elements: dict
    required: true
    suboptions:
      name:
        description: Name of the instance, as in M(fcd.cloud.instance). It is what the instance is found by.
        type: str
        required: true
        aliases: [instance_name]
      ip_address_id:
        description: Number of an existing address for a new instance, as in M(fcd.cloud.instance).
        type: int
      ip_addresses:
        description: Public addresses, as in M(fcd.cloud.instance).
        type: list
        elements: str
      template_id: &template_id
        description: Number of the template, as in M(fcd.cloud.instance).
        type: int
      template: &template
        description: Name or number of the template, as in M(fcd.cloud.instance).
        type: str
      subregion_id: &subregion_id
        description: Number of the subregion, as in M(fcd.cloud.instance).
        type: int
      subregion: &subregion
        description: Name or number of the subregion, as in M(fcd.cloud.instance).
        type: str
      type_id: &type_id
        description:
          - Number of the instance type, as in M(fcd.cloud.instance). By default it is that of the template.
        type: int
      type: &type
        description: Label or number of the instance type, as in M(fcd.cloud.instance).
        type: str
      disk_class: &disk_class
        description: Class of the system disk, as in M(fcd.cloud.instance). By default it is that of the template.
        type: str
      init_disk_size: &init_disk_size
        description:
          - Size of the system disk in GB, as in M(fcd.cloud.instance). By default it is that of the template.
        type: int
      authorization_method_id: &authorization_method_id
        description:
          - How one logs in to a new instance, as number, as in M(fcd.cloud.instance). By default it is by password, or
            by the SSH keys that are given.
        type: int
      authorization_method: &authorization_method
        description: How one logs in to a new instance, as label or number, as in M(fcd.cloud.instance).
        type: str
      ssh_keys: &ssh_keys
        description: SSH keys for a new instance, as in M(fcd.cloud.instance).
        type: list
        elements: str
      init_script: &init_script
        description: Text of the script that a new instance runs first, as in M(fcd.cloud.instance).
        type: str
      private_networks: &private_networks
        description: Private networks, as in M(fcd.cloud.instance).
        type: list
        elements: str
      purge_private_networks: &purge_private_networks
        description: Whether other private networks are detached, as in M(fcd.cloud.instance). By default they are not.
        type: bool
      purge_ip_addresses: &purge_ip_addresses
        description: Whether other public addresses are detached, as in M(fcd.cloud.instance). By default they are not.
        type: bool
      without_public_ip: &without_public_ip
        description: Whether a new instance is to have no public address, as in M(fcd.cloud.instance).
        type: bool
      isfreemium: &isfreemium
        description: Whether the instance uses the freemium plan, as in M(fcd.cloud.instance).
        type: bool
        aliases: [is_freemium]
      delete_disks: &delete_disks
        description: Whether additional disks go with an instance that is removed, as in M(fcd.cloud.instance).
        type: bool
      recreate: &recreate
        description:
          - Whether an instance is removed and made anew when something differs that cannot be changed, as in
            M(fcd.cloud.instance). By default it is not.
        type: bool
      force_stop: &force_stop
        description: Whether an instance that does not stop is turned off, as in M(fcd.cloud.instance).
        type: bool
      stop_timeout: &stop_timeout
        description: Seconds for an instance to stop, as in M(fcd.cloud.instance), and with the same default.
        type: float
  instance_defaults:
    description:
      - Options for all of O(instances) that do not have them themselves.
      - Of two ways to give one thing, such as O(instance_defaults.type) and O(instances[].type_id), the instance's own
        counts.
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
      delete_disks: *delete_disks
      recreate: *recreate
      force_stop: *force_stop
      stop_timeout: *stop_timeout
  concurrency:
    description:
      - How many requests may be on their way at the same time, 1 to 100.
    type: int
    default: 20
  fleet:
    description:
      - Name of the fleet. The instances that tasks with this name make are noted on disk in O(state_dir), for
        O(prune.from_journal). When that note is damaged, pruning by it is refused, and other tasks warn and begin a new
        one.
    type: str
  prune:
    description:
      - Removes instances that are there and not among O(instances), within the bounds that are given here.
      - It happens when all declared instances are in their state. When one of them fails, nothing is removed.
      - With O(wait=false) nothing is removed in a run in which declared instances are not there yet, which a warning
        tells; a later run removes what is left.
    type: dict
    suboptions:
      name_pattern:
        description:
          - Only instances whose names fit this shell pattern, such as V(web-*). Case counts.
        type: str
      from_journal:
        description:
          - Only instances that O(fleet) has made from this machine, and whose number and name are still the same.
          - With O(prune.name_pattern) both must hold.
        type: bool
        default: false
      max_delete:
        description:
          - How many may be removed, as number (V(10)) or as share (V(30%)) of all the instances within the bounds.
          - With more the task fails before anything is done, in check mode too.
          - Without it, 20 % and not more than 5.
        type: str
      delete_disks:
        description: Whether their additional disks go with them.
        type: bool
  wait:
    description:
      - Whether to wait until all instances are ready, as M(fcd.cloud.instance) does.
    type: bool
    default: true
  wait_timeout:
    description:
      - Seconds for everything in this task. What is not done then has failed, and goes on at the service.
    type: float
    default: 2700.0
  create_grace:
    description:
      - Seconds for which a new instance may stay invisible, as in M(fcd.cloud.instance).
    type: float
    default: 30.0
notes:
  - A task that was interrupted, in whatever way, is just run again. What it had requested is found and not requested a
    second time.
  - Tasks for the same instances may run at the same time on one machine; each instance is made once.
  - An answer that there are too many requests makes instances that are to be made, removed or made anew wait for their
    turn until O(wait_timeout).
seealso:
  - module: fcd.cloud.instance
"""

EXAMPLES = r"""
- name: Have three web servers and a larger one for the database
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

- name: Show their addresses
  ansible.builtin.debug:
    msg: "{{ dict(shop.instances | map(attribute='name') | zip(shop.instances | map(attribute='ip_address'))) }}"

- name: Have a dozen of a kind, worker-01 to worker-12, half of them requested at a time
  fcd.cloud.instance_fleet:
    concurrency: 6
    instance_defaults:
      template_id: 767
      type_id: 34
    instances: "{{ dict(names | product(['EU-001'])) | dict2items(key_name='name', value_name='subregion') }}"
  vars:
    names: "{{ query('ansible.builtin.sequence', 'start=1 end=12 format=worker-%02d') }}"

- name: Have two of them, and remove those that this fleet has made and that are not declared any more
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

- name: Remove them
  fcd.cloud.instance_fleet:
    state: absent
    instances:
      - name: shop-web-1
      - name: shop-web-2
"""

RETURN = r"""
outcomes:
  description:
    - What came of each instance, in the order of O(instances), and behind them those that were pruned.
  returned: always, unless an option is wrong
  type: list
  elements: dict
  contains:
    name:
      description: Its name.
      type: str
      returned: always
    id:
      description: Its number; null when it is not known.
      type: int
      returned: always
    action:
      description:
        - What was done, or in check mode would be done, one of V(create), V(update), V(delete), V(replace) and
          V(none); or V(failed).
      type: str
      returned: always
    changed:
      description:
        - Whether something was, or in check mode would be, changed.
        - With a failure, whether something was changed before, or was started and is not known to have failed.
      type: bool
      returned: always
    ticket:
      description: Number of the ticket of the last operation that was started; null without one.
      type: int
      returned: always
    msg:
      description: What went wrong.
      type: str
      returned: when it failed
    error:
      description: The same as data, with the kind of the error and what is known of ticket and answer.
      type: dict
      returned: when it failed
  sample:
    - {name: shop-web-1, id: 250017, action: create, changed: true, ticket: 5000000001}
    - {name: shop-web-2, id: 250018, action: none, changed: false, ticket: null}
instances:
  description:
    - Those that are there, or in check mode would be, as RV(fcd.cloud.instance#module:instance) describes them.
    - Those that failed are not among them.
  returned: always, unless an option is wrong
  type: list
  elements: dict
counts:
  description: How many were C(created), C(changed), C(removed), were C(unchanged) or C(failed).
  returned: always, unless an option is wrong
  type: dict
  sample: {created: 1, removed: 0, changed: 0, unchanged: 1, failed: 0}
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.instance_fleet.fleet import OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()
