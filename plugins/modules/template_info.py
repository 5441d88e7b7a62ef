#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_contract."""

from __future__ import annotations

DOCUMENTATION = r"""
module: template_info
short_description: Read virtual machine templates
version_added: 1.0.0
description:
  - Reads categories of templates, templates, their icons and their descriptions.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.soap
  - fcd.cloud._attributes.reading
  - fcd.cloud._search.language
options:
  subject:
    description:
      - What to read. If omitted, the other options determine it; without any option, it is V(categories).
      - V(categories) are all categories with their subcategories, V(category) is the category with the ID
        O(category_id).
      - V(simple_categories) are the categories that C(GetTemplateCategoriesSimpleView) lists for
        O(parent_template_category_id). If that option is omitted, no parent is sent; the contract does not define which
        categories are listed then.
      - V(templates) are all templates of the type O(type_dict_id), V(templates_of_category) those of the category
        O(category_id).
      - V(icon) is the icon O(icon_id).
      - V(description) is the description of the template O(template_id), V(description_by_virtual_machine) that of the
        template from which the virtual machine O(virtual_machine_id) was created.
    type: str
    choices:
      - categories
      - category
      - simple_categories
      - templates
      - templates_of_category
      - icon
      - description
      - description_by_virtual_machine
  category_id:
    description:
      - ID of the category, for V(category) and V(templates_of_category).
    type: int
  parent_template_category_id:
    description:
      - ID of the parent category, for V(simple_categories).
    type: int
    aliases: [parent_id]
  type_dict_id:
    description:
      - ID of the type of templates, an item of a dictionary, for V(templates).
    type: int
  client_id:
    description:
      - ID of the client for whom to read, for V(templates_of_category) and the descriptions.
    type: int
  inputs:
    description:
      - Further inputs of the operation C(GetTemplatesByCategory), for V(templates_of_category), a free mapping with
        names in any spelling. M(fcd.cloud.contract_info) lists the inputs that the service has.
      - Unknown names and invalid values are rejected before anything is sent.
    type: dict
  icon_id:
    description:
      - ID of the icon.
    type: int
  template_id:
    description:
      - ID of the template, for V(description).
    type: int
  virtual_machine_id:
    description:
      - ID of the virtual machine, for V(description_by_virtual_machine).
    type: int
  include_document:
    description:
      - For V(icon), whether the result includes the icon itself, Base64-encoded. Otherwise, it includes only its size
        and checksum. M(fcd.cloud.document_download) writes it to a file.
    type: bool
seealso:
  - module: fcd.cloud.document_download
  - module: fcd.cloud.instance_template_info
  - module: fcd.cloud.catalogue_info
  - ref: ansible_collections.fcd.cloud.docsite.soap_contract
    description: Guide to clients, warehouses and other operations of the SOAP contract.
"""

EXAMPLES = r"""
- name: Read all categories
  fcd.cloud.template_info:
  register: all

- name: Read the templates of the first subcategory of the first category
  fcd.cloud.template_info:
    subject: templates_of_category
    category_id: "{{ all.categories[0].children[0].id }}"
    client_id: 100

- name: Read the description of a template
  fcd.cloud.template_info:
    template_id: 765
    client_id: 100

- name: Read name and size of an icon
  fcd.cloud.template_info:
    icon_id: 801
"""

RETURN = r"""
categories:
  description:
    - The categories; an empty list if there are none.
    - In addition to the keys listed here, a category has all members that the service sends, in snake_case.
  returned: success, for the subjects V(categories), V(category) and V(simple_categories)
  type: list
  elements: dict
  contains:
    id:
      description: ID of the category.
      type: int
      returned: if the WSDL has a member for it
    name:
      description: The name of the object.
      type: str
      returned: if the WSDL has a member for it
    description:
      description: Description of the category.
      type: str
      returned: if the WSDL has a member for it, not for V(simple_categories)
    parent_id:
      description: ID of the parent category.
      type: int
      returned: if the WSDL has a member for it, for V(simple_categories)
    children:
      description: >-
        Its subcategories, with the same keys, instead of the member in which the service sends them. Every category has
        the keys of RV(categories).
      type: list
      elements: dict
      returned: if the WSDL has a member for it, not for V(simple_categories)
  sample:
    - {id: 1, name: All templates, description: About All templates, children: [{id: 2, name: Systems, children: []}]}
templates:
  description:
    - The templates; an empty list if there are none.
    - In addition to the keys listed here, a template has all members that the service sends, in snake_case.
  returned: success, for the subjects V(templates) and V(templates_of_category)
  type: list
  elements: dict
  contains:
    id:
      description: ID of the template.
      type: int
      returned: if the WSDL has a member for it
    name:
      description: The name of the object.
      type: str
      returned: if the WSDL has a member for it
  sample:
    - {id: 765, name: Debian 9, template_id: 765, type_dict_id: 174}
icons:
  description:
    - The icon; an empty list if there is none.
    - In addition to the keys listed here, it has all members that the service sends, in snake_case.
    - Instead of its content, it has C(size) and C(sha256), unless O(include_document) is set.
  returned: success, for the subject V(icon)
  type: list
  elements: dict
  contains:
    id:
      description: ID of the icon.
      type: int
      returned: if the WSDL has a member for it
    file_name:
      description: Name of its file.
      type: str
      returned: if the WSDL has a member for it
  sample:
    - {id: 801, file_name: linux.png, content_type: image/png}
description:
  description:
    - The description, as HTML or plain text, as stored by the service; null if there is none.
  returned: success, for the subjects V(description) and V(description_by_virtual_machine)
  type: str
  sample: "<p>Debian 9</p>"
missing:
  description: The value of O(category_id) or O(icon_id) if it does not exist; otherwise, an empty list.
  returned: success, for the subjects V(category) and V(icon)
  type: list
  elements: int
  sample: []
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._contract.catalogue_readers import TEMPLATE_INFO as OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()
