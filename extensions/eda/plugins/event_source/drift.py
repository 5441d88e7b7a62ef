# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""An event source for ansible-rulebook: the drift reports of sites."""

from __future__ import annotations

import asyncio
import json
import logging
import math
import os
import re
import stat
import typing as t

DOCUMENTATION = r"""
---
short_description: Emit an event when a drift report of a site shows changes
description:
  - An event source for ansible-rulebook that watches a folder of drift reports, as kept in the history of the playbook
    C(fcd.cloud.drift), or a single report file that is rewritten each time.
  - Each new report with something to create, update, replace or delete, something that is owned but no longer declared,
    or errors becomes one event. Other reports do not.
  - The event is C(event.drift) with C(site), C(environment), C(made_at), C(changes) (the sum of create, update,
    replace, delete and orphan), C(counts), C(errors) and C(report), the absolute path of the report. It contains no
    text from the account, since rulebooks treat what they pass on as templates.
  - A file that cannot be read as a report is reported in the log of ansible-rulebook, and tried again when it changes.
  - A report is accepted only if it belongs to the user of ansible-rulebook, to root or to the owner of its folder, and
    if neither it nor the folder is world-writable.
options:
  path:
    description:
      - The folder of reports, or the path of a single report. It does not have to exist yet.
    type: str
    required: true
  interval:
    description:
      - Time in seconds between checks.
    type: float
    default: 5
  existing:
    description:
      - Whether the newest report that exists at the start counts as new.
    type: bool
    default: false
  site:
    description:
      - Watch only the reports of this site.
    type: str
"""

EXAMPLES = r"""
- fcd.cloud.drift:
    path: /var/lib/site/reports/history
    interval: 5
    existing: false
"""

LOG = logging.getLogger(__name__)
OPTIONS = ("path", "interval", "existing", "site")
COUNTED = ("create", "update", "replace", "delete", "orphan", "unchanged", "error")
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,200}\.json")
SITE = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")
ENVIRONMENT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,62}")
TIME = re.compile(r"[0-9TZ:.+-]{1,40}")
LARGEST = 256 * 1024 * 1024
Stamp = t.Tuple[int, int, int]


class Wish(t.NamedTuple):
    """The options of the source, checked."""

    path: str
    interval: float
    existing: bool
    site: str | None


def wish(args: t.Mapping[str, t.Any]) -> Wish:
    """Return the options. Raises ValueError: what is wrong, and what would be right."""
    given = {name: value for name, value in args.items() if not name.startswith("eda_")}  # added by ansible-rulebook
    unknown = sorted(set(given) - set(OPTIONS))
    if unknown:
        raise ValueError(f"fcd.cloud.drift: unknown option {', '.join(unknown)}; there are {', '.join(OPTIONS)}")
    path = given.get("path")
    if not isinstance(path, str) or not path:
        raise ValueError("fcd.cloud.drift: path is missing: the folder of drift reports, or the path of one report")
    return Wish(os.path.abspath(os.path.expanduser(path)), _interval(given), _existing(given), _site(given))


def _interval(given: t.Mapping[str, t.Any]) -> float:
    try:
        seconds = float(given.get("interval", 5))
    except (TypeError, ValueError):
        seconds = math.nan
    if not 0 < seconds < math.inf:
        raise ValueError(f"fcd.cloud.drift: interval is {given['interval']!r}, not a number of seconds above 0")
    return seconds


def _existing(given: t.Mapping[str, t.Any]) -> bool:
    value = given.get("existing", False)
    words = {"true": True, "yes": True, "false": False, "no": False}
    if isinstance(value, str) and value.lower() in words:  # a variable of a rulebook may be text
        return words[value.lower()]
    if not isinstance(value, bool):
        raise ValueError(f"fcd.cloud.drift: existing is {value!r}, not true or false")  # noqa: TRY004 (all are ValueError)
    return value


def _site(given: t.Mapping[str, t.Any]) -> str | None:
    site = given.get("site")
    if site in (None, ""):
        return None
    if not isinstance(site, str) or not SITE.fullmatch(site):
        raise ValueError(f"fcd.cloud.drift: site is {site!r}, not the name of a site (a-z, 0-9 and -)")
    return site


