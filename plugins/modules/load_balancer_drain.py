#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: load_balancer_drain
short_description: Take an instance out of a load balancer, or put it back
version_added: 1.0.0
description:
  - Takes an instance out of the load balancer of its group, so that it gets no more requests, or puts it back. The
    instance stays in the group.
  - This is what a rolling update does with each instance before and after it.
  - Waits until the load balancer shows the instance out of service, or in service again.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes
options:
  group:
    description:
      - Name or ID of the group.
    type: str
    required: true
    aliases: [group_id, instance_group]
  instance:
    description:
      - Name or ID of the instance.
    type: str
    required: true
    aliases: [instance_id]
  port:
    description:
      - Port of the instance, if only this one is meant. If omitted, all of its ports behind the load balancer are.
    type: int
  state:
    description:
      - With V(drained), the instance gets no more requests; with V(active), it gets them.
      - An instance that is V(active) may still be down for the health check.
    type: str
    choices: [drained, active]
    default: drained
  graceful:
    description:
      - Whether the load balancer should let connections that exist end by themselves. Only for O(state=drained).
    type: bool
    default: true
  wait:
    description:
      - Whether to wait until the load balancer shows the new state.
    type: bool
    default: true
  wait_timeout:
    description:
      - Maximum time in seconds to wait for that.
      - Units are accepted, as in V(90s), V(10m) or V(2h).
    type: str
    default: "2700"
notes:
  - Without a health check, the status of an instance in service may be unknown. The request is then sent each time, and
    a warning says that the state cannot be seen.
seealso:
  - module: fcd.cloud.load_balancer_info
  - module: fcd.cloud.load_balancer
  - module: fcd.cloud.instance_group
  - ref: ansible_collections.fcd.cloud.docsite.infrastructure
    description: Guide to instances and other infrastructure.
"""

EXAMPLES = r"""
- name: Take an instance out, as soon as its connections have ended
  fcd.cloud.load_balancer_drain:
    group: web-tier
    instance: web

- name: Put it back
  fcd.cloud.load_balancer_drain:
    group: web-tier
    instance: web
    state: active
"""

RETURN = r"""
instance:
  description: The instance as the load balancer shows it, or in check mode would show it.
  returned: success
  type: dict
  contains:
    id:
      description: ID of the instance.
      type: int
      returned: always
    name:
      description: The name of the instance.
      type: str
      returned: always
    group:
      description: The group.
      type: dict
      returned: always
      contains:
        id:
          description: ID.
          type: int
          returned: always
        label:
          description: Label.
          type: str
          returned: always
    state:
      description: V(drained) or V(active); null if its ports differ, or the status does not tell.
      type: str
      returned: always
    services:
      description: What the load balancer shows of it; null in check mode if something would change.
      type: list
      elements: dict
      returned: always
      contains:
        instance:
          description: The instance. Keys as in RV(instance.group).
          type: dict
          returned: always
        instance_status:
          description: Status of the instance. Keys as in RV(instance.group).
          type: dict
          returned: always
        status:
          description: Whether it is in service. Keys as in RV(instance.group).
          type: dict
          returned: always
        ip_address:
          description: Its IPv4 address.
          type: str
          returned: always
        port:
          description: Its port.
          type: int
          returned: always
  sample:
    id: 250001
    name: web
    group: {id: 71101, label: web-tier}
    state: drained
action:
  description: The action taken, or in check mode the action that would be taken, one of V(update) and V(none).
  returned: success
  type: str
  sample: update
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.load_balancer_drain import OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()
