#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_object_storage."""

from __future__ import annotations

DOCUMENTATION = r"""
module: storage_object_info
short_description: Read what describes objects of the object storage
version_added: 0.1.0
description:
  - Reads one object with all that describes it, or lists the objects of a container. Contents are not read.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.storage
  - fcd.cloud._attributes.reading
options:
  container:
    description:
      - Name of the container. A listing of one that does not exist is an error.
    type: str
    required: true
  name:
    description:
      - Name of one object; where there is none, the list is empty. Without it the objects of the container are listed.
      - Not together with O(prefix), O(delimiter), O(glob), O(marker) or O(details), which are for listings.
    type: str
    aliases: [object]
  prefix:
    description:
      - Only objects whose names begin so.
    type: str
  delimiter:
    description:
      - Names that have this text behind the O(prefix) are not listed one by one; what they begin with, up to that text,
        is in RV(prefixes). V(/) lists one level of folders. Not together with O(glob).
    type: str
  glob:
    description:
      - Only objects whose names fit one of these patterns. V(*), V(?) and V([a-z]) stand for anything but a slash,
        V(**) for slashes too.
      - A pattern without a slash fits at any depth, one with a slash from the beginning of the name on. What fits a
        folder fits everything in it.
      - The whole listing is read for it, but only what fits is kept. Give a O(prefix) too where that is possible.
    type: list
    elements: str
  marker:
    description:
      - Only objects whose names come behind this one.
    type: str
  limit:
    description:
      - At most so many entries. RV(next_marker) tells whether there are more.
    type: int
    default: 10000
  details:
    description:
      - Whether each listed object is asked for all that describes it, with a request each, several at a time.
        Otherwise what a listing does not tell is null.
    type: bool
  versions:
    description:
      - Whether the versions of objects are listed, in a container that keeps them itself
        (O(fcd.cloud.storage_container#module:versioning) V(enabled)); with O(name), those of this object. Deletions are
        among them. Not together with O(delimiter) or O(details).
      - In any other container each object has one version, V(null).
    type: bool
    default: false
  version_marker:
    description:
      - With O(versions), only what comes behind this version of O(marker), or of O(name). Give
        RV(next_version_marker) here together with RV(next_marker).
    type: str
  format:
    description:
      - With V(xml) and V(text) the answer of the service is given as it is, in RV(listing). It is one page, as long as
        O(limit) says or the service allows, usually 10000 entries; O(marker) leads to the next.
    type: str
    choices: [json, xml, text]
    default: json
notes:
  - A listing may lag behind what was stored, and shows objects that have expired until the service removes them.
  - A listing without O(details) shows a dynamic large object as an empty object.
seealso:
  - module: fcd.cloud.storage_object
  - module: fcd.cloud.storage_object_download
  - module: fcd.cloud.storage_container_info
"""

EXAMPLES = r"""
- name: Read what describes an object
  fcd.cloud.storage_object_info:
    container: downloads
    name: current.tar.gz
  register: current

- name: Stop when it is not there
  ansible.builtin.assert:
    that: current.objects | length == 1

- name: List the dumps of this month
  fcd.cloud.storage_object_info:
    container: backups
    prefix: db/2026-01
    glob: ["*.sql.gz"]
  register: dumps

- name: List the folders at the top
  fcd.cloud.storage_object_info:
    container: backups
    delimiter: /
  register: top

- name: Show them
  ansible.builtin.debug:
    var: top.prefixes

- name: List the versions of an object
  fcd.cloud.storage_object_info:
    container: documents
    name: contract.pdf
    versions: true
  register: contract

- name: Restore the version before the current one
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
    - The objects in the order of their names.
    - In a listing without O(details) they have null for RV(objects[].content_disposition),
      RV(objects[].content_encoding), RV(objects[].cache_control), RV(objects[].metadata) and RV(objects[].expires_at).
  returned: when O(format=json)
  type: list
  elements: dict
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
      description: Length of the content in bytes, or null where RV(objects[].etag) is.
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
      description: Its metadata, with names in lower case.
      type: dict
      returned: always
    expires_at:
      description: When the service will delete it, in UTC, or null.
      type: str
      returned: always
    last_modified:
      description: When it was changed last, in UTC.
      type: str
      returned: always
    large_object:
      description: V(static) or V(dynamic) for an object that consists of segments, else null.
      type: str
      returned: always
    version_id:
      description: Version, for C(version_id) of other modules.
      type: str
      returned: with O(versions)
    is_latest:
      description: Whether it is the current version.
      type: bool
      returned: with O(versions)
    deleted:
      description: Whether it only notes that the object was deleted at that moment.
      type: bool
      returned: with O(versions)
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
  description: Beginnings of names, with O(delimiter).
  returned: when O(format=json)
  type: list
  elements: str
  sample: [db/, logs/]
next_marker:
  description: Give this as O(marker) to get the next entries; null when there are none.
  returned: when O(format=json)
  type: str
  sample: db/2026-01-31.sql.gz
next_version_marker:
  description: Give this as O(version_marker), together with RV(next_marker); null when there are no more.
  returned: with O(versions)
  type: str
  sample: "1795295934.15754"
listing:
  description: The listing as the service writes it.
  returned: when O(format) is V(xml) or V(text)
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
