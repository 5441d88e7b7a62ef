#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_contract."""

from __future__ import annotations

DOCUMENTATION = r"""
module: client_user_info
short_description: Read users of clients
version_added: 0.1.0
description:
  - Finds users, reads one of them, asks whether a login, an e-mail address, a national id or a phone number is taken,
    or whether a user has privileges.
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
      - What to read. Without it, the other options decide, and without any option it is V(all).
      - V(all) searches users, V(one) reads the user O(user_id), V(by_sid) the one with the O(sid).
      - V(taken) tells of O(user_name), O(email), O(pesel) and O(phone_number) which ones somebody has; one of them has
        to be given.
      - V(has_privileges) tells whether the user O(user_id) has all O(privileges).
    type: str
    choices: [one, by_sid, all, taken, has_privileges]
  user_id:
    description:
      - Number of the user.
      - With V(taken), O(pesel) is asked for among all users but this one.
    type: int
    aliases: [id]
  sid:
    description:
      - Security identifier of the user.
    type: str
  client_id:
    description:
      - Number of the client whose users are returned, for V(all).
    type: int
  is_blocked:
    description:
      - Whether only users who are blocked are returned, or only others, for V(all).
    type: bool
  include:
    description:
      - What to read besides, for V(one), V(by_sid) and V(all). V(privileges) takes a further request for each user.
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
      - E-mail address, for V(taken).
    type: str
    aliases: [email_address]
  pesel:
    description:
      - National id, for V(taken).
    type: str
    aliases: [national_id]
  phone_number:
    description:
      - Phone number, for V(taken).
    type: str
  privileges:
    description:
      - Numbers or names of privileges, for V(has_privileges). Names need O(privilege_type_id).
    type: list
    elements: str
  privilege_type_id:
    description:
      - Number of the type of the privileges, with which their names are looked up.
    type: int
notes:
  - National ids are never part of the result; where the service sends one, V((hidden\)) stands for it.
seealso:
  - module: fcd.cloud.client_user
  - module: fcd.cloud.privilege_info
"""

EXAMPLES = r"""
- name: Find the users of a client who are not blocked
  fcd.cloud.client_user_info:
    client_id: 100
    is_blocked: false
  register: found

- name: Read one with settings and privileges
  fcd.cloud.client_user_info:
    user_id: "{{ found.users[0].id }}"
    include: [privileges]

- name: Check a new user before it is created
  fcd.cloud.client_user_info:
    user_name: billing-reader
    email: billing-reader@example.com
  register: asked

- name: Stop when something is taken
  ansible.builtin.assert:
    that: asked.taken.values() is not any

- name: Read privileges by their names
  fcd.cloud.client_user_info:
    user_id: "{{ found.users[0].id }}"
    privileges: [ManageUsers, ReadReports]
    privilege_type_id: 9071
"""

RETURN = r"""
users:
  description:
    - The users, as M(fcd.cloud.client_user) returns them; an empty list when there is none.
    - Besides the keys listed here, a user has all members that the service sends, in snake_case.
    - What the service does not tell here is null. A search tells less of a user than V(one) does.
  returned: success, for the subjects V(one), V(by_sid) and V(all)
  type: list
  elements: dict
  contains:
    id:
      description: Number of the user.
      type: int
      returned: always
    user_name:
      description: Login.
      type: str
      returned: always
    sid:
      description: Security identifier.
      type: str
      returned: always
    client_id:
      description: Number of the client.
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
      description: E-mail address.
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
      description: Numbers of the privileges in rising order; null unless O(include) has them.
      type: list
      elements: int
      returned: always
    settings:
      description: The settings that can be read.
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
    - For each option that was given, whether somebody has it.
  returned: success, for the subject V(taken)
  type: dict
  sample: {user_name: false, email: true}
has_privileges:
  description:
    - Whether the user has all of the privileges.
  returned: success, for the subject V(has_privileges)
  type: bool
  sample: true
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._contract.client_user_info import OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()
