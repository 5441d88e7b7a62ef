# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the reports of a plan as files, removes them, and keeps drift reports."""

from __future__ import annotations

import hashlib
import json
import os
import re
import typing as t

from ....module_utils._connection.task import Params, Result
from ....module_utils._core.errors import FcdError, InvalidInput
from ....module_utils._core.files import mode_of, write_if_changed
from ....module_utils._core.private_files import foreign_link, read_regular
from ....module_utils._core.text import quoted, shortened
from .junit import junit_report
from .plan_contents import DriftHistory, DriftPoint, ReportedPlan, drift_of_service, reported_plan
from .plan_parts import joined
from .templates import html_page, markdown_report

MAX_HISTORY_BYTES = 64 * 1024 * 1024
OWN_DRIFT_FILE = re.compile(r"drift-\d{8}T\d{6}Z-[0-9a-f]{8}\.json")

FILE_SUFFIXES = {"json": "json", "markdown": "md", "html": "html", "junit": "junit.xml"}
"""Formats, with the ends of their file names."""

MAX_REPORT_BYTES = 256 * 1024 * 1024
NO_PROGRAM = 0o664  # what a report's permissions may be: not run by anybody, not written by everybody
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


def write_reports(params: Params, *, write: bool) -> Result:
    """Write what differs, or remove what is there; without ``write`` only tell if it would. Raises InvalidInput."""
    mode = _check(params)
    if params["state"] == "absent":
        return {"changed": _remove_reports(params, mode, write=write), "files": {}, "history": None}
    plan = _plan(params)
    folder, keep = params.get("history"), params["keep"]
    history = read_history(folder, plan) if folder else None
    points = history.points if history else []
    kept = points[-keep:]
    changed = _folder(params["dest"], "dest", mode, write=write)
    files = {}
    for kind in dict.fromkeys(params["formats"]):
        files[kind] = _report_file(params, kind)
        content = _content(kind, plan, history and history._replace(points=kept))
        changed |= _write(files[kind], content, "dest", mode, write=write)
    told: Result = {"file": None, "reports": len(kept), "skipped": history.skipped if history else 0}
    if folder and plan.mode == "drift":  # only drift is kept
        told["file"] = os.path.join(folder, file_name(plan))
        changed |= _keep(folder, plan, points[:-keep], mode, write=write)
    return {"changed": changed, "files": files, "history": told if history else None}


def _report_file(params: Params, kind: str) -> str:
    return os.path.join(params["dest"], f"{params['name']}.{FILE_SUFFIXES[kind]}")


def _remove_reports(params: Params, mode: int, *, write: bool) -> bool:
    """Remove the reports of this name, behind links too; return whether there is any."""
    _folder(params["dest"], "dest", mode, write=False)
    found = [path for path in (_report_file(params, kind) for kind in params["formats"]) if os.path.exists(path)]
    for path in found:
        link = foreign_link(path)
        if link is not None:
            raise _refused("dest", path, f"the link {link} belongs to another user")
        if write:
            _remove(os.path.realpath(path), "dest")
    return bool(found)


def _remove(path: str, option: str) -> None:
    """Remove a file; another run may be faster. Raises InvalidInput."""
    try:
        os.remove(path)
    except FileNotFoundError:
        pass
    except OSError as exc:
        raise InvalidInput(f"{option}: {path} cannot be removed: {exc.strerror}.", option=option) from None


def _check(params: Params) -> int:
    """Return the permissions of the reports. Raises InvalidInput."""
    if not _NAME.fullmatch(params["name"]):
        raise InvalidInput(
            f"name cannot be {shortened(quoted(params['name']))}.",
            next_step="Give the base of a file name: letters, digits, dots, hyphens and underscores.",
            option="name",
        )
    if not params["dest"]:
        raise InvalidInput("dest is empty.", next_step="Give a folder, such as reports.", option="dest")
    if params["keep"] < 1:
        raise InvalidInput(f"keep is {params['keep']}: keep at least one report.", option="keep")
    mode = mode_of(params["report_mode"], "report_mode")
    if mode & ~NO_PROGRAM:
        raise InvalidInput(
            f"report_mode: {mode:04o} would let everybody write reports, or run them.",
            next_step="Give '0640' for a group that may read them, '0644' for everybody.",
            option="report_mode",
        )
    return mode


def _plan(params: Params) -> ReportedPlan:
    """Return the plan with what its report counts."""
    option = next(name for name in ("plan", "src", "parts") if params.get(name) is not None)
    given = params[option]
    if option == "src":
        given = _loaded(given, option)
    elif option == "parts":
        given = joined([(file, _loaded(file, option)) for file in given], option)
    if params.get("mode") and isinstance(given, dict):  # a plan made to look for drift does not know it
        given = {**given, "mode": params["mode"]}
    plan = reported_plan(given, option)
    return drift_of_service(plan) if plan.mode == "drift" and params["drift_of"] == "service" else plan


def _loaded(file: str, option: str) -> t.Any:
    """Return what a file of JSON holds. Raises InvalidInput."""
    try:
        return json.loads(read_regular(file, MAX_REPORT_BYTES), parse_constant=_no_number)
    except OSError as exc:
        raise InvalidInput(f"{option}: {file} cannot be read: {exc.strerror}.", option=option) from None
    except (ValueError, RecursionError) as exc:
        text = f"{option}: {file} is not JSON ({shortened(str(exc))})."
        raise InvalidInput(text, next_step="Give a plan file that fcd.cloud.site wrote.", option=option) from None


