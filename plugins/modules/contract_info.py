#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_contract."""

from __future__ import annotations

DOCUMENTATION = r"""
module: contract_info
short_description: Read what the SOAP contract offers
version_added: 0.1.0
description:
  - Returns the operations, inputs, results and types that the WSDL at hand has, so that nobody needs to read XML.
  - Nothing but the WSDL is asked of the service, and that only when no compiled one is kept.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.soap
  - fcd.cloud._attributes.reading
options:
  operation:
    description:
      - Names of operations to show, in any spelling, together with the types that their messages can have.
      - A wrong one is answered with the nearest.
      - With none of O(operation), O(type) and O(search), all operations are shown, and no types.
    type: list
    elements: str
  type:
    description:
      - Names of types to show, in any spelling, together with the types that they lead to.
      - A wrong one is answered with the nearest.
    type: list
    elements: str
  search:
    description:
      - Text to look for in the names of operations and types. When no name has it, the nearest names are shown.
    type: str
seealso:
  - module: fcd.cloud.contract_call
"""

EXAMPLES = r"""
- name: Find the operations that are about warehouses
  fcd.cloud.contract_info:
    search: warehouse
  register: about

- name: List those that only read
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
      description: Name of the operation.
      type: str
      returned: always
    reads:
      description: Whether it only reads, going by its name.
      type: bool
      returned: always
    paged:
      description: Whether its only input is a search, so that its result can be followed from page to page.
      type: bool
      returned: always
    inputs:
      description: Its inputs, in the order in which they are sent.
      type: list
      elements: dict
      returned: always
      contains: &members
        name:
          description: Name in the schema.
          type: str
          returned: always
        key:
          description: Name in results. As an input it counts in every spelling.
          type: str
          returned: always
        type:
          description: Name of the type, of the elements where it is a list.
          type: str
          returned: always
        list:
          description: Whether it is a list.
          type: bool
          returned: always
        required:
          description: Whether the schema wants it in every message.
          type: bool
          returned: always
        nullable:
          description: Whether it may be null.
          type: bool
          returned: always
        allowed_values:
          description: The values that there are.
          type: list
          elements: str
          returned: for an enumeration
    result:
      description: What it returns; null when that is nothing.
      type: dict
      returned: always
      contains:
        type:
          description:
            - Name of the type, of the elements where it is a list; null when it has several values.
            - V(anyType) is data of which the WSDL does not say what is in it, such as a data set with its own schema.
          type: str
          returned: always
        list:
          description: Whether it is a list.
          type: bool
          returned: always
        rows:
          description: Name of the type of a row.
          type: str
          returned: for a paged result
        allowed_values:
          description: The values that there are.
          type: list
          elements: str
          returned: for an enumeration
        members:
          description: The values, described like inputs.
          type: list
          elements: dict
          returned: when it has several values
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
  description: The types. Lists of a type (C(ArrayOf...)) are none of their own.
  returned: success
  type: list
  elements: dict
  contains:
    name:
      description: Name of the type; V(#) and a number for one without a name.
      type: str
      returned: always
    namespace:
      description: Its namespace.
      type: str
      returned: always
    base:
      description: Name of the type that it extends, if any.
      type: str
      returned: always
    derived:
      description: Names of the types that extend it; the key C(_type) of an input can name them.
      type: list
      elements: str
      returned: always
    members:
      description: Its members, those of its base included.
      type: list
      elements: dict
      returned: always
      contains: *members
    allowed_values:
      description: The values that there are.
      type: list
      elements: str
      returned: for an enumeration
left_out:
  description:
    - Operations that the WSDL describes and that cannot be called. They keep no other from being called.
    - An operation is left out when one of its messages is no structure with members, or when its input has a part that
      cannot be understood, wherever that is. Such a part of a result is open data, and the operation can be called.
  returned: success
  type: list
  elements: dict
  contains:
    name:
      description: Name of the operation.
      type: str
      returned: always
    why:
      description: Why it cannot be called.
      type: str
      returned: always
  sample:
    - {name: GetReport, why: its input is not a structure}
source:
  description: Where the WSDL is from, an address or the path of a file.
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
