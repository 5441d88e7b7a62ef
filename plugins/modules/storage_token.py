#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_object_storage."""

from __future__ import annotations

DOCUMENTATION = r"""
module: storage_token
short_description: Issue a token for the object storage
version_added: 0.1.0
description:
  - Logs in at the object storage and returns a token with the storage address that it is for, for other tools.
    The modules of this collection need no such task, they log in by themselves.
  - The result of the task is hidden from the output, from every event and from every callback at any verbosity, yet it
    can be used when it is registered. It is never stored as a fact.
  - What is registered is an ordinary variable. A later task that prints it, such as M(ansible.builtin.debug), or that
    hands it to an option which is not secret by itself, shows the token unless it has C(no_log=true).
  - A token that is kept from an earlier task is returned again as long as it is valid, and so is one that the service
    knows; see O(renew).
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.storage
  - fcd.cloud._attributes.reading
attributes:
  check_mode:
    details: In check mode a token is issued too, since reading needs one, but O(renew) revokes nothing.
  idempotent:
    details: With O(renew) every run issues a new token.
options:
  renew:
    description:
      - Whether to issue a new token even when one is still valid, for example with another
        O(storage_token_lifetime).
      - The service revokes the earlier token at once, for everybody who uses it. Tasks of this collection log in again
        when that happens to them, other tools may not.
    type: bool
    default: false
notes:
  - Tasks with C(async) are refused, since M(ansible.builtin.async_status) would show the token.
  - A log-in that was refused is never repeated, since repeating it can lock the account.
seealso:
  - module: fcd.cloud.token
"""

EXAMPLES = r"""
- name: Log in at the object storage
  fcd.cloud.storage_token:
  register: login

- name: Write down for another tool what it needs
  ansible.builtin.copy:
    content: |
      export OS_STORAGE_URL={{ login.storage_url }}
      export OS_AUTH_TOKEN={{ login.storage_token }}
    dest: storage.env
    mode: "0600"
  no_log: true

- name: Issue a token for an hour, in place of the one that everybody uses now
  fcd.cloud.storage_token:
    renew: true
    storage_token_lifetime: 3600
  register: short_lived
"""

RETURN = r"""
storage_token:
  description: The token. Hidden in the result of the task, not in what is registered.
  returned: success
  type: str
  sample: AUTH_tk0123456789abcdef0123456789abcdef
storage_url:
  description: The storage address of the account; containers and objects are below it.
  returned: success
  type: str
  sample: https://storage.example.com/v1/AUTH_01234567-89ab-cdef-0123-456789abcdef
expires_in:
  description: Seconds for which the token is still valid; null where the service does not tell.
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
