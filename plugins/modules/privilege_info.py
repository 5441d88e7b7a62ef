#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_contract."""

from __future__ import annotations

DOCUMENTATION = r"""
module: privilege_info
short_description: Read the privileges that users can have
version_added: 1.0.0
description:
  - Reads the IDs and names of the privileges of one type, as M(fcd.cloud.client_user) takes them.
  - To read the privileges of a user, use M(fcd.cloud.client_user_info).
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.soap
  - fcd.cloud._attributes.reading
options:
  type_dict_id:
    description:
      - ID of the type of privileges, an item of a dictionary, which M(fcd.cloud.catalogue_info) reads. If the type
        has no privileges, or does not exist, it is listed in RV(missing).
    type: int
    required: true
    aliases: [privilege_type_id]
seealso:
  - module: fcd.cloud.client_user
  - module: fcd.cloud.client_user_info
  - module: fcd.cloud.catalogue_info
  - ref: ansible_collections.fcd.cloud.docsite.soap_contract
    description: Guide to clients, warehouses and other operations of the SOAP contract.
"""

EXAMPLES = r"""
- name: Find the dictionary item of the type
  fcd.cloud.catalogue_info:
    dictionary: privilege_types
  register: types

- name: Read the privileges of that type
  fcd.cloud.privilege_info:
    type_dict_id: "{{ types.dictionary_items[0].id }}"
"""

RETURN = r"""
privileges:
  description:
    - The privileges; an empty list if there are none.
    - In addition to the keys listed here, a privilege has all members that the service sends, in snake_case.
  returned: success
  type: list
  elements: dict
  contains:
    id:
      description: ID of the privilege.
      type: int
      returned: if the WSDL has a member for it
    name:
      description: The name of the object.
      type: str
      returned: if the WSDL has a member for it
    description:
      description: What it allows.
      type: str
      returned: if the WSDL has a member for it
  sample:
    - {id: 3, name: ManageUsers, description: ManageUsers in the panel, privilege_id: 3, type_dict_id: 9071}
missing:
  description: The value of O(type_dict_id) if there are no privileges of this type; otherwise, an empty list.
  returned: success
  type: list
  elements: int
  sample: []
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._contract.readers import PRIVILEGE_INFO as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()