def reports(path: str) -> dict[str, Stamp]:
    """Return the report files with what tells one writing from another, oldest first.

    Files whose names a report cannot have (temporary ones too), links and folders are left out. What is not there yet,
    or gone by now, is no report.
    """
    names = [path]
    if os.path.isdir(path):
        names = [os.path.join(path, name) for name in sorted(os.listdir(path)) if NAME.fullmatch(name)]
    found = {}
    for name in names:
        try:
            about = os.lstat(name)
        except FileNotFoundError:
            continue
        if os.path.isfile(name) and not os.path.islink(name) and about.st_size <= LARGEST:
            found[name] = (about.st_mtime_ns, about.st_size, about.st_ino)
    return dict(sorted(found.items(), key=lambda item: item[1][0]))


def event(path: str, site: str | None) -> dict[str, t.Any] | None:
    """Return the event of a report, None when it has nothing to tell or is of another site.

    Raises ValueError: it is no report (half of one, or of something else), or somebody else may have written it.
    """
    with open(path, encoding="utf-8", opener=_no_link) as handle:
        _believed(os.stat(handle.fileno()), os.stat(os.path.dirname(path)))
        plan = json.load(handle)
    counts = plan.get("counts") if isinstance(plan, dict) else None
    if not isinstance(counts, dict) or not all(isinstance(counts.get(name), int) for name in COUNTED):
        raise ValueError("it has no counts")
    named = _text(plan, "site", SITE)
    if named is None:
        raise ValueError("it names no site")
    changes = sum(counts[name] for name in ("create", "update", "replace", "delete", "orphan"))
    if site not in (None, named) or not changes + counts["error"]:
        return None
    about = {"environment": _text(plan, "environment", ENVIRONMENT), "made_at": _text(plan, "made_at", TIME)}
    exact = {name: counts[name] for name in COUNTED}
    known = {"site": named, "changes": changes, "errors": counts["error"], "report": path}
    return {"drift": {**known, **about, "counts": exact}}


def _no_link(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK)


def _believed(report: os.stat_result, folder: os.stat_result) -> None:
    """Raise ValueError where somebody may have written the report who may not say what is done about drift."""
    if report.st_uid not in (os.geteuid(), 0, folder.st_uid):
        raise ValueError("it belongs to another user than its folder and this process")
    if (report.st_mode | folder.st_mode) & stat.S_IWOTH:
        raise ValueError("everybody may write it, or the folder that it is in")


def _text(plan: t.Mapping[str, t.Any], name: str, form: re.Pattern[str]) -> str | None:
    value = plan.get(name)
    return value if isinstance(value, str) and form.fullmatch(value) else None


class Watch:
    """What is new since the last look."""

    def __init__(self, wanted: Wish) -> None:
        """Take what is there as seen, but for the newest when it is to count."""
        self._wanted = wanted
        self._seen = reports(wanted.path)
        if wanted.existing and self._seen:
            del self._seen[list(self._seen)[-1]]

    def look(self) -> list[dict[str, t.Any]]:
        """Return the events of what came since the last look; what cannot be read is tried again when it changes."""
        there = reports(self._wanted.path)
        fresh = [path for path, stamp in there.items() if self._seen.get(path) != stamp]
        self._seen = there
        return [found for path in fresh for found in [self._event(path)] if found]

    def _event(self, path: str) -> dict[str, t.Any] | None:
        try:
            return event(path, self._wanted.site)
        except (OSError, ValueError) as error:
            LOG.warning("fcd.cloud.drift: %s is not a drift report: %s", path, error)
            return None


async def main(queue: asyncio.Queue[t.Any], args: dict[str, t.Any]) -> None:
    """Put an event into the queue for each new report that shows drift; never ends by itself.

    Raises ValueError: an option is wrong.
    """
    wanted = wish(args)
    watch = Watch(wanted)
    while True:
        for found in watch.look():
            await queue.put(found)
        await asyncio.sleep(wanted.interval)
