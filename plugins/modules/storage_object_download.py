#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_object_storage."""

from __future__ import annotations

DOCUMENTATION = r"""
module: storage_object_download
short_description: Download an object of the object storage to a file
version_added: 0.1.0
description:
  - Has the content of one object in a file on the host on which the module runs.
  - A file that has the content already is left as it is; its MD5 is compared, and the content is not read.
  - The content is written to a file beside it, checked by the MD5 that the service tells, and moved to its place as a
    whole. When a run is interrupted, the next one goes on with what is there of an object above 8 MiB.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.storage
  - fcd.cloud._attributes
options:
  container:
    description:
      - Name of the container.
    type: str
    required: true
  name:
    description:
      - Name of the object. It is an error when it is not there.
    type: str
    required: true
    aliases: [object]
  version_id:
    description:
      - Version of the object, in a container that keeps versions itself
        (O(fcd.cloud.storage_container#module:versioning) V(enabled)); M(fcd.cloud.storage_object_info) lists them.
        Without it, the current one.
    type: str
  dest:
    description:
      - File to write. In a folder that exists, or when it ends with a slash, the file is called like the last part of
        the object's name. The folder is not created.
    type: path
    required: true
  follow:
    description:
      - Whether a symlink at O(dest) is followed. Otherwise the file takes its place.
    type: bool
    default: false
  mode:
    description:
      - Permissions of the file, as in M(ansible.builtin.file). Without it a file that exists keeps its own, and a new
        one gets those that the umask leaves.
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
      - Attributes of the file, in the order and the form that C(lsattr) shows, as in M(ansible.builtin.file).
    type: str
    aliases: [attr]
notes:
  - A large object is checked by the MD5 of each of its segments. One that consists of ranges of objects, or of other
    large objects, or whose segments may not be read, can be checked by its length only.
  - An object that changes while it is read is begun again once.
  - What an interrupted run leaves is called C(.fcd-...part), beside the file, and only its user can read it.
seealso:
  - module: fcd.cloud.storage_object
  - module: fcd.cloud.storage_object_info
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
  description: What describes the object.
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
