#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_contract."""

from __future__ import annotations

DOCUMENTATION = r"""
module: client_regulations
short_description: Accept the regulations for a client
version_added: 0.1.0
description:
  - Accepts the regulations of the service in the name of a client, through the SOAP contract.
  - Where the service's type C(Client) has a member that says whether they were accepted, it is read first, and nothing
    is sent when they were. Otherwise nobody can tell, and they are accepted each time that the task runs.
  - >-
    The names of the members are read from the WSDL. O(soap_member_map) can name this one, for example
    C({"Client.accepted": "RulesOk"}); a date counts as accepted too.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.soap
  - fcd.cloud._attributes.acting
attributes:
  idempotent:
    support: partial
    details: Only where the service tells whether they were accepted.
options:
  client_id:
    description:
      - Number of the client.
    type: int
    required: true
notes:
  - An answer that leaves open whether it was done is looked into where that can be read. Otherwise the task fails, and
    nothing is sent again.
"""

EXAMPLES = r"""
- name: Accept the regulations
  fcd.cloud.client_regulations:
    client_id: 100
"""

RETURN = r"""
client_id:
  description: Number of the client.
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
