#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_object_storage."""

from __future__ import annotations

DOCUMENTATION = r"""
module: storage_container_info
short_description: Read object storage containers
version_added: 1.0.0
description:
  - Reads one container with all its properties, or lists the containers of the account.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.storage
  - fcd.cloud._attributes.reading
options:
  name:
    description:
      - The name of one container; if it does not exist, the list is empty. Cannot be combined with O(prefix),
        O(delimiter), O(marker) or O(limit), which are for listings.
      - If omitted, the containers of the account are listed, which requires a user with the administrator role.
    type: str
    aliases: [container]
  prefix:
    description:
      - List only containers whose names begin with this prefix.
    type: str
  delimiter:
    description:
      - Names that contain this string after the O(prefix) are not listed individually; their common prefixes, up to and
        including the string, are returned in RV(prefixes).
    type: str
  marker:
    description:
      - List only containers whose names sort after this one.
    type: str
  limit:
    description:
      - Maximum number of entries. If omitted, all are read, page by page.
    type: int
  format:
    description:
      - With V(xml) and V(text), the response of the service is returned unchanged in RV(listing). It is a single page,
        limited by O(limit) or by the service, usually to 10000 entries; use O(marker) to get the next one.
    type: str
    choices: [json, xml, text]
    default: json
notes:
  - Counts in a listing lag behind the actual contents. Those of a single container are more recent.
seealso:
  - module: fcd.cloud.storage_account_info
  - module: fcd.cloud.storage_container
  - module: fcd.cloud.storage_object_info
  - ref: ansible_collections.fcd.cloud.docsite.object_storage
    description: Guide to the object storage.
"""

EXAMPLES = r"""
- name: List all containers
  fcd.cloud.storage_container_info:
  register: found

- name: Show the size of each container
  ansible.builtin.debug:
    msg: "{{ found.containers | items2dict(key_name='name', value_name='bytes_used') }}"

- name: Read a container
  fcd.cloud.storage_container_info:
    name: backups
  register: backups

- name: Fail if it does not exist
  ansible.builtin.assert:
    that: backups.containers | length == 1

- name: List only the names with a certain prefix
  fcd.cloud.storage_container_info:
    prefix: backup
    format: text
"""

RETURN = r"""
containers:
  description:
    - The containers, sorted by name.
    - In a listing, they have only RV(containers[].name), RV(containers[].url), RV(containers[].object_count),
      RV(containers[].bytes_used), RV(containers[].last_modified) and RV(containers[].storage_policy).
  returned: if O(format=json)
  type: list
  elements: dict
  contains:
    name:
      description: The name of the object.
      type: str
      returned: always
    url:
      description: URL of the container.
      type: str
      returned: always
    object_count:
      description: Number of objects in it.
      type: int
      returned: always
    bytes_used:
      description: Total size of the objects in bytes.
      type: int
      returned: always
    last_modified:
      description: When its settings were last changed, in UTC; in a listing, when these or its objects were.
      type: str
      returned: always
    metadata:
      description: >-
        Its metadata, with names in lower case, without the items that have attributes of their own. A free mapping of
        names to values.
      type: dict
      returned: if O(name) is given
    read_acl:
      description: Who may read; empty if nothing is set or the user may not see it.
      type: str
      returned: if O(name) is given
    write_acl:
      description: Who may write; empty if nothing is set or the user may not see it.
      type: str
      returned: if O(name) is given
    storage_policy:
      description: The storage policy; null if a listing does not include it.
      type: str
      returned: always
    versioning:
      description: What happens to objects that are replaced or deleted.
      type: str
      returned: if O(name) is given
    versions_location:
      description: Container for old versions; null if there is none.
      type: str
      returned: if O(name) is given
    quota_bytes:
      description: Maximum total size of its objects in bytes; null if there is no quota.
      type: int
      returned: if O(name) is given
    quota_count:
      description: Maximum number of objects in it; null if there is no quota.
      type: int
      returned: if O(name) is given
    web_index:
      description: Object that a static website serves for addresses ending with a slash; null if not set.
      type: str
      returned: if O(name) is given
    web_error:
      description: Suffix of the names of the objects that a static website serves for errors; null if not set.
      type: str
      returned: if O(name) is given
    web_listings:
      description: Whether a static website lists the objects of a folder.
      type: bool
      returned: if O(name) is given
    web_listings_css:
      description: Style sheet of these listings; null if not set.
      type: str
      returned: if O(name) is given
    web_listings_label:
      description: Text at the top of these listings; null if not set.
      type: str
      returned: if O(name) is given
    web_directory_type:
      description: Content type of the objects that represent folders; null if not set.
      type: str
      returned: if O(name) is given
    cors_allow_origin:
      description: Origins whose pages may access it from a browser.
      type: list
      elements: str
      returned: if O(name) is given
    cors_max_age:
      description: Time in seconds for which a browser may cache the permissions it was given; null if not set.
      type: int
      returned: if O(name) is given
    cors_expose_headers:
      description: Further headers that the browser exposes to those pages.
      type: list
      elements: str
      returned: if O(name) is given
    temp_url_key:
      description: V((hidden\)) if the key is set; null if it is not, or if the user may not see it.
      type: str
      returned: if O(name) is given
    temp_url_key_2:
      description: The same for the second key.
      type: str
      returned: if O(name) is given
  sample:
    - name: backups
      url: https://storage.example.com/v1/AUTH_example/backups
      object_count: 12
      bytes_used: 73400320
      last_modified: "2026-01-31T12:00:00Z"
      storage_policy: Policy-0
prefixes:
  description: Common prefixes of names, with O(delimiter).
  returned: if O(format=json)
  type: list
  elements: str
  sample: []
listing:
  description: The response of the service.
  returned: if O(format=xml) or O(format=text)
  type: str
  sample: "backups\nwww\n"
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._object_storage.listing import CONTAINER_INFO as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()
