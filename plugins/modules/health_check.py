#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: health_check
short_description: Manage health checks
version_added: 1.0.0
description:
  - Creates, changes and removes checks with which the service watches hosts, pages and mail servers, and notifies of
    failures.
  - A check is identified by its exact name or by O(id). The service does not enforce unique names; if several checks
    share the name, the task fails and lists their IDs.
  - Each kind of check has options of its own. An option that the kind does not have is rejected.
  - An existing check keeps the values of all options that are omitted. The service cannot change the kind of a check;
    with O(recreate), the module replaces it.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes
  - fcd.cloud._waiting.create
  - fcd.cloud._waiting.force
options:
  state:
    description:
      - Whether the check should exist.
    type: str
    choices: [present, absent]
    default: present
  name:
    description:
      - The name of the check, 1 to 2000 characters, none of them a slash, backslash, pipe, angle bracket or percent
        sign. Required unless O(id) is given; together with O(id), the new name.
    type: str
  id:
    description:
      - ID of an existing check.
      - Required for selecting one of several that share a name.
      - With O(name), O(state=absent) removes the check only if it has that name.
    type: int
  kind:
    description:
      - What kind of check it is. Required for a new check.
      - V(full_page) and V(full_page_https) fetch a page together with its elements.
    type: str
    choices: [dns, full_page, full_page_https, http, https, imap, imap_ssl, ping, sip, smtp, tcp]
  address:
    description:
      - Host name or address to check. Required for a new check.
    type: str
  description:
    description:
      - Description; an empty text removes it.
    type: str
  interval:
    description:
      - Time between two checks; V(60) for a new check. The service does not document the unit; its default suggests
        seconds.
    type: int
  paused:
    description:
      - Whether checking is paused; V(false) for a new check.
    type: bool
  error_tolerance:
    description:
      - Error tolerance, V(1) to V(100); V(51) for a new check. All kinds but V(sip) have it.
    type: int
  locations_failover_enabled:
    description:
      - Whether other locations take over checking if one fails; V(true) for a new check.
    type: bool
  notification_time:
    description:
      - When to notify after a failure, one of V(immediately), V(after_1_minute), V(after_5_minutes),
        V(after_10_minutes), V(after_15_minutes), V(after_30_minutes) and V(never), or the ID of another value.
        V(immediately) for a new check.
    type: str
  notification_types:
    description:
      - How to notify, a list of V(email), V(email_short), V(email_extended) and V(sms), or IDs of other types.
        All others are removed.
      - If omitted for a new check, the service decides.
    type: list
    elements: str
  notification_event_types:
    description:
      - What to notify of, a list of V(failure), V(recovery), V(failure_continues) and V(pause), or IDs of other
        events. All others are removed.
      - If omitted for a new check, the service decides.
    type: list
    elements: str
  port:
    description:
      - Port, V(0) to V(65535). For a new check, V(80) with V(http) and V(full_page), V(143) with V(imap), V(25) with
        V(smtp), and required with the others.
      - For checks of the kinds V(http), V(https), V(full_page), V(full_page_https), V(imap), V(imap_ssl), V(smtp) and
        V(tcp).
    type: int
  timeout:
    description:
      - Time limit, V(10) to V(120000). For a new check, V(10000) with V(tcp), left to the service with V(dns) and
        V(sip), and V(7000) with the others. The service does not document the unit of this and the other time limits;
        their defaults suggest milliseconds.
      - For checks of the kinds V(dns), V(http), V(https), V(imap), V(imap_ssl), V(sip), V(smtp) and V(tcp).
    type: int
  reply_timeout:
    description:
      - Time limit for a reply, V(1) to V(120000). For a new check, V(3000) with V(ping) and V(7000) with V(smtp).
      - For checks of the kinds V(ping) and V(smtp).
    type: int
  http_method:
    description:
      - Method of the request, V(GET), V(HEAD) or V(POST), or the ID of another one; V(GET) for a new check.
      - For checks of the kinds V(http), V(https), V(full_page) and V(full_page_https).
    type: str
  content_regular_expression:
    description:
      - Regular expression for content that must be found.
      - For checks of the kinds V(http), V(https), V(full_page) and V(full_page_https).
    type: str
  content_negative_regular_expression:
    description:
      - Regular expression for content that must not be found.
      - For checks of the kinds V(http), V(https), V(full_page) and V(full_page_https).
    type: str
  content:
    description:
      - The V(Content) of the service, sent as it is.
      - For checks of the kinds V(http), V(https), V(full_page) and V(full_page_https).
    type: str
  content_type:
    description:
      - The V(ContentType) of the service, sent as it is.
      - For checks of the kinds V(http), V(https), V(full_page) and V(full_page_https).
    type: str
  page_timeout:
    description:
      - Time limit for the page, V(1) to V(120000); V(7000) for a new check.
      - For checks of the kinds V(full_page) and V(full_page_https).
    type: int
  element_timeout:
    description:
      - Time limit for one element of the page, V(1) to V(120000); V(5000) for a new check.
      - For checks of the kinds V(full_page) and V(full_page_https).
    type: int
  elements_total_timeout:
    description:
      - Time limit for all elements of the page, V(1) to V(120000); V(10000) for a new check.
      - For checks of the kinds V(full_page) and V(full_page_https).
    type: int
  fetch_page_elements:
    description:
      - Whether to fetch the elements of the page. Required for a new check.
      - For checks of the kinds V(full_page) and V(full_page_https).
    type: bool
  elements_filter:
    description:
      - Filter for elements that count.
      - For checks of the kinds V(full_page) and V(full_page_https).
    type: str
  ignored_elements_filter:
    description:
      - Filter for elements that are ignored.
      - For checks of the kinds V(full_page) and V(full_page_https).
    type: str
  allowed_element_error_count:
    description:
      - How many elements may fail, V(0) to V(10000).
      - For checks of the kinds V(full_page) and V(full_page_https).
    type: int
  content_size_limit:
    description:
      - Largest size of the content, V(1) to V(104857600).
      - For checks of the kinds V(full_page) and V(full_page_https).
    type: int
  max_redirects:
    description:
      - How many redirects are followed, V(0) to V(20); V(5) for a new check.
      - For checks of the kinds V(full_page) and V(full_page_https).
    type: int
  max_parallel_requests:
    description:
      - How many requests are made in parallel, V(0) to V(20); V(6) for a new check.
      - For checks of the kinds V(full_page) and V(full_page_https).
    type: int
  generate_har:
    description:
      - Whether to write an HTTP archive (HAR); V(true) for a new check.
      - For checks of the kinds V(full_page) and V(full_page_https).
    type: bool
  ignore_html_parsing_time:
    description:
      - Whether to leave out the time for parsing HTML; V(true) for a new check.
      - For checks of the kinds V(full_page) and V(full_page_https).
    type: bool
  save_cookies:
    description:
      - Whether to keep cookies; V(false) for a new check.
      - For checks of the kinds V(full_page) and V(full_page_https).
    type: bool
  disable_content_encoding:
    description:
      - Whether to ask for content without encoding; V(false) for a new check.
      - For checks of the kinds V(full_page) and V(full_page_https).
    type: bool
  record_type:
    description:
      - Type of the DNS record, V(A), V(AAAA), V(CNAME), V(MBOXFW), V(MX), V(NS), V(PTR), V(SOA), V(TXT) or V(URL), or
        the ID of another one; V(A) for a new check.
      - For checks of the kind V(dns).
    type: str
  query_domain:
    description:
      - The domain to ask for. Required for a new check.
      - For checks of the kind V(dns).
    type: str
  recurse:
    description:
      - Whether to ask for recursion; V(false) for a new check.
      - For checks of the kind V(dns).
    type: bool
  expected_response_value:
    description:
      - The response that is expected.
      - For checks of the kind V(dns).
    type: str
  package_size:
    description:
      - Size of the packets, V(1) to V(65535); V(64) for a new check.
      - For checks of the kind V(ping).
    type: int
  sip_user_name:
    description:
      - User name for SIP.
      - For checks of the kind V(sip).
    type: str
  sip_password:
    description:
      - Password for SIP. It is never read back. O(update_password) controls whether it is set on an existing check.
      - Required for any change of such a check, because the request sends all values; an empty text if there is none.
      - For checks of the kind V(sip).
    type: str
  sip_domain:
    description:
      - Domain for SIP.
      - For checks of the kind V(sip).
    type: str
  update_password:
    description:
      - V(on_create) sets O(sip_password) only on a new check, and together with other changes.
      - V(always) sets it on every run and always reports a change, since passwords are not read back. Requires
        O(sip_password).
    type: str
    choices: [on_create, always]
    default: on_create
  recreate:
    description:
      - Whether to remove and recreate a check of another kind. The new check has a different ID. It keeps the values of
        all options that both kinds have, except O(port).
    type: bool
    default: false
