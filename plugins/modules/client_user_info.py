#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_contract."""

from __future__ import annotations

DOCUMENTATION = r"""
module: client_user_info
short_description: Read users of clients
version_added: 1.0.0
description:
  - Searches users, reads one user, checks whether a login, an email address, a national identification number or a
    phone number is taken, or checks whether a user has privileges.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.soap
  - fcd.cloud._attributes.reading
  - fcd.cloud._search
options:
  subject:
    description:
      - What to read. If omitted, the other options determine it; without any option, it is V(all).
      - V(all) searches users, V(one) reads the user O(user_id), V(by_sid) the user with the SID O(sid).
      - V(taken) checks which of O(user_name), O(email), O(pesel) and O(phone_number) are taken; at least one of them is
        required.
      - V(has_privileges) checks whether the user O(user_id) has all O(privileges).
    type: str
    choices: [one, by_sid, all, taken, has_privileges]
  user_id:
    description:
      - ID of the user.
      - With V(taken), this user is left out of the check of O(pesel).
    type: int
    aliases: [id]
  sid:
    description:
      - Security identifier of the user.
    type: str
  client_id:
    description:
      - ID of the client whose users are returned, for V(all).
    type: int
  is_blocked:
    description:
      - Whether to return only blocked users (V(true)) or only users who are not blocked (V(false)), for V(all).
    type: bool
  include:
    description:
      - What else to read, for V(one), V(by_sid) and V(all). V(privileges) takes a further request for each user.
    type: list
    elements: str
    choices: [privileges]
  user_name:
    description:
      - Login, for V(taken).
    type: str
    aliases: [login]
  email:
    description:
      - Email address, for V(taken).
    type: str
    aliases: [email_address]
  pesel:
    description:
      - National identification number, for V(taken).
    type: str
    aliases: [national_id]
  phone_number:
    description:
      - Phone number, for V(taken).
    type: str
  privileges:
    description:
      - IDs or names of privileges, for V(has_privileges). Names require O(privilege_type_id).
    type: list
    elements: str
  privilege_type_id:
    description:
      - ID of the type of the privileges, used to look up their names.
    type: int
notes:
  - National identification numbers are never part of the result; V((hidden\)) replaces any that the service sends.
seealso:
  - module: fcd.cloud.client_user
  - module: fcd.cloud.privilege_info
  - ref: ansible_collections.fcd.cloud.docsite.soap_contract
    description: Guide to clients, warehouses and other operations of the SOAP contract.
"""

EXAMPLES = r"""
- name: Find the active users of a client
  fcd.cloud.client_user_info:
    client_id: 100
    is_blocked: false
  register: found

- name: Read a user with settings and privileges
  fcd.cloud.client_user_info:
    user_id: "{{ found.users[0].id }}"
    include: [privileges]

- name: Check whether the data of a new user is taken
  fcd.cloud.client_user_info:
    user_name: billing-reader
    email: billing-reader@example.com
  register: asked

- name: Fail if anything is taken
  ansible.builtin.assert:
    that: asked.taken.values() is not any

- name: Check privileges by name
  fcd.cloud.client_user_info:
    user_id: "{{ found.users[0].id }}"
    privileges: [ManageUsers, ReadReports]
    privilege_type_id: 9071
"""

RETURN = r"""
users:
  description:
    - The users, as M(fcd.cloud.client_user) returns them; an empty list if there are none.
    - In addition to the keys listed here, a user has all members that the service sends, in snake_case.
    - Values that the service does not report here are null. A search returns less about a user than V(one) does.
  returned: success, for the subjects V(one), V(by_sid) and V(all)
  type: list
  elements: dict
  contains:
    id:
      description: ID of the user.
      type: int
      returned: always
    user_name:
      description: Login of the user.
      type: str
      returned: always
    sid:
      description: Security identifier of the user.
      type: str
      returned: always
    client_id:
      description: ID of the client.
      type: int
      returned: always
    first_name:
      description: First name.
      type: str
      returned: always
    last_name:
      description: Last name.
      type: str
      returned: always
    email:
      description: Email address.
      type: str
      returned: always
    phone_number:
      description: Phone number.
      type: str
      returned: always
    is_default:
      description: Whether it is the default user of the client.
      type: bool
      returned: always
    is_blocked:
      description: Whether the user is blocked.
      type: bool
      returned: always
    privileges:
      description: IDs of the privileges in ascending order; null unless requested with O(include).
      type: list
      elements: int
      returned: always
    settings:
      description: The settings that can be read back. A free mapping.
      type: dict
      returned: always
  sample:
    - id: 2
      user_name: second.user
      sid: S-1-5-21-1004336348-1177238915-682003330-2
      client_id: 100
      first_name: Second
      last_name: User
      email: second.user@example.com
      phone_number: "+48225550002"
      is_default: false
      is_blocked: false
      privileges: [1, 2]
      settings: {language_id: 2, time_zone_id: 1}
      user_id: 2
      ad_login: second.user
taken:
  description:
    - For each option that was given, whether the value is taken.
    - A free mapping of options to booleans.
  returned: success, for the subject V(taken)
  type: dict
  sample: {user_name: false, email: true}
has_privileges:
  description:
    - Whether the user has all of the privileges.
  returned: success, for the subject V(has_privileges)
  type: bool
  sample: true
missing:
  description: The value of O(user_id) or O(sid) if it does not exist; otherwise, an empty list.
  returned: success, for the subjects V(one) and V(by_sid)
  type: list
  elements: raw
  sample: []
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._contract.readers import CLIENT_USER_INFO as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()
