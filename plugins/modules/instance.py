#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: instance
short_description: Manage compute instances
version_added: 1.0.0
description:
  - Creates, changes, starts, stops and removes instances (virtual machines), and waits until they are ready.
  - An instance is identified by its exact name or by O(id). The service does not enforce unique names; if several
    instances share the name, the task fails and lists their IDs.
  - Only the options that you set are compared. Creating an instance takes at least a name, a template and a subregion;
    every other option has the default given in its description.
  - Options that select one of several choices accept an ID (O(type_id)) or a label (O(type)). Labels are looked up at
    run time; if a label is not found, the error suggests similar ones or lists those available.
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
      - Whether the instance should exist, and whether it should run.
      - With V(present), a new instance ends up running; an existing instance is neither started nor stopped.
      - With V(started), the instance is powered on; with V(stopped), it is powered off. A missing instance is created
        first.
      - V(running) is the same as V(started).
      - To stop an instance, the module asks its guest to shut down. See O(force_stop) and O(stop_timeout).
      - An instance is stopped before, and started after, all other changes that the task makes.
    type: str
    choices: [present, absent, started, running, stopped]
    default: present
  name:
    description:
      - The name of the instance, 1 to 40 characters without C(/), C(\\), C(|), C(<), C(>) and C(%).
      - If O(id) is given too, this is the name that the instance should have; it is changed in place.
      - Required unless O(id) is given.
    type: str
    aliases: [instance_name]
  id:
    description:
      - ID of an existing instance.
      - Required for renaming, and for selecting one of several that share a name.
      - With O(name), O(state=absent) removes the instance only if it has that name.
    type: int
    aliases: [instance_id]
  instances_count:
    description:
      - The number of instances of this kind that should exist, 1 to 50.
      - With more than one, the instances are named C(<name>-1) to C(<name>-N). Each is changed independently, and the
        task waits for all of them together. If omitted or V(1), there is one instance, named exactly O(name).
        Without O(purge_instances), if the number is given and only instances named the other way exist, the task fails
        rather than create more.
      - If some fail, the others are completed first; the task then fails and lists the causes in RV(failures).
      - Raising the number creates more instances. Lowering it removes instances only with O(purge_instances);
        without it, a warning lists the instances with higher numbers.
      - For instances that differ from one another, use M(fcd.cloud.instance_fleet).
      - Each instance takes a request of its own, since the service creates only one for each request.
    type: int
  purge_instances:
    description:
      - Whether to remove the instances C(<name>-K) whose number is higher than O(instances_count), which is required.
        Names with a number above 50, the highest possible count, are left alone.
      - If several of them share a name, the task fails before anything is sent.
      - At most O(max_delete) are removed; if there are more, the task fails before anything is sent.
      - They are removed after all other instances have reached their state, and not if one of those fails.
      - With this option, the instances are numbered even if O(instances_count) is V(1). The whole list of instances is
        read.
    type: bool
    default: false
    version_added: 1.0.0
  max_delete:
    description:
      - How many instances O(purge_instances) may remove, as a number such as V(2) or a share such as V(50%) of the
        numbered instances that exist.
      - If omitted, 20 percent of them, but no more than 5.
    type: str
    version_added: 1.0.0
  template_id:
    description:
      - ID of the template (operating system). Required to create an instance unless O(template) is given.
      - Cannot be changed on an existing instance; see O(recreate).
    type: int
  template:
    description:
      - Name or ID of the template. To select a version, append it in parentheses, as in C(name (version)).
      - If several versions share the name, the task fails and lists them with their IDs.
      - If only the name is given, an existing instance created from any version of that template is considered up to
        date.
      - The service reports only the ID of the template an instance was created from. Looking up its name takes one more
        request. If the service no longer has a name for it, because the template was withdrawn or removed, the instance
        is left unchanged with a warning, and O(recreate) has no effect.
    type: str
  subregion_id:
    description:
      - ID of the subregion. Required to create an instance unless O(subregion) is given.
      - Changed in place. An instance that is running is turned off for this; see O(force_stop). What becomes of its
        disks and addresses depends on the service, which may also refuse to move it.
    type: int
  subregion:
    description:
      - Name or ID of the subregion. Instances are not created in inactive subregions.
      - An existing instance in a subregion that the service has no name for is left unchanged, with a warning.
    type: str
  type_id:
    description:
      - ID of the instance type (CPU and memory). If neither this option nor O(type) is given, a new instance gets the
        default type of its template, and an instance replaced because of O(recreate) keeps the type of the old one.
      - Changed in place. Whether this restarts the instance depends on the service.
      - A type with less CPU or memory than the smallest type allowed by the template is rejected before anything is
        sent.
    type: int
  type:
    description:
      - Label or ID of the instance type.
    type: str
  disk_class:
    description:
      - Class (tier) of the system disk, as an ID or label from dictionary 17.
      - If omitted, a new instance gets the disk class of its template, or class 48 if the template does not specify
        one.
      - Changed in place.
      - If set, the disks of an existing instance are read, which takes one more request.
    type: str
  init_disk_size:
    description:
      - Size of the system disk in GB, 5 to 300 for a new instance.
      - If omitted, a new instance gets a disk of the template's size, but at least 5 GB.
      - The disk of an existing instance is grown in place, to more than 300 GB if requested. It is never shrunk; see
        O(recreate).
      - Whether the disk of a running instance can grow depends on the service.
      - If set, the disks of an existing instance are read, which takes one more request.
      - Units are accepted, as in V(20GiB) or V(1T).
    type: str
  authorization_method_id:
    description:
      - Login method for the new instance, as an ID from dictionary 159.
      - If neither this option nor O(authorization_method) is given, it is 1398 (SSH keys) if O(ssh_keys) is set, and
        1399 (user and password) otherwise.
      - Used only when the instance is created. The service does not report it afterwards, so it is never compared.
    type: int
  authorization_method:
    description:
      - Login method for the new instance, as a label or ID from dictionary 159.
      - Used only when the instance is created. The service does not report it afterwards, so it is never compared,
        and on an existing instance a label that does not exist is not reported.
    type: str
  ssh_keys:
    description:
      - Names or IDs of the account's SSH keys to install on the new instance. The SSH key login method requires at
        least one.
      - Used only when the instance is created and never compared. On an existing instance, a name that does not exist
        is not reported, since the keys of the account are not read.
    type: list
    elements: str
  init_script:
    description:
      - Text of the script or manifest to run at first boot. The module sends it Base64-encoded.
      - Used only when the instance is created and never compared. It never appears in results or diffs.
    type: str
  private_networks:
    description:
      - Names or IDs of the private networks that the instance should be attached to.
      - Unless O(wait=false), a new instance is checked before the task ends. If it is not attached to all of the
        networks, the task fails and reports C(changed).
      - Missing networks are attached. Other networks stay attached unless O(purge_private_networks) is set.
      - If set, the networks of an existing instance are read, which takes one more request.
    type: list
    elements: str
  purge_private_networks:
    description:
      - Whether to detach the instance from private networks that are not listed in O(private_networks).
    type: bool
    default: false
  ip_addresses:
    description:
      - Public IP addresses of the account that the instance should have, as IDs or in dotted notation.
      - Missing addresses are attached. Other addresses stay attached unless O(purge_ip_addresses) is set. An address
        that is attached to another instance is never taken away from it.
      - The first address becomes the default address of a new instance, which then does not get an address of its own.
      - If set, the addresses of an existing instance are read, which takes one more request.
      - Cannot be used with several instances.
    type: list
    elements: str
  purge_ip_addresses:
    description:
      - Whether to detach public addresses that are not listed in O(ip_addresses). Whether an address that the service
        assigned by itself still exists afterwards depends on the service.
    type: bool
    default: false
  ip_address_id:
    description:
      - ID of an existing IP address to use as the default address. If omitted, a new address is allocated.
      - Used only when the instance is created and never compared; use O(ip_addresses) to manage addresses later. Cannot
        be used with several instances.
    type: int
  without_public_ip:
    description:
      - Whether to create the instance without a public address. Requires at least one entry in O(private_networks).
      - Unless O(wait=false), the addresses of the new instance are then read. If it has a public address anyway, the
        task fails and reports C(changed).
      - Used only when the instance is created and never compared.
    type: bool
  isfreemium:
    description:
      - Whether the instance uses the freemium plan, if available.
      - Cannot be changed on an existing instance; see O(recreate).
    type: bool
    aliases: [is_freemium]
  scsi_controller_type:
    description:
      - Type of the disk controller, as a label or ID from dictionary 182.
      - Changed in place, for a new instance after it was created. An instance that is running is turned off for this;
        see O(force_stop).
    type: str
    aliases: [scsi_controller]
  is_hot_plug_enabled:
    description:
      - Whether CPU and memory can be added while the instance is running.
      - Changed in place, for a new instance after it was created. Version 2020 of the interface cannot do this; the
        task then fails before anything is sent.
    type: bool
    aliases: [hot_plug]
  recreate:
    description:
      - Whether to remove the instance and create it again if something differs that cannot be changed in place. This
        applies to the template, O(isfreemium), and a system disk larger than O(init_disk_size).
      - The new instance has a different ID and none of the data of the old one. It is built from the options alone, so
        everything that a create requires must be given. It keeps the addresses in O(ip_addresses) or O(ip_address_id);
        any other address is new.
      - The task always waits for the removal. If it is interrupted before the create, the next run creates the
        instance.
      - Cannot be combined with O(id). If several instances are declared, they are replaced at the same time.
    type: bool
    default: false
  delete_disks:
    description:
      - Whether to also remove the additional disks when the instance is removed.
      - If omitted, the request does not mention them, and the service keeps them.
    type: bool
  force_stop:
    description:
      - Whether to cut the power if the guest cannot be asked to shut down, does not shut down, or takes longer than
        O(stop_timeout). Otherwise, the task fails in these cases.
      - Also allows a change of the subregion or of O(scsi_controller_type) while the instance is running. It is then
        shut down, changed and started again, also if the change fails. Without this option, such a task fails before
        anything is sent, unless O(state=stopped). An instance that the task has just created is stopped in any case.
    type: bool
    default: false
  stop_timeout:
    description:
      - Time in seconds that the guest has to shut down, within O(wait_timeout).
      - Units are accepted, as in V(90s), V(10m) or V(2h).
    type: str
    default: "300"
  access_data:
    description:
      - Whether to return the initial password and the SSH keys of the instance in RV(access_data).
      - The service may not have them until some minutes after the create. With O(wait), a task that created the
        instance keeps asking for up to 300 seconds and then fails. For an existing instance, the task returns what the
        service reports at once, which may be null, since the service may show a password only once.
      - The result of the task is then hidden from all events and callbacks, as with C(no_log), but can still be
        registered. Tasks with C(async) are rejected, since M(ansible.builtin.async_status) would reveal the password.
      - Cannot be used with several instances.
    type: bool
    default: false
  wait:
    description:
      - Whether to wait until the operation has completed and the instance is ready, which means unlocked and, after a
        create, powered on.
      - This includes waiting for an operation that was already running on the instance.
      - If V(false), the task ends as soon as the last operation has been started. Later tasks do not start it again.
      - Whatever cannot be part of the create (V(stopped), a second address) is then left to a later task.
    type: bool
    default: true
  wait_timeout:
    description:
      - Maximum time in seconds to wait for everything in this task, including other operations that are already running
        on the instance.
      - Units are accepted, as in V(90s), V(10m) or V(2h).
    type: str
    default: "2700"
  create_grace:
    description:
      - Time in seconds during which a new instance may not be listed yet and a removed instance may still be listed.
        After a create with an unclear outcome, the module looks for the instance for this long before the task fails.
      - Units are accepted, as in V(90s), V(10m) or V(2h).
    type: str
    default: "30"
