#!/usr/bin/python

# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Face of the operation of the same name; what it does is in module_utils/_infrastructure."""

from __future__ import annotations

DOCUMENTATION = r"""
module: instance_screenshot
short_description: Save a screenshot of an instance
version_added: 1.0.0
description:
  - Takes a screenshot of an instance and writes it to a file on the host on which the module runs.
  - A screenshot is taken each time the task runs. The file is replaced atomically, and only if its content differs.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection.common
  - fcd.cloud._connection.rest
  - fcd.cloud._attributes
attributes:
  check_mode:
    details: The screenshot is taken in check mode too, but no file is written.
  idempotent:
    support: partial
    details: The file is changed if the screen of the instance has changed.
options:
  name:
    description:
      - The exact name of the instance. Required unless O(id) is given.
      - The service does not enforce unique names; if several instances share the name, the task fails and lists their
        IDs.
    type: str
    aliases: [instance_name]
  id:
    description:
      - ID of the instance.
    type: int
    aliases: [instance_id]
  dest:
    description:
      - Path of the file to write. Its folder is not created.
      - A new file can only be read by its owner; an existing file keeps its permissions if its content does not change.
      - Symbolic links are followed, except those of other users.
    type: path
    required: true
  width:
    description:
      - Width of the screenshot in pixels, 1 to 3000. If omitted, the service decides.
    type: int
  height:
    description:
      - Height of the screenshot in pixels, 1 to 3000. If omitted, the service decides.
    type: int
notes:
  - How the service encodes a screenshot is not documented. If it is neither a PNG nor a JPEG image in Base64, the task
    fails and no file is changed.
  - A screenshot can show secrets, such as a password that somebody is typing.
seealso:
  - module: fcd.cloud.instance
  - module: fcd.cloud.instance_console
  - ref: ansible_collections.fcd.cloud.docsite.infrastructure
    description: Guide to instances and other infrastructure.
"""

EXAMPLES = r"""
- name: Save a screenshot of an instance that does not answer
  fcd.cloud.instance_screenshot:
    name: web
    dest: web.png
    width: 1024
    height: 768
"""

RETURN = r"""
file:
  description:
    - The file that has the screenshot, or in check mode would have it.
  returned: success
  type: str
  sample: /tmp/web.png
format:
  description:
    - The format of the image, V(png) or V(jpeg).
  returned: success
  type: str
  sample: png
size:
  description:
    - Length of the file in bytes.
  returned: success
  type: int
  sample: 73
sha256:
  description:
    - SHA-256 of the file in hexadecimal.
  returned: success
  type: str
  sample: 9879a54b23a427f0572f379114a4a2419a93acbda87f7755682b5149174e37eb
"""

from ..module_utils._ansible.execution import run_module
from ..module_utils._infrastructure.instance.instance_screenshot import OPERATION


def main() -> None:
    run_module(OPERATION)


if __name__ == "__main__":
    main()