seealso:
  - module: fcd.cloud.health_check_info
"""

EXAMPLES = r"""
- name: Watch the front page of a web site
  fcd.cloud.health_check:
    name: front page
    kind: http
    address: www.example.com
    content_regular_expression: Welcome
    notification_types: [email, sms]
    notification_time: after_5_minutes

- name: Pause the check during maintenance
  fcd.cloud.health_check:
    name: front page
    paused: true

- name: Watch the telephone system
  fcd.cloud.health_check:
    name: telephones
    kind: sip
    address: sip.example.com
    sip_user_name: watcher
    sip_password: "{{ vault_sip_password }}"

- name: Watch a name server
  fcd.cloud.health_check:
    name: name server
    kind: dns
    address: ns1.example.com
    query_domain: example.com
    record_type: MX

- name: Check the site by HTTPS instead, with a new check
  fcd.cloud.health_check:
    name: front page
    kind: https
    port: 443
    recreate: true

- name: Remove the check
  fcd.cloud.health_check:
    name: front page
    state: absent
"""

RETURN = r"""
health_check:
  description:
    - The check after the task, or in check mode as it would be; null if it does not exist.
    - In check mode, a new object has only the values that it is created with.
  returned: success
  type: dict
  contains:
    id:
      description: The ID; not known in check mode for a new object.
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
          description: The word for it in the options, else its label at the service.
          type: str
          returned: always
    status:
      description: >-
        The state of the check, such as 1435 (ok), 1436 (paused), 1437 (failure), 1438 (unknown) or 1579 (suspended).
        Keys as in RV(health_check.kind).
      type: dict
      returned: when it exists
    suspended:
      description: Whether the service has suspended the check.
      type: bool
      returned: when it exists
    last_valid_check:
      description: Time of the last check that succeeded, in UTC; null if there is none.
      type: str
      returned: when it exists
    last_invalid_check:
      description: Time of the last check that failed, in UTC; null if there is none.
      type: str
      returned: when it exists
    details_location:
      description: Where the service shows details.
      type: str
      returned: when it exists
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
      description: When the service notifies after a failure. Keys as in RV(health_check.kind).
      type: dict
      returned: always
    notification_types:
      description: How the service notifies. Keys as in RV(health_check.kind).
      type: list
      elements: dict
      returned: always
    notification_event_types:
      description: What the service notifies of. Keys as in RV(health_check.kind).
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
      description: Method of the request. Keys as in RV(health_check.kind).
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
      description: Type of the DNS record. Keys as in RV(health_check.kind).
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
    id: 51101
    name: front page
    kind: {id: 1432, label: http}
    address: www.example.com
    interval: 60
    paused: false
    status: {id: 1435, label: Ok}
    port: 80
    http_method: {id: 1440, label: GET}
    timeout: 7000
action:
  description: >-
    The action taken, or in check mode the action that would be taken, one of V(create), V(update), V(replace),
    V(delete) and V(none).
  returned: success
  type: str
  sample: create
forced_by:
  description: Options that cannot be changed on an existing check and therefore force its replacement.
  returned: success, if RV(action) is V(replace)
  type: list
  elements: str
  sample: [kind]
ticket:
  description: Always null, since operations on health checks have no tickets.
  returned: success
  type: int
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.health_check import OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()