notes:
  - A failed task reports C(changed) if something was changed before the failure, or was started and is not known to
    have failed.
  - The service has no idempotency keys. A create is therefore sent only once, under a lock, and recorded in
    O(state_dir) beforehand. If the outcome is unclear, the module looks for the instance by its name and its ticket,
    and never requests it a second time.
  - The lock covers tasks that share O(state_dir), that is, those of one user on one host. With O(lock_container), it
    covers all controllers.
  - If another operation has locked the instance, the module waits for it before changing anything.
  - Values that the service does not report are not compared with those of an existing instance; a warning names them.
    Type, power state and hot plug are set all the same, in each run.
  - A task with nothing to do takes two requests, the list of instances and the names of the subregions, or three if the
    template is given by name.
  - New private networks are attached first, then new addresses; old networks are detached next, then old addresses. A
    task that would leave the instance without any network and address is rejected.
  - Before a create, the subregions, the types and the template are read, once per task; before a change of type, the
    types and the template.
seealso:
  - module: fcd.cloud.instance_info
  - module: fcd.cloud.instance_fleet
  - module: fcd.cloud.instance_power
  - module: fcd.cloud.instance_clone
  - module: fcd.cloud.instance_type_info
  - module: fcd.cloud.instance_template_info
  - module: fcd.cloud.disk
  - module: fcd.cloud.ip_address
  - module: fcd.cloud.private_network
  - module: fcd.cloud.ssh_key
  - module: fcd.cloud.snapshot
  - plugin: fcd.cloud.instances
    plugin_type: inventory
  - ref: ansible_collections.fcd.cloud.docsite.infrastructure
    description: Guide to instances and other infrastructure.
