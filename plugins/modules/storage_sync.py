#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_object_storage."""

from __future__ import annotations

DOCUMENTATION = r"""
module: storage_sync
short_description: Synchronize folders and object storage containers
version_added: 1.0.0
description:
  - Synchronizes a folder to an object storage container (O(mode=push)), a container to a folder (O(mode=pull)), or one
    container to another without moving the data through this host (O(mode=copy)).
  - Both sides are listed once, with one request for each 10000 objects, and compared by size and MD5 checksum. Only
    differences are transferred, several objects in parallel.
  - With O(mode=push), files of up to 128 KiB are sent in archives, each of up to 400 files, if there are at least 32 of
    them and the service unpacks archives. Objects that a listing does not show as sent, and objects with other headers
    than a content type and metadata, are sent one by one.
  - What was sent to a container, or deleted in it, is looked up there afterwards; many objects in one listing. What the
    service has accepted and not done is in RV(failures).
  - A file that has not changed since it was last read is not read again (O(checksum_cache)).
  - If some objects fail, the others are completed first. The task then fails and lists the causes in RV(failures); the
    next run completes what is missing. Partial content is never visible under the final name.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.storage
  - fcd.cloud._attributes
options:
  mode:
    description:
      - V(push) uploads the files below O(path) as objects, V(pull) downloads the objects below O(prefix) as files.
      - V(copy) has the service copy the objects below O(source_prefix) of O(source_container).
    type: str
    choices: [push, pull, copy]
    required: true
  path:
    description:
      - The folder, on the host on which the module runs.
      - With O(mode=push), it must exist. With O(mode=pull), it is created if it does not exist.
      - Files are transferred as they are. A file encrypted with Ansible Vault is uploaded encrypted; to store it
        decrypted, use O(fcd.cloud.storage_object#module:src).
    type: path
    aliases: [folder, directory]
  container:
    description:
      - The name of the container; with O(mode=copy), of the target container. It must exist.
    type: str
    required: true
  prefix:
    description:
      - Part of the container, as a folder. With V(site), the file C(index.html) is the object C(site/index.html).
      - An empty string stands for the whole container.
    type: str
    default: ""
  source_container:
    description:
      - The name of the container to copy from, with O(mode=copy).
    type: str
  source_prefix:
    description:
      - Part of O(source_container), as a folder. An empty string stands for the whole container.
    type: str
    default: ""
  include:
    description:
      - Patterns of names to include, relative to O(path) or the prefix. If omitted, everything is included. If nothing
        in the source matches, a warning says so.
      - V(*), V(?) and V([a-z]) match anything but a slash; V(**) also matches slashes. A pattern without a slash
        matches at any depth, a pattern with a slash from the root; a trailing slash matches only folders. A pattern
        that matches a folder matches everything in it.
    type: list
    elements: str
    default: []
  exclude:
    description:
      - Patterns of names to exclude, as in O(include), even if O(include) matches them.
      - Excluded files and objects are neither transferred nor deleted.
    type: list
    elements: str
    default: []
  delete:
    description:
      - Whether to delete from the target whatever is no longer in the source.
      - Deletion starts only after everything else has succeeded. If anything has failed, nothing is deleted.
      - With O(mode=pull) and O(mode=copy), the source is asked by name for each object that its listing lacks. If one
        exists after all, the task fails before anything is done.
      - With O(mode=pull), a file or a symbolic link in the place of a folder, or the other way round, is replaced as
        soon as everything that belongs there has arrived. If any of that fails, it stays. A folder is only replaced if
        it holds nothing that is left out of the sync and, without O(delete), no files.
      - Static large objects are deleted with their segments; segments of dynamic large objects stay.
    type: bool
    default: false
  max_delete:
    description:
      - Maximum number of objects or files that O(delete) may delete, as a number (V(10)) or as a share (V(30%)) of
        everything in the target; both are integers.
      - If there are more, the task fails before anything is done, in check mode too.
      - If omitted, the limit is 20 %, at least 1 and at most 5, and never all.
    type: str
  compare:
    description:
      - V(checksum) compares size and MD5 checksum.
      - V(size) assumes that contents of the same size are equal. It does not read files, and can miss changes.
    type: str
    choices: [checksum, size]
    default: checksum
  checksum_cache:
    description:
      - Whether to cache the MD5 checksums of files, in a file in O(state_dir) on the host on which the module runs.
      - A file is read again if its size, timestamps, inode or device have changed, or if it had been modified within
        two seconds before it was last read.
    type: bool
    default: true
  symlinks:
    description:
      - How to handle symbolic links with O(mode=push). V(follow) uses their targets, V(skip) leaves them out, V(refuse)
        fails before anything is done.
      - Broken links, and links to a folder that contains them, are reported and left out.
      - A link that is left out counts as present, so an object of the same name is not deleted.
      - With V(skip) and V(refuse), a file that becomes a link while the task runs is not followed either; it fails.
      - With O(mode=pull), no link below O(path) is ever followed, whatever the value of this option.
    type: str
    choices: [follow, skip, refuse]
    default: follow
  empty_directories:
    description:
      - Whether to include empty folders, as empty objects with the content type C(application/directory).
      - With V(false), such objects are left alone.
    type: bool
    default: false
  headers:
    description:
      - Headers for the objects whose names match a pattern, with O(mode=push) and O(mode=copy).
      - All entries that match a name apply; if several set the same header, the last one wins.
      - An object that is stored again has only these headers or, if it is a copy, these and those of its source.
      - Those of unchanged objects are compared too. Metadata items that no entry sets stay unchanged. The content type
        is in the listing; the others take one request for each unchanged object, see O(verify_headers).
    type: list
    elements: dict
    default: []
    suboptions:
      match:
        description: Pattern, as in O(include).
        type: str
        default: "**"
      content_type:
        description: Content type of the objects. If omitted, the service guesses one from the name.
        type: str
      content_disposition:
        description: Value of the header C(Content-Disposition) for downloads.
        type: str
      content_encoding:
        description: Value of the header C(Content-Encoding) for downloads. The content is stored as it is.
        type: str
      cache_control:
        description: Value of the header C(Cache-Control) for downloads.
        type: str
      metadata:
        description: Metadata items, a free mapping, as in M(fcd.cloud.storage_object).
        type: dict
      expires_in:
        description:
          - Time in seconds after which the service deletes an object; set when the object is stored.
          - Units are accepted, as in V(90s), V(10m) or V(2h).
        type: str
  verify_headers:
    description:
      - Whether to compare all O(headers) of unchanged objects. With V(false), only the content type is compared, which
        saves a request for each unchanged object that an entry gives another header.
    type: bool
    default: true
  preserve_mtime:
    description:
      - Whether to store the modification times of files, with O(mode=push), and to restore them, with O(mode=pull). The
        time is in the metadata item C(mtime), in seconds since 1970, as written by other clients.
      - This applies only to what is transferred, and is not compared.
    type: bool
    default: false
  segment_threshold:
    description:
      - Files with more bytes than this are stored as static large objects, in segments. Segments left over from an
        interrupted run are not sent again.
      - If omitted, this applies to files larger than the largest object that the service accepts.
      - Units are accepted, as in V(512K) or V(64MiB).
    type: str
  segment_size:
    description:
      - Size of the segments in bytes. If omitted, segments are 1 GiB, or larger if there would be too many.
      - Units are accepted, as in V(512K) or V(64MiB).
    type: str
  segment_container:
    description:
      - Container for the segments. It is created if it does not exist. The default is the name of O(container) followed
        by C(_segments).
      - Segments in O(container) itself are never deleted as surplus.
    type: str
  file_mode:
    description:
      - Permissions of the files, with O(mode=pull), such as V('0644'). They are also applied to unchanged files.
      - If omitted, a new file gets the permissions that the umask allows, and a replaced file keeps its own.
    type: raw
  directory_mode:
    description:
      - Permissions of created folders, with O(mode=pull), such as V('0755'). If omitted, those that the umask allows.
    type: raw
  connections:
    description:
      - Number of objects to transfer in parallel, 1 to 64.
    type: int
    default: 8
  list_limit:
    description:
      - Maximum number of changes to list in RV(objects) and in the diff. RV(counts) and RV(failures) are always
        complete.
    type: int
    default: 1000
notes:
  - With O(mode=pull), names that cannot be names of files below O(path) are rejected one by one. These are names that
    begin or end with a slash, have an empty component or one that is a single or double dot, or are below another
    object.
  - Names that differ only in case or in Unicode normalization are reported in a warning. If the file system treats them
    as equal, the second one is rejected.
  - An object that was stored a moment ago may be missing from the listing. It is then transferred once more.
  - A dynamic large object counts as unchanged if its segments have the content of the file. Since the listing shows it
    as empty, it cannot be told apart from an empty object if the file is empty too.
  - With O(mode=pull), files are moved into place atomically. If another task is writing a file, the module waits for
    it, for up to five minutes. If a crash of the host loses data that was not on disk yet, the next run detects this
    and downloads it again.
  - The task waits until everything has completed. Set O(task_timeout) to limit this; the next run continues.
seealso:
  - module: fcd.cloud.storage_object
  - module: fcd.cloud.storage_container
  - module: fcd.cloud.storage_object_info
  - ref: ansible_collections.fcd.cloud.docsite.object_storage
    description: Guide to the object storage.
"""

