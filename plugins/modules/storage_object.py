#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_object_storage."""

from __future__ import annotations

DOCUMENTATION = r"""
module: storage_object
short_description: Manage an object of the object storage
version_added: 0.1.0
description:
  - Creates, changes and deletes one object of the object storage, from a text, a file, or another object.
  - Contents are compared by their MD5 with one request and are never read back. They are sent only when they differ,
    streamed, and what arrives is verified by its MD5.
  - A content above O(segment_threshold) is stored as a static large object. Its segments are sent side by side, and the
    object shows only when all of them are there. A run that breaks off is continued by the next one, which does not
    send the segments again that are there already. Segments of an object that is replaced or deleted go with it, unless
    the container keeps versions, which need them.
  - What is not given stays as it is, also when the content is replaced. Only a copy (O(copy_from)) takes everything
    that describes it from its source, except the expiry.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.storage
  - fcd.cloud._attributes
options:
  container:
    description:
      - Name of the container. It has to exist when the object is written.
    type: str
    required: true
  name:
    description:
      - Name of the object in the container. It may hold slashes and any other characters, but no part between two
        slashes may be a dot or two dots.
    type: str
    required: true
    aliases: [object]
  content:
    description:
      - The content as a text, stored as UTF-8. Lists and dictionaries are stored as JSON.
      - It is never part of the result, but the options of a task show at high verbosity. Set C(no_log) on the task when
        it is secret, or use O(src).
      - One of O(content), O(src) and O(copy_from) is needed when the object does not exist yet. Without them, only what
        describes an existing object is changed.
    type: raw
  src:
    description:
      - File with the content, on the controller, where it is looked for as other modules do, in C(files/) too. A file
        that is encrypted with Ansible Vault is stored decrypted.
      - With O(remote_src) it is a file on the host on which the module runs.
    type: path
  remote_src:
    description:
      - Whether O(src) is on the host on which the module runs.
    type: bool
    default: false
  copy_from:
    description:
      - Another object of the same account, as C(container/object) or as a dictionary with the keys C(container) and
        C(object). The service copies it itself.
      - The dictionary may have C(version_id) too, for an older version as M(fcd.cloud.storage_object_info) lists them
        with its option C(versions). With the object itself as source, this restores the version.
      - Nothing is copied when both objects have the same content already.
      - A large object is copied segment by segment and becomes a static large object with segments of its own. One that
        consists of ranges of objects, or of other large objects, is refused.
    type: raw
  overwrite:
    description:
      - Whether the content of an object that exists is replaced when it differs.
      - With V(false), a content is stored only when there is no object, and the service is told to refuse it when
        another client has created one in that moment (C(If-None-Match)). It cannot be told so for O(copy_from) of an
        object without segments. What describes the object becomes as declared in any case.
    type: bool
    default: true
  content_type:
    description:
      - Content type. A new object without it gets one that the service guesses from the name.
    type: str
  content_disposition:
    description:
      - Value of the header C(Content-Disposition) for readers. An empty text removes it.
    type: str
  content_encoding:
    description:
      - Value of the header C(Content-Encoding) for readers. The content is stored as it is. An empty text removes it.
    type: str
  cache_control:
    description:
      - Value of the header C(Cache-Control) for readers. An empty text removes it.
    type: str
  metadata:
    description:
      - Metadata items to set. Items that are not named stay as they are, unless O(purge_metadata) is set.
      - An item whose value is null is removed. An empty value is kept as such.
      - Names consist of letters, digits and hyphens; upper and lower case are the same. An underscore is refused,
        since the service drops such items silently.
    type: dict
  purge_metadata:
    description:
      - Whether items that O(metadata) does not name are removed. Without O(metadata) it has no effect.
    type: bool
    default: false
  expires_at:
    description:
      - When the service deletes the object, in seconds since 1970 or in ISO 8601, for example V(2030-01-31T12:00:00Z).
        Without a time zone it is UTC. V(never) removes the expiry.
      - A moment that has passed is an error when it would have to be set. So is one so late that the service keeps
        another in its place; the error names it.
    type: str
    aliases: [delete_at]
  expires_in:
    description:
      - After how many seconds the service deletes the object.
      - It is applied when the content is written, or when the object has no expiry. The expiry of an object whose
        content stays is left alone, so that a second run changes nothing.
    type: int
    aliases: [delete_after]
  segment_threshold:
    description:
      - Contents of more bytes than this are stored as static large objects.
      - Without it, those that the service does not take as one object are. It is asked for its limit (C(/info)), and
        the usual limit of Swift counts where it does not tell.
    type: int
  segment_size:
    description:
      - Size of the segments in bytes. Without it they have 1 GiB, or more where there would be too many of them for one
        object, or less where the service takes less.
      - An object with the same content in segments of other sizes is left as it is.
    type: int
  segment_container:
    description:
      - Container for the segments. By default its name is that of O(container) with C(_segments) behind it.
      - It is created when it is missing, with the read permissions and the storage policy that O(container) has then.
    type: str
  state:
    description:
      - Whether the object should exist.
      - V(absent) deletes a static large object together with its segments. The segments of a dynamic one stay.
    type: str
    choices: [present, absent]
    default: present
notes:
  - A static or dynamic large object with the same content as O(src) or O(content) is left as it is.
  - When a static large object is replaced, the segments that are named after it are removed once the new object is
    there. Others stay, as all of a dynamic one do, and a warning says so. A large object that another client has
    created from the same segments breaks then.
  - The segments of a large object do not expire with it. They, and segments that a broken run has left, are removed
    when the object is stored as a large one again.
  - A file above 1 MiB that changes while it is sent is an error, and nothing of it is stored. A smaller one is read at
    once.
  - O(timeout) bounds the sending of small contents as a whole. Contents of more than 128 KiB for each of its seconds
    may take as long as they move; then it bounds the silence. A copy may take one second more for every 128 KiB.
  - The service offers no way to change metadata without setting all of it. When two tasks change one object at the same
    moment, the later one wins.
  - An object that has expired counts as absent.
seealso:
  - module: fcd.cloud.storage_container
  - module: fcd.cloud.storage_object_download
  - module: fcd.cloud.storage_object_info
"""

EXAMPLES = r"""
- name: Store a text
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

- name: Upload a file that is on the managed host
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

- name: Store a first version, and leave alone whatever is there
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

- name: Change only what describes an object
  fcd.cloud.storage_object:
    container: downloads
    name: current.tar.gz
    cache_control: max-age=300
    metadata:
      reviewed: "yes"
      draft: null

- name: Remove an object
  fcd.cloud.storage_object:
    container: downloads
    name: motd.txt
    state: absent
"""

RETURN = r"""
object:
  description: The object as it is, or in check mode would be; null when it is not there.
  returned: success
  type: dict
  contains:
    container:
      description: Name of its container.
      type: str
      returned: always
    name:
      description: Its name.
      type: str
      returned: always
    etag:
      description:
        - MD5 of the content. For a large object, MD5 of the joined MD5s of its segments, or null when there are so many
          of them that the service does not say it.
      type: str
      returned: always
    size:
      description: Length of the content in bytes, or null where RV(object.etag) is.
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
      description: Its metadata, with names in lower case.
      type: dict
      returned: always
    expires_at:
      description: When it will be deleted, in UTC, or null; V((known after apply\)) in check mode with O(expires_in).
      type: str
      returned: always
    last_modified:
      description: When it was changed last, in UTC; V((known after apply\)) in check mode for a change.
      type: str
      returned: always
    large_object:
      description: V(static) or V(dynamic) for an object that consists of segments, else null.
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
  description: What was done, or in check mode would be done.
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
