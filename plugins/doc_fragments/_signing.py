# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the lookups that sign something take. Private to the collection."""

from __future__ import annotations


class ModuleDocFragment:
    """C(fcd.cloud._signing)."""

    DOCUMENTATION = r"""
options:
  expires_in:
    description:
      - Seconds for which it is good.
    type: int
    default: 3600
  expires_at:
    description:
      - Moment at which it ends, in place of O(expires_in).
      - Seconds since 1970, or ISO 8601 such as V(2030-01-31T12:00:00Z).
      - With it, what is signed is the same in each run.
    type: str
  key:
    description:
      - Key to sign with.
      - Without it, the first key of the container or else of the account is read from the service, which shows them to
        their owner.
    type: str
  digest:
    description:
      - How it is signed. Without it, V(sha256) where the service takes it or does not tell, else another one that it
        takes.
    type: str
    choices: [sha1, sha256, sha512]
"""
