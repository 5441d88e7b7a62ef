#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_orchestration."""

from __future__ import annotations

DOCUMENTATION = r"""
module: orchestration
short_description: Manage compute instances with the orchestration tool and the provider plugin of the service
version_added: 0.1.0
description:
  - Writes a configuration for OpenTofu or Terraform and the provider plugin of the service (provider C(service),
    resource type C(service_oci)), and runs the tool to apply it.
  - If you do not use these two, you need neither; M(fcd.cloud.instance_fleet) manages the same instances by itself.
  - The folder O(path) belongs to one configuration, C(main.tf), which is written again in each run. Instances that are
    no longer among O(instances) are removed.
  - The tool never asks a network for plugins. It is started as seldom as possible, once when nothing is to be done.
  - The access token is in the environment of the tool, and in no file, on no command line and in no event. OpenTofu
    before 1.11 and Terraform before 1.10 write it into plans; these stay in a private folder that is removed at the
    end; when the task was killed, by the next one.
  - What is created for the tool is open to this user alone.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._connection.storage
  - fcd.cloud._attributes
  - fcd.cloud._waiting.create
  - fcd.cloud._waiting.force
requirements:
  - OpenTofu 1.6 or newer, or Terraform 1.5 or newer
  - the provider plugin of the service
options:
  state:
    description:
      - With V(present) there are the instances of O(instances), and no others that this folder has made.
      - With V(absent) all are removed that this folder has made.
    type: str
    choices: [present, absent]
    default: present
  path:
    description:
      - Working folder of the tool. It is made where it is missing, open to this user alone.
      - A relative path begins at the folder of the playbook.
    type: path
    required: true
  instances:
    description:
      - The instances; required when O(state=present). An empty list removes all that this folder has made.
      - Options that are not given are not written; what happens then is up to the plugin.
      - The service is asked for numbers only where labels are given.
    type: list
    elements: dict
    suboptions:
      instance_name:
        description: Name of the instance, 1 to 40 characters.
        type: str
        required: true
        aliases: [name]
      label:
        description:
          - Name of the resource in the configuration. The tool knows an instance by it; with another label it removes
            the instance and makes a new one.
          - By default it is O(instances[].instance_name), with an underscore for what a label cannot have.
          - Who renames an instance gives it its label of before; without it, O(protect=replace) refuses the plan.
        type: str
      template_id:
        description: Number of the template.
        type: int
      template:
        description: Name or number of the template, as in M(fcd.cloud.instance).
        type: str
      subregion_id:
        description: Number of the subregion.
        type: int
      subregion:
        description: Name or number of the subregion, as in M(fcd.cloud.instance).
        type: str
      type_id:
        description: Number of the instance type.
        type: int
      type:
        description: Label or number of the instance type, as in M(fcd.cloud.instance).
        type: str
      disk_class:
        description: Class of the system disk, by label or number.
        type: str
      init_disk_size:
        description: Size of the system disk in GB.
        type: int
      authorization_method_id:
        description: How one logs in to a new instance, as number.
        type: int
      authorization_method:
        description: How one logs in to a new instance, as label or number.
        type: str
      ip_address_id:
        description: Number of an existing address for a new instance. Without it the service gives a new one.
        type: int
      instances_count:
        description:
          - How many instances the service is to make. More than one is passed on with a warning, since the plugin can
            keep the number of one only; give one entry for each.
        type: int
      isfreemium:
        description: Whether the instance uses the freemium plan.
        type: bool
        aliases: [is_freemium]
  api_url:
    description:
      - Address of the infrastructure interface for the plugin. By default it is O(base_url).
    type: str
  executable:
    description:
      - The tool, as the name of a program in PATH or as a whole path. By default it is C(tofu), then C(terraform).
    type: str
  plugin_path:
    description:
      - The provider plugin. By default it is an executable file in O(path) whose name begins with
        C(terraform-provider-service).
      - Without any plugin it is left to the user's own settings of the tool (E(TF_CLI_CONFIG_FILE), C(~/.tofurc) or
        C(~/.terraformrc)) where the tool finds one.
      - When the file is replaced, the tool is prepared anew.
    type: path
  plugin_version:
    description:
      - Version under which the tool sees the plugin.
    type: str
    default: 1.0.0
  provider_source:
    description:
      - Full address of the plugin, for who has published it under one of their own, such as
        V(plugins.example.com/fcd/service). By default it is what the tool makes of the name C(service).
    type: str
  protect:
    description:
      - What must not happen to any instance. A plan that would do it is refused, with the instances it is about.
      - V(replace) refuses to remove an instance and make it anew for a change that the plugin cannot make in place; the
        data of the instance would be lost. So it does when one is removed and another made that is the same but for its
        name.
      - V(delete) refuses to remove an instance for good, O(state=absent) included.
      - With an empty list everything is done.
    type: list
    elements: str
    choices: [delete, replace]
    default: [replace]
  adopt:
    description:
      - Whether instances that exist are taken over. Those of O(instances) that this folder does not manage yet are
        looked for by their names, and imported. Several of one name are an error.
      - What then differs is changed as with any other instance, so O(protect) counts.
    type: bool
    default: false
  overwrite:
    description:
      - Whether a C(main.tf) that was not written by this module is replaced.
      - The state in the folder stays; instances whose labels are not declared in O(instances) are removed.
    type: bool
    default: false
  state_container:
    description:
      - Container of the object storage in which the state of the tool is kept, for controllers that do not keep their
        disks. It must exist. Without it, the state is a file in O(path).
      - Two tasks cannot work with one state at the same time as long as the object storage honours C(If-None-Match);
        one that does not is warned of.
      - A task that was killed leaves the lock, an object whose name ends with C(.lock); the next one says so.
    type: str
  state_object:
    description:
      - Name of the object. By default it is that of the folder, with C(.tfstate) at the end.
    type: str
  lock_timeout:
    description:
      - Seconds to wait for another run that works with the folder or the state.
    type: int
    default: 60
  parallelism:
    description:
      - With how many instances the tool works at a time.
    type: int
    default: 10
notes:
  - An instance that an earlier run has requested, and of which the tool does not know the number, is looked for by its
    name and taken over, also without O(adopt). A create that the plugin says was refused counts as not sent only with
    the service's own words in its message.
  - When the task is cancelled (an interrupt, the end of O(task_timeout)) the tool gets one interrupt and five minutes
    to end, so that it notes what it has begun. It is never killed; after that time, or a second interrupt, it is left
    to its work. When the task itself is killed, the tool goes on to its end, too.
  - A configuration that cannot be planned, or whose plan is refused, does not stay; the one before it is put back.
  - If you have a project of the tool with more than these instances, go on to use it by itself, or by another
    collection; this module is for one folder of its own.
  - The plugin trusts the authorities of O(ca_path), which it gets as E(SSL_CERT_FILE). O(validate_certs) does not
    reach it.
seealso:
  - module: fcd.cloud.instance_fleet
  - module: fcd.cloud.instance
"""

