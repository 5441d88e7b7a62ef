#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_contract."""

from __future__ import annotations

DOCUMENTATION = r"""
module: catalogue_info
short_description: Read dictionaries, software, services and similar lists
version_added: 1.0.0
description:
  - Reads the reference lists of the SOAP contract, such as dictionary items, software, services, time zones and
    revenues.
  - To read dictionaries of the REST interface, use M(fcd.cloud.dictionary_info).
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.soap
  - fcd.cloud._attributes.reading
  - fcd.cloud._search.language
options:
  subject:
    description:
      - What to read. If omitted, the other options determine it; V(simple_items_with_not_active), V(items_with_names),
        V(applications), V(applications_and_operating_systems), V(services), V(time_zones) and V(revenues) must be
        requested explicitly.
      - V(items) are the items of O(dictionary), V(item) is the item with the ID O(dictionary_item_id), and
        V(items_of_several) are the items of O(ids).
      - V(simple_items) are the items of O(dictionary_id) as C(DictionaryItemSimple), V(simple_items_with_not_active)
        includes inactive ones, V(items_with_names) are the items of O(dictionary_id) as C(DictionaryItemWithNames), and
        V(items_by_name_prefix) are the items whose names begin with O(name_prefix).
      - V(revenues) are the revenues that begin with O(name_prefix), V(revenue) is the revenue with the ID
        O(revenue_id). The contract does not define what a revenue is.
      - V(code) is what C(GetCodeEditUI) returns for O(code_id).
    type: str
    choices:
      - items
      - item
      - items_of_several
      - items_by_name_prefix
      - simple_items
      - simple_items_with_not_active
      - items_with_names
      - applications
      - applications_and_operating_systems
      - services
      - time_zones
      - revenues
      - revenue
      - code
  dictionary:
    description:
      - The name of the dictionary in any spelling, for example V(virtual_machine_class) or V(VirtualMachineClass). If
        the WSDL does not have the name, the task fails and lists those that it has.
    type: str
  dictionary_id:
    description:
      - ID of the dictionary.
    type: int
  dictionary_item_id:
    description:
      - ID of the item.
    type: int
    aliases: [item_id]
  ids:
    description:
      - The IDs that C(GetDictionariesItems) takes. The contract does not define what they identify; the name suggests
        dictionaries.
    type: list
    elements: int
  name_prefix:
    description:
      - Prefix of the names, for V(items_by_name_prefix) and V(revenues).
    type: str
  is_logged:
    description:
      - Whether the request is made for a logged-in user, for V(items_by_name_prefix). Nothing is sent for this if
        omitted.
    type: bool
  revenue_id:
    description:
      - ID of the revenue.
    type: int
  code_id:
    description:
      - ID of the code.
    type: int
notes:
  - O(language_dict_id) applies to items and software.
seealso:
  - module: fcd.cloud.dictionary_info
  - module: fcd.cloud.contract_info
  - module: fcd.cloud.contract_call
  - ref: ansible_collections.fcd.cloud.docsite.soap_contract
    description: Guide to clients, warehouses and other operations of the SOAP contract.
"""

EXAMPLES = r"""
- name: Read the classes of virtual machines
  fcd.cloud.catalogue_info:
    dictionary: virtual_machine_class
  register: classes

- name: Find the ID of a class
  ansible.builtin.debug:
    msg: "{{ (classes.dictionary_items | selectattr('name', 'eq', 'v1.standard-2.2') | first).id }}"

- name: Read a dictionary by its ID, including inactive items
  fcd.cloud.catalogue_info:
    subject: simple_items_with_not_active
    dictionary_id: 27

- name: Read the software with its names in language 1
  fcd.cloud.catalogue_info:
    subject: applications_and_operating_systems
    language_id: 1

- name: Read the time zones
  fcd.cloud.catalogue_info:
    subject: time_zones

- name: Find revenues
  fcd.cloud.catalogue_info:
    subject: revenues
    name_prefix: North
"""

RETURN = r"""
dictionary_items:
  description:
    - The items; an empty list if there are none.
    - In addition to the keys listed here, an item has all members that the service sends, in snake_case.
  returned: success, for the subjects with items
  type: list
  elements: dict
  contains:
    id:
      description: ID of the item.
      type: int
      returned: if the WSDL has a member for it
    name:
      description: The name of the object.
      type: str
      returned: if the WSDL has a member for it
    dictionary_id:
      description: ID of its dictionary.
      type: int
      returned: if the WSDL has a member for it
    is_active:
      description: Whether it is in use.
      type: bool
      returned: if the WSDL has a member for it
  sample:
    - {id: 34, name: v1.standard-2.2, dictionary_id: 12, is_active: true, dictionary_item_id: 34}
software:
  description:
    - The software; an empty list if there is none.
    - In addition to the keys listed here, an entry has all members that the service sends, in snake_case.
  returned: success, for the subjects V(applications) and V(applications_and_operating_systems)
  type: list
  elements: dict
  contains:
    id:
      description: ID of the software.
      type: int
      returned: if the WSDL has a member for it
    name:
      description: The name of the object.
      type: str
      returned: if the WSDL has a member for it
  sample:
    - {id: 301, name: Example Linux 12, software_id: 301, is_operating_system: true}
services:
  description:
    - The services; an empty list if there are none.
    - In addition to the keys listed here, a service has all members that the service sends, in snake_case.
  returned: success, for the subject V(services)
  type: list
  elements: dict
  contains:
    id:
      description: ID of the service.
      type: int
      returned: if the WSDL has a member for it
    name:
      description: The name of the object.
      type: str
      returned: if the WSDL has a member for it
  sample:
    - {id: 401, name: Processor time, service_id: 401, code: CPU, unit: MHz}
time_zones:
  description:
    - The time zones; an empty list if there are none.
    - In addition to the keys listed here, a time zone has all members that the service sends, in snake_case.
  returned: success, for the subject V(time_zones)
  type: list
  elements: dict
  contains:
    id:
      description: ID of the time zone.
      type: int
      returned: if the WSDL has a member for it
    name:
      description: The name of the object.
      type: str
      returned: if the WSDL has a member for it
  sample:
    - {id: 2, name: "(UTC+01:00) Central European Time", time_zone_id: 2, utc_offset: PT1H}
revenues:
  description:
    - The revenues; an empty list if there are none.
    - In addition to the keys listed here, a revenue has all members that the service sends, in snake_case.
  returned: success, for the subjects V(revenues) and V(revenue)
  type: list
  elements: dict
  contains:
    id:
      description: ID of the revenue.
      type: int
      returned: if the WSDL has a member for it
    name:
      description: The name of the object.
      type: str
      returned: if the WSDL has a member for it
  sample:
    - {id: 501, name: Northfield tax office, revenue_id: 501, code: "0501"}
codes:
  description:
    - The code; an empty list if there is none.
    - In addition to the keys listed here, it has all members that the service sends, in snake_case.
  returned: success, for the subject V(code)
  type: list
  elements: dict
  contains:
    id:
      description: ID of the code.
      type: int
      returned: if the WSDL has a member for it
    code:
      description: The code itself.
      type: str
      returned: if the WSDL has a member for it
  sample:
    - {id: 701, code: WELCOME, code_id: 701, discount: "12.50", uses: 3}
missing:
  description:
    - The value of O(dictionary_item_id), O(revenue_id) or O(code_id) if it does not exist; otherwise, an empty list.
  returned: success, for the subjects V(item), V(revenue) and V(code)
  type: list
  elements: int
  sample: []
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._contract.catalogue_readers import CATALOGUE_INFO as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()
