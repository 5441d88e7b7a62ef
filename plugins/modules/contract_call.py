#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_contract."""

from __future__ import annotations

DOCUMENTATION = r"""
module: contract_call
short_description: Call any operation of the SOAP contract
version_added: 0.1.0
description:
  - Calls one operation by its name, with plain values, and returns its result as plain values.
  - It reaches whatever the WSDL has, also what no other module covers. Where a module for the matter exists, prefer
    that one. It compares before it writes.
  - Operation and inputs are checked by the WSDL before anything is sent, in check mode too.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.soap
  - fcd.cloud._attributes.acting
attributes:
  check_mode:
    details: >-
      An operation that only reads is called. One that writes is checked and not sent; RV(would_send) shows what
      would be sent.
  idempotent:
    support: partial
    details: An operation that only reads changes nothing. One that writes is sent each time that the task runs.
options:
  operation:
    description:
      - Name of the operation, in any spelling. A wrong one is answered with the nearest.
      - M(fcd.cloud.contract_info) lists them.
    type: str
    required: true
  inputs:
    description:
      - Inputs of the operation by their names, in snake_case, in CamelCase or as in the schema. Dictionaries and
        lists may be nested.
      - An input that is left out is not sent; one that is null is sent as null. What an operation that writes should
        not go without is told by O(allow_missing_inputs).
      - Where a type has derived types, the key C(_type) names the one that is meant.
      - Passwords, tokens, verification codes and national ids are refused here, by the name of the input, since this
        option is logged. They belong into O(secret_inputs).
    type: dict
  secret_inputs:
    description:
      - Further inputs, which are neither logged nor shown. Dictionaries are joined with those of O(inputs) on every
        level; a list or a plain value takes the place of the other one.
      - Put only secrets here. Whatever has one of these values in it is hidden in the result.
    type: dict
  all_pages:
    description:
      - Whether to follow a paged result to its end. RV(result) is then the list of all rows.
      - This takes an operation whose only input is a search. M(fcd.cloud.contract_info) says V(paged) of it.
    type: bool
    default: false
  limit:
    description:
      - Most rows to return of a paged result. With it, pages are followed as with O(all_pages=true).
    type: int
  read_only:
    description:
      - Whether the operation only reads. Without it, the name decides. Operations that begin with C(Get), C(Is),
        C(Has), C(Verify) or C(Validate), or end with C(Exists), read; all others write.
      - It is meant for operations whose name does not tell. One that reads is also called in check mode and sent
        again after a failure that may pass.
    type: bool
  allow_missing_inputs:
    description:
      - Whether to call an operation that writes without inputs that it takes. What is left out and cannot be null, the
        service can take for 0, for false, for a date in the year 1 or for the first word of an enumeration, and write
        that.
      - Otherwise the task fails, in check mode too, when a number, a boolean, a date, a duration, a guid or a word of
        an enumeration is left out that cannot be null. That holds for the inputs themselves and for what is in the
        dictionaries that are given. The error names each by its path, such as C(client_fixed_amount.client_id), and
        what it has to be.
      - It fails too when no input is given at all and the operation takes some. Single texts, lists and whole
        dictionaries may be left out, and so may everything that can be null.
    type: bool
    default: false
notes:
  - An operation that writes is sent once, and again only when the service says that the object is locked (error code
    133). After a failure that leaves open whether it was done, the task fails, and
    the error names operations that can tell.
  - A result that holds a password, a token, a verification code or a national id is hidden from the output, from
    every event and from every callback, yet it can be used when it is registered.
  - Tasks with C(async) are refused, since M(ansible.builtin.async_status) would show such a result.
seealso:
  - module: fcd.cloud.contract_info
  - plugin: fcd.cloud.contract
    plugin_type: lookup
"""

EXAMPLES = r"""
- name: Read the time zones
  fcd.cloud.contract_call:
    operation: GetTimeZones

- name: Read a few clients
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
  description: Name of the operation, as the WSDL has it.
  returned: success
  type: str
  sample: GetTimeZones
result:
  description:
    - What the operation returned; null when that is nothing. Keys are in snake_case.
    - Whole numbers, floating-point numbers and booleans are such. Decimal numbers, dates with times, and binary
      data (base64) are the exact text that the service sent.
    - A number or a boolean that cannot be null, and that an object in the answer lacks, is 0 or false. Services of
      this kind leave nothing else out. A date, a duration, a guid or a word of an enumeration that is lacking is null.
    - What the WSDL does not describe, such as a data set with its own schema, is open data. Its dictionaries, lists
      and texts have the names that the service sent.
    - An object of a derived type names it in C(_type).
  returned: when the operation was called
  type: raw
  sample:
    - {time_zone_id: 1, display_name: (UTC+00:00) Coordinated Universal Time}
would_send:
  description: What an operation that writes would be sent with.
  returned: in check mode, when the operation writes
  type: dict
  contains:
    operation:
      description: Name of the operation.
      type: str
      returned: always
    inputs:
      description: Inputs by the names of the schema. Secrets are V((hidden\)).
      type: dict
      returned: always
  sample:
    operation: CreateWarehouse
    inputs: {warehouseName: spare, queueCapacity: 4}
unknown_members:
  description:
    - Members of the answer that the WSDL does not know, each as a path. They are left out of RV(result).
    - A warning tells of them too.
  returned: when the operation was called
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
