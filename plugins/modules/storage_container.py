#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_object_storage."""

from __future__ import annotations

DOCUMENTATION = r"""
module: storage_container
short_description: Manage an object storage container
version_added: 1.0.0
description:
  - Creates, changes and deletes object storage containers, including their metadata, access control lists, quotas,
    object versioning, static website settings, keys for temporary URLs, and CORS rules.
  - Only the options that you set are changed. An empty string or an empty list removes the setting.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.storage
  - fcd.cloud._attributes
options:
  name:
    description:
      - The name of the container. It may contain any character except a slash.
    type: str
    required: true
    aliases: [container]
  metadata:
    description:
      - Metadata items to set, a free mapping of names to values. Other items stay unchanged unless O(purge_metadata) is
        set.
      - An item with a null or empty value is removed.
      - Names consist of letters, digits and hyphens and are case-insensitive. Underscores are rejected, since the
        service silently drops such items.
      - Items that have a meaning to the service have options of their own and are rejected here. For example, use
        O(quota_bytes) for C(quota-bytes) and O(web_index) for C(web-index).
    type: dict
  purge_metadata:
    description:
      - Whether to remove items that O(metadata) does not list. Has no effect without O(metadata).
      - Settings that have options of their own are not affected.
    type: bool
    default: false
  read_acl:
    description:
      - Who may read, in the syntax of the service, for example V(.r:*,.rlistings) for everybody, or C(account:user).
      - V(.r:*) alone lets everybody read the objects, but neither list them nor open the start page of O(web_index).
      - Words of other services such as V(public-read) are rejected, since they would be names of accounts.
      - An empty string removes the list. Only the owner of the account can read and change it.
    type: str
  write_acl:
    description:
      - Who may write, for example C(account:user).
      - An empty string removes the list. Only the owner of the account can read and change it.
    type: str
  storage_policy:
    description:
      - Storage policy of a new container, which determines where its objects are stored and in how many copies.
      - Cannot be changed later. The task fails if the container has a different policy.
    type: str
  versioning:
    description:
      - What happens to an object that is replaced or deleted.
      - With V(enabled), the container itself keeps the previous versions. M(fcd.cloud.storage_object_info) lists them
        with its option C(versions), and M(fcd.cloud.storage_object) restores one with C(version_id) in C(copy_from).
      - With V(stack), previous versions are moved to the container O(versions_location), and deleting an object
        restores the latest one.
      - With V(history), previous versions are moved there too, and deleting an object only records the deletion there.
      - In that container, a version is named by the length of the object's name in bytes as three hexadecimal digits,
        the name, a slash and the time in seconds since 1970, such as C(005a.txt/1795295934.15754) for C(a.txt). To list
        the versions of C(a.txt), set O(fcd.cloud.storage_object_info#module:prefix) to V(005a.txt/); to restore one,
        use O(fcd.cloud.storage_object#module:copy_from).
      - With V(disabled), no further versions are kept; existing versions stay.
    type: str
    choices: [enabled, disabled, stack, history]
  versions_location:
    description:
      - The name of the container for old versions, which must already exist. Required with O(versioning=stack) and
        O(versioning=history).
    type: str
  quota_bytes:
    description:
      - Maximum total size of the objects in bytes, as digits or with a unit, such as V(500M) or V(10GiB); units are
        powers of 1024. The service updates its counts with some delay, so slightly more may fit.
      - An empty string removes the quota; V(0) does not allow any objects.
    type: str
  quota_count:
    description:
      - Maximum number of objects in the container. An empty string removes the quota; V(0) does not allow any objects.
    type: str
  web_index:
    description:
      - The name of the object that a static website serves for addresses ending with a slash, such as V(index.html).
      - With O(read_acl=.r:*,.rlistings), the site is public. Its address is RV(container.url) followed by a slash.
    type: str
  web_error:
    description:
      - Suffix of the names of the objects that a static website serves for errors. With V(error.html), these are
        C(401error.html) and C(404error.html).
    type: str
  web_listings:
    description:
      - Whether a static website lists the objects of a folder that has no O(web_index).
    type: bool
  web_listings_css:
    description:
      - The name of the object that is the style sheet of these listings.
    type: str
  web_listings_label:
    description:
      - Text to show at the top of these listings instead of the path.
    type: str
  web_directory_type:
    description:
      - Content type of the empty objects that represent folders in a static website. If omitted, the service uses
        C(application/directory).
    type: str
  cors_allow_origin:
    description:
      - Origins whose pages may access the container from a browser, such as V(https://www.example.com), or V(*). Each
        consists of scheme and host, without a path.
    type: list
    elements: str
  cors_max_age:
    description:
      - Time in seconds for which a browser may cache the permissions it was given. An empty string removes the setting.
      - Units are accepted, as in V(90s), V(10m) or V(2h).
    type: str
  cors_expose_headers:
    description:
      - Names of further headers that the browser exposes to those pages.
    type: list
    elements: str
  temp_url_key:
    description:
      - Secret key for signing temporary URLs of this container; see P(fcd.cloud.storage_temp_url#lookup).
      - The key is never shown. It is compared with the current key, so a task that sets the same key changes nothing.
    type: str
    aliases: [meta_temp_url_key]
  temp_url_key_2:
    description:
      - A second key of this kind, so that keys can be rotated without invalidating URLs that are already signed.
    type: str
    aliases: [meta_temp_url_key_2]
  force:
    description:
      - Whether O(state=absent) deletes a container together with its contents. Otherwise, a container that is not empty
        is left alone and the task fails.
      - Versions that the container itself keeps are deleted too. Versions in a container O(versions_location) stay,
        since it may also hold versions from other containers; a warning says so.
      - Segments of its large objects in other containers stay. If there is a container with the usual name for them,
        the container's name followed by C(_segments), a warning names it.
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
  - Contents are deleted page by page, with one request for many objects if the service offers that; versions are
    deleted one by one.
  - If the service reports its features, options for features that it lacks are rejected before anything is changed.
    M(fcd.cloud.storage_account_info) shows the features.
  - The service updates the counts of objects and bytes with some delay.
seealso:
  - module: fcd.cloud.storage_account
  - module: fcd.cloud.storage_container_info
  - module: fcd.cloud.storage_object
  - module: fcd.cloud.storage_sync
  - plugin: fcd.cloud.storage_temp_url
    plugin_type: lookup
  - ref: ansible_collections.fcd.cloud.docsite.object_storage
    description: Guide to the object storage.
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

- name: Create a public static website
  fcd.cloud.storage_container:
    name: www
    web_index: index.html
    web_error: error.html
    read_acl: ".r:*,.rlistings"
  register: site

- name: Show the address of the website
  ansible.builtin.debug:
    msg: "{{ site.container.url }}/"

- name: Keep replaced and deleted objects
  fcd.cloud.storage_container:
    name: documents
    versioning: enabled

- name: Allow pages of another site to read the container
  fcd.cloud.storage_container:
    name: www
    cors_allow_origin: [https://shop.example.com]
    cors_max_age: "3600"

- name: Set a key for temporary URLs
  fcd.cloud.storage_container:
    name: documents
    temp_url_key: "{{ vault_documents_key }}"

- name: Remove the quota
  fcd.cloud.storage_container:
    name: backups
    quota_bytes: ""

- name: Allow everybody to read the container, with credentials from the environment or the profile file
  fcd.cloud.storage_container:
    name: downloads
    read_acl: ".r:*,.rlistings"

- name: Set exactly this metadata and remove the read ACL
  fcd.cloud.storage_container:
    name: downloads
    metadata:
      owner: operations
    purge_metadata: true
    read_acl: ""

- name: Delete a container with all its contents
  fcd.cloud.storage_container:
    name: scratch
    state: absent
    force: true
"""

