#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_contract."""

from __future__ import annotations

DOCUMENTATION = r"""
module: client
short_description: Manage the data of a client
version_added: 0.1.0
description:
  - Changes the data, addresses, phones, type and status of clients, individuals and companies, and deletes clients,
    through the SOAP contract.
  - The contract has no operation that creates a client, so a client that does not exist is an error.
  - The updates of the service replace all that they take. So the module reads the client, merges what is declared, and
    sends every value. Where something would have to be sent along that is neither given nor can be read, the task fails
    before it sends anything.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.soap
  - fcd.cloud._attributes
options:
  id:
    description:
      - Number of the client.
    type: int
    required: true
    aliases: [client_id]
  type:
    description:
      - Type of the client. A client of the other type is changed with C(ChangeIndividualClientType), which takes
        O(company), or C(ChangeCompanyClientType).
      - A client counts as a company when the service tells a company of it; where the WSDL has a member that says so,
        name it in O(soap_member_map) as C(Client.is_company).
    type: str
    choices: [individual, company]
  default_user:
    description:
      - Members of the default user (C(User)). With the number of another user, that one becomes the default user.
      - C(User) is sent whole, so the service may change that user's own data with it.
    type: dict
  company:
    description:
      - Members of the company (C(Company)). Only clients of the type company have one.
    type: dict
  addresses:
    description:
      - Addresses (C(Address)), each a dictionary of members. Those of the client that are not meant by any stay, unless
        O(purge_addresses) is set.
      - An entry with its number (C(address_id), as the WSDL may call it) means the address of that number.
      - One without a number means an address that has all it says; else the one of its type (C(address_type_dict_id));
        else it is a new one.
      - The number 0 says that it is not the one of its type but a further one.
    type: list
    elements: dict
  purge_addresses:
    description:
      - Whether addresses that are not declared are taken away. It needs O(addresses), or an address by its role.
    type: bool
    default: false
  phones:
    description:
      - Phones (C(Phone)), matched like O(addresses), by C(phone_id) and C(phone_type_dict_id).
    type: list
    elements: dict
  purge_phones:
    description:
      - Whether phones that are not declared are taken away. It needs O(phones).
    type: bool
    default: false
  main_address:
    description:
      - Members of the main address, set with C(UpdateClientAddresses), which takes this one, O(correspondence_address)
        and O(billing_address) together. Those that are not given are sent as they are.
      - Where the client has further addresses, it is an error unless O(purge_addresses) is set, since it is not known
        whether they would survive that. Use O(addresses) then.
    type: dict
  correspondence_address:
    description:
      - Members of the address for letters; see O(main_address).
    type: dict
  billing_address:
    description:
      - Members of the address for bills; see O(main_address).
    type: dict
  address_types:
    description:
      - Types of the addresses behind O(main_address), O(correspondence_address) and O(billing_address), as dictionary
        items, by which they are found among the addresses of the client. Not used where the WSDL has a member of the
        client for each.
    type: dict
    suboptions:
      main:
        description: Type of the main address.
        type: int
        default: 13
      correspondence:
        description: Type of the address for letters.
        type: int
        default: 12
      billing:
        description: Type of the address for bills.
        type: int
        default: 1015
  branch:
    description:
      - Branch of an individual, the number of its dictionary item or members of C(DictionaryItem).
    type: raw
  project_type:
    description:
      - Type of the project of an individual.
    type: str
  project_name:
    description:
      - Name of the project. Where the client has one, it is sent along with other changes so that it stays.
    type: str
  commission:
    description:
      - Commission, a decimal number. C(10) and C(10.00) are the same. The contract does not say what it is counted in.
    type: str
  referrer:
    description:
      - Members of the referrer (C(Referrer)).
    type: dict
  additional_email_for_invoices:
    description:
      - Further e-mail address for invoices. An empty text takes it away.
    type: str
  vat_id:
    description:
      - VAT number of the client, set with C(UpdateClient). That of a company may be a member of O(company) too.
    type: str
  external_account_number:
    description:
      - Number of the client's account elsewhere, set with C(UpdateClient).
    type: str
  pit_data:
    description:
      - Members of the client's data for the income tax (C(PitData)). The national identification number in it belongs
        into O(secret_fields).
    type: dict
  fields:
    description:
      - Whatever else the updates of the service at hand take, by name in any spelling, with the same checks.
        M(fcd.cloud.contract_info) lists their inputs. A null empties a value.
    type: dict
  secret_fields:
    description:
      - Members that must not be logged, in the places where they belong, as in
        C({"pit_data":{"pesel":"..."}, "default_user":{"pesel":"..."}}). They are merged with the other options.
      - A member that is named like a password, a token or the national identification number is refused elsewhere.
    type: dict
  status:
    description:
      - Status of the client, one of the values that the WSDL lists, in any spelling.
    type: str
  status_comment:
    description:
      - Comment on the change of the status. It is sent only when the status changes.
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
  - Two tasks of one user on one controller may change the same client at the same time; neither change is lost.
  - Members of addresses, users, companies and so on are those of the WSDL, which M(fcd.cloud.contract_info) lists, in
    any spelling. A wrong name or value is refused, with the nearest names, before anything is sent, in check mode too.
  - Only what is given is compared, on every level. Numbers and times count as equal however they are written.
  - >-
    The names of the members of a client are read from the WSDL. What it has no member for is sent with other changes
    but not compared, which a warning tells; O(soap_member_map) can name the member, for example
    C({"Client.vat_id":"TaxNumber"}).
  - A change may take several requests, such as one for the data and one for the status, which is set last. When one of
    them fails, the error tells what is set and what is not.
seealso:
  - module: fcd.cloud.client_info
  - module: fcd.cloud.contract_info
  - module: fcd.cloud.client_user
"""

EXAMPLES = r"""
- name: Set commission and project of a client
  fcd.cloud.client:
    id: 100
    commission: "7.50"
    project_name: harbour

- name: Change the main address and leave the others alone
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
    - The client as it is, or in check mode would be; null when it is deleted.
    - What the WSDL has no member for is null. National identification numbers, passwords and the like are hidden.
  returned: success
  type: dict
  contains:
    id:
      description: Number of the client.
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
      description: Its default user, as the service sends it, in snake_case; so are the other dictionaries and lists.
      type: dict
      returned: always
    company:
      description: Its company.
      type: dict
      returned: always
    addresses:
      description: Its addresses.
      type: list
      elements: dict
      returned: always
    phones:
      description: Its phones.
      type: list
      elements: dict
      returned: always
    branch:
      description: Its branch.
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
      description: Its commission, the decimal number as text.
      type: str
      returned: always
    referrer:
      description: Its referrer.
      type: dict
      returned: always
    additional_email_for_invoices:
      description: Further e-mail address for invoices.
      type: str
      returned: always
    vat_id:
      description: Its VAT number.
      type: str
      returned: always
    external_account_number:
      description: Number of its account elsewhere.
      type: str
      returned: always
    pit_data:
      description: Its data for the income tax. They are read only for O(pit_data); without that option this is null.
      type: dict
      returned: always
    members:
      description: What else the service tells of the client, in snake_case.
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
    - Whether the client is, or in check mode would be, a deleted one.
    - False when the service never had one of that number.
  returned: with O(state=absent)
  type: bool
  sample: true
delete_result:
  description: What the service said to the deletion (C(DeleteClientResult)); null when there was none.
  returned: with O(state=absent)
  type: dict
  sample:
    is_deleted: true
action:
  description: What was done, or in check mode would be done.
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
