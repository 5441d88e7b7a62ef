#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_contract."""

from __future__ import annotations

DOCUMENTATION = r"""
module: client_user
short_description: Manage a user of a client
version_added: 0.1.0
description:
  - Creates, changes, blocks, unblocks and deletes users through the SOAP contract.
  - A user is found by O(user_name), by O(id) or by O(sid).
  - The service replaces names, addresses and privileges of a user together, and all settings together. So the module
    reads the user, merges what is declared, and sends every field.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.soap
  - fcd.cloud._attributes
  - fcd.cloud._waiting.force
options:
  id:
    description:
      - Number of the user.
      - A number that does not exist is an error, except with O(state=absent).
    type: int
    aliases: [user_id]
  sid:
    description:
      - Security identifier of the user, with which the user is found in one request.
      - One that does not exist is an error, except with O(state=absent). Where the service answers with an error of its
        own then, that one is told in any case.
    type: str
    aliases: [ad_sid]
  user_name:
    description:
      - Login of the user, compared exactly. Needed to create one. It cannot be changed.
    type: str
    aliases: [login]
  user_password:
    description:
      - Password of the user. Needed to create one.
      - Whether it is set on a user that exists is said by O(update_password).
      - An empty one is an error, except with O(state=absent), which ignores it. Any other is sent as it is, since the
        contract shows no rules for passwords; the service tells what it refuses.
    type: str
  update_password:
    description:
      - V(on_create) sets O(user_password) on a new user only.
      - V(always) sets it each time, which always counts as a change, since passwords cannot be read back.
        It needs O(user_password).
    type: str
    choices: [on_create, always]
    default: on_create
  client_id:
    description:
      - Number of the client that the user belongs to. Users of other clients are not found then, and a new user is
        created for that client. It cannot be changed.
      - Without it, users of all clients that the account sees are found. Where the service finds nobody without a
        client, the client of the account is learnt with C(LogonUser) and searched.
    type: int
  first_name:
    description:
      - First name. Needed to create a user.
    type: str
  last_name:
    description:
      - Last name. Needed to create a user.
    type: str
  email:
    description:
      - E-mail address. Needed to create a user.
    type: str
    aliases: [email_address]
  phone_number:
    description:
      - Phone number. An empty text takes it away.
    type: str
  pesel:
    description:
      - National identification number. Never shown in results, differences or messages. An empty text takes it away.
    type: str
    aliases: [national_id]
  is_default:
    description:
      - Whether this is the default user of the client.
      - Where a user has no member for it, the client is asked who its default user is.
    type: bool
  privileges:
    description:
      - The complete set of privileges, each by number or by name. An empty list takes all of them away.
      - Names need O(privilege_type_id).
    type: list
    elements: str
  privilege_type_id:
    description:
      - Dictionary item of the kind of privileges among which names are looked up (C(typeDictId) of C(GetPrivileges)).
    type: int
  settings:
    description:
      - Settings of the user. What is not given is left alone.
    type: dict
    suboptions:
      language_id:
        description: Dictionary item of the language.
        type: int
      time_zone_id:
        description: Number of the time zone.
        type: int
      availability_zone:
        description: Dictionary item of the availability zone.
        type: int
      date_format_id:
        description: Dictionary item of the date format.
        type: int
      is_24_hour_clock:
        description: Whether times are shown with 24 hours.
        type: bool
      is_marketing_information_subscriber:
        description: Whether marketing information is sent to the user.
        type: bool
      is_technical_announcement_subscriber:
        description: Whether technical announcements are sent to the user.
        type: bool
  state:
    description:
      - V(present) and V(absent) say whether the user should exist.
      - V(blocked) and V(unblocked) also say whether the user may log in; a user that does not exist is created first.
      - V(present) leaves a blocked user blocked.
      - The user that the module logs in as is neither removed nor blocked; that is an error.
    type: str
    choices: [present, absent, blocked, unblocked]
    default: present
  create_grace:
    description:
      - Seconds for which a new user may stay invisible. So long it is looked for after it was created, and after a
        create without a clear answer before the task fails.
    type: float
    default: 30.0
attributes:
  check_mode:
    details: >-
      No request that changes anything is sent. LogonUser may be, which moves the date of the own user's last log-on:
      where no search shows a login that is taken, or the service wants a client for a search, the own client is
      learnt that way. With O(client_id) it is not.
notes:
  - Two tasks of one user on one controller may change the same user at the same time; neither change is lost.
  - A new login, e-mail address or national identification number that is taken already is told before anything is
    changed, in check mode too.
  - The service has no idempotency key. The create is sent once, under a lock, and noted on disk before.
  - Settings, and whether the user is blocked, are set right after the create in the same task. When that fails, the
    error tells the number of the new user and what is not set; the next run sets it.
  - >-
    The names of the members of a user are read from the WSDL. An option that it has no member for cannot be read back.
    It is sent when the user is created, and whenever something else is sent with it; it is not compared, which a
    warning tells. Where something would have to be sent along that is neither given nor can be read, the task fails
    before it sends anything. O(soap_member_map) can name the member, for example C({"User.pesel": "NationalId"}).
"""

EXAMPLES = r"""
- name: Create a user who may see what is billed
  fcd.cloud.client_user:
    user_name: billing.reader
    user_password: "{{ vault_billing_reader_password }}"
    first_name: Billing
    last_name: Reader
    email: billing.reader@example.com
    privilege_type_id: 9071 # names and numbers as your account has them
    privileges:
      - ManageBilling
      - ReadReports
  register: reader
  no_log: true

- name: Set a new password
  fcd.cloud.client_user:
    user_name: billing.reader
    user_password: "{{ vault_billing_reader_password }}"
    update_password: always
  no_log: true

- name: Block the user
  fcd.cloud.client_user:
    user_name: billing.reader
    state: blocked

- name: Show times with 24 hours, by the number of the user
  fcd.cloud.client_user:
    id: "{{ reader.client_user.id }}"
    settings:
      is_24_hour_clock: true

- name: Set it as the default user of its client, by its security identifier
  fcd.cloud.client_user:
    sid: "{{ reader.client_user.sid }}"
    is_default: true

- name: Remove the user
  fcd.cloud.client_user:
    user_name: billing.reader
    state: absent
"""

RETURN = r"""
client_user:
  description:
    - The user as it is, or in check mode would be; null when it is not there.
    - What the WSDL has no member for, and in check mode what only a create will tell, is null.
  returned: success
  type: dict
  contains:
    id:
      description: Number of the user; null in check mode before it is created.
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
      description: Number of the client that the user belongs to.
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
      description: Whether this is the default user of the client.
      type: bool
      returned: always
    is_blocked:
      description: Whether the user is blocked.
      type: bool
      returned: always
    privileges:
      description:
        - Numbers of the privileges, in rising order.
        - They are read only for O(privileges); without that option this is null.
      type: list
      elements: int
      returned: always
    settings:
      description: The settings that can be read back.
      type: dict
      returned: always
  sample:
    id: 1207
    user_name: billing.reader
    sid: S-1-5-21-1004336348-1177238915-682003330-1207
    client_id: 100
    first_name: Billing
    last_name: Reader
    email: billing.reader@example.com
    phone_number: null
    is_default: false
    is_blocked: false
    privileges: [4]
    settings:
      is_24_hour_clock: true
action:
  description: What was done, or in check mode would be done.
  returned: success
  type: str
  sample: create
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._contract.client_user import OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()