RETURN = r"""
container:
  description: The container after the task, or in check mode as it would be; null if it does not exist.
  returned: success
  type: dict
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
    metadata:
      description: >-
        Its metadata, with names in lower case, without the items that have attributes of their own. A free mapping of
        names to values.
      type: dict
      returned: always
    read_acl:
      description: Who may read; empty if nothing is set or the user may not see it.
      type: str
      returned: always
    write_acl:
      description: Who may write; empty if nothing is set or the user may not see it.
      type: str
      returned: always
    storage_policy:
      description: The storage policy; V((known after apply\)) in check mode before the container is created.
      type: str
      returned: always
    last_modified:
      description: >-
        When its settings were last changed, in UTC; V((known after apply\)) in check mode if they would be; null if the
        service does not say so.
      type: str
      returned: always
    versioning:
      description: What happens to objects that are replaced or deleted.
      type: str
      returned: always
    versions_location:
      description: Container for old versions; null if there is none.
      type: str
      returned: always
    quota_bytes:
      description: Maximum total size of its objects in bytes; null if there is no quota.
      type: int
      returned: always
    quota_count:
      description: Maximum number of objects in it; null if there is no quota.
      type: int
      returned: always
    web_index:
      description: Object that a static website serves for addresses ending with a slash; null if not set.
      type: str
      returned: always
    web_error:
      description: Suffix of the names of the objects that a static website serves for errors; null if not set.
      type: str
      returned: always
    web_listings:
      description: Whether a static website lists the objects of a folder.
      type: bool
      returned: always
    web_listings_css:
      description: Style sheet of these listings; null if not set.
      type: str
      returned: always
    web_listings_label:
      description: Text at the top of these listings; null if not set.
      type: str
      returned: always
    web_directory_type:
      description: Content type of the objects that represent folders; null if not set.
      type: str
      returned: always
    cors_allow_origin:
      description: Origins whose pages may access it from a browser.
      type: list
      elements: str
      returned: always
    cors_max_age:
      description: Time in seconds for which a browser may cache the permissions it was given; null if not set.
      type: int
      returned: always
    cors_expose_headers:
      description: Further headers that the browser exposes to those pages.
      type: list
      elements: str
      returned: always
    temp_url_key:
      description: V((hidden\)) if the key is set; null if it is not, or if the user may not see it.
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
    last_modified: "2026-01-31T12:00:00Z"
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
  description: The action taken, or in check mode the action that would be taken.
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
