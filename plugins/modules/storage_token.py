#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_object_storage."""

from __future__ import annotations

DOCUMENTATION = r"""
module: storage_token
short_description: Issue a token for the object storage
version_added: 1.0.0
description:
  - Logs in to the object storage and returns a token, together with the storage URL that it is for, for use by other
    tools. The modules of this collection do not need it; they log in by themselves.
  - The result of the task is hidden from the output, from every event and from every callback at any verbosity, but can
    still be used if it is registered. It is never stored as a fact.
  - A registered result is an ordinary variable. A later task that prints it, such as M(ansible.builtin.debug), or that
    passes it to an option that is not secret itself, shows the token unless it has C(no_log=true).
  - A token cached by an earlier task, or kept by the service, is returned again while it is valid; see O(renew).
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.storage
  - fcd.cloud._attributes.reading
attributes:
  check_mode:
    details: A token is issued in check mode too, since reading requires one, but O(renew) does not revoke any.
  idempotent:
    details: With O(renew), every run issues a new token.
options:
  renew:
    description:
      - Whether to issue a new token even if one is still valid, for example with a different O(storage_token_lifetime).
      - The service immediately revokes the earlier token for everybody who uses it. Tasks of this collection then log
        in again; other tools may not.
    type: bool
    default: false
notes:
  - Tasks with C(async) are rejected, since M(ansible.builtin.async_status) would reveal the token.
  - A rejected log-in is never retried, since retries can lock the account.
seealso:
  - module: fcd.cloud.token
  - ref: ansible_collections.fcd.cloud.docsite.authentication
    description: Guide to authentication, profiles and connection options.
"""

EXAMPLES = r"""
- name: Log in to the object storage
  fcd.cloud.storage_token:
  register: login

- name: Write the settings for another tool
  ansible.builtin.copy:
    content: |
      export OS_STORAGE_URL={{ login.storage_url }}
      export OS_AUTH_TOKEN={{ login.storage_token }}
    dest: storage.env
    mode: "0600"
  no_log: true

- name: Issue a token for an hour and revoke the current one
  fcd.cloud.storage_token:
    renew: true
    storage_token_lifetime: 3600
  register: short_lived
"""

RETURN = r"""
storage_token:
  description: The token. Hidden in the result of the task, but not in a registered variable.
  returned: success
  type: str
  sample: AUTH_tk0123456789abcdef0123456789abcdef
storage_url:
  description: The storage URL of the account; containers and objects are below it.
  returned: success
  type: str
  sample: https://storage.example.com/v1/AUTH_01234567-89ab-cdef-0123-456789abcdef
expires_in:
  description: Time in seconds for which the token is still valid; null if the service does not report it.
  returned: success
  type: int
  sample: 86388
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._object_storage.connection import OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()
