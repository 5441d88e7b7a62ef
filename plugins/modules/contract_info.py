#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_contract."""

from __future__ import annotations

DOCUMENTATION = r"""
module: contract_info
short_description: Read the operations and types of the SOAP contract
version_added: 1.0.0
description:
  - Returns the operations, inputs, results and types that the WSDL defines, so that you do not need to read XML.
  - Only the WSDL is requested from the service, and only if no compiled copy is cached.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.soap
  - fcd.cloud._attributes.reading
options:
  operation:
    description:
      - Names of operations to show, in any spelling, together with the types that their messages can contain.
      - For an unknown name, the error suggests similar ones.
      - If none of O(operation), O(type) and O(search) is given, all operations are shown, and no types.
    type: list
    elements: str
  type:
    description:
      - Names of types to show, in any spelling, together with the types that they refer to.
      - For an unknown name, the error suggests similar ones.
    type: list
    elements: str
  search:
    description:
      - Text to search for in the names of operations and types. If no name contains it, the most similar names are
        shown.
    type: str
seealso:
  - module: fcd.cloud.contract_call
  - ref: ansible_collections.fcd.cloud.docsite.soap_contract
    description: Guide to clients, warehouses and other operations of the SOAP contract.
"""

EXAMPLES = r"""
- name: Find the operations for warehouses
  fcd.cloud.contract_info:
    search: warehouse
  register: about

- name: List the read operations
  ansible.builtin.debug:
    msg: "{{ about.operations | selectattr('reads') | map(attribute='name') }}"

- name: Show what one operation takes
  fcd.cloud.contract_info:
    operation: CreateWarehouse

- name: Show the statuses that a client can have
  fcd.cloud.contract_info:
    type: Consts.DAL.ClientStatus
"""

RETURN = r"""
operations:
  description: The operations.
  returned: success
  type: list
  elements: dict
  contains:
    name:
      description: The name of the operation.
      type: str
      returned: always
    reads:
      description: Whether the operation only reads, according to its name.
      type: bool
      returned: always
    paged:
      description: Whether the only input is a search, so that the result can be read page by page.
      type: bool
      returned: always
    inputs:
      description: The inputs, in the order in which they are sent.
      type: list
      elements: dict
      returned: always
      contains:
        name:
          description: The name in the schema.
          type: str
          returned: always
        key:
          description: The name in results. As an input, any spelling is accepted.
          type: str
          returned: always
        type:
          description: The name of the type; for a list, of its elements.
          type: str
          returned: always
        list:
          description: Whether the value is a list.
          type: bool
          returned: always
        required:
          description: Whether the schema requires it in every message.
          type: bool
          returned: always
        nullable:
          description: Whether it may be null.
          type: bool
          returned: always
        allowed_values:
          description: The allowed values.
          type: list
          elements: str
          returned: for an enumeration
    result:
      description: What the operation returns; null if it returns nothing.
      type: dict
      returned: always
      contains:
        type:
          description:
            - The name of the type; for a list, of its elements; null if the result has several values.
            - V(anyType) is data that the WSDL does not describe, such as a data set with its own schema.
          type: str
          returned: always
        list:
          description: Whether the value is a list.
          type: bool
          returned: always
        rows:
          description: The name of the type of a row.
          type: str
          returned: for a paged result
        allowed_values:
          description: The allowed values.
          type: list
          elements: str
          returned: for an enumeration
        members:
          description: The values, described in the same way as inputs. The keys are those of RV(operations[].inputs).
          type: list
          elements: dict
          returned: if the result has several values
    action:
      description: Value of the WS-Addressing header C(Action).
      type: str
      returned: always
  sample:
    - name: DeleteWarehouse
      reads: false
      paged: false
      inputs:
        - {name: warehouseId, key: warehouse_id, type: int, list: false, required: false, nullable: false}
      result: null
      action: "{soap_namespace}/ICommonFcd/DeleteWarehouse"
types:
  description: The types. Lists of a type (C(ArrayOf...)) are not listed separately.
  returned: success
  type: list
  elements: dict
  contains:
    name:
      description: The name of the type; V(#) and a number for an anonymous type.
      type: str
      returned: always
    namespace:
      description: Its namespace.
      type: str
      returned: always
    base:
      description: The name of the type that it extends, if any.
      type: str
      returned: always
    derived:
      description: The names of the types that extend it; the key C(_type) of an input can select one of them.
      type: list
      elements: str
      returned: always
    members:
      description: Its members, including those of its base. Keys as in RV(operations[].inputs).
      type: list
      elements: dict
      returned: always
    allowed_values:
      description: The allowed values.
      type: list
      elements: str
      returned: for an enumeration
left_out:
  description:
    - Operations that the WSDL describes but that cannot be called. All others can still be called.
    - An operation is left out if its style is not document/literal, or if any part of its input cannot be interpreted.
      If a part of a result cannot be interpreted, it is open data, and the operation can be
      called.
  returned: success
  type: list
  elements: dict
  contains:
    name:
      description: The name of the operation.
      type: str
      returned: always
    why:
      description: Why it cannot be called.
      type: str
      returned: always
  sample:
    - {name: GetReport, why: its style is not document/literal}
source:
  description: The source of the WSDL, an address or the path of a file.
  returned: success
  type: str
  sample: https://soap.example.com/CommonFcd.svc?wsdl
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._contract.operation_info import CONTRACT_INFO as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()
