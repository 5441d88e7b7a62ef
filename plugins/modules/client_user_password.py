#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the action of the same name; what it does is in plugin_utils/site."""

from __future__ import annotations

DOCUMENTATION = r"""
module: client_user_password
short_description: Change, set or reset the password of a user
version_added: 1.0.0
description:
  - Changes, sets or resets a user's password, or requests a reset, through the SOAP contract.
  - Passwords cannot be read, so there is no state to compare. The action is run each time the task runs, unless
    O(verify_first) finds that the new password already works.
  - Passwords and tokens never appear in results or messages.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.soap
  - fcd.cloud._attributes.acting
attributes:
  check_mode:
    details: >-
      Checks the options, and finds the user if only O(user_name) identifies it; nothing else is sent. O(verify_first)
      does not log in either, so a change is always reported.
  idempotent:
    support: partial
    details: With O(verify_first), a password that already works is not sent again.
options:
  action:
    description:
      - V(change) replaces O(old_password) with O(new_password), for the user with the ID O(user_id), the security
        identifier O(sid) or the login O(user_name).
      - V(set) sets O(new_password) for the user O(user_id) or O(user_name), whatever the old password is.
      - V(request_reset) has the service send an email with a token to O(email).
      - V(reset) sets O(new_password) for the user who received the O(token).
    type: str
    required: true
    choices: [change, set, request_reset, reset]
  user_id:
    description:
      - ID of the user, for V(set) and V(change).
    type: int
    aliases: [id]
  sid:
    description:
      - Security identifier of the user, for V(change), as an alternative to O(user_id).
    type: str
    aliases: [ad_sid]
  old_password:
    description:
      - The current password of the user, for V(change).
    type: str
  new_password:
    description:
      - The password to set, for V(change), V(set) and V(reset).
      - An empty password is an error. Any other password is sent as it is, since the contract defines no password
        rules; the service reports what it rejects.
    type: str
  token:
    description:
      - The token from the email, for V(reset).
    type: str
  email:
    description:
      - Email address of the user, for V(request_reset).
    type: str
    aliases: [email_address]
  link_to_change_password:
    description:
      - Address of the page on which the user should enter the new password, for V(request_reset). It is included in the
        email.
    type: str
  verify_first:
    description:
      - Whether to first log in with O(user_name) and O(new_password), and to change nothing if that works.
      - A failed log-in may count towards the limit after which the service locks an account. Each run for which the new
        password is not yet set makes one.
      - With this option, a response that leaves open whether the password was changed is resolved the same way.
    type: bool
    default: false
  user_name:
    description:
      - Login of the user, for O(verify_first).
      - For V(change) and V(set), it also identifies the user if neither O(user_id) nor O(sid) is given. The user is
        then looked up first.
    type: str
    aliases: [login]
notes:
  - Nothing is sent again after a response that leaves the outcome open. The task then fails, and the error explains how
    to find out.
  - Only a log-in would show that the service has accepted a password and not set it. None is tried after the change,
    since failed ones may lock the account; with O(verify_first), the next run notices.
  - After changing the password of the user that the module itself logs in as, further tasks need the new password.
seealso:
  - module: fcd.cloud.client_user
  - module: fcd.cloud.client_user_session
  - ref: ansible_collections.fcd.cloud.docsite.soap_contract
    description: Guide to clients, warehouses and other operations of the SOAP contract.
"""

EXAMPLES = r"""
- name: Set a password, unless it already works
  fcd.cloud.client_user_password:
    action: set
    user_name: second.user
    new_password: "{{ vault_second_user_password }}"
    verify_first: true

- name: Change a known password
  fcd.cloud.client_user_password:
    action: change
    user_id: 2
    old_password: "{{ vault_second_user_password }}"
    new_password: "{{ vault_second_user_next_password }}"

- name: Request an email with a token
  fcd.cloud.client_user_password:
    action: request_reset
    email: second.user@example.com
    link_to_change_password: https://panel.example.com/password

- name: Use the token from the email
  fcd.cloud.client_user_password:
    action: reset
    token: "{{ vault_reset_token }}"
    new_password: "{{ vault_second_user_password }}"
"""

RETURN = r"""
action:
  description: The action that was run, or in check mode would be run.
  returned: success
  type: str
  sample: set
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._contract.client_user_credentials import USER_PASSWORD as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()
