#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: instance_to_template
short_description: Convert an instance to a template
version_added: 1.0.0
description:
  - Converts an instance into a template, and waits until the template exists. B(The instance ceases to exist.)
  - If the instance does not exist and the account has a template of that name and version, nothing is done.
  - If both exist, the task fails and leaves the instance as it is.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes
options:
  name:
    description:
      - The exact name of the instance to convert. Required unless O(id) is given.
      - The service does not enforce unique names; if several instances share the name, the task fails and lists their
        IDs.
    type: str
    aliases: [instance_name]
  id:
    description:
      - ID of the instance to convert.
    type: int
    aliases: [instance_id]
  template_name:
    description:
      - The name of the template, 1 to 300 characters, without C(/).
    type: str
    required: true
  version:
    description:
      - Version of the template.
    type: str
    required: true
  descriptions:
    description:
      - Description of the template, in one or more languages. The first one is used for languages without a
        description.
    type: list
    elements: dict
    required: true
    suboptions:
      language:
        description:
          - The language, as a label or ID from dictionary 1.
        type: str
        required: true
      description:
        description:
          - The description in that language.
        type: str
        required: true
  system_category:
    description:
      - Family of the operating system, as a label or ID from dictionary 70. The default is that of the instance.
    type: str
  system_category_id:
    description:
      - Family of the operating system, as an ID.
    type: int
  default_type:
    description:
      - Default instance type of the template, as a label or ID. If omitted, that of the instance is used.
    type: str
  default_type_id:
    description:
      - Default instance type of the template, as an ID.
    type: int
  minimum_type:
    description:
      - Smallest instance type for the template, as a label or ID. If omitted, that of the instance is used.
    type: str
  minimum_type_id:
    description:
      - Smallest instance type for the template, as an ID.
    type: int
  windows_type:
    description:
      - Kind of Windows in the template, as a label or ID from dictionary 84.
    type: str
    aliases: [windows_type_id]
  support_password:
    description:
      - Password with which the support team of the service logs in to the template.
    type: str
  wait:
    description:
      - Whether to wait until the instance has been removed and the template exists.
    type: bool
    default: true
  wait_timeout:
    description:
      - Maximum time in seconds to wait for everything in this task, including other operations that are already running
        on the instance.
      - Units are accepted, as in V(90s), V(10m) or V(2h).
    type: str
    default: "2700"
  create_grace:
    description:
      - Time in seconds during which the new template may not be listed yet.
      - Units are accepted, as in V(90s), V(10m) or V(2h).
    type: str
    default: "30"
notes:
  - If another operation has locked the instance, the module waits for it before converting.
  - After a response that leaves open whether the conversion has begun, the instance is read; while it exists and is
    unlocked, the request is repeated, at most twice.
seealso:
  - module: fcd.cloud.instance
  - module: fcd.cloud.instance_template
  - module: fcd.cloud.instance_template_info
  - ref: ansible_collections.fcd.cloud.docsite.infrastructure
    description: Guide to instances and other infrastructure.
"""

EXAMPLES = r"""
- name: Convert an instance into a template
  fcd.cloud.instance_to_template:
    name: builder
    template_name: Web server
    version: "2026-11"
    descriptions:
      - language: English
        description: A web server with all that it needs
    minimum_type: v1.standard-1.09
"""

RETURN = r"""
template:
  description: The template. In check mode, and without O(wait), its ID is not known.
  returned: success
  type: dict
  contains:
    id:
      description: The ID.
      type: int
      returned: always
    name:
      description: The name of the object.
      type: str
      returned: always
    version:
      description: Its version.
      type: str
      returned: always
  sample: {id: 650001, name: Web server, version: 2026-11}
ticket:
  description: ID of the ticket of the operation; null if there was none.
  returned: success
  type: int
  sample: 5000000001
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.instance.instance_to_template import OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()