"""

EXAMPLES = r"""
- name: Create an instance
  fcd.cloud.instance:
    name: web
    template: Ubuntu Server 18.04 LTS
    subregion: EU-001
    type: v1.standard-2.2
    disk_class: Tier 1
    init_disk_size: 20
    authorization_method: SSH keys
    ssh_keys: [operations]
  register: web

- name: Show the address of the instance
  ansible.builtin.debug:
    var: web.instance.ip_address

- name: Create an instance by IDs, with the option names of the API
  fcd.cloud.instance:
    instance_name: db
    template_id: 765
    subregion_id: 1
    type_id: 34
    disk_class: 48
    init_disk_size: 20
    authorization_method_id: 1399

- name: Create five instances, worker-1 to worker-5
  fcd.cloud.instance:
    name: worker
    instances_count: 5
    template_id: 765
    subregion: EU-001
    type: v1.standard-2.2

- name: Shrink to two instances, worker-1 and worker-2
  fcd.cloud.instance:
    name: worker
    instances_count: 2
    purge_instances: true
    max_delete: "3"
    template_id: 765
    subregion: EU-001
    type: v1.standard-2.2

- name: Change the name and type of an instance
  fcd.cloud.instance:
    id: "{{ web.instance.id }}"
    name: web-old
    type: v1.standard-1.09

