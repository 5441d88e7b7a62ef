#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_object_storage."""

from __future__ import annotations

DOCUMENTATION = r"""
module: storage_object_info
short_description: Read the properties of objects in the object storage
version_added: 1.0.0
description:
  - Reads one object with all its properties, or lists the objects of a container. Contents are not read.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.storage
  - fcd.cloud._attributes.reading
options:
  container:
    description:
      - The name of the container. Listing a container that does not exist is an error.
    type: str
    required: true
  name:
    description:
      - The name of one object; if it does not exist, the list is empty. If omitted, the objects of the container are
        listed.
      - Cannot be combined with O(prefix), O(delimiter), O(glob), O(marker) or O(details), which are for listings.
    type: str
    aliases: [object]
  prefix:
    description:
      - List only objects whose names begin with this prefix.
    type: str
  delimiter:
    description:
      - Names that contain this string after the O(prefix) are not listed individually; their common prefixes, up to and
        including the string, are returned in RV(prefixes). V(/) lists one folder level. Cannot be combined with
        O(glob).
    type: str
  glob:
    description:
      - List only objects whose names match one of these patterns. V(*), V(?) and V([a-z]) match anything but a slash;
        V(**) also matches slashes.
      - A pattern without a slash matches at any depth; a pattern with a slash matches from the beginning of the name. A
        pattern that matches a folder matches everything in it.
      - The whole listing is read, but only matching objects are kept. If possible, set a O(prefix) too.
    type: list
    elements: str
  marker:
    description:
      - List only objects whose names sort after this one.
    type: str
  limit:
    description:
      - Maximum number of entries. RV(next_marker) shows whether there are more.
    type: int
    default: 10000
  details:
    description:
      - Whether to read all properties of each listed object, with one request for each, several in parallel. Otherwise,
        properties that a listing does not include are null.
    type: bool
  versions:
    description:
      - Whether to list the versions of objects, in a container that keeps them itself
        (O(fcd.cloud.storage_container#module:versioning) V(enabled)); with O(name), those of this object. Deletions are
        included. Cannot be combined with O(delimiter) or O(details).
      - In any other container, each object has one version, V(null).
    type: bool
    default: false
  version_marker:
    description:
      - With O(versions), return only entries after this version of O(marker), or of O(name). Set it to
        RV(next_version_marker), together with RV(next_marker).
    type: str
  format:
    description:
      - With V(xml) and V(text), the response of the service is returned unchanged in RV(listing). It is a single page,
        limited by O(limit) or by the service, usually to 10000 entries; use O(marker) to get the next one.
    type: str
    choices: [json, xml, text]
    default: json
notes:
  - A listing may lag behind the actual contents, and shows expired objects until the service removes them.
  - A listing without O(details) shows a dynamic large object as an empty object.
seealso:
  - module: fcd.cloud.storage_object
  - module: fcd.cloud.storage_object_download
  - module: fcd.cloud.storage_container_info
  - ref: ansible_collections.fcd.cloud.docsite.object_storage
    description: Guide to the object storage.
"""

EXAMPLES = r"""
- name: Read the properties of an object
  fcd.cloud.storage_object_info:
    container: downloads
    name: current.tar.gz
  register: current

- name: Fail if it does not exist
  ansible.builtin.assert:
    that: current.objects | length == 1

- name: List the dumps of this month
  fcd.cloud.storage_object_info:
    container: backups
    prefix: db/2026-01
    glob: ["*.sql.gz"]
  register: dumps

- name: List the top-level folders
  fcd.cloud.storage_object_info:
    container: backups
    delimiter: /
  register: top

- name: Show the folders
  ansible.builtin.debug:
    var: top.prefixes

- name: List the versions of an object
  fcd.cloud.storage_object_info:
    container: documents
    name: contract.pdf
    versions: true
  register: contract

# A copy becomes the latest version, so a second run would restore the one that was replaced
- name: Restore the previous version
  fcd.cloud.storage_object:
    container: documents
    name: contract.pdf
    copy_from:
      container: documents
      object: contract.pdf
      version_id: "{{ (contract.objects | rejectattr('is_latest') | rejectattr('deleted') | first).version_id }}"

- name: Read the metadata of all objects
  fcd.cloud.storage_object_info:
    container: downloads
    details: true
"""

RETURN = r"""
objects:
  description:
    - The objects, sorted by name.
    - In a listing without O(details), RV(objects[].content_disposition), RV(objects[].content_encoding),
      RV(objects[].cache_control), RV(objects[].metadata) and RV(objects[].expires_at) are null.
  returned: if O(format=json)
  type: list
  elements: dict
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
      description: Length of the content in bytes; null if RV(objects[].etag) is null.
      type: int
      returned: always
    content_type:
      description: Content type.
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
      description: When the service will delete it, in UTC; null if it has no expiry.
      type: str
      returned: always
    last_modified:
      description: When it was last changed, in UTC.
      type: str
      returned: always
    large_object:
      description: V(static) or V(dynamic) for an object that consists of segments; null otherwise.
      type: str
      returned: always
    version_id:
      description: ID of the version, for the option C(version_id) of other modules.
      type: str
      returned: if O(versions) is set
    is_latest:
      description: Whether it is the current version.
      type: bool
      returned: if O(versions) is set
    deleted:
      description: Whether the entry only records that the object was deleted at that time.
      type: bool
      returned: if O(versions) is set
  sample:
    - container: downloads
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
prefixes:
  description: Common prefixes of names, with O(delimiter).
  returned: if O(format=json)
  type: list
  elements: str
  sample: [db/, logs/]
next_marker:
  description: Set O(marker) to this value to get the next entries; null if there are no more.
  returned: if O(format=json)
  type: str
  sample: db/2026-01-31.sql.gz
next_version_marker:
  description: Set O(version_marker) to this value, together with RV(next_marker); null if there are no more.
  returned: if O(versions) is set
  type: str
  sample: "1795295934.15754"
listing:
  description: The listing in the format of the service.
  returned: if O(format) is V(xml) or V(text)
  type: str
  sample: |
    db/2026-01-30.sql.gz
    db/2026-01-31.sql.gz
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._object_storage.listing import OBJECT_INFO as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()
