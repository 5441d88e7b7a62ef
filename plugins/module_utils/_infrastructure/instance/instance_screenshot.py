# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A screenshot of an instance, written to a file (docs/service/infrastructure.md, "Console and screenshot")."""

from __future__ import annotations

import base64
import binascii
import hashlib

from ..._connection.options import REST
from ..._connection.task import Operation, Params, Result, Task
from ..._core.errors import InvalidInput, Rejected, Unusable
from ..._core.files import write_if_changed
from ..._core.private_files import read_regular
from ..._core.type_aliases import JsonObject
from ..api import infrastructure
from ..rest_records import check_numbers
from .instance_acts import TARGET, TARGET_RULES, require_instance
from .instance_records import InstanceSearch, powered_off

SIDE = (1, 3000)  # pixels
SIGNATURES = {"png": b"\x89PNG\r\n\x1a\n", "jpeg": b"\xff\xd8\xff"}


def take_screenshot(task: Task, params: Params) -> Result:
    """Write a screenshot to the file, unless it has this content already."""
    check_numbers(params)
    for option in ("width", "height"):
        if params[option] is not None and not SIDE[0] <= params[option] <= SIDE[1]:
            raise InvalidInput(
                f"{option}: {params[option]} is not between {SIDE[0]} and {SIDE[1]} pixels.", option=option
            )
    api, path = infrastructure(task), params["dest"]
    record = require_instance(task, InstanceSearch(api), params)
    try:
        text = api.get_screenshot(record["id"], params["width"], params["height"])
    except Rejected as refusal:
        if powered_off(record):
            refusal.next_step = "The instance is powered off. Turn it on with state: started of fcd.cloud.instance."
        raise
    before = _file_state(path)
    if text is None and task.check_mode:  # an earlier task would create the instance
        return {"changed": True, "file": path, "diff": {"before": before, "after": {"file": path}}}
    content, form = _decoded(text or "", record)
    changed = write_if_changed(path, content, None, option="dest", write=not task.check_mode)
    after = _described(path, content)
    return {"changed": changed, **after, "format": form, "diff": {"before": before, "after": after}}


def _decoded(text: str, record: JsonObject) -> tuple[bytes, str]:
    """Return the image and its format. Raises Unusable for anything but an image in base64."""
    try:
        content = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        content = b""
    for form, signature in SIGNATURES.items():
        if content.startswith(signature):
            return content, form
    raise Unusable(
        f"The screenshot of instance {record['name']!r} is neither a PNG nor a JPEG image in base64.",
        next_step="No file was changed.",
    )


def _file_state(path: str) -> JsonObject:
    """Return path, size and checksum of the file; {} if there is none that can be read."""
    try:
        return _described(path, read_regular(path))
    except OSError:
        return {}


def _described(path: str, content: bytes) -> JsonObject:
    return {"file": path, "size": len(content), "sha256": hashlib.sha256(content).hexdigest()}


OPERATION = Operation(
    "instance_screenshot",
    (REST,),
    {
        **TARGET,
        "dest": {"type": "path", "required": True},
        "width": {"type": "int"},
        "height": {"type": "int"},
    },
    take_screenshot,
    TARGET_RULES,
)
