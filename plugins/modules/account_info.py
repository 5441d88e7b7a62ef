#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: account_info
short_description: Read the account
version_added: 1.0.0
description:
  - Reads the account of the user, with its company, its addresses and how it pays.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes.reading
options: {}
seealso:
  - module: fcd.cloud.event_info
  - module: fcd.cloud.statistics_info
"""

EXAMPLES = r"""
- name: Read the account
  fcd.cloud.account_info:
  register: own

- name: Show whether it has the free plan
  ansible.builtin.debug:
    msg: "{{ own.account.freemium_enabled }}"
"""

RETURN = r"""
account:
  description: The account. A value that the service does not return is null.
  returned: success
  type: dict
  contains:
    id:
      description: ID of the account.
      type: int
      returned: always
    freemium_enabled:
      description: Whether it has the free plan.
      type: bool
      returned: always
    company:
      description: The company; null if the service does not return it.
      type: dict
      returned: always
      contains:
        id:
          description: ID of the company.
          type: int
          returned: always
        name:
          description: Its name.
          type: str
          returned: always
        email:
          description: Its e-mail address.
          type: str
          returned: always
        phone:
          description: Its phone number.
          type: str
          returned: always
        nip:
          description: Its tax number.
          type: str
          returned: always
        regon:
          description: Its number in the register of businesses.
          type: str
          returned: always
        krs:
          description: Its number in the court register.
          type: str
          returned: always
    addresses:
      description: The postal addresses.
      type: list
      elements: dict
      returned: always
      contains:
        id:
          description: ID of the address.
          type: int
          returned: always
        type:
          description: What the address is for, as an ID and label.
          type: dict
          returned: always
          contains:
            id:
              description: ID.
              type: int
              returned: always
            label:
              description: Label.
              type: str
              returned: always
        street:
          description: Street and number.
          type: str
          returned: always
        city:
          description: City.
          type: str
          returned: always
        zip:
          description: Postal code.
          type: str
          returned: always
        region:
          description: Region.
          type: str
          returned: always
        country:
          description: Country, as an ID and label. Keys as in RV(account.addresses[].type).
          type: dict
          returned: always
    payment:
      description: How the account pays; null if the service does not return it.
      type: dict
      returned: always
      contains:
        method:
          description: How it pays, as an ID and label. Keys as in RV(account.addresses[].type).
          type: dict
          returned: always
        account_number:
          description: Its account number, as the service calls it.
          type: str
          returned: always
        external_account_number:
          description: Its external account number, as the service calls it.
          type: str
          returned: always
        vat_rate:
          description: The rate of the value-added tax.
          type: float
          returned: always
  sample:
    id: 7001
    freemium_enabled: true
    company:
      id: 7001
      name: Example Ltd
      email: office@example.com
      phone: "+48225550100"
      nip: "0000000000"
      regon:
      krs:
    addresses:
      - id: 8101
        type: {id: 1, label: Main}
        street: Example Street 1
        city: Warsaw
        zip: 00-001
        region:
        country: {id: 1, label: Poland}
    payment:
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.account import INFO as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()