def _no_number(text: str) -> t.NoReturn:
    raise ValueError(f"{text} is not a number")


def _content(kind: str, plan: ReportedPlan, history: DriftHistory | None) -> str:
    """Return a report; only the formats that are asked for are loaded."""
    if kind == "html":
        return html_page(plan, history)
    if kind == "markdown":
        return markdown_report(plan)
    if kind == "junit":
        return junit_report(plan)
    return json_report(plan)


def json_report(plan: ReportedPlan) -> str:
    """Return all that the plan has, its names sorted, so that the same plan gives the same file."""
    return json.dumps(plan.raw, indent=2, sort_keys=True, allow_nan=False) + "\n"


def read_history(folder: str, plan: ReportedPlan) -> DriftHistory:
    """Return the reports in the folder that can be compared with this plan, itself included when it tells of drift.

    A folder that is not there is empty. Files that are no drift reports are counted. Raises InvalidInput when the
    folder itself cannot be read.
    """
    files = _files(folder)
    read = [one for one in map(_read, files) if one is not None]
    own = os.path.join(folder, file_name(plan))
    about, present = _summary(plan, own)
    points = [point for other, point in read if other == about]
    if plan.mode == "drift":
        points = [*(point for point in points if point.file != own), present]
    return DriftHistory(sorted(points), len(files) - len(read))


def _files(folder: str) -> list[str]:
    try:
        names = sorted(os.listdir(folder))
    except FileNotFoundError:
        return []
    except OSError as exc:
        text = f"history: {folder} cannot be read: {exc.strerror}."
        raise InvalidInput(text, next_step="Give a folder of your own.", option="history") from None
    return [os.path.join(folder, name) for name in names if not name.startswith(".")]


def file_name(plan: ReportedPlan) -> str:
    """Return the name under which the report is kept.

    It has the time of the report and a few letters of the digest of its content, so that reports of two sites made in
    one second do not replace each other and the same report is kept once.
    """
    digest = hashlib.sha256(json_report(plan).encode()).hexdigest()[:8]
    return f"drift-{re.sub('[-:]', '', plan.made_at)}-{digest}.json"


def _read(file: str) -> tuple[tuple[str, ...], DriftPoint] | None:
    """Return what a file is about and its point; None when it is no drift report."""
    try:
        plan = reported_plan(json.loads(read_regular(file, MAX_HISTORY_BYTES)), file)
    except (OSError, ValueError, RecursionError, FcdError):
        return None
    return _summary(plan, file) if plan.mode == "drift" else None


def _summary(plan: ReportedPlan, file: str) -> tuple[tuple[str, ...], DriftPoint]:
    """Return what makes the report comparable with others, and its point."""
    kinds = str(plan.raw.get("kinds"))  # those that the plan was limited to
    about = (plan.site, plan.environment, plan.stage, plan.part, kinds)
    return about, DriftPoint(plan.made_at, plan.differing, plan.wrong, file)


def _keep(folder: str, plan: ReportedPlan, outlived: list[DriftPoint], mode: int, *, write: bool) -> bool:
    """Keep the report and remove those that are too old; return whether that changes anything.

    Files that this did not name stay.
    """
    file = os.path.join(folder, file_name(plan))
    old = [
        point.file
        for point in outlived
        if OWN_DRIFT_FILE.fullmatch(os.path.basename(point.file)) and point.file != file
    ]
    changed = _folder(folder, "history", mode, write=write)
    changed |= _write(file, json_report(plan), "history", mode, write=write)
    for path in old if write else ():
        _remove(path, "history")
    return changed or bool(old)


def _folder(path: str, option: str, mode: int, *, write: bool) -> bool:
    """Make the folder where it is missing, to be entered by those who may read the files; return whether it was.

    Raises InvalidInput for one that another user made, or led to: that one could put other files in their place.
    """
    link = foreign_link(path)
    if link is not None:
        raise _refused(option, path, f"the link {link} belongs to another user")
    if os.path.isdir(path):
        owner = os.stat(path).st_uid
        if owner not in (0, os.geteuid()):
            raise _refused(option, path, f"it belongs to another user (uid {owner})")
        return False
    if os.path.lexists(path):
        raise InvalidInput(f"{option}: {path} is not a folder.", option=option)
    if not write:
        return True
    before = os.umask(0o077 & ~(mode | (mode & 0o444) >> 2))  # for the folders above it too
    try:
        os.makedirs(path, exist_ok=True)
    except OSError as exc:
        raise InvalidInput(f"{option}: {path} cannot be created: {exc.strerror}.", option=option) from None
    finally:
        os.umask(before)
    return True


def _refused(option: str, path: str, why: str) -> InvalidInput:
    return InvalidInput(f"{option}: {path} is not used: {why}.", next_step="Give a folder of your own.", option=option)


def _write(path: str, content: str, option: str, mode: int, *, write: bool) -> bool:
    """Have the content in the file; return whether that changes anything."""
    if not os.path.isdir(os.path.dirname(path)):
        return True  # only in check mode: the folder would be made, and the file in it
    return write_if_changed(path, content.encode("utf-8"), mode, option=option, write=write)
