#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: token
short_description: Issue an access token for the infrastructure interface
version_added: 0.1.0
description:
  - Logs in at the identity server and returns an access token, for C(module_defaults) or for other tools.
  - The result of the task is hidden from the output, from every event and from every callback at any verbosity, yet it
    can be used when it is registered. It is never stored as a fact.
  - What is registered is an ordinary variable. A later task that prints it, such as M(ansible.builtin.debug), or that
    hands it to an option which is not secret by itself, shows the token unless it has C(no_log=true).
  - A token that is kept from an earlier task is returned again as long as it is valid; see O(renew).
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.identity
  - fcd.cloud._attributes.reading
attributes:
  check_mode:
    details: A token is issued in check mode too, since reading needs one. Nothing else is changed by it.
options:
  refresh_token:
    description:
      - Refresh token of an earlier answer; it is exchanged for a new token in place of logging in with the password.
      - Refresh tokens are part of an answer when O(scope) holds V(offline_access).
    type: str
  renew:
    description:
      - Whether to log in even when a kept token is still valid.
    type: bool
    default: false
notes:
  - Tasks with C(async) are refused, since M(ansible.builtin.async_status) would show the token.
  - A log-in that was refused is never repeated, since repeating it can lock the account.
seealso:
  - plugin: fcd.cloud.token
    plugin_type: lookup
"""

EXAMPLES = r"""
- name: Log in once
  fcd.cloud.token:
    auth_url: https://auth.example.com
    api_client_id: "{{ vault_api_client_id }}"
    api_client_secret: "{{ vault_api_client_secret }}"
    username: panel.user@example.com
    password: "{{ vault_panel_password }}"
  register: login

- name: Use the token for other tasks
  fcd.cloud.dictionary_info:
    base_url: https://api.example.com/beta
    access_token: "{{ login.access_token }}"

- name: Get a token that only reads, with credentials from the environment or the profile file
  fcd.cloud.token:
    scope: service.api.readonly
    renew: true
  register: reader
"""

RETURN = r"""
access_token:
  description: The token, meaningless by itself. Hidden in the result of the task, not in what is registered.
  returned: success
  type: str
  sample: 0123456789abcdef0123456789abcdef
token_type:
  description: How the token is presented.
  returned: success
  type: str
  sample: Bearer
expires_in:
  description: Seconds for which the token is still valid.
  returned: success
  type: int
  sample: 86400
scope:
  description: The scope that was asked for.
  returned: success
  type: str
  sample: service.api
refresh_token:
  description: Token to be exchanged for the next one. Hidden in the result of the task, not in what is registered.
  returned: when the scope holds V(offline_access)
  type: str
  sample: fedcba9876543210fedcba9876543210
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.token import OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()
