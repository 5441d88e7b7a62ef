# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lookup of an access token, for use inside a task's arguments."""

from __future__ import annotations

DOCUMENTATION = r"""
name: token
short_description: Look up an access token for the infrastructure interface
version_added: 1.0.0
description:
  - Returns an access token, for use in the arguments of a task or in the headers of a request.
  - A cached token from an earlier task is returned while it is valid; otherwise, the lookup logs in.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection_plugin.common
  - fcd.cloud._connection_plugin.identity
options:
  _terms:
    description: This lookup takes no terms.
    type: list
    elements: str
notes:
  - The value of a lookup is shown wherever it is printed. Tasks that pass it to an option that is not secret itself
    need C(no_log=true). The module M(fcd.cloud.token) hides its own result.
seealso:
  - module: fcd.cloud.token
"""

EXAMPLES = r"""
- name: Call an operation of the API that no module covers
  ansible.builtin.uri:
    url: https://api.example.com/beta/account
    headers:
      Authorization: "Bearer {{ lookup('fcd.cloud.token') }}"
    ca_path: "{{ lookup('ansible.builtin.env', 'FCD_CA_PATH') | default(omit, true) }}" # uri does not know FCD_CA_PATH
  no_log: true
"""

RETURN = r"""
_list:
  description: The token, as the only element.
  type: list
  elements: str
"""

import typing as t

from ansible.errors import AnsibleLookupError

from ansible_collections.fcd.cloud.plugins.module_utils._connection.credentials import IdentityAccount
from ansible_collections.fcd.cloud.plugins.module_utils._connection.options import IDENTITY
from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Task
from ansible_collections.fcd.cloud.plugins.plugin_utils._lookup import ServiceLookup


class LookupModule(ServiceLookup):
    """Hands out the token."""

    services = (IDENTITY,)

    def look_up(self, task: Task, terms: list[str], params: t.Mapping[str, t.Any]) -> list[str]:
        """Return the token."""
        del params
        if terms:
            raise AnsibleLookupError("fcd.cloud.token takes no terms; options are given by name.")
        return [IdentityAccount(task).token()["token"]]
