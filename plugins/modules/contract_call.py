#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_contract."""

from __future__ import annotations

DOCUMENTATION = r"""
module: contract_call
short_description: Call any operation of the SOAP contract
version_added: 1.0.0
description:
  - Calls one operation by name, with plain values, and returns its result as plain values.
  - This gives access to everything in the WSDL, including what no other module covers. If there is a dedicated module,
    prefer it, since it compares before it writes.
  - The operation and its inputs are checked against the WSDL before anything is sent, in check mode too.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.soap
  - fcd.cloud._attributes.acting
attributes:
  check_mode:
    details: >-
      A read operation is called. A write operation is checked but not sent; RV(would_send) shows what would be sent.
  idempotent:
    support: partial
    details: A read operation changes nothing. A write operation is sent each time the task runs.
options:
  operation:
    description:
      - The name of the operation, in any spelling. For an unknown name, the error suggests similar ones.
      - M(fcd.cloud.contract_info) lists the operations.
    type: str
    required: true
  inputs:
    description:
      - Inputs of the operation by name, in snake_case, in CamelCase or as in the schema. A free mapping; dictionaries
        and lists may be nested.
      - An input that is left out is not sent; an input that is null is sent as null. O(allow_missing_inputs) covers
        inputs that a write operation should not go without.
      - If a type has derived types, the key C(_type) selects one of them.
      - Passwords, tokens, verification codes and national identification numbers are rejected here, by the name of the
        input, since this option is logged. Give them in O(secret_inputs).
    type: dict
  secret_inputs:
    description:
      - Further inputs, a free mapping, that are neither logged nor shown. Dictionaries are merged with those of
        O(inputs) at every level; a list or a scalar replaces the other value.
      - Use this option only for secrets. Anything in the result that contains one of these values is hidden.
    type: dict
  all_pages:
    description:
      - Whether to read all pages of a paged result. RV(result) is then the list of all rows.
      - This requires an operation whose only input is a search. M(fcd.cloud.contract_info) marks it as V(paged).
    type: bool
    default: false
  limit:
    description:
      - Maximum number of rows to return of a paged result. With this option, pages are read as with O(all_pages=true).
    type: int
  read_only:
    description:
      - Whether the operation only reads. If omitted, the name determines it. Operations that begin with C(Get), C(Is),
        C(Has), C(Verify) or C(Validate), or end with C(Exists), read; all others write.
      - Use this for operations whose names are misleading. A read operation is also called in check mode and is retried
        after transient failures.
    type: bool
  allow_missing_inputs:
    description:
      - Whether to call a write operation without inputs that it takes. The service may read an input that is left out
        as null, or, if it cannot be null, as 0, as false, as a date in the year 1 or as the first value of an
        enumeration, and write that.
      - Otherwise, the task fails, in check mode too, if an input is left out; give null where that is meant. This
        applies to the inputs themselves and to the contents of given dictionaries. The error shows the path of each,
        such as C(client_fixed_amount.client_id), and what it must be.
      - An operation whose name begins with C(Create), C(Delete), C(Block) or C(Unblock), and C(LogonUser), replaces
        nothing. Of these, only inputs that cannot be null are required, or any input at all.
    type: bool
    default: false
notes:
  - A write operation is sent once, and again only if the service reports that the object is locked (error code 133).
    After a failure that leaves the outcome open, the task fails, and the error names operations that can show it.
  - A result that contains a password, a token, a verification code or a national identification number is hidden from
    the output, from every event and from every callback, but can still be used if it is registered.
  - Tasks with C(async) are rejected, since M(ansible.builtin.async_status) would reveal such a result.
seealso:
  - module: fcd.cloud.contract_info
  - plugin: fcd.cloud.contract
    plugin_type: lookup
  - ref: ansible_collections.fcd.cloud.docsite.soap_contract
    description: Guide to clients, warehouses and other operations of the SOAP contract.
"""

EXAMPLES = r"""
- name: Read the time zones
  fcd.cloud.contract_call:
    operation: GetTimeZones

- name: Read some clients
  fcd.cloud.contract_call:
    operation: GetClients
    inputs:
      search_params:
        search_text: example
    limit: 20

- name: Show what would be sent
  fcd.cloud.contract_call:
    operation: create_warehouse
    inputs:
      warehouse_name: spare
      queue_capacity: 4
      data_store_number: DS-01
      template_id: 304
      partner_id: 12
  check_mode: true

- name: Call an operation with a secret
  fcd.cloud.contract_call:
    operation: IsPeselAlreadyTaken
    secret_inputs:
      pesel: "{{ vault_applicant_pesel }}"
"""

RETURN = r"""
operation:
  description: The name of the operation, as in the WSDL.
  returned: success
  type: str
  sample: GetTimeZones
result:
  description:
    - What the operation returned; null if it returned nothing. Keys are in snake_case.
    - Integers, floating-point numbers and booleans are returned as such. Decimal numbers, dates with times, and binary
      data (Base64) are the exact text that the service sent.
    - A number or a boolean that cannot be null but is missing from an object in the response is 0 or false, since
      services of this kind leave these values out. A missing identifier, date, duration, GUID or enumeration value is
      null, and so is everything in an object without any value.
    - An object with members that the WSDL does not define, or of a type that it does not define, names them in
      C(_unknown). Such an object cannot be used as an input, since that would remove them. Any other object that was
      read can be.
    - Data that the WSDL does not describe, such as a data set with its own schema, is open data. Its dictionaries,
      lists and strings have the names that the service sent.
    - An object of a derived type has the name of that type in C(_type).
  returned: if the operation was called
  type: raw
  sample:
    - {time_zone_id: 1, display_name: (UTC+00:00) Coordinated Universal Time}
would_send:
  description: What would be sent for a write operation.
  returned: in check mode, if the operation writes
  type: dict
  contains:
    operation:
      description: The name of the operation.
      type: str
      returned: always
    inputs:
      description: Inputs with the names of the schema. Secrets are V((hidden\)). A free mapping of names to values.
      type: dict
      returned: always
  sample:
    operation: CreateWarehouse
    inputs: {warehouseName: spare, queueCapacity: 4}
unknown_members:
  description:
    - Members of the response that the WSDL does not define, each as a path. They are left out of RV(result). The WSDL
      was read again for them, unless it is a file or they were missing then too.
    - A warning lists them too.
  returned: if the operation was called
  type: list
  elements: str
  sample: []
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._contract.any_operation import CONTRACT_CALL as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()
