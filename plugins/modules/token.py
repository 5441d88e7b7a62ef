#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: token
short_description: Issue an access token for the infrastructure interface
version_added: 1.0.0
description:
  - Logs in to the identity server and returns an access token, for C(module_defaults) or for other tools.
  - The result of the task is hidden from the output, from every event and from every callback at any verbosity, but can
    still be used if it is registered. It is never stored as a fact.
  - A registered result is an ordinary variable. A later task that prints it, such as M(ansible.builtin.debug), or that
    passes it to an option that is not secret itself, shows the token unless it has C(no_log=true).
  - A cached token from an earlier task is returned again while it is valid; see O(renew).
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.identity
  - fcd.cloud._attributes.reading
attributes:
  check_mode:
    details: A token is issued in check mode too, since reading requires one, but O(renew) does not replace any.
  idempotent:
    details: With O(renew), every run issues a new token.
options:
  refresh_token:
    description:
      - Refresh token from an earlier response, to be exchanged for a new token instead of logging in with the password.
      - Responses include a refresh token if O(scope) contains V(offline_access).
    type: str
  renew:
    description:
      - Whether to log in even if a cached token is still valid.
    type: bool
    default: false
notes:
  - Tasks with C(async) are rejected, since M(ansible.builtin.async_status) would reveal the token.
  - A rejected log-in is never retried, since retries can lock the account.
seealso:
  - module: fcd.cloud.storage_token
  - plugin: fcd.cloud.token
    plugin_type: lookup
  - ref: ansible_collections.fcd.cloud.docsite.authentication
    description: Guide to authentication, profiles and connection options.
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

- name: Get a read-only token, with credentials from the environment or the profile file
  fcd.cloud.token:
    scope: service.api.readonly
    renew: true
  register: reader
"""

RETURN = r"""
access_token:
  description: The opaque token. Hidden in the result of the task, but not in a registered variable.
  returned: success
  type: str
  sample: 0123456789abcdef0123456789abcdef
token_type:
  description: Type of the token, as used in the C(Authorization) header.
  returned: success
  type: str
  sample: Bearer
expires_in:
  description: Time in seconds for which the token is still valid.
  returned: success
  type: int
  sample: 86400
scope:
  description: The scope that was requested.
  returned: success
  type: str
  sample: service.api
refresh_token:
  description: Token to exchange for the next one. Hidden in the result of the task, but not in a registered variable.
  returned: if the scope contains V(offline_access)
  type: str
  sample: fedcba9876543210fedcba9876543210
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.token import OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()
