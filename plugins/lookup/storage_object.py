# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lookup of what objects hold."""

from __future__ import annotations

DOCUMENTATION = r"""
name: storage_object
short_description: Look up the content of objects in the object storage
version_added: 1.0.0
description:
  - Returns the content of each object, which is read again each time.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection_plugin.common
  - fcd.cloud._connection_plugin.storage
options:
  _terms:
    description:
      - Objects, each as C(container/object).
    required: true
    type: list
    elements: str
  encoding:
    description:
      - How to convert the bytes into a value. Use V(utf-8) for text and V(base64) for anything else.
    type: str
    choices: [utf-8, base64]
    default: utf-8
  max_size:
    description:
      - Maximum number of bytes to read from an object. A larger object is an error; download it with
        M(fcd.cloud.storage_object_download).
    type: int
    default: 16777216
  default:
    description:
      - Value for an object that does not exist. Without it, that is an error.
    type: str
notes:
  - The value of a lookup is shown wherever it is printed.
seealso:
  - module: fcd.cloud.storage_object_download
  - module: fcd.cloud.storage_object_info
"""

EXAMPLES = r"""
- name: Show the content of an object
  ansible.builtin.debug:
    msg: "{{ lookup('fcd.cloud.storage_object', 'reports/summary.txt') }}"

- name: Show a value from a JSON document, or a default
  ansible.builtin.debug:
    msg: "{{ (lookup('fcd.cloud.storage_object', 'reports/totals.json', default='{}') | from_json).sum | d('?') }}"
"""

RETURN = r"""
_list:
  description: Contents, in the order of the objects.
  type: list
  elements: str
"""

import base64
import hashlib
import typing as t

from ansible_collections.fcd.cloud.plugins.module_utils._connection.options import STORAGE
from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Task
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput, NotFound, Unusable
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.api import ObjectStorage
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.connection import object_storage
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.signatures import object_places
from ansible_collections.fcd.cloud.plugins.plugin_utils._lookup import ServiceLookup


class LookupModule(ServiceLookup):
    """Reads objects."""

    services = (STORAGE,)

    def look_up(self, task: Task, terms: list[str], params: t.Mapping[str, t.Any]) -> list[str]:
        """Return the content of each object."""
        objects = object_places(task, terms)
        storage = object_storage(task)
        return [_value(storage, place, params) for place in objects]


def _value(storage: ObjectStorage, place: tuple[str, str], params: t.Mapping[str, t.Any]) -> str:
    content = _content(storage, place, params["max_size"])
    if content is None:
        if params["default"] is not None:
            return str(params["default"])
        raise NotFound(
            f"There is no object {place[1]!r} in a container {place[0]!r}.",
            next_step="Check the name, or give default for when it is not there.",
            status=404,
        )
    if params["encoding"] == "base64":
        return base64.b64encode(content).decode("ascii")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        raise InvalidInput(
            f"{'/'.join(place)} is no text in UTF-8.", next_step="Set encoding to base64.", option="encoding"
        ) from None


def _content(storage: ObjectStorage, place: tuple[str, str], most: int) -> bytearray | None:
    """Return the bytes, or None when there is no such object."""
    content = bytearray()

    def take(piece: bytes) -> None:
        content.extend(piece)
        if len(content) > most:
            raise InvalidInput(
                f"{'/'.join(place)} holds more than {most} bytes.",
                next_step="Raise max_size, or use fcd.cloud.storage_object_download.",
                option="max_size",
            )

    answer = storage.read_object(*place, take)
    if answer.status == 404:
        return None
    etag = answer.headers["etag"]
    if not etag.startswith('"') and "x-object-manifest" not in answer.headers and etag != _md5(content):
        raise Unusable(f"{'/'.join(place)} did not arrive as it is stored (its MD5 differs).", status=answer.status)
    return content


def _md5(content: bytearray) -> str:
    return hashlib.md5(content, usedforsecurity=False).hexdigest()
