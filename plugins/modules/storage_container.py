#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_object_storage."""

from __future__ import annotations

DOCUMENTATION = r"""
module: storage_container
short_description: Manage a container of the object storage
version_added: 0.1.0
description:
  - Creates, changes and deletes containers of the object storage, their metadata, access lists and quotas, old versions
    of objects, the settings of a static web site, keys for temporary addresses, and what browsers may do (CORS).
  - Only what is given is changed; an empty text or an empty list removes what an option is about.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.storage
  - fcd.cloud._attributes
options:
  name:
    description:
      - Name of the container. It may hold anything but a slash.
    type: str
    required: true
    aliases: [container]
  metadata:
    description:
      - Metadata items to set. Items that are not named stay as they are, unless O(purge_metadata) is set.
      - An item whose value is null or empty is removed.
      - Names consist of letters, digits and hyphens; upper and lower case are the same. An underscore is refused,
        since the service drops such items silently.
      - Items that mean something to the service have options of their own and are refused here, for example
        C(quota-bytes), which is O(quota_bytes), and C(web-index), which is O(web_index).
    type: dict
  purge_metadata:
    description:
      - Whether items that O(metadata) does not name are removed. Without O(metadata) it has no effect.
      - What other options set is not touched by it.
    type: bool
    default: false
  read_acl:
    description:
      - Who may read, in the syntax of the service, for example V(.r:*,.rlistings) for everybody, or C(account:user).
      - An empty text removes the list. Only the owner of the account can read and change it.
    type: str
  write_acl:
    description:
      - Who may write, for example C(account:user).
      - An empty text removes the list. Only the owner of the account can read and change it.
    type: str
  storage_policy:
    description:
      - Storage policy of a new container, which says where and how often its objects are stored.
      - It cannot be changed later. The task fails when the container has another one.
    type: str
  versioning:
    description:
      - What becomes of an object that is replaced or deleted.
      - With V(enabled) the container itself keeps the versions before. M(fcd.cloud.storage_object_info) lists them with
        its option C(versions), and M(fcd.cloud.storage_object) restores one, with its C(version_id) in C(copy_from).
      - With V(stack) they go to the container O(versions_location), and a deletion restores the last one.
      - With V(history) they go there too, and a deletion is only noted there.
      - In that container, the name of a version is the length of the object's name in bytes, as three hexadecimal
        digits, the name, a slash and the moment in seconds since 1970, such as C(005a.txt/1795295934.15754) for
        C(a.txt). So O(fcd.cloud.storage_object_info#module:prefix) V(005a.txt/) lists the versions of C(a.txt), and
        O(fcd.cloud.storage_object#module:copy_from) restores one.
      - With V(disabled) nothing more is kept; versions that are there stay.
    type: str
    choices: [enabled, disabled, stack, history]
  versions_location:
    description:
      - Name of the container for old versions, which must be there already. Needed with O(versioning=stack) and
        O(versioning=history).
    type: str
  quota_bytes:
    description:
      - How many bytes the objects may have together, as digits or with a unit such as V(500M) or V(10GiB); units are
        powers of 1024. The service looks at its counts, which come with some delay, so that a bit more may fit.
      - An empty text removes the quota, V(0) lets nothing in.
    type: str
  quota_count:
    description:
      - How many objects may be in the container. An empty text removes the quota, V(0) lets nothing in.
    type: str
  web_index:
    description:
      - Name of the object that a static web site shows for an address ending with a slash, such as V(index.html).
      - The site is open to everybody with O(read_acl=.r:*,.rlistings). Its address is RV(container.url) and a slash.
    type: str
  web_error:
    description:
      - End of the names of the objects that a static web site shows for errors. With V(error.html) they are
        C(401error.html) and C(404error.html).
    type: str
  web_listings:
    description:
      - Whether a static web site lists what is there where O(web_index) is missing.
    type: bool
  web_listings_css:
    description:
      - Name of the object that is the style sheet of these lists.
    type: str
  web_listings_label:
    description:
      - Text at the head of these lists in place of the path.
    type: str
  web_directory_type:
    description:
      - Content type of the empty objects that stand for directories in a static web site. Without it the service takes
        C(application/directory).
    type: str
  cors_allow_origin:
    description:
      - Origins whose pages may reach into the container from a browser, such as V(https://www.example.com), or V(*).
        Each is scheme and host, without a path.
    type: list
    elements: str
  cors_max_age:
    description:
      - Seconds for which a browser may keep the answer to what it is allowed. An empty text removes it.
    type: str
  cors_expose_headers:
    description:
      - Names of further headers that the browser lets those pages see.
    type: list
    elements: str
  temp_url_key:
    description:
      - Secret with which temporary addresses of this container are signed, see P(fcd.cloud.storage_temp_url#lookup).
      - It never shows. It is compared with the key that is set, so that a task that sets the same one changes nothing.
    type: str
    aliases: [meta_temp_url_key]
  temp_url_key_2:
    description:
      - A second such secret, so that keys can be exchanged without breaking the addresses that are signed already.
    type: str
    aliases: [meta_temp_url_key_2]
  force:
    description:
      - Whether O(state=absent) deletes a container together with its contents. Without it, a container that is not
        empty is left alone and the task fails.
      - Versions that the container itself keeps are deleted too. Those in a container O(versions_location) stay, for it
        may hold those of other containers; a warning tells so.
      - Segments that its large objects have in other containers stay. A warning names the usual one, the container's
        name with C(_segments) behind it, where it is there.
    type: bool
    default: false
    aliases: [delete_with_all_objects]
  state:
    description:
      - Whether the container should exist.
    type: str
    choices: [present, absent]
    default: present
notes:
  - Contents are deleted page by page, with one request for many objects where the service offers that; versions one by
    one.
  - Where the service tells what it offers, an option for something else is refused before anything is changed. The
    module M(fcd.cloud.storage_account_info) shows it.
  - Counts of objects and bytes are updated by the service with some delay.
seealso:
  - module: fcd.cloud.storage_account
  - module: fcd.cloud.storage_container_info
  - module: fcd.cloud.storage_object
  - plugin: fcd.cloud.storage_temp_url
    plugin_type: lookup
"""

