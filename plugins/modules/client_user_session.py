#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the action of the same name; what it does is in plugin_utils/site."""

from __future__ import annotations

DOCUMENTATION = r"""
module: client_user_session
short_description: Log users in, impersonate users, and validate tokens
version_added: 1.0.0
description:
  - Logs a user in through the SOAP contract and returns who the user is, impersonates another user, checks whether a
    token is valid, or clears the record of a user's last log-on.
  - The contract has no session that other tasks could use; each task logs in by itself.
  - The result of V(logon) and V(impersonate) is hidden from the output, from every event and from every callback at any
    verbosity, but can still be used if it is registered. It is never stored as a fact.
  - Tasks with C(async) are rejected, since M(ansible.builtin.async_status) would reveal such a result.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.soap
  - fcd.cloud._attributes.acting
attributes:
  check_mode:
    details: >-
      The validity of a token is checked. The other actions are checked but not sent, since a log-in leaves a trace and
      may lock an account; their results are null.
  idempotent:
    support: partial
    details: Only V(clean_last_logon) reports a change, and it does so on every run.
options:
  action:
    description:
      - V(logon) logs in with O(user_name) and O(user_password). The task fails if the combination is wrong.
      - V(impersonate) impersonates the user with O(user_email), on behalf of the user with O(current_user_sid).
      - V(validate_token) checks whether O(token) is valid, for example a token for a password reset.
      - V(clean_last_logon) clears the service's record of when the user last logged on.
    type: str
    required: true
    choices: [logon, impersonate, validate_token, clean_last_logon]
  user_name:
    description:
      - Login, for V(logon) and V(clean_last_logon). If omitted together with O(user_password), the credentials that the
        module itself logs in with are used.
    type: str
    aliases: [login]
  user_password:
    description:
      - Password for O(user_name).
    type: str
  ip_address:
    description:
      - Address that the user is reported to come from, for V(logon). If omitted, it is 127.0.0.1.
    type: str
  user_agent:
    description:
      - User agent that the user is reported to use, for V(logon).
    type: str
  current_user_sid:
    description:
      - Security identifier of the user who impersonates another user, for V(impersonate).
    type: str
  user_email:
    description:
      - Email address of the user to impersonate, for V(impersonate).
    type: str
    aliases: [email]
  token:
    description:
      - Token to check, for V(validate_token).
    type: str
notes:
  - A rejected log-in is never retried, since retries can lock the account. It is sent again only if the service
    responds that something is locked by a running operation (error code 133).
seealso:
  - module: fcd.cloud.client_user
  - module: fcd.cloud.client_user_password
  - ref: ansible_collections.fcd.cloud.docsite.soap_contract
    description: Guide to clients, warehouses and other operations of the SOAP contract.
"""

EXAMPLES = r"""
- name: Show who the module logs in as
  fcd.cloud.client_user_session:
    action: logon
  register: session

- name: Impersonate another user
  fcd.cloud.client_user_session:
    action: impersonate
    current_user_sid: "{{ session.user.sid }}"
    user_email: second.user@example.com
  register: part

- name: Check whether a password reset token is still valid
  fcd.cloud.client_user_session:
    action: validate_token
    token: "{{ vault_reset_token }}"
  register: token

- name: Clear the last log-on time of the account
  fcd.cloud.client_user_session:
    action: clean_last_logon
"""

RETURN = r"""
action:
  description: The action that was run, or in check mode would be run.
  returned: success
  type: str
  sample: logon
user:
  description:
    - The user who was logged in or impersonated; null for the other actions. In check mode, its values are
      V((known after apply\)).
    - In the form of RV(fcd.cloud.client_user#module:client_user). Values for which the WSDL has no member are null,
      and so are the privileges, which are not read.
  returned: success
  type: dict
  sample:
    id: 2
    user_name: second.user
    sid: S-1-5-21-1004336348-1177238915-682003330-2
    client_id: 100
    first_name: Second
    last_name: User
    email: second.user@example.com
    phone_number: "+48225550002"
    is_default: false
    is_blocked: false
    privileges: null
    settings:
      is_24_hour_clock: true
members:
  description:
    - The complete response of the service, with its own names in snake_case, including tokens and other secrets in
      clear text. Null if RV(user) is null. National identification numbers are V((hidden\)).
    - A registered result is an ordinary variable. A later task that prints it shows its contents, unless that task has
      C(no_log=true).
    - A free mapping.
  returned: success
  type: dict
  sample:
    user:
      user_id: 2
      full_name: Second User
valid:
  description: Whether the token is valid; null for the other actions.
  returned: success
  type: bool
  sample: true
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._contract.client_user_credentials import USER_SESSION as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()
