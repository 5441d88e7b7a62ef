#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_site_export."""

from __future__ import annotations

DOCUMENTATION = r"""
module: site_info
short_description: Export an account as a site file
version_added: 0.1.0
description:
  - Reads the account and returns a site file, as data and as text, which changes nothing when it is applied.
  - What cannot be declared without a change, cannot be read or is a secret is left out. It is told in RV(left_out), and
    in comments at the end of the text.
  - Names and labels stand in place of numbers wherever they lead to one object only; an object that shares its name is
    declared by its number.
  - Texts that look like templates get the tag C(!unsafe), so that loading the file does not evaluate them.
  - The service is sent nothing but reads. The account is read list by list; containers, objects, clients and users take
    one or two requests each besides.
  - The content of small objects is part of the result. Keep the task under C(no_log) where objects hold secrets that
    this task does not know of.
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
      - Name of the site to write - small letters, digits and hyphens.
    type: str
    default: exported
  kinds:
    description:
      - What to read.
      - Without it all kinds are read, but for those whose interface is not set up, or refuses them. These are told in
        RV(not_read) and in a warning; with O(kinds) they are an error.
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
      - storage_objects
      - warehouses
      - client_users
      - client_pricelists
  names:
    description:
      - Patterns of names by kind, such as C(web-*); of these kinds only what fits one of the patterns is exported.
      - V(*) stands for any characters, V(?) for one, V([...]) for one of several.
      - An IP address is named by its comment, or else by itself; an object by its container, a slash and its name;
        a client by its number.
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
      storage_objects: *patterns
      warehouses: *patterns
      client_users: *patterns
      client_pricelists: *patterns
  inline_limit:
    description:
      - Bytes up to which the content of an object that is a text stands in the site file.
    type: int
    default: 4096
  object_limit:
    description:
      - Objects of a container up to which they are exported. Where there are more, only the container is.
    type: int
    default: 1000
  folder:
    description:
      - Folder for objects that are larger, or no text. Each becomes a file below it, with mode 0600, and its entry has
        the path as C(src). Files that have the right content are left alone.
      - Without it, these objects are left out.
      - In check mode nothing is written.
    type: path
  folder_in_site:
    description:
      - What the site file calls O(folder), such as C(objects) when the folder is beside the file.
      - Without it, the full path stands there.
    type: str
  concurrency:
    description:
      - How many requests are on their way at a time where each object needs one.
    type: int
    default: 8
attributes:
  check_mode:
    details: The service is only read; files in O(folder) are not written.
  diff_mode:
    support: none
    details: It only reads.
"""

EXAMPLES = r"""
- name: Read the account
  fcd.cloud.site_info:
    site: web-shop
  register: account

- name: Write it as a site file
  ansible.builtin.copy:
    dest: site.exported.yml
    content: "{{ account.text }}"
    mode: "0600"

- name: Show what is not in it
  ansible.builtin.debug:
    var: account.left_out

- name: Export the instances of the shop, and what they are connected to
  fcd.cloud.site_info:
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

- name: Export the object storage, larger objects as files
  fcd.cloud.site_info:
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
    - The site in the shape of a site file, with C(site), C(defaults) and a list of entries for each kind that has some.
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
    - The same as YAML. It depends on nothing but the account and the options, so that two exports can be compared.
  returned: success
  type: str
  sample: |
    # The account as a site file: applied, it changes nothing.
    ---
    site: web-shop
kinds:
  description: The kinds that were read.
  returned: success
  type: list
  elements: str
  sample: [ssh_keys, private_networks]
counts:
  description: How many entries there are, by kind.
  returned: success
  type: dict
  sample: {ssh_keys: 1, private_networks: 0}
left_out:
  description: What is not in the site file though the account has it.
  returned: success
  type: list
  elements: dict
  contains:
    kind:
      description: The kind.
      type: str
      returned: always
    name:
      description: What it is called; null when it is said of the whole kind.
      type: str
      returned: always
    option:
      description: The option that is left out; null when all of the object is.
      type: str
      returned: always
    reason:
      description: Why.
      type: str
      returned: always
  sample:
    - kind: instances
      name:
      option: init_script
      reason: it is a secret
not_read:
  description: Kinds that could not be read, when O(kinds) was not given.
  returned: success
  type: list
  elements: dict
  contains:
    kind:
      description: The kind.
      type: str
      returned: always
    reason:
      description: Why.
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
