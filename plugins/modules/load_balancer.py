#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: load_balancer
short_description: Manage load balancers of groups
version_added: 1.0.0
description:
  - Creates, changes and removes the load balancer of a group of instances. A group has one at most.
  - Only the options that you set are compared. A new load balancer has, for each option that you omit, the default
    given in its description, which is that of the service's orchestration plugin.
  - Options that select one of several choices accept a label or an ID. Labels are looked up at run time; if a label is
    not found, the error suggests similar ones or lists those available.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes
options:
  state:
    description:
      - Whether the group should have a load balancer.
    type: str
    choices: [present, absent]
    default: present
  group:
    description:
      - Name or ID of the group.
    type: str
    required: true
    aliases: [group_id, instance_group]
  service_type:
    description:
      - The service, as a label or ID from dictionary 15. The default for a new load balancer is 43 (HTTP).
    type: str
  port:
    description:
      - The port on which the load balancer listens, 1 to 65535. Some services have one by default.
    type: int
    aliases: [port_number]
  target_port:
    description:
      - The port of the instances, 1 to 65535.
    type: int
    aliases: [target_port_number]
  ssl:
    description:
      - Whether the load balancer accepts TLS. The default for a new load balancer is V(true).
    type: bool
    aliases: [ssl_enabled]
  ssl_target_port:
    description:
      - The port of the instances for what comes by TLS, 1 to 65535.
      - An error if the service runs version 2020 of the interface; see O(api_version).
    type: int
    aliases: [ssl_target_port_number]
  session_persistence:
    description:
      - How requests of one client are kept together, as a label or ID from dictionary 16. The default for a new load
        balancer is 46, by the address of the client.
    type: str
    aliases: [session_persistence_type]
  common_persistence:
    description:
      - Whether HTTP and HTTPS of one client go to the same instance. The default for a new load balancer is V(true).
    type: bool
  algorithm:
    description:
      - How an instance is chosen for a request, as a label or ID from dictionary 77. The default for a new load
        balancer is 612 (round robin).
    type: str
    aliases: [load_balancer_algorithm]
  ip_version:
    description:
      - The version of the Internet Protocol, as a label or ID from dictionary 36. The default for a new load balancer
        is 115 (IPv4).
    type: str
  proxy_protocol:
    description:
      - Version of the proxy protocol by which the instances learn the address of the client, as a label or ID from
        dictionary 302. If omitted, a new load balancer has what the service chooses.
      - An error if the service runs version 2020 of the interface; see O(api_version).
    type: str
    aliases: [proxy_protocol_version]
  health_check:
    description:
      - Whether instances that do not answer get no requests. The default for a new load balancer is V(true).
    type: bool
    aliases: [health_check_enabled]
  ip_address:
    description:
      - Public address of the account that the load balancer should have, as an ID or in dotted notation.
      - If omitted, a new load balancer gets an address from the service.
    type: str
  create_grace:
    description:
      - Time in seconds during which the service may still show the old values after it has accepted a change. What it
        does not show by then is an error.
      - Units are accepted, as in V(90s), V(10m) or V(2h).
    type: str
    default: "30"
notes:
  - The service only replaces all values of a load balancer together. Those that are not given are read before, under a
    lock that covers tasks of one user on one host, and sent along.
  - The service takes the ID of an address and returns its text. For a change, the address is looked up among those of
    the account. If the load balancer has another address after the change, a warning names both.
seealso:
  - module: fcd.cloud.load_balancer_info
  - module: fcd.cloud.load_balancer_drain
  - module: fcd.cloud.instance_group
  - module: fcd.cloud.dictionary_info
  - ref: ansible_collections.fcd.cloud.docsite.infrastructure
    description: Guide to instances and other infrastructure.
"""

EXAMPLES = r"""
- name: Spread HTTP requests over the instances of a group
  fcd.cloud.load_balancer:
    group: web-tier
    service_type: HTTP
    port: 80
    target_port: 8080
    ssl: false
  register: balancer

- name: Show its address
  ansible.builtin.debug:
    var: balancer.load_balancer.ip_address

- name: Choose the instance with the fewest connections
  fcd.cloud.load_balancer:
    group: web-tier
    algorithm: Least connections

- name: Remove the load balancer, but not the group
  fcd.cloud.load_balancer:
    group: web-tier
    state: absent
"""

RETURN = r"""
load_balancer:
  description:
    - The load balancer after the task, or in check mode as it would be; null if there is none.
    - In check mode, a new object has only the values that were given, and the defaults.
  returned: success
  type: dict
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
      returned: when it exists
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
      description: How requests of one client are kept together. Keys as in RV(load_balancer.service_type).
      type: dict
      returned: when it exists
    algorithm:
      description: How an instance is chosen for a request. Keys as in RV(load_balancer.service_type).
      type: dict
      returned: when it exists
    ip_version:
      description: The version of the Internet Protocol. Keys as in RV(load_balancer.service_type).
      type: dict
      returned: when it exists
    proxy_protocol:
      description:
        - Version of the proxy protocol; null in version 2020 of the interface.
        - Keys as in RV(load_balancer.service_type).
      type: dict
      returned: when it exists
    port:
      description: The port on which it listens, null for that of the service.
      type: int
      returned: when it exists
    target_port:
      description: The port of the instances, null for the same one.
      type: int
      returned: when it exists
    ssl:
      description: Whether it accepts TLS.
      type: bool
      returned: when it exists
    ssl_target_port:
      description: The port of the instances for what comes by TLS; null in version 2020 of the interface.
      type: int
      returned: when it exists
    common_persistence:
      description: Whether HTTP and HTTPS of one client go to the same instance.
      type: bool
      returned: when it exists
    health_check:
      description: Whether instances that do not answer get no requests.
      type: bool
      returned: when it exists
    ip_address:
      description: Its IPv4 address.
      type: str
      returned: when it exists
    ip_address_v6:
      description: Its IPv6 address.
      type: str
      returned: when it exists
    servers:
      description: What it listens on.
      type: list
      elements: dict
      returned: when it exists
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
          description: Its status. Keys as in RV(load_balancer.service_type).
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
          description: The instances behind it; always empty here, see M(fcd.cloud.load_balancer_info).
          type: list
          elements: dict
          returned: always
          contains:
            instance:
              description: The instance. Keys as in RV(load_balancer.service_type).
              type: dict
              returned: always
            instance_status:
              description: Status of the instance. Keys as in RV(load_balancer.service_type).
              type: dict
              returned: always
            status:
              description: Whether it is in service. Keys as in RV(load_balancer.service_type).
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
    id: 71101
    name: web-tier
    service_type: {id: 43, label: HTTP}
    algorithm: {id: 612, label: Round robin}
    ip_address: 192.0.2.10
    port: 80
action:
  description: >-
    The action taken, or in check mode the action that would be taken, one of V(create), V(update), V(delete) and
    V(none).
  returned: success
  type: str
  sample: create
ticket:
  description: Always null, since these operations have no tickets.
  returned: success
  type: int
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.load_balancer import OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()
