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
      - Time for which the signature is valid, in seconds or with a unit, such as V(7d).
    type: str
    default: "3600"
  expires_at:
    description:
      - Time at which the signature expires, as an alternative to O(expires_in).
      - In seconds since 1970, or in ISO 8601 format, such as V(2030-01-31T12:00:00Z).
      - With this option, the signature is the same in each run.
    type: str
  key:
    description:
      - The key to sign with.
      - If omitted, the first key of the container, or else of the account, is read from the service, which shows keys
        only to their owner.
    type: str
  digest:
    description:
      - The signature algorithm. If omitted, V(sha256) is used if the service accepts it or does not say, and another
        one that it accepts otherwise.
    type: str
    choices: [sha1, sha256, sha512]
"""
