#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_object_storage."""

from __future__ import annotations

DOCUMENTATION = r"""
module: storage_sync
short_description: Keep a folder and the object storage in sync
version_added: 0.1.0
description:
  - Synchronizes a folder to a container of the object storage (O(mode=push)), a container to a folder (O(mode=pull)),
    or one container to another without moving the data through this host (O(mode=copy)).
  - Both sides are listed once, a request for 10000 objects, and compared by size and MD5. Only what differs is
    transferred, several objects at a time.
  - A file that has not changed since it was read the last time is not read again (O(checksum_cache)).
  - When some objects fail, the others are finished first. Then the task fails and RV(failures) says which and why; the
    next run does what is missing. Nothing half done is ever visible under its name.
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
      - V(copy) makes the service copy the objects below O(source_prefix) of O(source_container).
    type: str
    choices: [push, pull, copy]
    required: true
  path:
    description:
      - The folder, on the host on which the module runs.
      - With O(mode=push) it has to exist. With O(mode=pull) it is created when it is missing.
    type: path
    aliases: [folder, directory]
  container:
    description:
      - Name of the container; with O(mode=copy) of the one to copy into. It has to exist.
    type: str
    required: true
  prefix:
    description:
      - Part of the container, as a folder. With V(site) the file C(index.html) is the object C(site/index.html).
      - An empty text is the whole container.
    type: str
    default: ""
  source_container:
    description:
      - Name of the container to copy from, with O(mode=copy).
    type: str
  source_prefix:
    description:
      - Part of O(source_container), as a folder. An empty text is the whole of it.
    type: str
    default: ""
  include:
    description:
      - Patterns for the names that take part, relative to O(path) or the prefix. Without one, all do. When nothing on
        the source fits, a warning tells so.
      - V(*), V(?) and V([a-z]) stand for anything but a slash, V(**) for slashes too. A pattern without a slash fits
        at any depth, one with a slash from the root on; a slash at its end means folders only. What fits a folder fits
        everything in it.
    type: list
    elements: str
    default: []
  exclude:
    description:
      - Patterns, as in O(include), for the names that do not take part, whatever O(include) says.
      - Such files and objects are neither transferred nor deleted.
    type: list
    elements: str
    default: []
  delete:
    description:
      - Whether to delete what is on the target and not on the source any more.
      - It happens when all else has gone well. When anything has failed, nothing is deleted.
      - Static large objects go with their segments; segments of dynamic ones stay.
    type: bool
    default: false
  max_delete:
    description:
      - How much O(delete) may delete, as number (V(10)) or as share (V(30%)) of all that is on the target; both are
        whole numbers.
      - With more the task fails before anything is done, in check mode too.
      - Without it, 20 % and not more than 5.
    type: str
  compare:
    description:
      - V(checksum) compares size and MD5.
      - V(size) takes contents of the same size for the same. It reads no files, and misses changes.
    type: str
    choices: [checksum, size]
    default: checksum
  checksum_cache:
    description:
      - Whether to remember the MD5 of files, in a file in O(state_dir) on the host on which the module runs.
      - A file is read again when its size, its times, its inode or its device differ, or when it had changed within two
        seconds before it was read.
    type: bool
    default: true
  symlinks:
    description:
      - What to do about symbolic links with O(mode=push). V(follow) takes what they lead to, V(skip) leaves them out,
        V(refuse) fails before anything is done.
      - A link that leads nowhere, or back to a folder that it is in, is told and left out.
      - What is left out counts as present, so that an object of its name is not deleted.
      - With O(mode=pull) nothing is ever written through a link, whatever is set here.
    type: str
    choices: [follow, skip, refuse]
    default: follow
  empty_directories:
    description:
      - Whether folders with nothing in them take part, as empty objects of the content type C(application/directory).
      - Without it, such objects are left alone.
    type: bool
    default: false
  headers:
    description:
      - Headers for the objects whose names fit a pattern, with O(mode=push) and O(mode=copy).
      - All entries that fit a name count, and of two values for one thing the later one.
      - An object that is stored again has these and nothing else, or, as a copy, these and what its source has.
      - The content type of objects that are the same already is compared, since the listing shows it. For the rest see
        O(verify_headers).
    type: list
    elements: dict
    default: []
    suboptions:
      match:
        description: Pattern, as in O(include).
        type: str
        default: "**"
      content_type:
        description: Content type. Without it the service guesses one from the name.
        type: str
      content_disposition:
        description: Value of the header C(Content-Disposition) for readers.
        type: str
      content_encoding:
        description: Value of the header C(Content-Encoding) for readers. The content is stored as it is.
        type: str
      cache_control:
        description: Value of the header C(Cache-Control) for readers.
        type: str
      metadata:
        description: Metadata items, as in M(fcd.cloud.storage_object).
        type: dict
      expires_in:
        description: After how many seconds the service deletes an object; set when it is stored.
        type: int
  verify_headers:
    description:
      - Whether to compare all of O(headers) on objects that are the same already, with one request for each object that
        an entry fits. Items of metadata that no entry names stay.
    type: bool
    default: false
  preserve_mtime:
    description:
      - Whether to store the time at which a file was changed, with O(mode=push), and to give it to the files, with
        O(mode=pull). It is the item C(mtime) of the metadata, in seconds since 1970, as other clients write it.
      - It takes effect on what is transferred, and is not compared.
    type: bool
    default: false
  segment_threshold:
    description:
      - Files of more bytes than this are stored as static large objects, in segments. Segments that a broken run has
        left are not sent again.
      - Without it, files that are larger than the largest object that the service takes.
    type: int
  segment_size:
    description:
      - Size of the segments in bytes. Without it 1 GiB, or more where there would be too many.
    type: int
  segment_container:
    description:
      - Container for the segments. It is created when it is missing. Without it, the name of O(container) with
        C(_segments) behind it.
      - Segments that are in O(container) itself are never taken for surplus.
    type: str
  file_mode:
    description:
      - Permissions of the files, with O(mode=pull), such as V('0644'). Files that are the same already get them too.
      - Without it, a new file has what the umask leaves, and one that is replaced keeps its own.
    type: raw
  directory_mode:
    description:
      - Permissions of the folders that are created, with O(mode=pull), such as V('0755'). Without it, what the umask
        leaves.
    type: raw
  connections:
    description:
      - How many objects are transferred at the same time, 1 to 64.
    type: int
    default: 8
  list_limit:
    description:
      - How many changes RV(objects) and the diff list at most. RV(counts) and RV(failures) are always complete.
    type: int
    default: 1000
notes:
  - Names that cannot be those of files below O(path) are refused one by one, with O(mode=pull). Those are names that
    begin or end with a slash, with an empty part or one that is a dot or two dots, and names below another object.
  - Names that differ only in case, or in how their characters are composed, are told with a warning. Where the file
    system takes both for one, the second of them is refused.
  - An object that just was written may be missing in the listing for a moment. It is transferred once more then.
  - A dynamic large object counts as the same when its segments hold the content of the file. The listing shows it as
    empty, so that it cannot be told from an empty object when the file is empty too.
  - With O(mode=pull) a file comes to its place as a whole. One that another task is writing is waited for, up to five
    minutes. What a crash of the host takes before it was on disk, the next run sees and downloads again.
  - The task waits for everything. Set O(task_timeout) to bound it; the next run goes on.
seealso:
  - module: fcd.cloud.storage_object
  - module: fcd.cloud.storage_container
"""

