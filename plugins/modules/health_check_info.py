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
  description: The checks. Passwords are not returned.
  returned: success
  type: list
  elements: dict
  contains:
    id:
      description: The ID.
      type: int
      returned: always
    name:
      description: The name of the object.
      type: str
      returned: always
    kind:
      description: The kind.
      type: dict
      returned: always
      contains:
        id:
          description: The ID of the value.
          type: int
          returned: always
        label:
          description: Its label at the service.
          type: str
          returned: always
    status:
      description: >-
        The state of the check, such as 1435 (ok), 1436 (paused), 1437 (failure), 1438 (unknown) or 1579 (suspended).
        Keys as in RV(health_checks[].kind).
      type: dict
      returned: always
    suspended:
      description: Whether the service has suspended the check.
      type: bool
      returned: always
    last_valid_check:
      description: Time of the last check that succeeded, in UTC; null if there is none.
      type: str
      returned: always
    last_invalid_check:
      description: Time of the last check that failed, in UTC; null if there is none.
      type: str
      returned: always
    details_location:
      description: Where the service shows details.
      type: str
      returned: always
    address:
      description: Host name or address that is checked.
      type: str
      returned: always
    description:
      description: The description; null if there is none.
      type: str
      returned: always
    interval:
      description: Time between two checks.
      type: int
      returned: always
    paused:
      description: Whether checking is paused.
      type: bool
      returned: always
    error_tolerance:
      description: The error tolerance.
      type: int
      returned: for the kinds that have it
    locations_failover_enabled:
      description: Whether other locations take over checking if one fails.
      type: bool
      returned: always
    notification_time:
      description: When the service notifies after a failure. Keys as in RV(health_checks[].kind).
      type: dict
      returned: always
    notification_types:
      description: How the service notifies. Keys as in RV(health_checks[].kind).
      type: list
      elements: dict
      returned: always
    notification_event_types:
      description: What the service notifies of. Keys as in RV(health_checks[].kind).
      type: list
      elements: dict
      returned: always
    port:
      description: The port.
      type: int
      returned: for the kinds that have it
    timeout:
      description: The time limit.
      type: int
      returned: for the kinds that have it
    reply_timeout:
      description: Time limit for a reply.
      type: int
      returned: for the kinds that have it
    http_method:
      description: Method of the request. Keys as in RV(health_checks[].kind).
      type: dict
      returned: for the kinds that have it
    content_regular_expression:
      description: Regular expression for content that must be found.
      type: str
      returned: for the kinds that have it
    content_negative_regular_expression:
      description: Regular expression for content that must not be found.
      type: str
      returned: for the kinds that have it
    content:
      description: The V(Content) of the service.
      type: str
      returned: for the kinds that have it
    content_type:
      description: The V(ContentType) of the service.
      type: str
      returned: for the kinds that have it
    page_timeout:
      description: Time limit for the page.
      type: int
      returned: for the kinds that have it
    element_timeout:
      description: Time limit for one element of the page.
      type: int
      returned: for the kinds that have it
    elements_total_timeout:
      description: Time limit for all elements of the page.
      type: int
      returned: for the kinds that have it
    fetch_page_elements:
      description: Whether the elements of the page are fetched.
      type: bool
      returned: for the kinds that have it
    elements_filter:
      description: Filter for elements that count.
      type: str
      returned: for the kinds that have it
    ignored_elements_filter:
      description: Filter for elements that are ignored.
      type: str
      returned: for the kinds that have it
    allowed_element_error_count:
      description: How many elements may fail.
      type: int
      returned: for the kinds that have it
    content_size_limit:
      description: Largest size of the content.
      type: int
      returned: for the kinds that have it
    max_redirects:
      description: How many redirects are followed.
      type: int
      returned: for the kinds that have it
    max_parallel_requests:
      description: How many requests are made in parallel.
      type: int
      returned: for the kinds that have it
    generate_har:
      description: Whether an HTTP archive (HAR) is written.
      type: bool
      returned: for the kinds that have it
    ignore_html_parsing_time:
      description: Whether the time for parsing HTML is left out.
      type: bool
      returned: for the kinds that have it
    save_cookies:
      description: Whether cookies are kept.
      type: bool
      returned: for the kinds that have it
    disable_content_encoding:
      description: Whether content is asked for without encoding.
      type: bool
      returned: for the kinds that have it
    record_type:
      description: Type of the DNS record. Keys as in RV(health_checks[].kind).
      type: dict
      returned: for the kinds that have it
    query_domain:
      description: The domain that is asked for.
      type: str
      returned: for the kinds that have it
    recurse:
      description: Whether recursion is asked for.
      type: bool
      returned: for the kinds that have it
    expected_response_value:
      description: The response that is expected.
      type: str
      returned: for the kinds that have it
    package_size:
      description: Size of the packets.
      type: int
      returned: for the kinds that have it
    sip_user_name:
      description: User name for SIP.
      type: str
      returned: for the kinds that have it
    sip_domain:
      description: Domain for SIP.
      type: str
      returned: for the kinds that have it
  sample:
    - id: 51101
      name: front page
      kind: {id: 1432, label: HTTP}
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
