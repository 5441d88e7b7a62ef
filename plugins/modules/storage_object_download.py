#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_object_storage."""

from __future__ import annotations

DOCUMENTATION = r"""
module: storage_object_download
short_description: Download an object from the object storage to a file
version_added: 0.1.0
description:
  - Ensures that a file on the host on which the module runs has the content of an object.
  - A file that already has the content is left unchanged; only MD5 checksums are compared, and the content is not
    downloaded.
  - The content is written to a temporary file in the same folder, verified by the MD5 checksum that the service
    reports, and then moved into place atomically. If a run is interrupted, the next one resumes the download of an
    object larger than 8 MiB.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.storage
  - fcd.cloud._attributes
options:
  container:
    description:
      - The name of the container.
    type: str
    required: true
  name:
    description:
      - The name of the object. The task fails if it does not exist.
    type: str
    required: true
    aliases: [object]
  version_id:
    description:
      - Version of the object, in a container that keeps versions itself
        (O(fcd.cloud.storage_container#module:versioning) V(enabled)); M(fcd.cloud.storage_object_info) lists them. If
        omitted, the current version is downloaded.
    type: str
  dest:
    description:
      - Path of the file to write. If it is an existing folder or ends with a slash, the file is named after the last
        component of the object's name. The folder is not created.
    type: path
    required: true
  follow:
    description:
      - Whether to follow a symbolic link at O(dest). Otherwise, the file replaces the link.
    type: bool
    default: false
  mode:
    description:
      - Permissions of the file, as in M(ansible.builtin.file). If omitted, an existing file keeps its permissions, and
        a new file gets those that the umask allows.
    type: raw
  owner:
    description:
      - Name of the user who should own the file, as in M(ansible.builtin.file).
    type: str
  group:
    description:
      - Name of the group that should own the file, as in M(ansible.builtin.file).
    type: str
  seuser:
    description:
      - User of the SELinux context of the file.
    type: str
  serole:
    description:
      - Role of the SELinux context of the file.
    type: str
  selevel:
    description:
      - Level of the SELinux context of the file.
    type: str
  setype:
    description:
      - Type of the SELinux context of the file.
    type: str
  attributes:
    description:
      - Attributes of the file, in the order and format that C(lsattr) shows, as in M(ansible.builtin.file).
    type: str
    aliases: [attr]
notes:
  - A large object is verified by the MD5 checksum of each of its segments. If it consists of byte ranges or of other
    large objects, or if its segments may not be read, only its length can be verified.
  - If an object changes while it is being read, the download is restarted once.
  - An interrupted run leaves a file called C(.fcd-...part) in the same folder, which only its user can read.
seealso:
  - module: fcd.cloud.storage_object
  - module: fcd.cloud.storage_object_info
  - module: fcd.cloud.storage_sync
  - ref: ansible_collections.fcd.cloud.docsite.object_storage
    description: Guide to the object storage.
"""

EXAMPLES = r"""
- name: Download the current release
  fcd.cloud.storage_object_download:
    container: downloads
    name: current.tar.gz
    dest: /var/backups/current.tar.gz
    mode: "0644"

- name: Show what a second run would do
  fcd.cloud.storage_object_download:
    container: downloads
    name: current.tar.gz
    dest: /var/backups
  check_mode: true
  register: second
"""

RETURN = r"""
file:
  description: Path of the file.
  returned: success
  type: str
  sample: /var/backups/current.tar.gz
mode:
  description: Permissions of the file, in octal.
  returned: success
  type: str
  sample: "0644"
object:
  description: Properties of the object.
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
"""

from ..module_utils._ansible.execution import apply_file_arguments, run_module
from ..module_utils._object_storage.download import OPERATION


def main() -> None:
    run_module(OPERATION, apply_file_arguments)


if __name__ == "__main__":
    main()
