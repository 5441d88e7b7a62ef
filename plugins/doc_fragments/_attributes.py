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
    description: Can run in C(check_mode) and tell what would change without changing it.
    support: full
    details: No request that changes anything is sent.
  diff_mode:
    description: Tells what has changed, or would change, in diff mode.
    support: full
    details: Secrets never show.
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
    description: Can run in C(check_mode) and tell what would change without changing it.
    support: full
    details: It only reads, so check mode makes no difference.
  diff_mode:
    description: Tells what has changed, or would change, in diff mode.
    support: N/A
    details: It only reads.
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
    description: Can run in C(check_mode) and tell what would change without changing it.
    support: full
    details: What is given is checked as far as that is possible without it; no request that changes anything is sent.
  diff_mode:
    description: Tells what has changed, or would change, in diff mode.
    support: none
    details: It is an act; there is no state to compare.
  idempotent:
    description: When run twice in a row outside check mode with the same options, the second run changes nothing.
    support: none
    details: It is an act, done each time that the task runs.
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
    details: It runs on the controller in the process of the task. The connection of the host, C(become) and
      C(environment) make no difference.
"""
