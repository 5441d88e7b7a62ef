#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the action of the same name; what it does is in plugin_utils/site."""

from __future__ import annotations

DOCUMENTATION = r"""
module: client_user_password
short_description: Change, set or reset the password of a user
version_added: 0.1.0
description:
  - Does one of the acts that concern a user's password, through the SOAP contract.
  - Nobody can read a password, so there is no state to compare. The act is done each time that the task runs, unless
    O(verify_first) finds that the new password works already.
  - Passwords and tokens are in no result and in no message.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.soap
  - fcd.cloud._attributes.acting
attributes:
  check_mode:
    details: Options are checked and nothing is sent. O(verify_first) does not log in either, so a change is told.
  idempotent:
    support: partial
    details: With O(verify_first), a password that works already is not sent again.
options:
  act:
    description:
      - V(change) puts O(new_password) in the place of O(old_password), for the user with the number O(user_id) or the
        security identifier O(sid).
      - V(set) sets O(new_password) for the user O(user_id), whatever the old one is.
      - V(request_reset) asks the service for a letter to O(email) with a token in it.
      - V(reset) sets O(new_password) for the user who was given the O(token).
    type: str
    required: true
    choices: [change, set, request_reset, reset]
  user_id:
    description:
      - Number of the user, for V(set) and V(change).
    type: int
    aliases: [id]
  sid:
    description:
      - Security identifier of the user, for V(change), in place of O(user_id).
    type: str
    aliases: [ad_sid]
  old_password:
    description:
      - The password that the user has now, for V(change).
    type: str
  new_password:
    description:
      - The password to have, for V(change), V(set) and V(reset).
      - An empty one is an error. Any other is sent as it is, since the contract shows no rules for passwords; the
        service tells what it refuses.
    type: str
  token:
    description:
      - The token from the letter, for V(reset).
    type: str
  email:
    description:
      - E-mail address of the user, for V(request_reset).
    type: str
    aliases: [email_address]
  link_to_change_password:
    description:
      - Address of the page on which the user should give the new password, for V(request_reset). It is for the letter.
    type: str
  verify_first:
    description:
      - Whether to log in with O(user_name) and O(new_password) first, and to leave everything alone when that works.
      - A log-in that fails may count among those after which the service locks an account. Each run in which the
        password is not the new one yet makes one.
      - With it, an answer that leaves open whether the password was changed is looked into the same way.
    type: bool
    default: false
  user_name:
    description:
      - Login of the user, for O(verify_first).
    type: str
    aliases: [login]
notes:
  - Nothing is sent a second time after an answer that leaves open whether it was done. The task fails then, and the
    error says how to find out.
  - After the password of the user that the module itself logs in as was changed, further tasks need the new one.
seealso:
  - module: fcd.cloud.client_user
  - module: fcd.cloud.client_user_session
"""

EXAMPLES = r"""
- name: Set a password, unless the user has it
  fcd.cloud.client_user_password:
    act: set
    user_id: 2
    user_name: second.user
    new_password: "{{ vault_second_user_password }}"
    verify_first: true

- name: Change a password that is known
  fcd.cloud.client_user_password:
    act: change
    user_id: 2
    old_password: "{{ vault_second_user_password }}"
    new_password: "{{ vault_second_user_next_password }}"

- name: Request a letter with a token
  fcd.cloud.client_user_password:
    act: request_reset
    email: second.user@example.com
    link_to_change_password: https://panel.example.com/password

- name: Use the token from the letter
  fcd.cloud.client_user_password:
    act: reset
    token: "{{ vault_reset_token }}"
    new_password: "{{ vault_second_user_password }}"
"""

RETURN = r"""
act:
  description: The act that was done, or in check mode would be done.
  returned: success
  type: str
  sample: set
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._contract.client_user_credentials import (
    USER_PASSWORD as OPERATION,
)


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()
