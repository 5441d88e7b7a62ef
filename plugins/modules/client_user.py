#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_contract."""

from __future__ import annotations

DOCUMENTATION = r"""
module: client_user
short_description: Manage a user of a client
version_added: 1.0.0
description:
  - Creates, changes, blocks, unblocks and deletes users through the SOAP contract.
  - A user is identified by O(user_name), O(id) or O(sid).
  - The service replaces the names, addresses and privileges of a user as a whole, and likewise all settings. The module
    therefore reads the user, merges the declared values, and sends every field.
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
      - ID of the user.
      - An unknown ID is an error, except with O(state=absent).
    type: int
    aliases: [user_id]
  sid:
    description:
      - Security identifier (SID) of the user, which finds the user with one request.
      - An unknown SID is an error, except with O(state=absent). If the service responds with an error of its own, that
        error is reported in any case.
    type: str
    aliases: [ad_sid]
  user_name:
    description:
      - Login of the user, compared exactly. Required to create a user. Cannot be changed.
      - With O(id) or O(sid), O(state=absent) removes the user only if it has this login.
    type: str
    aliases: [login]
  user_password:
    description:
      - Password of the user. Required to create a user.
      - O(update_password) controls whether it is set on an existing user.
      - An empty password is an error, except with O(state=absent), which ignores it. Any other password is sent as it
        is, since the contract defines no password rules; the service reports what it rejects.
    type: str
  update_password:
    description:
      - V(on_create) sets O(user_password) only on a new user.
      - V(always) sets it on every run and always reports a change, since passwords cannot be read back. Requires
        O(user_password).
    type: str
    choices: [on_create, always]
    default: on_create
  client_id:
    description:
      - ID of the client that the user belongs to. Users of other clients are then ignored, and a new user is created
        for this client. Cannot be changed.
      - If omitted, users of all clients visible to the account are found. If the service only searches within a client,
        the module gets the client of the account with C(LogonUser) and searches that one.
    type: int
  first_name:
    description:
      - First name. Required to create a user.
    type: str
  last_name:
    description:
      - Last name. Required to create a user.
    type: str
  email:
    description:
      - Email address. Required to create a user.
    type: str
    aliases: [email_address]
  phone_number:
    description:
      - Phone number. An empty string removes it.
    type: str
  pesel:
    description:
      - National identification number (PESEL). Never shown in results, diffs or messages. An empty string removes it.
    type: str
    aliases: [national_id]
  is_default:
    description:
      - Whether this is the default user of the client.
      - If the WSDL has no member for this in a user, the client is read to find its default user.
    type: bool
  privileges:
    description:
      - The complete set of privileges, each by ID or name. An empty list removes all of them.
      - Names require O(privilege_type_id).
    type: list
    elements: str
  privilege_type_id:
    description:
      - Dictionary item of the kind of privileges in which to look up names (C(typeDictId) of C(GetPrivileges)).
        M(fcd.cloud.catalogue_info) lists them, see the example of M(fcd.cloud.privilege_info).
      - If set together with O(privileges), the result and the diff show the names too.
    type: int
  settings:
    description:
      - Settings of the user. Settings that you do not list are left alone.
    type: dict
    suboptions:
      language_id:
        description: Dictionary item of the language.
        type: int
      time_zone_id:
        description: ID of the time zone.
        type: int
      availability_zone:
        description: Dictionary item of the availability zone.
        type: int
      date_format_id:
        description: Dictionary item of the date format.
        type: int
      is_24_hour_clock:
        description: Whether to show times in 24-hour format.
        type: bool
      is_marketing_information_subscriber:
        description: Whether to send marketing information to the user.
        type: bool
      is_technical_announcement_subscriber:
        description: Whether to send technical announcements to the user.
        type: bool
  state:
    description:
      - V(present) and V(absent) determine whether the user should exist.
      - V(blocked) and V(unblocked) also determine whether the user may log in; a missing user is created first.
      - V(present) leaves a blocked user blocked.
      - The user that the module logs in as is never removed or blocked; trying to is an error.
    type: str
    choices: [present, absent, blocked, unblocked]
    default: present
  create_grace:
    description:
      - Time in seconds during which a new user may not be visible yet. The module looks for the user for this long
        after creating it, and after a create with an unclear outcome before the task fails.
      - Units are accepted, as in V(90s), V(10m) or V(2h).
    type: str
    default: "30"
attributes:
  check_mode:
    details: >-
      Sends no request that changes anything, with one exception. LogonUser may be sent, which updates the last log-on
      time of the user that the module logs in as. This happens if no search finds a login that is taken, or if the
      service requires a client for a search, to find out the module's own client. It does not happen with O(client_id).
notes:
  - If two tasks of the same account on one controller change the same user at the same time, neither change is lost.
  - If a new login, email address or national identification number is already taken, the task fails before anything is
    changed, in check mode too.
  - The service has no idempotency keys. The create is therefore sent only once, under a lock, and recorded on disk
    beforehand.
  - The lock covers tasks that share O(state_dir), that is, those of one user on one host. With O(lock_container), it
    covers all controllers.
  - Settings, and whether the user is blocked, are set right after the create in the same task. If that fails, the error
    shows the ID of the new user and what is not yet set; the next run sets it.
  - >-
    The names of the members of a user are read from the WSDL. An option without a member cannot be read back. It is
    sent each time, with a warning, and the task reports a change. If a value would have to be sent along that is
    neither given nor readable, the task fails before it sends anything. O(soap_member_map) can name the member, for
    example C({"User.pesel": "NationalId"}).
seealso:
  - module: fcd.cloud.client
  - module: fcd.cloud.client_user_info
  - module: fcd.cloud.client_user_password
  - module: fcd.cloud.privilege_info
  - ref: ansible_collections.fcd.cloud.docsite.soap_contract
    description: Guide to clients, warehouses and other operations of the SOAP contract.
"""

EXAMPLES = r"""
- name: Create a user who may see billing data
  fcd.cloud.client_user:
    user_name: billing.reader
    user_password: "{{ vault_billing_reader_password }}"
    first_name: Billing
    last_name: Reader
    email: billing.reader@example.com
    privilege_type_id: 9071 # names and IDs as in your account
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

- name: Show times in 24-hour format, selecting the user by ID
  fcd.cloud.client_user:
    id: "{{ reader.client_user.id }}"
    settings:
      is_24_hour_clock: true

- name: Make a user the default user of the client, selecting by security identifier
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
    - The user after the task, or in check mode as it would be; null if it does not exist.
    - Values for which the WSDL has no member are null, as are, in check mode, values that only a create can determine.
  returned: success
  type: dict
  contains:
    id:
      description: ID of the user; not known in check mode before it is created.
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
      description: ID of the client that the user belongs to.
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
      description: Whether this is the default user of the client.
      type: bool
      returned: always
    is_blocked:
      description: Whether the user is blocked.
      type: bool
      returned: always
    privileges:
      description:
        - IDs of the privileges, in ascending order.
        - They are read only if O(privileges) is set; otherwise, this is null.
      type: list
      elements: int
      returned: always
    privilege_names:
      description: Names of the privileges, in the order of C(privileges); null for one that the service does not name.
      type: list
      elements: str
      returned: if O(privileges) and O(privilege_type_id) are set
    settings:
      description: The settings that can be read back. A free mapping.
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
  description: The action taken, or in check mode the action that would be taken.
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
