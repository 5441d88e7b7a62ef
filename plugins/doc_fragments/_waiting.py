# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Options and notes about waiting, of modules for the parts of an account. Private to the collection."""

from __future__ import annotations


class ModuleDocFragment:
    """C(fcd.cloud._waiting) for what has tickets, C(fcd.cloud._waiting.create) for what is created.

    C(fcd.cloud._waiting.force) is for all that is created once, by evidence.
    """

    DOCUMENTATION = r"""
options:
  wait:
    description:
      - Whether to wait until the operation has ended and nothing is locked any more.
      - Without it the task ends as soon as the last operation is started. A later task does not start it a second time.
    type: bool
    default: true
  wait_timeout:
    description:
      - Seconds to wait for everything in this task, the end of other operations included.
    type: float
    default: 2700.0
"""

    FORCE = r"""
options:
  force_create:
    description:
      - Whether to create the object although the outcome of an earlier create is unknown.
      - A create that had no clear answer, or was cut off, is noted on disk in O(state_dir). As long as nobody has seen
        what came of it, a task looks for the object for the grace time and then fails without a second create. Set this
        option for one run when you have checked at the service that the object is certainly not there.
    type: bool
    default: false
"""

    CREATE = r"""
options:
  create_grace:
    description:
      - Seconds for which a new object may stay invisible, and a changed one may go on to be listed as it was. After a
        create without a clear answer it is looked for so long before the task fails.
    type: float
    default: 30.0
notes:
  - The service has no idempotency key. A create is sent once, under a lock, and noted on disk in O(state_dir) before;
    after an unclear answer the new object is looked for, and never requested a second time by the same task.
"""
