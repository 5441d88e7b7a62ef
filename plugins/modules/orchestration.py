#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_orchestration."""

from __future__ import annotations

DOCUMENTATION = r"""
module: orchestration
short_description: Manage compute instances with OpenTofu or Terraform and the provider plugin of the service
version_added: 1.0.0
description:
  - Writes a configuration for OpenTofu or Terraform and the provider plugin of the service (provider C(service)), and
    runs the tool to apply it. The plugin says in its schema which names it has, those of the versions up to 0.6
    (C(service_oci)) or those as of 1.0 (C(service_instance)).
  - If you do not already use these tools, you do not need them; M(fcd.cloud.instance_fleet) manages the same instances
    by itself.
  - The folder O(path) belongs to one configuration, C(main.tf), which is rewritten on each run. Instances that are no
    longer listed in O(instances) are removed.
  - The tool never downloads plugins. It is started as rarely as possible, only once if there is nothing to do.
  - The access token is only in the environment of the tool, and never in a file, on a command line or in an event. The
    exception is OpenTofu before 1.11 and Terraform before 1.10, which write it into plans. These stay in a private
    folder that is removed at the end, or, if the task was killed, by the next task.
  - Files created for the tool are accessible only to this user.
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
  - the provider plugin of the service; version 1.0 or newer to import instances
options:
  state:
    description:
      - With V(present), the instances in O(instances) exist, and no others created from this folder.
      - With V(absent), all instances created from this folder are removed.
    type: str
    choices: [present, absent]
    default: present
  path:
    description:
      - Working folder of the tool. If it does not exist, it is created, accessible only to this user.
      - A relative path starts at the folder of the playbook.
    type: path
    required: true
  instances:
    description:
      - The instances; required if O(state=present). An empty list removes everything created from this folder.
      - Options that are not given are not written; the plugin determines what a new instance gets. An instance that
        exists keeps what it has, also disks, networks and everything else that has no option here.
      - IDs are requested from the service only if labels are given.
    type: list
    elements: dict
    suboptions:
      instance_name:
        description: The name of the instance, 1 to 40 characters.
        type: str
        required: true
        aliases: [name]
      label:
        description:
          - The name of the resource in the configuration, by which the tool identifies an instance. If the label
            changes, the tool removes the instance and creates a new one.
          - The default is O(instances[].instance_name), with an underscore for each character that a label cannot
            contain.
          - To rename an instance, give it its previous label; without it, O(protect=replace) rejects the plan.
        type: str
      template_id:
        description: ID of the template.
        type: int
      template:
        description: Name or ID of the template, as in M(fcd.cloud.instance).
        type: str
      subregion_id:
        description: ID of the subregion.
        type: int
      subregion:
        description: Name or ID of the subregion, as in M(fcd.cloud.instance).
        type: str
      type_id:
        description: ID of the instance type.
        type: int
      type:
        description: Label or ID of the instance type, as in M(fcd.cloud.instance).
        type: str
      disk_class:
        description: Class of the system disk, as a label or ID.
        type: str
      init_disk_size:
        description:
          - Size of the system disk in GB.
          - Units are accepted, as in V(20GiB) or V(1T).
        type: str
      authorization_method_id:
        description: Login method for a new instance, as an ID.
        type: int
      authorization_method:
        description: Login method for a new instance, as a label or ID.
        type: str
      ip_address_id:
        description:
          - ID of an existing address for a new instance. If omitted, the service allocates a new one.
          - The plugin as of version 1.0 creates no instance without it. As long as it is given, the plugin also takes
            all other addresses away from the instance.
        type: int
      instances_count:
        description:
          - The number of instances that the service is to create. More than one is passed on with a warning, since the
            plugin can keep the ID of only one; declare one entry for each instance instead.
          - The plugin does not have this as of version 1.0.
        type: int
      isfreemium:
        description: Whether the instance uses the freemium plan. The plugin does not have this as of version 1.0.
        type: bool
        aliases: [is_freemium]
  api_url:
    description:
      - Address of the infrastructure interface for the plugin. The default is O(base_url).
    type: str
  executable:
    description:
      - The tool, as the name of a program in PATH or as an absolute path. The default is C(tofu), or else C(terraform).
    type: str
  plugin_path:
    description:
      - Path of the provider plugin. The default is an executable file in O(path) whose name begins with
        C(terraform-provider-service).
      - If there is no plugin, the user's own settings of the tool (E(TF_CLI_CONFIG_FILE), C(~/.tofurc) or
        C(~/.terraformrc)) determine where the tool finds one.
      - If the file is replaced, the tool is initialized again.
    type: path
  plugin_version:
    description:
      - Version under which the tool sees the plugin.
    type: str
    default: 1.0.0
  provider_source:
    description:
      - Full address of the plugin if it is published under a custom address, such as
        V(plugins.example.com/fcd/service). By default, the tool resolves the name C(service).
    type: str
  protect:
    description:
      - What must not happen to any instance. A plan that would do it is rejected with an error that lists the
        instances.
      - V(replace) prevents removing and recreating an instance for a change that the plugin cannot make in place, which
        would lose its data. This includes removing an instance and creating another one that differs only in its name.
        The versions of the plugin that are known do not replace an instance, but ignore such a change, which is an
        error.
      - V(delete) prevents removing an instance for good, including with O(state=absent).
      - With an empty list, nothing is protected.
    type: list
    elements: str
    choices: [delete, replace]
    default: [replace]
  adopt:
    description:
      - Whether to import existing instances. Instances listed in O(instances) that this folder does not manage yet are
        looked up by name and imported. Several instances with the same name are an error.
      - Any differences are then changed as for any other instance, so O(protect) applies.
      - The plugin must be able to import, as it is since version 1.0. Otherwise, the task fails with the IDs of the
        instances after it has done everything else.
    type: bool
    default: false
  overwrite:
    description:
      - Whether to replace a C(main.tf) that was not written by this module.
      - The state in the folder is kept; instances whose labels are not declared in O(instances) are removed.
    type: bool
    default: false
  state_container:
    description:
      - Object storage container in which to keep the state of the tool, for controllers without persistent disks. It
        must exist. If omitted, the state is a file in O(path).
      - Two tasks cannot use the same state at the same time if the object storage honours C(If-None-Match); if it does
        not, a warning says so.
      - A task that was killed leaves the lock behind, an object whose name ends with C(.lock); the next task reports
        it.
    type: str
  state_object:
    description:
      - The name of the object. The default is the name of the folder followed by C(.tfstate).
    type: str
  lock_timeout:
    description:
      - Maximum time in seconds to wait for another run that uses the folder or the state.
      - Units are accepted, as in V(90s), V(10m) or V(2h).
    type: str
    default: "60"
  parallelism:
    description:
      - The number of instances that the tool processes at a time.
    type: int
    default: 10
notes:
  - An instance that an earlier run requested but whose ID the tool does not know is looked up by name and imported,
    even without O(adopt), if the plugin can import. A create that the plugin reports as rejected counts as not sent
    only if the message contains the service's own words.
  - If the task is cancelled (by an interrupt or at the end of O(task_timeout)), the tool gets one interrupt and five
    minutes to finish, so that it can record what it has begun. It is never killed; after that time, or a second
    interrupt, it is left running. If the task itself is killed, the tool runs to its end, too.
  - If the tool cannot plan because instances were removed by others, they are removed from its state, too, with a
    warning, and the plan is repeated. The plugin would never do this, since the service answers 403 for them.
  - An instance whose earlier create had no clear outcome is left out of the run, and the task fails with its name after
    it has done everything else.
  - A plugin may report as done what it cannot do. After a removal, the service is asked for the instance, and the task
    fails with the IDs of those that are still there, unless O(api_url) is another service. After a change, the tool
    plans again, and a warning says what is left.
  - A configuration that cannot be planned, or whose plan is rejected, is not kept; the previous one is restored.
  - If you have a larger project for the tool, keep running it directly or through another collection; this module is
    for a dedicated folder.
  - The plugin trusts the certificate authorities in O(ca_path), which it gets as E(SSL_CERT_FILE). O(validate_certs)
    does not affect it.
seealso:
  - module: fcd.cloud.instance_fleet
  - module: fcd.cloud.instance
  - ref: ansible_collections.fcd.cloud.docsite.from_terraform
    description: Guide for users of Terraform and OpenTofu.
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

- name: Show the IDs of the instances
  ansible.builtin.debug:
    msg: "{{ shop.instances.web.id }} {{ shop.instances.database.id }}"

- name: Import an instance that was created in another way
  fcd.cloud.orchestration:
    path: /srv/deploy/legacy
    plugin_path: /opt/plugins/terraform-provider-service_v1.0.0
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

- name: Remove everything that the first task has created
  fcd.cloud.orchestration:
    path: /srv/deploy/shop
    plugin_path: /opt/plugins/terraform-provider-service
    state: absent
"""

