#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: instance_to_template
short_description: Convert an instance to a template
version_added: 0.1.0
description:
  - Converts an instance into a template, and waits until the template exists. B(The instance ceases to exist.)
  - When the instance does not exist and the account has a template of that name and version, nothing is done.
  - When both exist, the task fails and leaves the instance as it is.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes
options:
  name:
    description:
      - Name of the instance to convert, which has to match exactly. Needed unless O(id) is given.
      - Names are not unique at the service; when several instances bear the name, the task ends with an error that
        lists their numbers.
    type: str
    aliases: [instance_name]
  id:
    description:
      - Number of the instance to convert.
    type: int
    aliases: [instance_id]
  template_name:
    description:
      - Name of the template, 1 to 300 characters, without C(/).
    type: str
    required: true
  version:
    description:
      - Version of the template.
    type: str
    required: true
  descriptions:
    description:
      - What the template is, in one or more languages. The first one is taken for languages without any.
    type: list
    elements: dict
    required: true
    suboptions:
      language:
        description:
          - The language, as label or number from dictionary 1.
        type: str
        required: true
      description:
        description:
          - The description in that language.
        type: str
        required: true
  system_category:
    description:
      - Family of the operating system, as label or number from dictionary 70. Without it that of the instance.
    type: str
  system_category_id:
    description:
      - Family of the operating system, as number.
    type: int
  default_type:
    description:
      - Instance type that the template suggests, as label or number. Without it that of the instance.
    type: str
  default_type_id:
    description:
      - Instance type that the template suggests, as number.
    type: int
  minimum_type:
    description:
      - Smallest instance type for the template, as label or number. Without it that of the instance.
    type: str
  minimum_type_id:
    description:
      - Smallest instance type for the template, as number.
    type: int
  windows_type:
    description:
      - Kind of Windows in the template, as label or number from dictionary 84.
    type: str
    aliases: [windows_type_id]
  support_password:
    description:
      - Password with which the support of the service gets into the template.
    type: str
  wait:
    description:
      - Whether to wait until the instance is gone and the template exists.
    type: bool
    default: true
  wait_timeout:
    description:
      - Seconds to wait for everything in this task, the end of other operations on the instance included.
    type: float
    default: 2700.0
  create_grace:
    description:
      - Seconds for which the new template may stay invisible.
    type: float
    default: 30.0
notes:
  - A locked instance, on which another operation runs, is waited for before it is converted.
  - After an answer that leaves open whether the conversion has begun, the instance is read; as long as it is there and
    not locked, the request is repeated, at most twice.
seealso:
  - module: fcd.cloud.instance
  - module: fcd.cloud.instance_template_info
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
  description: The template. In check mode, and without O(wait), its number is null.
  returned: success
  type: dict
  contains:
    id:
      description: Its number.
      type: int
      returned: always
    name:
      description: Its name.
      type: str
      returned: always
    version:
      description: Its version.
      type: str
      returned: always
  sample: {id: 650001, name: Web server, version: 2026-11}
ticket:
  description: Number of the ticket of the operation; null without one.
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