EXAMPLES = r"""
- name: Create a container
  fcd.cloud.storage_container:
    storage_base: https://storage.example.com
    storage_user: example:admin
    storage_key: "{{ vault_storage_key }}"
    name: backups
    metadata:
      owner: operations
    quota_bytes: 10GiB

- name: Create a static web site that everybody can see
  fcd.cloud.storage_container:
    name: www
    web_index: index.html
    web_error: error.html
    read_acl: ".r:*,.rlistings"
  register: site

- name: Show its address
  ansible.builtin.debug:
    msg: "{{ site.container.url }}/"

- name: Keep what is replaced or deleted
  fcd.cloud.storage_container:
    name: documents
    versioning: enabled

- name: Allow pages of another site to read it
  fcd.cloud.storage_container:
    name: www
    cors_allow_origin: [https://shop.example.com]
    cors_max_age: "3600"

- name: Set a key for temporary addresses
  fcd.cloud.storage_container:
    name: documents
    temp_url_key: "{{ vault_documents_key }}"

- name: Take the quota away
  fcd.cloud.storage_container:
    name: backups
    quota_bytes: ""

- name: Allow everybody to read it, with credentials from the environment or the profile file
  fcd.cloud.storage_container:
    name: downloads
    read_acl: ".r:*,.rlistings"

- name: Set exactly this metadata and no access list
  fcd.cloud.storage_container:
    name: downloads
    metadata:
      owner: operations
    purge_metadata: true
    read_acl: ""

- name: Remove a container with all that is in it
  fcd.cloud.storage_container:
    name: scratch
    state: absent
    force: true
"""

RETURN = r"""
container:
  description: The container as it is, or in check mode would be; null when it is not there.
  returned: success
  type: dict
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
    metadata:
      description: Its metadata, with names in lower case, without what other attributes tell.
      type: dict
      returned: always
    read_acl:
      description: Who may read; empty when nothing is set, or for users who may not see it.
      type: str
      returned: always
    write_acl:
      description: Who may write; empty when nothing is set, or for users who may not see it.
      type: str
      returned: always
    storage_policy:
      description: The storage policy; V((known after apply\)) in check mode before the container is created.
      type: str
      returned: always
    versioning:
      description: What becomes of objects that are replaced or deleted.
      type: str
      returned: always
    versions_location:
      description: Container for old versions; null when there is none.
      type: str
      returned: always
    quota_bytes:
      description: How many bytes its objects may have together; null without a quota.
      type: int
      returned: always
    quota_count:
      description: How many objects may be in it; null without a quota.
      type: int
      returned: always
    web_index:
      description: Object that a static web site shows for addresses with a slash at the end; null when not set.
      type: str
      returned: always
    web_error:
      description: End of the names of the objects that a static web site shows for errors; null when not set.
      type: str
      returned: always
    web_listings:
      description: Whether a static web site lists what is there.
      type: bool
      returned: always
    web_listings_css:
      description: Style sheet of these lists; null when not set.
      type: str
      returned: always
    web_listings_label:
      description: Text at the head of these lists; null when not set.
      type: str
      returned: always
    web_directory_type:
      description: Content type of the objects that stand for directories; null when not set.
      type: str
      returned: always
    cors_allow_origin:
      description: Origins whose pages may reach into it from a browser.
      type: list
      elements: str
      returned: always
    cors_max_age:
      description: Seconds for which a browser may keep what it is allowed; null when not set.
      type: int
      returned: always
    cors_expose_headers:
      description: Further headers that the browser lets those pages see.
      type: list
      elements: str
      returned: always
    temp_url_key:
      description: V((hidden\)) when the key is set, null when it is not, or for users who may not see it.
      type: str
      returned: always
    temp_url_key_2:
      description: The same for the second key.
      type: str
      returned: always
  sample:
    name: backups
    url: https://storage.example.com/v1/AUTH_example/backups
    object_count: 0
    bytes_used: 0
    metadata:
      owner: operations
    read_acl: ""
    write_acl: ""
    storage_policy: Policy-0
    versioning: disabled
    versions_location: null
    quota_bytes: 10737418240
    quota_count: null
    web_index: null
    web_error: null
    web_listings: false
    web_listings_css: null
    web_listings_label: null
    web_directory_type: null
    cors_allow_origin: []
    cors_max_age: null
    cors_expose_headers: []
    temp_url_key: (hidden)
    temp_url_key_2: null
action:
  description: What was done, or in check mode would be done.
  returned: success
  type: str
  sample: create
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._object_storage.container import OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()