- name: Create an instance without waiting for it
  fcd.cloud.instance:
    name: builder
    template_id: 765
    subregion: EU-001
    type: v1.standard-2.2
    wait: false

- name: Create an instance in a private network and return its initial password
  fcd.cloud.instance:
    name: inside
    template: CentOS 7
    subregion: EU-001
    type: v1.standard-2.2
    authorization_method_id: 1399
    private_networks: [backend]
    without_public_ip: true
    init_script: |
      #!/bin/sh
      hostnamectl set-hostname inside
    access_data: true
  register: inside

- name: Grow the system disk and change its class
  fcd.cloud.instance:
    id: "{{ inside.instance.id }}"
    disk_class: Tier 2
    init_disk_size: 60

- name: Stop the instance, cutting the power if necessary
  fcd.cloud.instance:
    name: inside
    state: stopped
    force_stop: true
    stop_timeout: 120

- name: Start the instance
  fcd.cloud.instance:
    name: inside
    state: started

- name: Move the instance to another subregion, with the faster disk controller
  fcd.cloud.instance:
    name: inside
    subregion: EU-002
    scsi_controller_type: High performance
    force_stop: true # it is turned off for a while

- name: Recreate the instance from another template
  fcd.cloud.instance:
    name: inside
    template: Debian 9
    subregion: EU-002
    type: v1.standard-2.2
    authorization_method_id: 1399
    recreate: true

