#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_contract."""

from __future__ import annotations

DOCUMENTATION = r"""
module: client_regulations
short_description: Accept the regulations for a client
version_added: 1.0.0
description:
  - Accepts the regulations of the service on behalf of a client, through the SOAP contract.
  - If the service's type C(Client) has a member that shows whether they were accepted, it is read first, and nothing is
    sent if they were. Otherwise, this cannot be known, and they are accepted on every run.
  - >-
    The names of the members are read from the WSDL. O(soap_member_map) can name this member, for example
    C({"Client.accepted": "RulesOk"}); a date also counts as accepted.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.soap
  - fcd.cloud._attributes.acting
attributes:
  idempotent:
    support: partial
    details: Only if the service reports whether they were accepted.
options:
  client_id:
    description:
      - ID of the client.
    type: int
    required: true
notes:
  - After a response that leaves the outcome open, the module reads it back if possible. Otherwise, the task fails, and
    nothing is sent again.
seealso:
  - module: fcd.cloud.client
  - module: fcd.cloud.client_info
  - ref: ansible_collections.fcd.cloud.docsite.soap_contract
    description: Guide to clients, warehouses and other operations of the SOAP contract.
"""

EXAMPLES = r"""
- name: Accept the regulations
  fcd.cloud.client_regulations:
    client_id: 100
"""

RETURN = r"""
client_id:
  description: ID of the client.
  returned: success
  type: int
  sample: 100
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._contract.one_off_actions import ACCEPT_REGULATIONS as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()
