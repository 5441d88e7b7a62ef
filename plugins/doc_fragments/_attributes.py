# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What every module states about itself. Private to the collection."""

from __future__ import annotations


class ModuleDocFragment:
    """C(fcd.cloud._attributes) for modules that manage something.

    C(fcd.cloud._attributes.reading) is for readers, C(fcd.cloud._attributes.acting) for what is done, not declared;
    C(fcd.cloud._attributes.controller) beside one of them for what runs on the controller only.
    """

    DOCUMENTATION = r"""
options: {}
attributes:
  check_mode:
    description: Can run in C(check_mode) and report what would change without changing it.
    support: full
    details: Sends no request that changes anything. Finds what earlier tasks in check mode would create.
  diff_mode:
    description: Reports what has changed, or in check mode what would change, in diff mode.
    support: full
    details: Secrets are never shown.
  idempotent:
    description: When run twice in a row outside check mode with the same options, the second run changes nothing.
    support: full
  action_group:
    description: Use C(group/fcd.cloud.fcd) in C(module_defaults) to set defaults for this module.
    support: full
    membership:
      - fcd.cloud.fcd
"""

    READING = r"""
options: {}
attributes:
  check_mode:
    description: Can run in C(check_mode) and report what would change without changing it.
    support: full
    details: The module only reads. In check mode, it also finds what earlier tasks in check mode would create.
  diff_mode:
    description: Reports what has changed, or in check mode what would change, in diff mode.
    support: N/A
    details: The module only reads.
  idempotent:
    description: When run twice in a row outside check mode with the same options, the second run changes nothing.
    support: full
  action_group:
    description: Use C(group/fcd.cloud.fcd) in C(module_defaults) to set defaults for this module.
    support: full
    membership:
      - fcd.cloud.fcd
"""

    ACTING = r"""
options: {}
attributes:
  check_mode:
    description: Can run in C(check_mode) and report what would change without changing it.
    support: full
    details: >-
      Checks the options as far as this is possible without running the action, and sends no request that changes
      anything.
  diff_mode:
    description: Reports what has changed, or in check mode what would change, in diff mode.
    support: none
    details: The module runs a one-off action; there is no state to compare.
  idempotent:
    description: When run twice in a row outside check mode with the same options, the second run changes nothing.
    support: none
    details: The action is run each time the task runs.
  action_group:
    description: Use C(group/fcd.cloud.fcd) in C(module_defaults) to set defaults for this module.
    support: full
    membership:
      - fcd.cloud.fcd
"""

    CONTROLLER = r"""
options: {}
attributes:
  async:
    description: Supports being used with the C(async) keyword.
    support: none
  action:
    description: Indicates this has a corresponding action plugin so some parts of the options can be executed on the
      controller.
    support: full
    details: >-
      The module runs on the controller, in the process of the task. The connection to the host, C(become) and
      C(environment) have no effect.
"""
