#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_object_storage."""

from __future__ import annotations

DOCUMENTATION = r"""
module: storage_container_info
short_description: Read containers of the object storage
version_added: 0.1.0
description:
  - Reads one container with all that describes it, or lists the containers of the account.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.storage
  - fcd.cloud._attributes.reading
options:
  name:
    description:
      - Name of one container; where there is none, the list is empty. Not together with O(prefix), O(delimiter),
        O(marker) or O(limit), which are for listings.
      - Without it the containers of the account are listed, which takes a user with the administrator role.
    type: str
    aliases: [container]
  prefix:
    description:
      - Only containers whose names begin so.
    type: str
  delimiter:
    description:
      - Names that have this text behind the O(prefix) are not listed one by one; what they begin with, up to that text,
        is in RV(prefixes).
    type: str
  marker:
    description:
      - Only containers whose names come behind this one.
    type: str
  limit:
    description:
      - At most so many entries. Without it all are read, page after page.
    type: int
  format:
    description:
      - With V(xml) and V(text) the answer of the service is given as it is, in RV(listing). It is one page, as long as
        O(limit) says or the service allows, usually 10000 entries; O(marker) leads to the next.
    type: str
    choices: [json, xml, text]
    default: json
notes:
  - Counts in a listing lag behind what was stored. Those of a single container are more recent.
seealso:
  - module: fcd.cloud.storage_account_info
  - module: fcd.cloud.storage_container
"""

EXAMPLES = r"""
- name: List all containers
  fcd.cloud.storage_container_info:
  register: found

- name: Show what they hold
  ansible.builtin.debug:
    msg: "{{ found.containers | items2dict(key_name='name', value_name='bytes_used') }}"

- name: Read one
  fcd.cloud.storage_container_info:
    name: backups
  register: backups

- name: Stop when it is not there
  ansible.builtin.assert:
    that: backups.containers | length == 1

- name: List the names alone, those of a kind
  fcd.cloud.storage_container_info:
    prefix: backup
    format: text
"""

RETURN = r"""
containers:
  description:
    - The containers in the order of their names.
    - In a listing they have only RV(containers[].name), RV(containers[].url), RV(containers[].object_count),
      RV(containers[].bytes_used), RV(containers[].last_modified) and RV(containers[].storage_policy).
  returned: when O(format=json)
  type: list
  elements: dict
  contains:
    name:
      description: Its name.
      type: str
      returned: always
    url:
      description: Its address.
      type: str
      returned: always
    object_count:
      description: Number of objects in it.
      type: int
      returned: always
    bytes_used:
      description: Bytes that they hold together.
      type: int
      returned: always
    last_modified:
      description: When it was changed last, in UTC.
      type: str
      returned: when O(name) is not given
    metadata:
      description: Its metadata, with names in lower case, without what other attributes tell.
      type: dict
      returned: when O(name) is given
    read_acl:
      description: Who may read; empty when nothing is set, or for users who may not see it.
      type: str
      returned: when O(name) is given
    write_acl:
      description: Who may write; empty when nothing is set, or for users who may not see it.
      type: str
      returned: when O(name) is given
    storage_policy:
      description: The storage policy; null when a listing does not tell it.
      type: str
      returned: always
    versioning:
      description: What becomes of objects that are replaced or deleted.
      type: str
      returned: when O(name) is given
    versions_location:
      description: Container for old versions; null when there is none.
      type: str
      returned: when O(name) is given
    quota_bytes:
      description: How many bytes its objects may have together; null without a quota.
      type: int
      returned: when O(name) is given
    quota_count:
      description: How many objects may be in it; null without a quota.
      type: int
      returned: when O(name) is given
    web_index:
      description: Object that a static web site shows for addresses with a slash at the end; null when not set.
      type: str
      returned: when O(name) is given
    web_error:
      description: End of the names of the objects that a static web site shows for errors; null when not set.
      type: str
      returned: when O(name) is given
    web_listings:
      description: Whether a static web site lists what is there.
      type: bool
      returned: when O(name) is given
    web_listings_css:
      description: Style sheet of these lists; null when not set.
      type: str
      returned: when O(name) is given
    web_listings_label:
      description: Text at the head of these lists; null when not set.
      type: str
      returned: when O(name) is given
    web_directory_type:
      description: Content type of the objects that stand for directories; null when not set.
      type: str
      returned: when O(name) is given
    cors_allow_origin:
      description: Origins whose pages may reach into it from a browser.
      type: list
      elements: str
      returned: when O(name) is given
    cors_max_age:
      description: Seconds for which a browser may keep what it is allowed; null when not set.
      type: int
      returned: when O(name) is given
    cors_expose_headers:
      description: Further headers that the browser lets those pages see.
      type: list
      elements: str
      returned: when O(name) is given
    temp_url_key:
      description: V((hidden\)) when the key is set, null when it is not, or for users who may not see it.
      type: str
      returned: when O(name) is given
    temp_url_key_2:
      description: The same for the second key.
      type: str
      returned: when O(name) is given
  sample:
    - name: backups
      url: https://storage.example.com/v1/AUTH_example/backups
      object_count: 12
      bytes_used: 73400320
      last_modified: "2026-01-31T12:00:00Z"
      storage_policy: Policy-0
prefixes:
  description: Beginnings of names, with O(delimiter).
  returned: when O(format=json)
  type: list
  elements: str
  sample: []
listing:
  description: What the service answered.
  returned: when O(format=xml) or O(format=text)
  type: str
  sample: "backups\nwww\n"
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._object_storage.listing import CONTAINER_INFO as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()