RETURN = r"""
actions:
  description: The actions taken, or in check mode the actions that would be taken; empty if there is nothing to do.
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
      description: ID of the instance before the action; null if it did not exist.
      type: str
      returned: always
  sample:
    - {address: service_oci.web, action: create, id: null}
instances:
  description:
    - The instances by label, with all attributes from the plugin. Secrets are hidden.
    - In check mode, values that are not known yet are V((known after apply\)).
    - A free mapping.
  returned: success
  type: dict
  sample: {web: {id: "250017", instance_name: web, type_id: 34}}
drift:
  description:
    - Addresses of resources that were changed or removed outside of the tool since its last run. Changes are reported
      only if there was something to do.
  returned: if the tool was started
  type: list
  elements: str
  sample: [service_oci.web]
config_changed:
  description: Whether the configuration file differed.
  returned: if the tool was started
  type: bool
engine:
  description: The tool, V(OpenTofu) or V(Terraform).
  returned: if the tool was started
  type: str
engine_version:
  description: Its version.
  returned: if the tool was started
  type: str
  sample: 1.11.2
error:
  description:
    - The error in machine-readable form. If the tool failed, C(command) is the failed command, C(summaries) are the
      summaries of its errors, and C(applied) is what it had done before, like RV(actions). RV(ignore:changed) is then
      true. C(not_imported) has the IDs, by label, of instances that the plugin could not import.
  returned: failure
  type: dict
  contains:
    kind:
      description: Kind of the error, such as V(InvalidInput).
      type: str
      returned: always
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._orchestration.orchestration import OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()
