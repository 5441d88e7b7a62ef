#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_contract."""

from __future__ import annotations

DOCUMENTATION = r"""
module: news_info
short_description: Read news items
version_added: 1.0.0
description:
  - Reads the news items that the service shows to its clients, or one of them with its content.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.soap
  - fcd.cloud._attributes.reading
  - fcd.cloud._search
options:
  subject:
    description:
      - What to read, V(one) by its ID or V(all) that are found. If omitted, the other options determine it.
    type: str
    choices: [one, all]
  news_id:
    description:
      - ID of a single item to read.
    type: int
    aliases: [id]
  language_dict_id:
    description:
      - ID of the language, for V(all).
    type: int
    aliases: [language_id]
seealso:
  - module: fcd.cloud.contract_call
  - ref: ansible_collections.fcd.cloud.docsite.soap_contract
    description: Guide to clients, warehouses and other operations of the SOAP contract.
"""

EXAMPLES = r"""
- name: Read the news
  fcd.cloud.news_info:
    limit: 5
  register: latest

- name: Read the first item in full
  fcd.cloud.news_info:
    id: "{{ latest.news[0].id }}"
"""

RETURN = r"""
news:
  description:
    - The news items; an empty list if there are none.
    - In addition to the keys listed here, an item has all members that the service sends, in snake_case.
  returned: success
  type: list
  elements: dict
  contains:
    id:
      description: ID of the item.
      type: int
      returned: if the WSDL has a member for it
    title:
      description: Its title.
      type: str
      returned: if the WSDL has a member for it
  sample:
    - {id: 1, title: Maintenance, news_id: 1, creation_date: "2026-01-02T03:04:05"}
missing:
  description: The value of O(news_id) if it does not exist; otherwise, an empty list.
  returned: success, for the subject V(one)
  type: list
  elements: int
  sample: []
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._contract.catalogue_readers import NEWS_INFO as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()
