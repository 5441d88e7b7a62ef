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
      - How two runs of one site are kept apart. V(file) works on this host, V(lease) is an object in the container
        of the registry and works for all.
      - Without it, V(lease) where the registry is in a container, else V(file).
    type: str
    choices: [file, lease, none]
  lock_timeout:
    description: Seconds to wait for another run of the site to end.
    type: float
    default: 0.0
  lock_lease:
    description: Seconds for which a lease lasts without being renewed. It is renewed while the task works.
    type: float
    default: 900.0
  break_lock:
    description: Whether to take the lock from the run that holds it. Set it only when that run has certainly ended.
    type: bool
    default: false
"""
