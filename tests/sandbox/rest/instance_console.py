# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Remote console and screenshot of an instance (docs/service/infrastructure.md, "Console and screenshot")."""

from __future__ import annotations

import base64
import secrets
import struct
import zlib
from typing import Any

from sandbox.issued import marked
from sandbox.rest import lookup
from sandbox.rest.call import NOTHING, Call
from sandbox.rest.handlers import handles
from sandbox.rest.models import Console, Instance
from sandbox.rest.refusal import Refusal
from sandbox.rest.ticketing import require_free
from sandbox.rest.times import show

POWERED_ON = 86
FIRST_PORT = 5900
ANYWHERE = "0.0.0.0"


def _open_console(call: Call) -> tuple[Instance, Console | None]:
    """The instance, and its console unless the time of that is over."""
    found = lookup.addressed(call, Instance)
    if found.console is not None and found.console.until <= call.now:
        found.console = None
    return found, found.console


def _describe(call: Call, instance: Instance, console: Console) -> dict[str, Any]:
    """The answer's form of a console; the password may be shown only once."""
    shown = {
        "Address": "203.0.113.250",
        "Instance": {"Id": instance.id, "Name": instance.name},
        "OpenUntil": show(console.until),
        "Password": console.password,
        "Port": FIRST_PORT + instance.id % 1000,
        "SourceIp": console.source,
    }
    if call.settings["password_once"]:
        console.password = None
    return shown


@handles("read_instance_remote_console_connection")
def read_console(call: Call) -> Any:
    """The console of the instance, if one is open."""
    instance, console = _open_console(call)
    if console is not None:
        return _describe(call, instance, console)
    if call.settings["no_console"] == "null":
        return None
    raise Refusal(404, f"Instance {instance.id} has no open console.")


@handles("create_instance_remote_console_connection")
def open_console(call: Call) -> Any:
    """Open a console, with a new password."""
    instance, console = _open_console(call)
    require_free(call, instance)
    if console is not None and call.settings["second_console"] == "refused":
        raise Refusal(409, f"Instance {instance.id} has an open console.")
    instance.console = _made(call, call.body.get("SourceIp", ANYWHERE))
    return _describe(call, instance, instance.console)


@handles("update_instance_remote_console_connection")
def change_console(call: Call) -> Any:
    """Another source address or another end; what is left out may be emptied. The password stays."""
    instance, console = _open_console(call)
    require_free(call, instance)
    if console is None:
        raise Refusal(404, f"Instance {instance.id} has no open console.")
    source = call.body.get("SourceIp", ANYWHERE if call.settings["put_empties"] else console.source)
    console.source, console.until = source, _end(call)
    return _describe(call, instance, console)


@handles("delete_instance_remote_console_connection")
def close_console(call: Call) -> Any:
    """Close the console."""
    instance, console = _open_console(call)
    require_free(call, instance)
    if console is None:
        raise Refusal(404, f"Instance {instance.id} has no open console.")
    instance.console = None
    return NOTHING


def _made(call: Call, source: str) -> Console:
    return Console(source, marked("consolepassword", secrets.token_urlsafe(9)), _end(call))


def _end(call: Call) -> float:
    return call.now + 60 * float(call.body["TimeoutInMinutes"])


@handles("read_instance_screenshot")
def take_screenshot(call: Call) -> Any:
    """A picture of one colour, in base64; another instance has another colour."""
    found = lookup.addressed(call, Instance)
    if found.status != POWERED_ON:
        raise Refusal(400, f"Instance {found.id} is powered off.")
    text = base64.b64encode(_picture(call.query.get("width", 4), call.query.get("height", 3), found.id % 256)).decode()
    return {"base64": text, "other": "not a picture"}[call.settings["screenshot_text"]]


def _picture(width: int, height: int, shade: int) -> bytes:
    """A grey PNG."""
    size = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = zlib.compress((b"\0" + bytes([shade]) * width) * height)
    chunks = ((b"IHDR", size), (b"IDAT", rows), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )
