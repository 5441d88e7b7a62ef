#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: instance
short_description: Manage compute instances
version_added: 0.1.0
description:
  - Creates, changes, starts, stops and removes instances (virtual machines), and waits until they are ready.
  - An instance is found by its name, which has to match exactly, or by O(id).
    Names are not unique at the service; when several instances bear the name, the task ends with an error that lists
    their numbers.
  - Only what is given is compared. A create needs more than a name, a template and a subregion; what is left out has
    the defaults that the options tell.
  - What is one of several choices takes a number (O(type_id)) or a label (O(type)).
    Labels are looked up when the task runs, and for a wrong one the error names similar ones, or those that there are.
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
      - With V(present) a new instance is running in the end; whether one that is there runs is left alone.
      - With V(started) the instance is powered on, with V(stopped) powered off; one that is missing is created first.
      - To stop one, its guest is asked to shut down. See O(force_stop) and O(stop_timeout).
      - An instance is stopped before, and started after, everything else that the task changes.
    type: str
    choices: [present, absent, started, stopped]
    default: present
  name:
    description:
      - Name of the instance, 1 to 40 characters without C(/), C(\\), C(|), C(<), C(>) and C(%).
      - Together with O(id) it is the name that the instance should have; it is changed in place.
      - Needed unless O(id) is given.
    type: str
    aliases: [instance_name]
  id:
    description:
      - Number of an instance that exists.
      - Needed to rename one, and to choose one of several that have the same name.
    type: int
    aliases: [instance_id]
  instances_count:
    description:
      - How many instances of this kind should exist, 1 to 50.
      - With more than one, the instances are named C(<name>-1) to C(<name>-N). Each is changed on its own,
        and they are waited for together. Without it, or with V(1), there is one instance with the very O(name).
      - When some fail, the others are finished first; then the task fails and RV(failures) says which and why.
      - A smaller number than before does not remove the instances with the higher numbers.
      - Each instance is requested on its own, since the service creates one for each request whatever it is told.
    type: int
  template_id:
    description:
      - Number of the template (operating system). Needed to create an instance, unless O(template) is given.
      - It cannot be changed on an existing instance; see O(recreate).
    type: int
  template:
    description:
      - Name of the template, or its number. With a version behind it, C(name (version)), it is that version.
      - Several versions may share a name. The error then lists them with their numbers.
      - An existing instance whose template has the bare name is as declared, whatever the version.
      - The service tells only the number of the template that an instance was created from, so its name is read, which
        costs one more request. Where the service does not name it any more, since it was withdrawn or removed, the
        instance is left as it is, with a warning, and O(recreate) does nothing.
    type: str
  subregion_id:
    description:
      - Number of the subregion. Needed to create an instance, unless O(subregion) is given.
      - It cannot be changed on an existing instance; see O(recreate).
    type: int
  subregion:
    description:
      - Name of the subregion, or its number. A new instance is not created in one that is not active.
      - An existing instance in a subregion that the service does not name is left as it is, with a warning.
    type: str
  type_id:
    description:
      - Number of the instance type (CPU and memory). Without it and O(type), a new instance has the default type of its
        template, and one that is replaced with O(recreate) has the type of the old one.
      - It is changed in place. Whether that restarts the instance is up to the service.
      - A type with less CPU or memory than the smallest type of the template is refused before anything is sent.
    type: int
  type:
    description:
      - Label of the instance type, or its number.
    type: str
  disk_class:
    description:
      - Class (tier) of the system disk, as number or label from dictionary 17.
      - Without it a new instance has the class of the template's disk, or number 48 where the template does not tell
        it.
      - It is changed in place.
      - When it is given, the disks of an existing instance are read, which costs one more request.
    type: str
  init_disk_size:
    description:
      - Size of the system disk in GB, 5 to 300 for a new instance.
      - Without it a new instance has a disk as large as that of the template, at least 5 GB.
      - The disk of an existing instance grows in place, also beyond 300. It never shrinks; see O(recreate).
      - Whether the disk of a running instance can grow is up to the service.
      - When it is given, the disks of an existing instance are read, which costs one more request.
    type: int
  authorization_method_id:
    description:
      - How one logs in to the new instance, as number from dictionary 159.
      - Without it and O(authorization_method), it is 1398 (SSH keys) when O(ssh_keys) are given, else 1399 (user and
        password).
      - Used at the creation only. The service does not tell it afterwards, so it is never compared.
    type: int
  authorization_method:
    description:
      - How one logs in to the new instance, as label or number from dictionary 159.
      - Used at the creation only. The service does not tell it afterwards, so it is never compared.
    type: str
  ssh_keys:
    description:
      - SSH keys of the account for the new instance, by number or name. The method for SSH keys needs at least one.
      - Used at the creation only and never compared.
    type: list
    elements: str
  init_script:
    description:
      - Text of the script or manifest for the first boot; it is sent in base64.
      - Used at the creation only and never compared. It never shows in results and differences.
    type: str
  private_networks:
    description:
      - Private networks that the instance should be in, by number or name.
      - A new instance is looked at before the task ends, unless O(wait=false). The task fails, with C(changed), when it
        is not in all of them.
      - Those that are missing are attached. Others stay, unless O(purge_private_networks) says otherwise.
      - When it is given, the networks of an existing instance are read, which costs one more request.
    type: list
    elements: str
  purge_private_networks:
    description:
      - Whether the instance is taken out of private networks that are not in O(private_networks).
    type: bool
    default: false
  ip_addresses:
    description:
      - Public addresses of the account that the instance should have, as numbers or in the dotted form.
      - Those that are missing are attached. Others stay, unless O(purge_ip_addresses) says otherwise. One that serves
        another instance is never taken away from it.
      - The first is the default address of a new instance, which then obtains no address of its own.
      - When it is given, the addresses of an existing instance are read, which costs one more request.
      - Not possible for several instances.
    type: list
    elements: str
  purge_ip_addresses:
    description:
      - Whether public addresses that are not in O(ip_addresses) are detached. Whether one that the service gave by
        itself still exists afterwards is up to the service.
    type: bool
    default: false
  ip_address_id:
    description:
      - Number of an existing IP address that becomes the default address. Without it a new one is obtained.
      - Used at the creation only and never compared; use O(ip_addresses) for more. Not possible for several instances.
    type: int
  without_public_ip:
    description:
      - Whether a new instance gets no public address. It needs at least one of O(private_networks).
      - Unless O(wait=false), its addresses are read then. The task fails, with C(changed), when it has one all the
        same.
      - Used at the creation only and never compared.
    type: bool
  isfreemium:
    description:
      - Whether the instance uses the freemium plan, where it is available.
      - It cannot be changed on an existing instance; see O(recreate).
    type: bool
    aliases: [is_freemium]
  recreate:
    description:
      - Whether the instance is removed and created again when something differs that cannot be changed, which is the
        template, the subregion, O(isfreemium), or a system disk that is larger than O(init_disk_size).
      - The new instance has another number, no data of the old one, and what the options say; so everything that a
        creation needs has to be given. It has the addresses of O(ip_addresses) or O(ip_address_id) again, others are
        new.
      - The removal is always waited for. When a task ends in between, the next one creates the instance.
      - Not possible together with O(id). Several instances are replaced at the same time.
    type: bool
    default: false
  delete_disks:
    description:
      - Whether the additional disks go too when the instance is removed.
      - Otherwise nothing is said about them, and the service leaves them where they are.
    type: bool
  force_stop:
    description:
      - Whether an instance is turned off, like pulling the plug, when its guest cannot be asked to shut down, fails to,
        or takes longer than O(stop_timeout). Otherwise that is an error.
    type: bool
    default: false
  stop_timeout:
    description:
      - Seconds that the guest has to shut down, within O(wait_timeout).
    type: float
    default: 300.0
  access_data:
    description:
      - Whether to return the first password and the SSH keys of the instance in RV(access_data).
      - For some minutes after the creation the service may not know them. With O(wait) a task that has created the
        instance asks again for up to 300 seconds, then it fails. Of an older instance the task returns what the service
        tells at once, and null when that is nothing, since the service may show a password only once.
      - The task is then hidden in all events and callbacks, as with C(no_log), but can be registered. With C(async)
        it is refused, since M(ansible.builtin.async_status) would show the password.
      - Not possible for several instances.
    type: bool
    default: false
  wait:
    description:
      - Whether to wait until the operation has ended and the instance is ready, that is powered on after its creation
        and not locked.
      - An instance that is found with an operation still running on it is waited for as well.
      - Without it the task ends as soon as the last operation is started. A later task does not start it a second time.
      - What a creation does not take (V(stopped), a second address) is left to a later task then.
    type: bool
    default: true
  wait_timeout:
    description:
      - Seconds to wait for everything in this task, the end of other operations on the instance included.
    type: float
    default: 2700.0
  create_grace:
    description:
      - Seconds for which a new instance may stay invisible, and a removed one may go on to be listed. After a create
        without a clear answer it is looked for so long before the task fails.
    type: float
    default: 30.0
notes:
  - A task that fails says C(changed) when something was changed before, or was started and is not known to have failed.
  - The service has no idempotency key. A create is sent once, under a lock, and noted on disk in O(state_dir) before;
    after an unclear answer the instance is looked for by its name and by its ticket, and never requested a second time.
  - A locked instance, on which another operation runs, is waited for before it is changed.
  - What the service does not tell of an instance is not compared; a warning says what that is.
  - A task without anything to do costs two requests, the list and the names of the subregions, or three where the
    template is given by name.
  - New private networks are attached first, then new addresses; then old networks are detached, then old addresses. A
    task that would leave the instance without any is refused.
  - Before a creation the subregions, the types and the template are read, once in a task, and before another type the
    types and the template.
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

- name: Show its address
  ansible.builtin.debug:
    var: web.instance.ip_address

- name: Create an instance by numbers and the names of the contract
  fcd.cloud.instance:
    instance_name: db
    template_id: 765
    subregion_id: 1
    type_id: 34
    disk_class: 48
    init_disk_size: 20
    authorization_method_id: 1399

- name: Create five of a kind, worker-1 to worker-5
  fcd.cloud.instance:
    name: worker
    instances_count: 5
    template_id: 765
    subregion: EU-001
    type: v1.standard-2.2

- name: Give an instance another name and another type
  fcd.cloud.instance:
    id: "{{ web.instance.id }}"
    name: web-old
    type: v1.standard-1.09

- name: Start the creation and go on
  fcd.cloud.instance:
    name: builder
    template_id: 765
    subregion: EU-001
    type: v1.standard-2.2
    wait: false

- name: Create an instance in a private network and return its first password
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

- name: Give it a larger disk of another class
  fcd.cloud.instance:
    id: "{{ inside.instance.id }}"
    disk_class: Tier 2
    init_disk_size: 60

- name: Stop it, if need be the hard way
  fcd.cloud.instance:
    name: inside
    state: stopped
    force_stop: true
    stop_timeout: 120

- name: Start it
  fcd.cloud.instance:
    name: inside
    state: started

- name: Replace it in another place
  fcd.cloud.instance:
    name: inside
    template: CentOS 7
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
    - The instance as it is, or in check mode would be; null when it is not there.
    - In check mode, and without O(wait), a new instance has only the values that were given.
  returned: success, when one instance is declared
  type: dict
  contains: &instance
    id:
      description: Its number; null as long as it is not known.
      type: int
      returned: always
    name:
      description: Its name.
      type: str
      returned: always
    status:
      description: Its status, number and label from dictionary 27.
      type: dict
      returned: when it exists
    is_locked:
      description: Whether an operation is running on it.
      type: bool
      returned: when it exists
    locking_date:
      description: Since when, in UTC.
      type: str
      returned: when it exists
    type:
      description: Its type, number and label.
      type: dict
      returned: always
    template:
      description:
        - The template it was created from, number and label.
        - The service tells the number. The label is null unless O(template) gives a name or the instance is created.
          M(fcd.cloud.instance_info) always reads it.
      type: dict
      returned: always
    subregion:
      description: Where it is, number and label. The label is null where the subregions may not be read.
      type: dict
      returned: always
    ip_address:
      description: Its public address.
      type: str
      returned: when it exists
    private_ip_address:
      description: Its private address.
      type: str
      returned: when it exists
    dns_address:
      description: Its generated host name.
      type: str
      returned: when it exists
    cpu_number:
      description: Number of CPUs.
      type: int
      returned: when it exists
    ram_mb:
      description: Memory in MB.
      type: int
      returned: when it exists
    total_disks_capacity:
      description: Size of all its disks together, in GB.
      type: int
      returned: when it exists
    system_disk_id:
      description: Number of the system disk.
      type: int
      returned: when O(disk_class) or O(init_disk_size) is given and the service lists the disk
    disk_class:
      description: Class of the system disk, number and label.
      type: dict
      returned: when O(disk_class) or O(init_disk_size) is given and the service lists the disk
    init_disk_size:
      description: Size of the system disk in GB.
      type: int
      returned: when O(disk_class) or O(init_disk_size) is given and the service lists the disk
    private_networks:
      description: The private networks that it is in, number and name of each.
      type: list
      elements: dict
      returned: when O(private_networks) is given
    ip_addresses:
      description: Its public addresses; number of each, and as label the address.
      type: list
      elements: dict
      returned: when O(ip_addresses) is given
    authorization_method:
      description: How one logs in to it, number and label; the label is null when the number was given.
      type: dict
      returned: when it was given and the instance is created by this task
    ssh_keys:
      description: Numbers of its SSH keys.
      type: list
      elements: int
      returned: when they were given and the instance is created by this task
    ip_address_id:
      description: Number of its address.
      type: int
      returned: when it was given and the instance is created by this task
    without_public_ip:
      description: Whether it was created without a public address.
      type: bool
      returned: when it was given and the instance is created by this task
    isfreemium:
      description: Whether it uses the freemium plan.
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
      description: Whether CPU and memory can be added while it runs.
      type: bool
      returned: when it exists
    template_type:
      description: Kind of its template, number and label from dictionary 52.
      type: dict
      returned: when it exists
    system_category:
      description: Family of its operating system, number and label from dictionary 70.
      type: dict
      returned: when it exists
    autoscaling_type:
      description: Number and label from dictionary 56.
      type: dict
      returned: when it exists
    guest_tools_status:
      description: Number and label from dictionary 155.
      type: dict
      returned: when it exists
    monitoring_status:
      description: Number and label from dictionary 92.
      type: dict
      returned: when it exists
    payment_type:
      description: Number and label from dictionary 11.
      type: dict
      returned: when it exists
    support_type:
      description: Number and label of its support plan.
      type: dict
      returned: when it exists
    scsi_controller_type:
      description: Number and label from dictionary 182.
      type: dict
      returned: when it exists
    health_check:
      description: Its health check.
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
  description: The declared instances that are there, or in check mode would be, in the order of their numbers.
  returned: always
  type: list
  elements: dict
  contains: *instance
action:
  description: What was done, or in check mode would be done, one of V(create), V(update), V(replace), V(delete) and
    V(none).
  returned: success, when one instance is declared
  type: str
  sample: create
forced_by:
  description: The options that cannot be changed on an existing instance, and so force its replacement.
  returned: success, when RV(action) is V(replace)
  type: list
  elements: str
  sample: [template]
actions:
  description: What was done, or in check mode would be done, by the name of the instance.
  returned: when several instances are declared
  type: dict
  sample:
    worker-1: none
    worker-2: create
ticket:
  description: Number of the ticket of the last operation that was started; null without one.
  returned: success, when one instance is declared
  type: int
  sample: 5000000001
tickets:
  description: Numbers of the tickets of the last operations that were started, by the name of the instance.
  returned: when several instances are declared
  type: dict
  sample:
    worker-2: 5000000002
access_data:
  description: How one logs in to the instance at first; a secret. Null when it is not there, or not known yet.
  returned: success, when O(access_data) is set
  type: dict
  contains:
    password:
      description: The first password; null when there is none.
      type: str
      returned: always
    ssh_keys:
      description: The SSH keys, each with C(id), C(name) and C(public_key).
      type: list
      elements: dict
      returned: always
failures:
  description: The instances that failed; the rest is finished.
  returned: when several instances are declared and some failed
  type: list
  elements: dict
  contains:
    name:
      description: Name of the instance.
      type: str
      returned: always
    msg:
      description: What went wrong.
      type: str
      returned: always
    error:
      description: The same as data, for programs, with the kind of the error and what is known of ticket and answer.
      type: dict
      returned: always
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.instance.declared_instances import OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()
