#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_contract."""

from __future__ import annotations

DOCUMENTATION = r"""
module: client
short_description: Manage the data of a client
version_added: 1.0.0
description:
  - Changes the data, addresses, phones, type and status of clients, both individuals and companies, and deletes
    clients, through the SOAP contract.
  - The contract has no operation for creating a client, so a missing client is an error.
  - The update operations of the service replace everything they take. The module therefore reads the client, merges the
    declared values, and sends every value. If a value would have to be sent along that is neither given nor readable,
    the task fails before it sends anything.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.soap
  - fcd.cloud._attributes
options:
  id:
    description:
      - ID of the client.
    type: int
    required: true
    aliases: [client_id]
  type:
    description:
      - Type of the client. The type of an existing client is changed with C(ChangeIndividualClientType), which takes
        O(company), or C(ChangeCompanyClientType).
      - A client counts as a company if the service returns a company for it. If the WSDL has a member for this, name it
        in O(soap_member_map) as C(Client.is_company).
    type: str
    choices: [individual, company]
  default_user:
    description:
      - Default user, a free mapping of the members of C(User). With the ID of another user, that user becomes the
        default user.
      - C(User) is sent as a whole, so the service may also change that user's own data.
    type: dict
  company:
    description:
      - Company data, a free mapping of the members of C(Company). Only clients of the type company have one.
    type: dict
  addresses:
    description:
      - Addresses, each a free mapping of the members of C(Address). Addresses of the client that no entry matches stay,
        unless O(purge_addresses) is set.
      - An entry with an ID (C(address_id), or what the WSDL calls it) matches the address with that ID.
      - An entry without an ID matches the address that has all its values, or else the address of its type
        (C(address_type_dict_id)); if there is neither, it is a new address.
      - The ID 0 means that the entry is an additional address rather than the one of its type.
    type: list
    elements: dict
  purge_addresses:
    description:
      - Whether to remove addresses that are not declared. Requires O(addresses) or an address by its role.
    type: bool
    default: false
  phones:
    description:
      - Phones, each a free mapping of the members of C(Phone), matched like O(addresses), by C(phone_id) and
        C(phone_type_dict_id).
    type: list
    elements: dict
  purge_phones:
    description:
      - Whether to remove phones that are not declared. Requires O(phones).
    type: bool
    default: false
  main_address:
    description:
      - Main address, a free mapping of the members of C(Address), set with C(UpdateClientAddresses), which takes this
        address, O(correspondence_address) and O(billing_address) together. Addresses that are not given are sent
        unchanged.
      - If the client has further addresses, this is an error unless O(purge_addresses) is set, since it is not known
        whether they would be kept. Use O(addresses) instead.
    type: dict
  correspondence_address:
    description:
      - Correspondence address, with the same members; see O(main_address).
    type: dict
  billing_address:
    description:
      - Billing address, with the same members; see O(main_address).
    type: dict
  address_types:
    description:
      - Types of the addresses in O(main_address), O(correspondence_address) and O(billing_address), as dictionary
        items, by which they are found among the addresses of the client. Not used if the WSDL has a member of the
        client for each.
    type: dict
    suboptions:
      main:
        description: Type of the main address.
        type: int
        default: 13
      correspondence:
        description: Type of the correspondence address.
        type: int
        default: 12
      billing:
        description: Type of the billing address.
        type: int
        default: 1015
  branch:
    description:
      - Branch of an individual, as the ID of its dictionary item or as members of C(DictionaryItem).
    type: raw
  project_type:
    description:
      - Type of the project of an individual.
    type: str
  project_name:
    description:
      - The name of the project. If the client has one, it is sent along with other changes so that it is kept.
    type: str
  commission:
    description:
      - Commission, a decimal number. C(10) and C(10.00) are equal. The contract does not define its unit.
    type: str
  referrer:
    description:
      - Referrer, a free mapping of the members of C(Referrer).
    type: dict
  additional_email_for_invoices:
    description:
      - Additional email address for invoices. An empty string removes it.
    type: str
  vat_id:
    description:
      - VAT number of the client, set with C(UpdateClient). For a company, it can also be given as a member of
        O(company).
    type: str
  external_account_number:
    description:
      - Number of the client's external account, set with C(UpdateClient).
    type: str
  pit_data:
    description:
      - Income tax data of the client, a free mapping of the members of C(PitData). Give the national identification
        number in O(secret_fields).
    type: dict
  fields:
    description:
      - Any other inputs that the update operations of the service take, a free mapping with names in any spelling and
        the same checks. M(fcd.cloud.contract_info) lists them. Null clears a value.
    type: dict
  secret_fields:
    description:
      - Members that must not be logged, a free mapping nested like the other options, for example
        C({"pit_data":{"pesel":"..."}, "default_user":{"pesel":"..."}}). They are merged with the other options.
      - A member named like a password, a token or the national identification number is rejected in any other option.
    type: dict
  status:
    description:
      - Status of the client, one of the values that the WSDL lists, in any spelling.
    type: str
  status_comment:
    description:
      - Comment on the change of status. Sent only if the status changes.
    type: str
  state:
    description:
      - Whether the client should exist. V(absent) deletes it; the service keeps deleted clients, hidden.
    type: str
    choices: [present, absent]
    default: present
  delete_comment:
    description:
      - Comment on the deletion.
    type: str
notes:
  - If two tasks of the same account on one controller change the same client at the same time, neither change is lost.
  - The members of addresses, users, companies and so on are those of the WSDL, in any spelling;
    M(fcd.cloud.contract_info) lists them. Unknown names and invalid values are rejected before anything is sent, with
    suggestions, in check mode too.
  - Only the values that you set are compared, at every level. Numbers and times are equal regardless of their notation.
  - The names of the members of a client are read from the WSDL. A value without a member is sent each time, with a
    warning, and the task reports a change; O(soap_member_map) can name the member, for example
    C({"Client.vat_id":"TaxNumber"}).
  - A change may take several requests, such as one for the data and one for the status, which is set last. If one of
    them fails, the error reports what has been set and what has not.
seealso:
  - module: fcd.cloud.client_info
  - module: fcd.cloud.client_user
  - module: fcd.cloud.client_pricelist
  - module: fcd.cloud.client_fixed_amount
  - module: fcd.cloud.contract_info
  - ref: ansible_collections.fcd.cloud.docsite.soap_contract
    description: Guide to clients, warehouses and other operations of the SOAP contract.
"""