EXAMPLES = r"""
- name: Publish a folder as a site, and remove what is not in it any more
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
    - How many objects or files were, or in check mode would be, C(uploaded), C(downloaded), C(copied), C(deleted), or
      C(updated) (only the headers, or the permissions), how many were C(unchanged), have C(failed), and were
      C(not_tried) since there was no point in going on.
  returned: unless nothing was done because of an error
  type: dict
  sample:
    {uploaded: 2, downloaded: 0, copied: 0, updated: 0, deleted: 1, unchanged: 1997, failed: 0, not_tried: 0}
bytes:
  description: Size of all contents that were, or would be, transferred.
  returned: unless nothing was done because of an error
  type: int
  sample: 8192
objects:
  description: What was, or would be, changed, sorted by name; the first O(list_limit) of it.
  returned: unless nothing was done because of an error
  type: list
  elements: dict
  contains:
    name:
      description: Name, relative to O(path) or the prefix.
      type: str
      returned: always
    action:
      description: One of V(upload), V(download), V(copy), V(update) and V(delete).
      type: str
      returned: always
    reason:
      description: Why. One of V(new), V(content), V(headers), V(mode) and V(surplus).
      type: str
      returned: always
    size:
      description: Size of the content in bytes, 0 when it was not touched.
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
  description: What went wrong first, as data, for programs. Its C(kind) is that of the error.
  returned: failure
  type: dict
failures:
  description: What went wrong, by name; all of it.
  returned: unless nothing was done because of an error
  type: list
  elements: dict
  contains:
    name:
      description: Name, relative to O(path) or the prefix.
      type: str
      returned: always
    msg:
      description: What went wrong.
      type: str
      returned: always
    error:
      description: The same as data, for programs, with the kind of the error and what is known of the answer.
      type: dict
      returned: always
  sample: []
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._object_storage.sync import OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()