- name: Remove an instance and its additional disks
  fcd.cloud.instance:
    name: web-old
    state: absent
    delete_disks: true
"""

RETURN = r"""
instance:
  description:
    - The instance after the task, or in check mode as it would be; null if it does not exist.
    - In check mode, and with O(wait=false), a new instance has only the values that were given.
  returned: success, if a single instance is declared
  type: dict
  contains:
    id:
      description: ID of the instance; null while it is not known.
      type: int
      returned: always
    name:
      description: The name of the object.
      type: str
      returned: always
    status:
      description: Its status, as an ID and label from dictionary 27.
      type: dict
      returned: when it exists
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
      returned: when it exists
    locking_date:
      description: When it was locked, in UTC.
      type: str
      returned: when it exists
    type:
      description: Its type, as an ID and label. Keys as in RV(instance.status).
      type: dict
      returned: always
    template:
      description:
        - The template that it was created from, as an ID and label.
        - The service reports only the ID. The label is null unless O(template) is given as a name or the instance is
          created. M(fcd.cloud.instance_info) always reads it.
        - Keys as in RV(instance.status).
      type: dict
      returned: always
    subregion:
      description:
        - Its subregion, as an ID and label. The label is null if the account may not read the subregions.
        - Keys as in RV(instance.status).
      type: dict
      returned: always
    ip_address:
      description: Public IP address of the instance.
      type: str
      returned: when it exists
    private_ip_address:
      description: Private IP address of the instance.
      type: str
      returned: when it exists
    dns_address:
      description: Generated host name of the instance.
      type: str
      returned: when it exists
    cpu_number:
      description: Number of CPUs, null if the service does not return it.
      type: int
      returned: when it exists
    ram_mb:
      description: Memory in MB, null if the service does not return it.
      type: int
      returned: when it exists
    total_disks_capacity:
      description: Total size of all its disks in GB.
      type: int
      returned: when it exists
    system_disk_id:
      description: ID of the system disk.
      type: int
      returned: if O(disk_class) or O(init_disk_size) is given and the service lists the disk
    disk_class:
      description: Class of the system disk, as an ID and label. Keys as in RV(instance.status).
      type: dict
      returned: if O(disk_class) or O(init_disk_size) is given and the service lists the disk
    init_disk_size:
      description: Size of the system disk in GB.
      type: int
      returned: if O(disk_class) or O(init_disk_size) is given and the service lists the disk
    private_networks:
      description:
        - Private networks that the instance is attached to, each with its ID and name.
        - Keys as in RV(instance.status).
      type: list
      elements: dict
      returned: if O(private_networks) is given
    ip_addresses:
      description:
        - Public addresses of the instance, each with its ID and, as the label, the address.
        - Keys as in RV(instance.status).
      type: list
      elements: dict
      returned: if O(ip_addresses) is given
    authorization_method:
      description:
        - Login method of the instance, as an ID and label. The label is null if the method was given as an ID.
        - Keys as in RV(instance.status).
      type: dict
      returned: if it was given and this task creates the instance
    ssh_keys:
      description: IDs of its SSH keys.
      type: list
      elements: int
      returned: if they were given and this task creates the instance
    ip_address_id:
      description: ID of its IP address.
      type: int
      returned: if it was given and this task creates the instance
    without_public_ip:
      description: Whether the instance was created without a public address.
      type: bool
      returned: if it was given and this task creates the instance
    isfreemium:
      description: Whether the instance uses the freemium plan.
      type: bool
      returned: when it exists
    creation_date:
      description: When it was created, in UTC.
      type: str
      returned: when it exists
    creation_user:
      description: Login of the user who created it.
      type: str
      returned: when it exists
    is_hot_plug_enabled:
      description: Whether CPU and memory can be added while the instance is running.
      type: bool
      returned: when it exists
    template_type:
      description: Kind of its template, as an ID and label from dictionary 52. Keys as in RV(instance.status).
      type: dict
      returned: when it exists
    system_category:
      description: Operating system family, as an ID and label from dictionary 70. Keys as in RV(instance.status).
      type: dict
      returned: when it exists
    autoscaling_type:
      description: Type of autoscaling, as an ID and label from dictionary 56. Keys as in RV(instance.status).
      type: dict
      returned: when it exists
    guest_tools_status:
      description: Status of the guest tools, as an ID and label from dictionary 155. Keys as in RV(instance.status).
      type: dict
      returned: when it exists
    monitoring_status:
      description: Status of monitoring, as an ID and label from dictionary 92. Keys as in RV(instance.status).
      type: dict
      returned: when it exists
    payment_type:
      description: Type of payment, as an ID and label from dictionary 11. Keys as in RV(instance.status).
      type: dict
      returned: when it exists
    support_type:
      description: Support plan, as an ID and label. Keys as in RV(instance.status).
      type: dict
      returned: when it exists
    scsi_controller_type:
      description: Type of the SCSI controller, as an ID and label from dictionary 182. Keys as in RV(instance.status).
      type: dict
      returned: when it exists
    health_check:
      description: Health check of the instance. A free mapping.
      type: dict
      returned: when it exists
  sample:
    id: 250017
    name: web
    status: {id: 86, label: Powered On}
    is_locked: false
    type: {id: 34, label: v1.standard-2.2}
    template: {id: 776, label: Ubuntu Server 18.04 LTS}
    subregion: {id: 1, label: EU-001}
    ip_address: 192.0.2.17
    private_ip_address: null
    dns_address: i-250017.example.com
    cpu_number: 2
    ram_mb: 2048