EXAMPLES = r"""
- name: Set the commission and project of a client
  fcd.cloud.client:
    id: 100
    commission: "7.50"
    project_name: harbour

- name: Change only the main address
  fcd.cloud.client:
    id: 100
    addresses:
      - address_type_dict_id: 13
        street: Mole
        house_number: "12"

- name: Change the data of a company
  fcd.cloud.client:
    id: 101
    company:
      company_name: Example Freight and Storage
    additional_email_for_invoices: invoices@example.com

- name: Change an individual into a company
  fcd.cloud.client:
    id: 102
    type: company
    company:
      company_name: Example Ferries
      vat_id: "5260001246"

- name: Set tax data
  fcd.cloud.client:
    id: 100
    pit_data:
      tax_office: Northfield tax office
    secret_fields:
      pit_data:
        pesel: "{{ vault_national_id | default('44051401458') }}"

- name: Suspend a client
  fcd.cloud.client:
    id: 102
    status: suspended
    status_comment: bills are open

- name: Delete a client
  fcd.cloud.client:
    id: 102
    state: absent
    delete_comment: contract ended
"""

RETURN = r"""
client:
  description:
    - The client after the task, or in check mode as it would be; null if it is deleted.
    - Values for which the WSDL has no member are null. National identification numbers, passwords and other secrets are
      hidden.
  returned: success
  type: dict
  contains:
    id:
      description: ID of the client.
      type: int
      returned: always
    type:
      description: Whether it is an C(individual) or a C(company).
      type: str
      returned: always
    status:
      description: Its status.
      type: str
      returned: always
    default_user:
      description: >-
        Its default user, as the service sends it, in snake_case. The same applies to the other dictionaries and lists.
        A free mapping.
      type: dict
      returned: always
    company:
      description: Its company. A free mapping.
      type: dict
      returned: always
    addresses:
      description: Its addresses. A free mapping.
      type: list
      elements: dict
      returned: always
    phones:
      description: Its phones. A free mapping.
      type: list
      elements: dict
      returned: always
    branch:
      description: Its branch. A free mapping.
      type: dict
      returned: always
    project_type:
      description: Type of its project.
      type: str
      returned: always
    project_name:
      description: Name of its project.
      type: str
      returned: always
    commission:
      description: Its commission, the decimal number as a string.
      type: str
      returned: always
    referrer:
      description: Its referrer. A free mapping.
      type: dict
      returned: always
    additional_email_for_invoices:
      description: Additional email address for invoices.
      type: str
      returned: always
    vat_id:
      description: Its VAT number.
      type: str
      returned: always
    external_account_number:
      description: Number of its external account.
      type: str
      returned: always
    pit_data:
      description: Its income tax data. Read only if O(pit_data) is set; otherwise, this is null. A free mapping.
      type: dict
      returned: always
    members:
      description: Everything else that the service reports about the client, in snake_case. A free mapping.
      type: dict
      returned: always
  sample:
    id: 100
    type: individual
    status: Active
    commission: "7.50"
    project_name: harbour
deleted:
  description:
    - Whether the client has been deleted, or in check mode would be.
    - False if there was never a client with this ID.
  returned: with O(state=absent)
  type: bool
  sample: true
delete_result:
  description: The service's response to the deletion (C(DeleteClientResult)); null if there was none. A free mapping.
  returned: with O(state=absent)
  type: dict
  sample:
    is_deleted: true
action:
  description: The action taken, or in check mode the action that would be taken.
  returned: success
  type: str
  sample: update
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._contract.client import OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()
