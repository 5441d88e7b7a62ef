# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where instances are changed."""

from __future__ import annotations

import typing as t

from ..._engine.change import ChangeContext
from ..._engine.fields import Fields
from .record import FIELDS
from .search import Search

if t.TYPE_CHECKING:
    from ..._api.infrastructure import Infrastructure


class InstanceContext(t.NamedTuple):
    """The context of changes of instances, with what finds them and what the options say of all of them.

    ``stop_timeout`` is in seconds.
    """

    change: ChangeContext
    search: Search
    delete_disks: bool = False
    fields: Fields = FIELDS
    force_stop: bool = False
    stop_timeout: float = 300.0

    @property
    def api(self) -> Infrastructure:
        """The service."""
        return self.search.api

    def with_wait(self, wait: bool) -> InstanceContext:
        """Return the same with another wish about waiting."""
        return self._replace(change=self.change._replace(wait=wait))
