#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_contract."""

from __future__ import annotations

DOCUMENTATION = r"""
module: virtual_machine_transfer_info
short_description: Read exports and imports of virtual machines
version_added: 1.0.0
description:
  - Reads the record of a virtual machine export or import, or the disks of an import.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.soap
  - fcd.cloud._attributes.reading
options:
  subject:
    description:
      - What to read, an V(export), an V(import) or its disks (V(import_disks)). If omitted, the other options select
        one of the first two.
      - For the disks, the record of the import is read first, since the service requires it for listing them.
    type: str
    choices: [export, import, import_disks]
  export_id:
    description:
      - ID of the export.
    type: int
    aliases: [virtual_machine_export_id]
  import_id:
    description:
      - ID of the import, for V(import) and V(import_disks).
    type: int
  client_id:
    description:
      - ID of the client, for V(import) and V(import_disks).
    type: int
seealso:
  - module: fcd.cloud.instance_info
  - module: fcd.cloud.contract_call
  - ref: ansible_collections.fcd.cloud.docsite.soap_contract
    description: Guide to clients, warehouses and other operations of the SOAP contract.
"""

EXAMPLES = r"""
- name: Read an export
  fcd.cloud.virtual_machine_transfer_info:
    export_id: 1101

- name: Read an import
  fcd.cloud.virtual_machine_transfer_info:
    import_id: 1201
    client_id: 100

- name: Read the disks of the import
  fcd.cloud.virtual_machine_transfer_info:
    subject: import_disks
    import_id: 1201
    client_id: 100
"""

RETURN = r"""
exports:
  description:
    - The export; an empty list if there is none.
    - In addition to the keys listed here, it has all members that the service sends, in snake_case.
  returned: success, for the subject V(export)
  type: list
  elements: dict
  contains:
    id:
      description: ID of the export.
      type: int
      returned: if the WSDL has a member for it
    client_id:
      description: ID of the client.
      type: int
      returned: if the WSDL has a member for it
  sample:
    - {id: 1101, client_id: 100, virtual_machine_export_id: 1101, status_dict_id: 876}
imports:
  description:
    - The import; an empty list if there is none.
    - In addition to the keys listed here, it has all members that the service sends, in snake_case.
  returned: success, for the subject V(import)
  type: list
  elements: dict
  contains:
    id:
      description: ID of the import.
      type: int
      returned: if the WSDL has a member for it
    client_id:
      description: ID of the client.
      type: int
      returned: if the WSDL has a member for it
  sample:
    - {id: 1201, client_id: 100, import_id: 1201, file_name: machine.ova, status_dict_id: 875}
disks:
  description:
    - The disks of the import; an empty list if there are none, or no such import.
    - In addition to the keys listed here, a disk has all members that the service sends, in snake_case.
  returned: success, for the subject V(import_disks)
  type: list
  elements: dict
  contains:
    id:
      description: ID of the disk.
      type: int
      returned: if the WSDL has a member for it
    name:
      description: The name of the object.
      type: str
      returned: if the WSDL has a member for it
    capacity_gb:
      description: Size in GB.
      type: int
      returned: if the WSDL has a member for it
  sample:
    - {id: 1, name: system, capacity_gb: 40, is_primary: true}
missing:
  description: The value of O(export_id) or O(import_id) if it does not exist; otherwise, an empty list.
  returned: success, for the subjects V(export) and V(import)
  type: list
  elements: int
  sample: []
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._contract.readers import TRANSFER_INFO as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()