EXAMPLES = r"""
- name: Create two instances
  fcd.cloud.orchestration:
    path: /srv/deploy/shop
    plugin_path: /opt/plugins/terraform-provider-service
    instances:
      - instance_name: web
        template: CentOS 7
        subregion: EU-001
        type: v1.standard-2.2
        disk_class: Tier 1
        init_disk_size: 10
      - instance_name: database
        template_id: 304
        subregion_id: 1
        type_id: 34
        disk_class: "48"
        init_disk_size: 20
        authorization_method_id: 1399
  register: shop

- name: Show their numbers
  ansible.builtin.debug:
    msg: "{{ shop.instances.web.id }} {{ shop.instances.database.id }}"

- name: Take over an instance that was created in another way
  fcd.cloud.orchestration:
    path: /srv/deploy/legacy
    plugin_path: /opt/plugins/terraform-provider-service
    adopt: true
    protect: [delete, replace]
    instances:
      - instance_name: legacy
        template: CentOS 7
        subregion: EU-001
        type: v1.standard-2.2
        disk_class: Tier 1

- name: Keep the state in the object storage
  fcd.cloud.orchestration:
    path: /srv/deploy/worker
    plugin_path: /opt/plugins/terraform-provider-service
    state_container: states
    instances:
      - instance_name: worker
        template: CentOS 7
        subregion: EU-001
        type: v1.standard-2.2
        disk_class: Tier 1

- name: Remove what the first task has created
  fcd.cloud.orchestration:
    path: /srv/deploy/shop
    plugin_path: /opt/plugins/terraform-provider-service
    state: absent
"""

RETURN = r"""
actions:
  description: What was done, or in check mode would be done; empty when there was nothing to do.
  returned: success
  type: list
  elements: dict
  contains:
    address:
      description: Address of the resource in the configuration.
      type: str
      returned: always
    action:
      description: One of V(create), V(update), V(replace), V(delete) and V(import).
      type: str
      returned: always
    id:
      description: Number of the instance before; null when it did not exist.
      type: str
      returned: always
  sample:
    - {address: service_oci.web, action: create, id: null}
instances:
  description:
    - The instances by label, with all attributes that the plugin gives them. Secret ones are hidden.
    - In check mode, what is not known yet is V((known after apply\)).
  returned: success
  type: dict
  sample: {web: {id: "250017", instance_name: web, type_id: 34}}
drift:
  description:
    - Addresses of what has changed since the tool saw it last, and not by it. Only told when there was something to do.
  returned: when the tool was started
  type: list
  elements: str
  sample: [service_oci.web]
config_changed:
  description: Whether the configuration file differed.
  returned: when the tool was started
  type: bool
engine:
  description: The tool, V(OpenTofu) or V(Terraform).
  returned: when the tool was started
  type: str
engine_version:
  description: Its version.
  returned: when the tool was started
  type: str
  sample: 1.11.2
error:
  description:
    - What went wrong, as data, for programs. Where the tool failed, C(command) is the one that did, C(summaries) are
      the heads of its errors, and C(applied) is what it had done before, like RV(actions). RV(ignore:changed) is true
      then.
  returned: failure
  type: dict
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._orchestration.orchestration import OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()
