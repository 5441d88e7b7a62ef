# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lookup of signed upload forms."""

from __future__ import annotations

DOCUMENTATION = r"""
name: storage_form_post
short_description: Sign a web form for uploading objects without a token
version_added: 1.0.0
description:
  - Returns what a web page needs to upload files from a browser into a container, for a limited time and without a
    token.
  - The page puts RV(_list[].action) into the C(action) of a form with C(method=post) and
    C(enctype=multipart/form-data), each of RV(_list[].fields) into a hidden input, and inputs of the type C(file) after
    them.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection_plugin.common
  - fcd.cloud._connection_plugin.storage
  - fcd.cloud._signing
options:
  _terms:
    description:
      - Containers, or C(container/prefix). File names are appended to the prefix as it is.
    required: true
    type: list
    elements: str
  redirect:
    description:
      - Address to which the browser is redirected after the upload. If omitted, the service shows a response of its
        own.
    type: str
    default: ''
  max_file_size:
    description:
      - Maximum size of a file in bytes.
    type: int
    default: 104857600
  max_file_count:
    description:
      - Maximum number of files in an upload.
    type: int
    default: 10
notes:
  - The value of a lookup is shown wherever it is printed, and anybody who has the fields can upload.
seealso:
  - plugin: fcd.cloud.storage_temp_url
    plugin_type: lookup
"""

EXAMPLES = r"""
- name: Show a form for uploading pictures
  ansible.builtin.debug:
    msg: "{{ lookup('fcd.cloud.storage_form_post', 'reports/pictures/', max_file_count=3) }}"
"""

RETURN = r"""
_list:
  description: The data for each form, in the order of the containers.
  type: list
  elements: dict
  contains:
    action:
      description: Address to submit the form to.
      type: str
    fields:
      description: Names and values of the hidden inputs. A free mapping of names to values.
      type: dict
"""

import typing as t

from ansible_collections.fcd.cloud.plugins.module_utils._connection.options import STORAGE, check_least
from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Task
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.connection import object_storage
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.signatures import (
    Form,
    end_of_signature,
    form_fields,
    object_places,
    signer,
)
from ansible_collections.fcd.cloud.plugins.plugin_utils._lookup import ServiceLookup


class LookupModule(ServiceLookup):
    """Signs forms."""

    services = (STORAGE,)

    def look_up(self, task: Task, terms: list[str], params: t.Mapping[str, t.Any]) -> list[dict[str, t.Any]]:
        """Return what a form needs for each container."""
        check_least(params, max_file_size=1, max_file_count=1)
        targets = object_places(task, terms, whole=False)
        form = Form(
            _one_line("redirect", params["redirect"]),
            params["max_file_size"],
            params["max_file_count"],
            end_of_signature(params, task.clock.now()),
        )
        storage = object_storage(task)
        forms = []
        for container, prefix in targets:
            address = storage.address(container, prefix or None)
            fields = form_fields(address, form, signer(task, storage, container, "formpost", params))
            forms.append({"action": address, "fields": fields})
        return forms


def _one_line(option: str, text: str) -> str:
    if "\n" in text:
        raise InvalidInput(f"{option}: it holds a line break.", option=option)
    return text
