#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: health_check_info
short_description: Read health checks
version_added: 1.0.0
description:
  - Reads the health checks of the account, or a single one, with their states.
  - The list of the service lacks what only some kinds have, so each check that is returned costs a request.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes.reading
options:
  id:
    description:
      - ID of one check; if it does not exist, it is listed in RV(missing).
    type: int
  name:
    description:
      - The exact name, or a pattern with C(*), C(?) or C([...]), such as V(web-*).
      - Names are not unique, so several objects may be returned.
    type: str
seealso:
  - module: fcd.cloud.health_check
"""

EXAMPLES = r"""
- name: List all health checks
  fcd.cloud.health_check_info:
  register: all

- name: Show the names of the checks that fail
  ansible.builtin.debug:
    msg: "{{ all.health_checks | selectattr('status.id', 'eq', 1437) | map(attribute='name') }}"
"""

RETURN = r"""
health_checks:
  description:
    - The checks. Passwords are not returned.
    - Each has the keys of RV(fcd.cloud.health_check#module:health_check).
  returned: success
  type: list
  elements: dict
  sample:
    - id: 51101
      name: front page
      kind: {id: 1432, label: http}
      address: www.example.com
      interval: 60
      paused: false
      status: {id: 1435, label: Ok}
      port: 80
      http_method: {id: 1440, label: GET}
      timeout: 7000
missing:
  description: The value of O(id) if it does not exist; otherwise, an empty list.
  returned: if O(id) is given
  type: list
  elements: int
  sample: []
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.health_check import INFO as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()
