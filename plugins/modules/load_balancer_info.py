#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: load_balancer_info
short_description: Read load balancers of groups
version_added: 1.0.0
description:
  - Reads the load balancers of the account, or that of one group.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes.reading
options:
  id:
    description:
      - ID of the group; if it has no load balancer, it is listed in RV(missing).
    type: int
  name:
    description:
      - The exact name of the group, or a pattern with C(*), C(?) or C([...]), such as V(web-*).
      - Names are not unique, so several objects may be returned.
    type: str
    aliases: [group]
  details:
    description:
      - Whether to return the instances behind each server, with their status, which takes one more request for each
        load balancer that is found by name or listed.
    type: bool
    default: false
seealso:
  - module: fcd.cloud.load_balancer
  - module: fcd.cloud.load_balancer_drain
  - module: fcd.cloud.instance_group_info
  - ref: ansible_collections.fcd.cloud.docsite.infrastructure
    description: Guide to instances and other infrastructure.
"""

EXAMPLES = r"""
- name: List all load balancers
  fcd.cloud.load_balancer_info:

- name: Read the load balancer of a group with its instances
  fcd.cloud.load_balancer_info:
    name: web-tier
    details: true
  register: found

- name: Show which instances are in service
  ansible.builtin.debug:
    msg: "{{ item.instance.label }}: {{ item.status.label }}"
  loop: "{{ found.load_balancers | map(attribute='servers') | flatten | map(attribute='services') | flatten }}"
"""

RETURN = r"""
load_balancers:
  description: The load balancers.
  returned: success
  type: list
  elements: dict
  contains:
    id:
      description: The ID of its group; a load balancer has none of its own.
      type: int
      returned: always
    name:
      description: The name of its group.
      type: str
      returned: always
    service_type:
      description: The service.
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
    session_persistence:
      description: How requests of one client are kept together. Keys as in RV(load_balancers[].service_type).
      type: dict
      returned: always
    algorithm:
      description: How an instance is chosen for a request. Keys as in RV(load_balancers[].service_type).
      type: dict
      returned: always
    ip_version:
      description: The version of the Internet Protocol. Keys as in RV(load_balancers[].service_type).
      type: dict
      returned: always
    proxy_protocol:
      description:
        - Version of the proxy protocol; null in version 2020 of the interface.
        - Keys as in RV(load_balancers[].service_type).
      type: dict
      returned: always
    port:
      description: The port on which it listens, null for that of the service.
      type: int
      returned: always
    target_port:
      description: The port of the instances, null for the same one.
      type: int
      returned: always
    ssl:
      description: Whether it accepts TLS.
      type: bool
      returned: always
    ssl_target_port:
      description: The port of the instances for what comes by TLS; null in version 2020 of the interface.
      type: int
      returned: always
    common_persistence:
      description: Whether HTTP and HTTPS of one client go to the same instance.
      type: bool
      returned: always
    health_check:
      description: Whether instances that do not answer get no requests.
      type: bool
      returned: always
    ip_address:
      description: Its IPv4 address.
      type: str
      returned: always
    ip_address_v6:
      description: Its IPv6 address.
      type: str
      returned: always
    servers:
      description: What it listens on.
      type: list
      elements: dict
      returned: always
      contains:
        ip_address:
          description: Its IPv4 address.
          type: str
          returned: always
        port:
          description: Its port.
          type: int
          returned: always
        protocol:
          description: The protocol.
          type: str
          returned: always
        status:
          description: Its status. Keys as in RV(load_balancers[].service_type).
          type: dict
          returned: always
        active_services:
          description: The number of instances in service; null without a health check.
          type: int
          returned: always
        inactive_services:
          description: The number of instances out of service; null without a health check.
          type: int
          returned: always
        services:
          description: The instances behind it; empty without O(details).
          type: list
          elements: dict
          returned: always
          contains:
            instance:
              description: The instance. Keys as in RV(load_balancers[].service_type).
              type: dict
              returned: always
            instance_status:
              description: Status of the instance. Keys as in RV(load_balancers[].service_type).
              type: dict
              returned: always
            status:
              description: Whether it is in service. Keys as in RV(load_balancers[].service_type).
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
    - id: 71101
      name: web-tier
      service_type: {id: 43, label: HTTP}
      algorithm: {id: 612, label: Round robin}
      ip_address: 192.0.2.10
      port: 80
missing:
  description: The value of O(id) if that group has no load balancer; otherwise, an empty list.
  returned: if O(id) is given
  type: list
  elements: int
  sample: []
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.load_balancer import INFO as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()
