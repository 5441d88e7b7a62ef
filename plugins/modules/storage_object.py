#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_object_storage."""

from __future__ import annotations

DOCUMENTATION = r"""
module: storage_object
short_description: Manage an object in the object storage
version_added: 0.1.0
description:
  - Creates, changes and deletes one object in the object storage, from a string, a file, or another object.
  - Contents are compared by MD5 checksum with one request and are never read back. They are sent only if they differ.
    They are streamed, and their MD5 checksum is verified after the transfer.
  - Content larger than O(segment_threshold) is stored as a static large object. Its segments are sent in parallel, and
    the object becomes visible only when all of them have been stored. The next run continues an interrupted upload
    without sending stored segments again. If a large object is replaced or deleted, its segments are removed as well,
    unless the container keeps versions, which need them.
  - Whatever you do not set stays unchanged, even if the content is replaced. Only a copy (O(copy_from)) takes all
    headers and metadata from its source, except for the expiry.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.storage
  - fcd.cloud._attributes
options:
  container:
    description:
      - The name of the container. It must exist when the object is written.
    type: str
    required: true
  name:
    description:
      - The name of the object in the container. It may contain slashes and any other characters, but no path component
        may be C(.) or C(..).
    type: str
    required: true
    aliases: [object]
  content:
    description:
      - The content as a string, stored as UTF-8. Lists and dictionaries are stored as JSON.
      - It is never part of the result, but the options of a task are shown at high verbosity. If it is secret, set
        C(no_log) on the task or use O(src).
      - One of O(content), O(src) and O(copy_from) is required if the object does not exist yet. Without them, only the
        headers and metadata of an existing object are changed.
    type: raw
  src:
    description:
      - File with the content, on the controller, found in the same places as for other modules, including C(files/). A
        file encrypted with Ansible Vault is stored decrypted.
      - With O(remote_src), the file is on the host on which the module runs.
    type: path
  remote_src:
    description:
      - Whether O(src) is on the host on which the module runs.
    type: bool
    default: false
  copy_from:
    description:
      - Another object of the same account, as C(container/object) or as a dictionary with the keys C(container) and
        C(object). The service itself makes the copy.
      - The dictionary may also have the key C(version_id), to copy an older version as listed by
        M(fcd.cloud.storage_object_info) with its option C(versions). If the source is the object itself, this restores
        the version.
      - Nothing is copied if both objects already have the same content.
      - A large object is copied segment by segment and becomes a static large object with segments of its own. Large
        objects that consist of byte ranges or of other large objects are rejected.
    type: raw
  overwrite:
    description:
      - Whether to replace the content of an existing object if it differs.
      - With V(false), content is stored only if the object does not exist, and the service is told to reject it if
        another client creates the object at the same moment (C(If-None-Match)). This protection is not available for
        O(copy_from) with an object without segments. Headers and metadata are updated in any case.
    type: bool
    default: true
  content_type:
    description:
      - Content type of the object. If omitted, the service guesses one for a new object from its name.
    type: str
  content_disposition:
    description:
      - Value of the header C(Content-Disposition) for downloads. An empty string removes it.
    type: str
  content_encoding:
    description:
      - Value of the header C(Content-Encoding) for downloads. The content is stored as it is. An empty string removes
        the header.
    type: str
  cache_control:
    description:
      - Value of the header C(Cache-Control) for downloads. An empty string removes it.
    type: str
  metadata:
    description:
      - Metadata items to set, a free mapping of names to values. Other items stay unchanged unless O(purge_metadata) is
        set.
      - An item with a null value is removed. An empty value is kept.
      - Names consist of letters, digits and hyphens and are case-insensitive. Underscores are rejected, since the
        service silently drops such items.
    type: dict
  purge_metadata:
    description:
      - Whether to remove items that O(metadata) does not list. Has no effect without O(metadata).
    type: bool
    default: false
  expires_at:
    description:
      - When the service deletes the object, in seconds since 1970 or in ISO 8601 format, for example
        V(2030-01-31T12:00:00Z). Without a time zone, the time is in UTC. V(never) removes the expiry.
      - If a time in the past would have to be set, the task fails. It also fails for a time so late that the service
        stores a different one; the error shows that time.
    type: str
    aliases: [delete_at]
  expires_in:
    description:
      - Time in seconds after which the service deletes the object.
      - It is applied if the content is written or the object has no expiry. If the content stays the same, an existing
        expiry is left alone, so that a second run changes nothing.
      - Units are accepted, as in V(90s), V(10m) or V(2h).
    type: str
    aliases: [delete_after]
  segment_threshold:
    description:
      - Content with more bytes than this is stored as a static large object.
      - If omitted, content is stored this way if the service does not accept it as a single object. The limit is
        requested from the service (C(/info)); if it does not report one, the usual limit of Swift applies.
      - Units are accepted, as in V(512K) or V(64MiB).
    type: str
  segment_size:
    description:
      - Size of the segments in bytes. If omitted, segments are 1 GiB, or larger if there would be too many for one
        object, or smaller if the service accepts only smaller ones.
      - An object with the same content in segments of other sizes is left unchanged.
      - Units are accepted, as in V(512K) or V(64MiB).
    type: str
  segment_container:
    description:
      - Container for the segments. By default, its name is that of O(container) followed by C(_segments).
      - If it does not exist, it is created with the read permissions and the storage policy that O(container) has at
        that time.
    type: str
  state:
    description:
      - Whether the object should exist.
      - V(absent) deletes a static large object together with its segments. The segments of a dynamic large object stay.
    type: str
    choices: [present, absent]
    default: present
notes:
  - A static or dynamic large object with the same content as O(src) or O(content) is left unchanged.
  - If a static large object is replaced, the segments named after it are removed once the new object has been stored.
    All others stay, including those of a dynamic large object, with a warning. This breaks any large object that
    another client has created from the same segments.
  - The segments of a large object do not expire with it. They, and segments left over from an interrupted run, are
    removed the next time the object is stored as a large object.
  - If a file larger than 1 MiB changes while it is being sent, the task fails and nothing is stored. Smaller files are
    read at once.
  - O(timeout) bounds the time for sending small content as a whole. Content larger than 128 KiB per second of that time
    may take as long as data keeps moving; O(timeout) then bounds the time without progress. A copy may take one
    additional second for every 128 KiB.
  - The service can only replace the metadata as a whole. If two tasks change one object at the same moment, the later
    one wins.
  - An expired object counts as absent.
seealso:
  - module: fcd.cloud.storage_container
  - module: fcd.cloud.storage_object_download
  - module: fcd.cloud.storage_object_info
  - module: fcd.cloud.storage_sync
  - plugin: fcd.cloud.storage_object
    plugin_type: lookup
  - plugin: fcd.cloud.storage_temp_url
    plugin_type: lookup
  - ref: ansible_collections.fcd.cloud.docsite.object_storage
    description: Guide to the object storage.
"""

