#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_contract."""

from __future__ import annotations

DOCUMENTATION = r"""
module: client_phone_verification
short_description: Verify the phone number of a client
version_added: 1.0.0
description:
  - Has the service send a code to a phone, and saves the result of the verification for a client, through the SOAP
    contract.
  - Verification takes two tasks. The first requests the code and registers what the service returns. A person then
    reads the code from the phone. The second task submits both.
  - The result of V(send) is hidden from the output, from every event and from every callback, but can still be used if
    it is registered.
  - Tasks with C(async) are rejected, since M(ansible.builtin.async_status) would reveal such a result.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.soap
  - fcd.cloud._attributes.acting
attributes:
  check_mode:
    details: Checks the options against the types of the WSDL. No code is sent and nothing is saved.
  idempotent:
    support: partial
    details: >-
      A code is sent on every run. Nothing is saved for a phone number that the client already has and that is verified,
      if the service's types C(Client) and C(Phone) show this.
options:
  action:
    description:
      - V(send) sends a code to O(phone_number).
      - V(save) saves O(phone_verification) for the client O(client_id).
    type: str
    required: true
    choices: [send, save]
  phone_number:
    description:
      - Phone number to send the code to, for V(send).
    type: str
  country_dict_id:
    description:
      - Dictionary item of the country of the phone number, for V(send).
    type: int
    aliases: [country_id]
  client_id:
    description:
      - ID of the client, for V(save).
    type: int
  phone_verification:
    description:
      - The result that V(send) returned in RV(phone_verification), for V(save), with any further members that are
        needed. A free mapping of the members of the service's type.
      - Its members are checked against the service's type C(PhoneVerification), which M(fcd.cloud.contract_info) shows.
      - A code in it is rejected, since this option is logged. Use O(code) instead.
    type: dict
  code:
    description:
      - >-
        The code, for V(save). It is put into the matching member; O(soap_member_map) can name that member, for example
        C({"PhoneVerification.code": "SecretWord"}).
    type: str
notes:
  - Nothing is sent again after a response that leaves the outcome open. If possible, the module reads back whether a
    result was saved. Otherwise, the task fails, and the error explains how to find out.
seealso:
  - module: fcd.cloud.client
  - ref: ansible_collections.fcd.cloud.docsite.soap_contract
    description: Guide to clients, warehouses and other operations of the SOAP contract.
"""

EXAMPLES = r"""
- name: Send a code to a phone
  fcd.cloud.client_phone_verification:
    action: send
    phone_number: "+48225550100"
    country_dict_id: 9051 # as your account has it
  register: sent

- name: Save the result
  fcd.cloud.client_phone_verification:
    action: save
    client_id: 100
    phone_verification: "{{ sent.phone_verification }}"
    code: "{{ code_from_the_phone }}"
"""

RETURN = r"""
phone_verification:
  description:
    - The service's response to the verification request, with its own names in snake_case and without secrets. In
      check mode, it contains only what was given.
    - A free mapping.
  returned: success, for V(send)
  type: dict
  sample:
    phone_number: "+48225550100"
    country_dict_id: 9051
    is_verified: false
code:
  description:
    - The code, if the service returns it, which it may well not do; null otherwise. Hidden in the result of the task,
      but not in a registered variable.
  returned: success, for V(send)
  type: str
  sample: null
client_id:
  description: ID of the client.
  returned: success, for V(save)
  type: int
  sample: 100
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._contract.one_off_actions import PHONE_VERIFICATION as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()