EXAMPLES = r"""
- name: Publish a folder as a site and delete what is no longer in it
  fcd.cloud.storage_sync:
    storage_base: https://storage.example.com
    storage_user: example:admin
    storage_key: "{{ vault_storage_key }}"
    mode: push
    path: /srv/site
    container: www
    exclude: [.git, "*.swp"]
    delete: true
    max_delete: 50%
    headers:
      - match: "*.html"
        content_type: text/html; charset=utf-8
        cache_control: max-age=60
      - match: assets/**
        cache_control: max-age=31536000

- name: Keep the logs of each host for 30 days
  fcd.cloud.storage_sync:
    mode: push
    path: /var/log/app
    container: logs
    prefix: "{{ inventory_hostname }}"
    include: ["*.log.gz"]
    headers:
      - expires_in: 2592000

- name: Download the releases to this host
  fcd.cloud.storage_sync:
    mode: pull
    container: releases
    prefix: "1.4"
    path: /opt/releases/1.4
    file_mode: "0644"
    directory_mode: "0755"

- name: Copy the site into another container, inside the service
  fcd.cloud.storage_sync:
    mode: copy
    source_container: www
    container: backups
    prefix: www/monday
"""

RETURN = r"""
counts:
  description:
    - How many objects or files were C(uploaded), C(downloaded), C(copied), C(deleted), C(updated) (only headers or
      permissions), C(unchanged) or C(failed), and how many were C(not_tried) because there was no point in continuing.
      In check mode, how many would be.
  returned: unless nothing was done because of an error
  type: dict
  contains:
    uploaded:
      description: Files that were uploaded.
      type: int
      returned: always
    downloaded:
      description: Objects that were downloaded.
      type: int
      returned: always
    copied:
      description: Objects that were copied.
      type: int
      returned: always
    deleted:
      description: Objects or files that were deleted.
      type: int
      returned: always
    updated:
      description: Objects or files of which only the headers or permissions were changed.
      type: int
      returned: always
    unchanged:
      description: Objects or files that stayed as they were.
      type: int
      returned: always
    failed:
      description: Objects or files that failed.
      type: int
      returned: always
    not_tried:
      description: Objects or files that were not tried because there was no point in continuing.
      type: int
      returned: always
  sample:
    {uploaded: 2, downloaded: 0, copied: 0, updated: 0, deleted: 1, unchanged: 1997, failed: 0, not_tried: 0}
bytes:
  description: Total size of the contents that were transferred, or would be.
  returned: unless nothing was done because of an error
  type: int
  sample: 8192
objects:
  description:
    - What was changed, or would be, sorted by name, up to O(list_limit) entries.
    - Names are exact, so that a later task can use them. Only messages write invisible characters as escapes.
  returned: unless nothing was done because of an error
  type: list
  elements: dict
  contains:
    name:
      description: The name, relative to O(path) or the prefix.
      type: str
      returned: always
    action:
      description: One of V(upload), V(download), V(copy), V(update) and V(delete).
      type: str
      returned: always
    reason:
      description: The reason, one of V(new), V(content), V(headers), V(mode) and V(surplus).
      type: str
      returned: always
    size:
      description: Size of the content in bytes; 0 if it was not transferred.
      type: int
      returned: always
  sample:
    - {name: about.html, action: upload, reason: content, size: 4096}
    - {name: old.html, action: delete, reason: surplus, size: 1024}
truncated:
  description: Whether there were more changes than RV(objects) lists.
  returned: unless nothing was done because of an error
  type: bool
  sample: false
error:
  description: The first error in machine-readable form, with its C(kind).
  returned: failure
  type: dict
  contains:
    kind:
      description: Kind of the error, such as V(InvalidInput).
      type: str
      returned: always
failures:
  description: All errors, by name.
  returned: unless nothing was done because of an error
  type: list
  elements: dict
  contains:
    name:
      description:
        - The name, relative to O(path) or the prefix.
        - Bytes of the name of a file that are not UTF-8 are shown as escapes such as V(\\xe9).
      type: str
      returned: always
    msg:
      description: The error message.
      type: str
      returned: always
    error:
      description: The error in machine-readable form, with its kind and what is known about the response.
      type: dict
      returned: always
      contains:
        kind:
          description: Kind of the error, such as V(InvalidInput).
          type: str
          returned: always
  sample: []
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._object_storage.sync import OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()
