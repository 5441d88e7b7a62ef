# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Options of the lock of a site, of modules that work on its registry. Private to the collection."""

from __future__ import annotations


class ModuleDocFragment:
    """C(fcd.cloud._site)."""

    DOCUMENTATION = r"""
options:
  lock:
    description:
      - How to keep concurrent runs of one site apart. V(file) locks a file on this host; V(lease) locks an object in
        the registry's container and covers all hosts.
      - If omitted, V(lease) is used if the registry is in a container, and V(file) otherwise.
    type: str
    choices: [file, lease, none]
  lock_timeout:
    description:
      - Maximum time in seconds to wait for another run of the site to end.
      - Units are accepted, as in V(90s), V(10m) or V(2h).
    type: str
    default: "0"
  lock_lease:
    description:
      - Time in seconds after which a lease expires unless it is renewed. It is renewed while the task is working.
      - Units are accepted, as in V(90s), V(10m) or V(2h).
    type: str
    default: "900"
  break_lock:
    description: >-
      Whether to take the lock away from the run that holds it. Set this only if that run has certainly ended.
    type: bool
    default: false
"""
