# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a site owns: read from its registry, and noted there before and after each change.

The registry is one JSON document for the whole site and one for each part that runs apart, in a container below
``.fcd-sites/`` or in a folder. Where the order of runs matters it goes by a number that grows with each run, not by
clocks. Open it while the lock of the site is held (``site_lock.held``): what another run wrote before is seen then.
"""

from __future__ import annotations

import typing as t

from .owned import Declared, Key, Known, Owned

if t.TYPE_CHECKING:
    from ..._session.task import Task
    from .site_lock import SiteLock


class Ownership:
    """The registry of one site, as one run of it sees and changes it. Threads may share it.

    In check mode everything works alike, and nothing is written: changes are seen by this run only.
    """

    @classmethod
    def opened(
        cls,
        task: Task,
        site: str,
        registry: t.Mapping[str, str] | None,
        part: str | None = None,
        lock: SiteLock | None = None,
    ) -> Ownership:
        """Read it.

        ``registry`` is ``{"container": name}``, ``{"path": file}`` or empty (``<state_dir>/sites/<site>.json``). ``part``
        is ``k/n`` or None. With a ``lock``, nothing is written once that is lost. A registry that is not there yet, its
        container included, owns nothing. Raises InvalidInput for one that cannot be read, and what the storage raises.
        """

    @property
    def place(self) -> str:
        """Where this run writes, for people."""

    @property
    def made_container(self) -> bool:
        """Whether the container of the registry was not there and was made (in check mode: will be)."""

    def owned(self) -> dict[Key, Owned]:
        """Return all entries of the site, whichever part they are from; the removed ones are not among them."""

    def check_conflicts(self, keys: t.Iterable[Key]) -> None:
        """Raise InvalidInput when another site in the same place owns one of these; it names both sites."""

    def intend(self, entries: t.Iterable[Declared]) -> None:
        """Note, in one write, that these are about to be created. They were looked for and are not there.

        Raises Busy when the lock is lost or somebody else wrote the registry meanwhile, InvalidInput for a conflict.
        """

    def settle(
        self,
        *,
        created: t.Iterable[Known] = (),
        found: t.Iterable[Known] = (),
        adopted: t.Iterable[Known] = (),
        removed: t.Iterable[Key] = (),
        not_made: t.Iterable[Key] = (),
    ) -> None:
        """Note outcomes, in one write, or none when they say nothing new; a whole run folds the parts' documents in.

        ``created``: made now. ``found``: were there when the run began; those with an intent of an earlier run, which
        did not live to settle it, count as created, and those that the site owns stay owned, unless the number says
        that it is another object. ``adopted``: found, and the user wants them to be the site's. ``removed``: are gone,
        or were only found and are not declared any more. ``not_made``: intended, and certainly not created.
        """

    def orphans(self, declared: t.Iterable[Key]) -> list[Owned]:
        """Return what the site owns and does not declare any more, by kind and name.

        ``declared`` are the keys of the whole declaration, not only of this part, this stage or some kinds.
        """
