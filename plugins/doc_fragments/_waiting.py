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
      - Whether to wait until the operation has completed and everything is unlocked.
      - If V(false), the task ends as soon as the last operation has been started. Later tasks do not start it again.
    type: bool
    default: true
  wait_timeout:
    description:
      - Maximum time in seconds to wait for everything in this task, including other operations that are already
        running.
      - Units are accepted, as in V(90s), V(10m) or V(2h).
    type: str
    default: "2700"
"""

    FORCE = r"""
options:
  force_create:
    description:
      - Whether to create the object even though the outcome of an earlier create is unknown.
      - A create that got no clear response or was interrupted is recorded in O(state_dir). While its outcome is
        unknown, each task looks for the object and then fails without sending a second create. What has not appeared an
        hour after that create was not created, so the next task creates it.
      - Set this option for a single run, after checking at the service that the object does not exist, so that it is
        created at once.
    type: bool
    default: false
"""

    CREATE = r"""
options:
  create_grace:
    description:
      - Time in seconds during which a new object may not be listed yet and a changed object may still be listed with
        its old values. After a create with an unclear outcome, the module looks for the object for this long before the
        task fails.
      - Units are accepted, as in V(90s), V(10m) or V(2h).
    type: str
    default: "30"
notes:
  - The service has no idempotency keys. A create is therefore sent only once, under a lock, and recorded in
    O(state_dir) beforehand. If the outcome is unclear, the module looks for the new object, and the same task never
    requests it a second time.
  - The lock covers tasks that share O(state_dir), that is, those of one user on one host. With O(lock_container), it
    covers all controllers. All of them have to use the same host name of the service.
"""
