#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_site_export."""

from __future__ import annotations

DOCUMENTATION = r"""
module: site_export
short_description: Export an account as a site file
version_added: 1.0.0
description:
  - Reads the account and returns a site file, as data and as text, that changes nothing when it is applied.
  - Anything that cannot be declared without a change, cannot be read, or is secret is left out. It is reported in
    RV(left_out), and in comments at the end of the text.
  - Names and labels are used instead of IDs if they identify a single object; an object that shares its name is
    declared by its ID.
  - Strings that Ansible could evaluate, as templates or in conditions, get the tag C(!unsafe), which prevents it.
  - Only read requests are sent. The account is read list by list; containers, objects, clients and users take one or
    two further requests each.
  - The content of small objects is part of the result. Set C(no_log) on the task if objects contain secrets that the
    module does not know about.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._connection.soap
  - fcd.cloud._connection.storage
  - fcd.cloud._attributes
options:
  site:
    description:
      - The name of the site to write - lowercase letters, digits and hyphens.
    type: str
    default: exported
  kinds:
    description:
      - The kinds of objects to read.
      - If omitted, all kinds are read, except those whose interface is not set up or denies access. These are reported
        in RV(not_read) and in a warning; with O(kinds), they are an error.
    type: list
    elements: str
    choices:
      - ssh_keys
      - private_networks
      - ip_addresses
      - storage_containers
      - clients
      - instances
      - disks
      - instance_groups
      - load_balancers
      - health_checks
      - health_check_notifications
      - instance_schedules
      - group_schedules
      - instance_autoscalers
      - group_autoscalers
      - storage_objects
      - warehouses
      - client_users
      - client_pricelists
  names:
    description:
      - Name patterns by kind, such as C(web-*). Of these kinds, only objects that match one of the patterns are
        exported.
      - V(*) matches any characters, V(?) a single one, and V([...]) one of several.
      - An IP address is named by its comment, or else by itself; an object by its container, a slash and its name; a
        client by its ID; a load balancer by its group; an autoscaler by its instance or group; a notification by its
        address.
    type: dict
    suboptions:
      ssh_keys: &patterns
        description: The patterns.
        type: list
        elements: str
      private_networks: *patterns
      ip_addresses: *patterns
      storage_containers: *patterns
      clients: *patterns
      instances: *patterns
      disks: *patterns
      instance_groups: *patterns
      load_balancers: *patterns
      health_checks: *patterns
      health_check_notifications: *patterns
      instance_schedules: *patterns
      group_schedules: *patterns
      instance_autoscalers: *patterns
      group_autoscalers: *patterns
      storage_objects: *patterns
      warehouses: *patterns
      client_users: *patterns
      client_pricelists: *patterns
  inline_limit:
    description:
      - Maximum size in bytes of text objects whose content is written into the site file.
      - Units are accepted, as in V(512K) or V(64MiB).
    type: str
    default: "4096"
  object_limit:
    description:
      - Maximum number of objects in a container for which they are exported. If a container has more, only the
        container itself is exported.
    type: int
    default: 1000
  folder:
    description:
      - Folder for objects that are larger or not text. Each becomes a file below it, with mode 0600, and its entry has
        the path as C(src). Files that already have the right content are left alone.
      - If omitted, these objects are left out.
      - In check mode, nothing is written.
    type: path
  folder_in_site:
    description:
      - How the site file refers to O(folder), such as C(objects) if the folder is next to the file.
      - If omitted, the absolute path is used.
    type: str
  concurrency:
    description:
      - Maximum number of concurrent requests for data that takes a request for each object.
    type: int
    default: 8
attributes:
  check_mode:
    details: Only reads from the service; files in O(folder) are not written.
  diff_mode:
    support: none
    details: Nothing changes at the service, and the content of files is not shown.
seealso:
  - module: fcd.cloud.site
  - module: fcd.cloud.site_validate
  - ref: ansible_collections.fcd.cloud.docsite.site_file
    description: Guide to site files.
"""

EXAMPLES = r"""
- name: Read the account
  fcd.cloud.site_export:
    site: web-shop
  register: account

- name: Write the site file
  ansible.builtin.copy:
    dest: site.exported.yml
    content: "{{ account.text }}"
    mode: "0600"

- name: Show what was left out
  ansible.builtin.debug:
    var: account.left_out

- name: Export the instances of the shop and the objects connected to them
  fcd.cloud.site_export:
    site: web-shop
    kinds:
      - private_networks
      - ip_addresses
      - disks
      - instances
    names:
      instances:
        - web-*
        - db-*

- name: Export the object storage, with larger objects as files
  fcd.cloud.site_export:
    kinds:
      - storage_containers
      - storage_objects
    folder: objects
    folder_in_site: objects
    inline_limit: 1024
"""

RETURN = r"""
site:
  description:
    - The site in the structure of a site file, with C(site), C(defaults) and a list of entries for each kind that has
      any.
    - A free mapping.
  returned: success
  type: dict
  sample:
    site: web-shop
    defaults:
      instances:
        subregion: EU-001
        template: Debian 9
    private_networks:
      - name: backend
    instances:
      - name: web-1
        state: started
        private_networks:
          - backend
text:
  description:
    - The same as YAML. It depends only on the account and the options, so that two exports can be compared.
  returned: success
  type: str
  sample: |
    # The account as a site file. Applying it changes nothing. Remove what another site owns.
    ---
    site: web-shop
kinds:
  description: The kinds that were read.
  returned: success
  type: list
  elements: str
  sample: [ssh_keys, private_networks]
counts:
  description: The number of entries of each kind. A free mapping of kinds to numbers.
  returned: success
  type: dict
  sample: {ssh_keys: 1, private_networks: 0}
left_out:
  description: What the account has but the site file leaves out.
  returned: success
  type: list
  elements: dict
  contains:
    kind:
      description: The kind.
      type: str
      returned: always
    name:
      description: The name of the object; null if the reason applies to the whole kind.
      type: str
      returned: always
    option:
      description: The option that is left out; null if the whole object is.
      type: str
      returned: always
    reason:
      description: The reason.
      type: str
      returned: always
  sample:
    - kind: instances
      name:
      option: init_script
      reason: it is a secret
not_read:
  description: Kinds that could not be read, if O(kinds) was not given.
  returned: success
  type: list
  elements: dict
  contains:
    kind:
      description: The kind.
      type: str
      returned: always
    reason:
      description: The reason.
      type: str
      returned: always
  sample: []
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._site_export.export import OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()