EXAMPLES = r"""
- name: Store a string
  fcd.cloud.storage_object:
    storage_base: https://storage.example.com
    storage_user: example:admin
    storage_key: "{{ vault_storage_key }}"
    container: downloads
    name: motd.txt
    content: |
      Welcome.
    content_type: text/plain; charset=utf-8

- name: Upload a file from the controller, to be deleted after 30 days
  fcd.cloud.storage_object:
    container: backups
    name: "db/{{ inventory_hostname }}.sql.gz"
    src: db.sql.gz
    expires_in: 2592000
    metadata:
      made-on: "{{ inventory_hostname }}"

- name: Upload a file from the managed host
  fcd.cloud.storage_object:
    container: backups
    name: "logs/{{ inventory_hostname }}.log"
    src: /var/log/app.log
    remote_src: true

- name: Store a large backup in segments of 256 MiB
  fcd.cloud.storage_object:
    container: backups
    name: images/server.qcow2
    src: server.qcow2
    segment_threshold: 1073741824
    segment_size: 268435456

- name: Store an object only if it does not exist
  fcd.cloud.storage_object:
    container: downloads
    name: settings.json
    content: {language: en}
    overwrite: false

- name: Copy an object inside the service
  fcd.cloud.storage_object:
    container: downloads
    name: current.tar.gz
    copy_from: releases/1.4.2.tar.gz

- name: Change only the headers and metadata of an object
  fcd.cloud.storage_object:
    container: downloads
    name: current.tar.gz
    cache_control: max-age=300
    metadata:
      reviewed: "yes"
      draft: null

- name: Delete an object
  fcd.cloud.storage_object:
    container: downloads
    name: motd.txt
    state: absent
"""

RETURN = r"""
object:
  description: The object after the task, or in check mode as it would be; null if it does not exist.
  returned: success
  type: dict
  contains:
    container:
      description: The name of its container.
      type: str
      returned: always
    name:
      description: The name of the object.
      type: str
      returned: always
    etag:
      description:
        - MD5 checksum of the content. For a large object, MD5 checksum of the concatenated MD5 checksums of its
          segments, or null if it has so many that the service does not report it.
      type: str
      returned: always
    size:
      description: Length of the content in bytes; null if RV(object.etag) is null.
      type: int
      returned: always
    content_type:
      description: Content type; V((known after apply\)) in check mode when the service will guess it.
      type: str
      returned: always
    content_disposition:
      description: Value of the header C(Content-Disposition), or null.
      type: str
      returned: always
    content_encoding:
      description: Value of the header C(Content-Encoding), or null.
      type: str
      returned: always
    cache_control:
      description: Value of the header C(Cache-Control), or null.
      type: str
      returned: always
    metadata:
      description: Its metadata, with names in lower case. A free mapping of names to values.
      type: dict
      returned: always
    expires_at:
      description: When it will be deleted, in UTC, or null; V((known after apply\)) in check mode with O(expires_in).
      type: str
      returned: always
    last_modified:
      description: When it was last modified, in UTC; V((known after apply\)) in check mode for a change.
      type: str
      returned: always
    large_object:
      description: V(static) or V(dynamic) for an object that consists of segments; null otherwise.
      type: str
      returned: always
  sample:
    container: downloads
    name: motd.txt
    etag: 6032f3e326f913d4b23909386b577253
    size: 9
    content_type: text/plain; charset=utf-8
    content_disposition: null
    content_encoding: null
    cache_control: null
    metadata: {}
    expires_at: "2030-01-31T12:00:00Z"
    last_modified: "2029-01-31T12:00:00Z"
    large_object: null
action:
  description: The action taken, or in check mode the action that would be taken.
  returned: success
  type: str
  sample: create
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._object_storage.object import OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()
