#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_contract."""

from __future__ import annotations

DOCUMENTATION = r"""
module: client_phone_verification
short_description: Verify the phone number of a client
version_added: 0.1.0
description:
  - Has the service send a code to a phone, and saves for a client what came of it, through the SOAP contract.
  - It is done in two tasks. The first one asks for the code and registers what it returns. A person reads the code from
    the phone. The second one hands over both.
  - The result of V(send) is hidden from the output, from every event and from every callback, yet it can be used when
    it is registered.
  - Tasks with C(async) are refused, since M(ansible.builtin.async_status) would show such a result.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.soap
  - fcd.cloud._attributes.acting
attributes:
  check_mode:
    details: What is given is checked by the types of the WSDL. No code is sent and nothing is saved.
  idempotent:
    support: partial
    details: >-
      A code is sent each time. Nothing is saved for a phone number that the client has already and that is verified,
      where the service's types C(Client) and C(Phone) tell that.
options:
  act:
    description:
      - V(send) sends a code to O(phone_number).
      - V(save) saves O(phone_verification) for the client O(client_id).
    type: str
    required: true
    choices: [send, save]
  phone_number:
    description:
      - Phone number that the code is sent to, for V(send).
    type: str
  country_dict_id:
    description:
      - Dictionary item of the country of the phone number, for V(send).
    type: int
    aliases: [country_id]
  client_id:
    description:
      - Number of the client, for V(save).
    type: int
  phone_verification:
    description:
      - What V(send) returned as RV(phone_verification), for V(save), with whatever has to be said besides.
      - Its members are checked by the service's type C(PhoneVerification), which M(fcd.cloud.contract_info) shows.
      - A code in it is refused, since this option is logged. It belongs into O(code).
    type: dict
  code:
    description:
      - >-
        The code, for V(save). It is put into the member for it; O(soap_member_map) can name that one, for example
        C({"PhoneVerification.code": "SecretWord"}).
    type: str
notes:
  - Nothing is sent a second time after an answer that leaves open whether it was done. Whether a result was saved is
    read back where that is possible. Otherwise the task fails, and the error says how to find out.
seealso:
  - module: fcd.cloud.client
"""

EXAMPLES = r"""
- name: Send a code to the phone
  fcd.cloud.client_phone_verification:
    act: send
    phone_number: "+48225550100"
    country_dict_id: 9051 # as your account has it
  register: sent

- name: Save what came of it
  fcd.cloud.client_phone_verification:
    act: save
    client_id: 100
    phone_verification: "{{ sent.phone_verification }}"
    code: "{{ code_from_the_phone }}"
"""

RETURN = r"""
phone_verification:
  description:
    - What the service told of the verification, by its own names in snake_case, without secrets; null in check mode.
  returned: success, for V(send)
  type: dict
  sample:
    phone_number: "+48225550100"
    country_dict_id: 9051
    is_verified: false
code:
  description:
    - The code, where the service tells it, which may well not be so; else null. Hidden in the result of the task, not
      in what is registered.
  returned: success, for V(send)
  type: str
  sample: null
client_id:
  description: Number of the client.
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