instances:
  description: >-
    The declared instances that exist, or in check mode would exist, sorted by the numbers in their names.
    Each is like RV(instance).
  returned: always
  type: list
  elements: dict
action:
  description: >-
    The action taken, or in check mode the action that would be taken, one of V(create), V(update), V(replace),
    V(delete) and V(none).
  returned: success, if a single instance is declared
  type: str
  sample: create
forced_by:
  description: Options that differ, cannot be changed on an existing instance, and therefore force its replacement.
  returned: success, if RV(action) is V(replace)
  type: list
  elements: str
  sample: [template]
actions:
  description: >-
    The action for each instance, by instance name. In check mode, the action that would be taken. A free mapping of
    names to actions.
  returned: if several instances are declared
  type: dict
  sample:
    worker-1: none
    worker-2: create
ticket:
  description: ID of the ticket of the last operation that was started; null if there was none.
  returned: success, if a single instance is declared
  type: int
  sample: 5000000001
tickets:
  description: >-
    IDs of the tickets of the last operations that were started, by instance name. A free mapping of names to IDs.
  returned: if several instances are declared
  type: dict
  sample:
    worker-2: 5000000002
access_data:
  description: Initial access data of the instance, which is secret. Null if there is none, or none yet.
  returned: success, if O(access_data) is set
  type: dict
  contains:
    password:
      description: The initial password; null if there is none.
      type: str
      returned: always
    ssh_keys:
      description: The SSH keys, each with C(id), C(name) and C(public_key).
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
failures:
  description: The instances that failed. All others were completed.
  returned: if several instances are declared and some failed
  type: list
  elements: dict
  contains:
    name:
      description: The name of the instance.
      type: str
      returned: always
    msg:
      description: The error message.
      type: str
      returned: always
    error:
      description: >-
        The error in machine-readable form, with its kind and what is known about the ticket and the response.
      type: dict
      returned: always
      contains:
        kind:
          description: Kind of the error, such as V(InvalidInput).
          type: str
          returned: always
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.instance.instance import OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()
