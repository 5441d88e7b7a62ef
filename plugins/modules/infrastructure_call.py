#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: infrastructure_call
short_description: Call any operation of the infrastructure interface
version_added: 1.0.0
description:
  - Calls one operation by name, with plain values, and returns its result as plain values.
  - This gives access to everything that is known of the interface, including what no other module covers. If there is a
    dedicated module, prefer it, since it compares before it writes.
  - The operation and its inputs are checked against a description of the interface before anything is sent, in check
    mode too.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
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
      - The name of the operation, in any spelling, or its method and path, such as C(GET /disks/{id}). For an unknown
        name, the error suggests similar ones.
      - The page C(docs/infrastructure-operations.md) of the collection lists the operations.
    type: str
    required: true
  inputs:
    description:
      - Inputs of the operation by name, in snake_case or as the service writes them. A free mapping; dictionaries and
        lists may be nested.
      - These are the parameters of its path and of its query, and the members of its body. A member that is null is
        sent as null.
      - Passwords and init scripts are rejected here, by the name of the input, since this option is logged. Give them
        in O(secret_inputs).
    type: dict
  secret_inputs:
    description:
      - Further inputs, a free mapping, that are neither logged nor shown. Dictionaries are merged with those of
        O(inputs) at every level; a list or a scalar replaces the other value.
      - Use this option only for secrets. Anything in the result that contains one of these values is hidden.
    type: dict
  allow_missing_inputs:
    description:
      - Whether to call an operation with the method PUT without members that its body can have. The service may replace
        what is left out with null, false or 0.
      - Otherwise, the task reads the object first. It fails, in check mode too, if a member that is left out has a
        value, or if its value cannot be read. The error shows each of them. Give what is to stay, and null for the
        rest.
    type: bool
    default: false
  wait:
    description:
      - Whether to wait until the ticket of an operation that takes time has ended. The task fails if the operation
        does.
    type: bool
    default: true
  wait_timeout:
    description:
      - Maximum time in seconds to wait for the ticket, and for other operations on the object before that.
      - Units are accepted, as in V(90s), V(10m) or V(2h).
    type: str
    default: "2700"
notes:
  - A write operation is sent once, and again only if the service refuses it and the object is locked. After a failure
    that leaves the outcome open, the task fails, and the error names operations that can show it.
  - A list is read to its end, whatever its pages are. With the input C(page_size) or C(page_number), only that page is
    read.
  - A result that contains a password, a token or an init script is hidden from the output, from every event and from
    every callback, but can still be used if it is registered.
  - Tasks with C(async) are rejected, since M(ansible.builtin.async_status) would reveal such a result.
seealso:
  - plugin: fcd.cloud.infrastructure
    plugin_type: lookup
  - module: fcd.cloud.contract_call
  - ref: ansible_collections.fcd.cloud.docsite.infrastructure
    description: Guide to instances, disks, networks and other objects of the infrastructure interface.
"""

EXAMPLES = r"""
- name: Read the SSH keys of the account
  fcd.cloud.infrastructure_call:
    operation: list_account_ssh_keys

- name: Read the standard templates
  fcd.cloud.infrastructure_call:
    operation: GET /templates
    inputs:
      source: Standard

- name: Reserve an address
  fcd.cloud.infrastructure_call:
    operation: create_ip_address
    inputs:
      subregion_id: 1

- name: Show what would be sent to rename a private network
  fcd.cloud.infrastructure_call:
    operation: update_private_network
    inputs:
      id: 41001
      opn_name: storage
  check_mode: true

- name: Create a disk and wait until it is there
  fcd.cloud.infrastructure_call:
    operation: create_disk
    inputs:
      disk_name: scratch
      space_capacity: 10
      tier_id: 48
      subregion_id: 1
"""

RETURN = r"""
operation:
  description: The name of the operation.
  returned: success
  type: str
  sample: create_ip_address
result:
  description:
    - What the operation returned; null if it returned nothing. Members have their names in snake_case and the values
      that the service sent.
    - A list is the list of all rows. An operation that takes time returns its ticket, with O(wait=true) as it has
      ended.
  returned: if the operation was called
  type: raw
  sample:
    id: 42007
    address: 203.0.113.7
would_send:
  description: What would be sent for a write operation. Secrets are V((hidden\)).
  returned: in check mode, if the operation writes
  type: dict
  contains:
    method:
      description: The method.
      type: str
      returned: always
    path:
      description: The path, relative to O(base_url).
      type: str
      returned: always
    query:
      description: The parameters of the query by name. A free mapping.
      type: dict
      returned: always
    body:
      description: The members of the body by name, null if there is no body. A free mapping.
      type: dict
      returned: always
  sample:
    method: PUT
    path: /opns/41001
    query: {}
    body: {OpnName: storage}
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.infrastructure_call import INFRASTRUCTURE_CALL as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()
