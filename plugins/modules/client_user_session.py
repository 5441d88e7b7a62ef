#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the action of the same name; what it does is in plugin_utils/site."""

from __future__ import annotations

DOCUMENTATION = r"""
module: client_user_session
short_description: Log users in and take the part of others
version_added: 0.1.0
description:
  - Logs a user in at the SOAP contract and tells who it is, takes the part of another user, tells whether a token is
    valid, or has the service forget when a user logged in last.
  - The contract knows no session that other tasks could use; each task logs in by itself.
  - The result of V(logon) and V(impersonate) is hidden from the output, from every event and from every callback at any
    verbosity, yet it can be used when it is registered. It is never stored as a fact.
  - Tasks with C(async) are refused, since M(ansible.builtin.async_status) would show such a result.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.soap
  - fcd.cloud._attributes.acting
attributes:
  check_mode:
    details: >-
      The validity of a token is asked for. The other acts are checked and not sent, since a log-in leaves a trace and
      may lock an account; what they would tell is null.
  idempotent:
    support: partial
    details: Only V(clean_last_logon) counts as a change, and it does so each time.
options:
  act:
    description:
      - V(logon) logs in with O(user_name) and O(user_password). The task fails when no user has both.
      - V(impersonate) takes the part of the user with O(user_email), as the one with O(current_user_sid).
      - V(validate_token) asks whether O(token) is valid, such as one for a new password.
      - V(clean_last_logon) has the service forget when the user logged in last.
    type: str
    required: true
    choices: [logon, impersonate, validate_token, clean_last_logon]
  user_name:
    description:
      - Login, for V(logon) and V(clean_last_logon). Without it and O(user_password), those that the module itself logs
        in with are taken.
    type: str
    aliases: [login]
  user_password:
    description:
      - Password for O(user_name).
    type: str
  ip_address:
    description:
      - Address that the user is said to come from, for V(logon). Without it, this is 127.0.0.1.
    type: str
  user_agent:
    description:
      - Program that the user is said to use, for V(logon).
    type: str
  current_user_sid:
    description:
      - Security identifier of the user who takes the part of another one, for V(impersonate).
    type: str
  user_email:
    description:
      - E-mail address of the user whose part is taken, for V(impersonate).
    type: str
    aliases: [email]
  token:
    description:
      - Token to be looked at, for V(validate_token).
    type: str
notes:
  - A refused log-in is never repeated, since that can lock the account. Only when the service answers that something is
    locked by a running operation (error code 133), it is sent again.
seealso:
  - module: fcd.cloud.client_user_password
"""

EXAMPLES = r"""
- name: Show who the account is
  fcd.cloud.client_user_session:
    act: logon
  register: session

- name: Take the part of another user
  fcd.cloud.client_user_session:
    act: impersonate
    current_user_sid: "{{ session.user.sid }}"
    user_email: second.user@example.com
  register: part

- name: Check whether a token for a new password is still valid
  fcd.cloud.client_user_session:
    act: validate_token
    token: "{{ vault_reset_token }}"
  register: token

- name: Clear the last log-in of the account
  fcd.cloud.client_user_session:
    act: clean_last_logon
"""

RETURN = r"""
act:
  description: The act that was done, or in check mode would be done.
  returned: success
  type: str
  sample: logon
user:
  description:
    - Who has logged in, or whose part was taken; null for the other acts and in check mode.
    - It has what M(fcd.cloud.client_user) returns of a user. What the WSDL has no member for is null, and so are the
      privileges, which are not read.
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
    - All that the service told, by its own names in snake_case, tokens and the like as they are. Null where
      RV(user) is. National ids are V((hidden\)).
    - What is registered is an ordinary variable. A later task that prints it shows what is in it, unless that task has
      C(no_log=true).
  returned: success
  type: dict
  sample:
    user:
      user_id: 2
      full_name: Second User
valid:
  description: Whether the token is valid; null for the other acts.
  returned: success
  type: bool
  sample: true
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._contract.client_user_credentials import (
    USER_SESSION as OPERATION,
)


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()
