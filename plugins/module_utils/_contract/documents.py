# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Documents of invoices and the icons of templates: written to a file, or described in records.

A document is part of the record, in base64. It is in the member that the WSDL declares as base64Binary, or in the one
that soap_member_map names ``document``. In records, size and checksum replace such members unless the documents are
requested: they may be large.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
import re
import stat
import typing as t

from .._connection.options import SOAP
from .._connection.task import Operation, Params, Result, Task
from .._core.errors import InvalidInput, OperationFailed, Unusable
from .._core.files import mode_of, write_if_changed
from .._core.private_files import PRIVATE_MODE, read_regular
from .._core.type_aliases import JsonObject
from .._soap.contract import ANY, Contract
from .api import CommonFcd
from .connection import common_fcd

KeyPath = t.Tuple[str, ...]  # keys of results, one inside the other
MAX_BINARY = 4  # levels on which base64 is looked for

ATTRIBUTE = "document"
DIGEST_LENGTHS = {"sha256": 64, "sha384": 96, "sha512": 128}
FILE_SIGNATURES = ((b"%PDF-", ".pdf"), (b"\x89PNG\r\n", ".png"), (b"\xff\xd8\xff", ".jpg"), (b"GIF8", ".gif"))


class Source(t.NamedTuple):
    """A kind of document: the operation that reads its record, the record's type, and its noun."""

    operation: str
    type_name: str
    noun: str


DOCUMENT_SOURCES = {
    "invoice_id": Source("GetInvoice", "Invoice", "invoice"),
    "icon_id": Source("GetTemplateIcon", "TemplateIcon", "icon"),
}


def _parse_checksum(checksum: str | None) -> tuple[str, str]:
    """Return algorithm and digest; two empty texts for none. Raises InvalidInput."""
    algorithm, _colon, digest = (checksum or "").lower().partition(":")
    if checksum is None:
        return "", ""
    if not re.fullmatch(f"[0-9a-f]{{{DIGEST_LENGTHS.get(algorithm, 0)}}}", digest) or not digest:
        known = ", ".join(f"{name} ({digits} hexadecimal digits)" for name, digits in DIGEST_LENGTHS.items())
        raise InvalidInput(
            f"checksum: {checksum!r} is not a checksum.",
            next_step=f"Write it as <algorithm>:<digest>; the algorithms are {known}.",
            option="checksum",
        )
    return algorithm, digest


def download_document(task: Task, params: Params) -> Result:
    """Write the document to the file, unless its content and permissions are right already."""
    option = next(name for name in DOCUMENT_SOURCES if params[name] is not None)
    name = f"{DOCUMENT_SOURCES[option].noun} {params[option]}"
    algorithm, digest = _parse_checksum(params["checksum"])
    mode = _mode(params["mode"])
    content = _document(task, params, option)
    found = hashlib.new(algorithm, content).hexdigest() if algorithm else ""
    if found != digest:
        raise OperationFailed(
            f"The document of {name} has the {algorithm} checksum {found}, not {digest}. No file was changed.",
            next_step="Check the ID and the checksum.",
            checksum=found,
        )
    path = _file_path(params["dest"], name.replace(" ", "-"), content)
    before = _file_state(path)
    changed = write_if_changed(path, content, mode, option="dest", write=not task.check_mode)
    after = {"file": path, **describe_document(content)}
    kept = before.get("mode", "") if before.get("sha256") == after["sha256"] else f"{PRIVATE_MODE:04o}"
    after["mode"] = kept if mode is None else f"{mode:04o}"
    return {"changed": changed, **after, "diff": {"before": before, "after": after}}


def _mode(given: object) -> int | None:
    """Return the permissions of the file. Raises InvalidInput for special bits, which no document needs."""
    mode = None if given is None else mode_of(given, "mode")
    if mode is not None and mode > 0o777:
        raise InvalidInput(
            f"mode: {mode:04o} has special bits (setuid, setgid or sticky), which no document needs.",
            next_step=f"Give the permissions only, as '{mode & 0o777:04o}'.",
            option="mode",
        )
    return mode


def _document(task: Task, params: Params, option: str) -> bytes:
    """Return the document. Raises InvalidInput if there is none, Unusable if it cannot be decoded."""
    api, source, number = common_fcd(task), DOCUMENT_SOURCES[option], params[option]
    path = _document_path(task, api, source.type_name)
    record: t.Any = api.record(source.operation, **{option: number})
    value = record or None
    for name in path:
        value = None if value is None else value.get(name)
    if value is None:
        what = f"the {source.noun} {number} has no document" if record else f"there is no {source.noun} {number}"
        raise InvalidInput(f"{option}: {what}; nothing is written to {params['dest']}.", option=option)
    content = decode_base64(value)
    if content is None:
        raise Unusable(f"The member {'.'.join(path)} of {source.type_name} is not base64.")
    return content


def _document_path(task: Task, api: CommonFcd, type_name: str) -> KeyPath:
    """Return where the document is in a record. Raises InvalidInput if no member, or more than one, can have it."""
    if f"{type_name}.{ATTRIBUTE}" in (task.settings["soap_member_map"] or {}):
        return (api.members(type_name).find(ATTRIBUTE),)
    paths = binary_paths(api.contract, type_name)
    if len(paths) == 1:
        return paths[0]
    what = "no member that can hold a document (base64Binary)"
    if paths:
        what = f"several members that can hold a document: {', '.join('.'.join(path) for path in paths)}"
    raise InvalidInput(
        f"The service's type {type_name} has {what}.",
        next_step=f'Name the member in soap_member_map: {{"{type_name}.{ATTRIBUTE}": ...}}.',
        option="soap_member_map",
    )


def _file_path(dest: str, name: str, content: bytes) -> str:
    """Return the path of the file: ``dest`` or, in this folder, a name with an extension that fits the content."""
    if not (dest.endswith("/") or os.path.isdir(dest)):
        return dest
    ending = next((ending for start, ending in FILE_SIGNATURES if content.startswith(start)), "")
    return os.path.join(dest, name + ending)


def _file_state(path: str) -> JsonObject:
    """Return path, size, SHA-256 and permissions of the file; {} if there is none that can be read."""
    try:
        content = read_regular(path)
        return {"file": path, **describe_document(content), "mode": f"{stat.S_IMODE(os.stat(path).st_mode):04o}"}
    except OSError:
        return {}


def describe_documents(contract: Contract, type_name: str, found: list[JsonObject]) -> list[JsonObject]:
    """Return records of a type with size and checksum in place of the documents in them."""
    paths = binary_paths(contract, type_name)
    return [_describe_in(row, paths) for row in found]


def _describe_in(row: JsonObject, paths: t.Sequence[KeyPath]) -> JsonObject:
    """Return the record with descriptions in place of the documents on these paths."""
    for path in paths:
        name = path[0]
        value = row.get(name)
        if isinstance(value, dict):
            row = {**row, name: _describe_in(value, [path[1:]])}
        elif isinstance(value, str):
            row = {**row, name: describe_document(decode_base64(value) or b"")}
    return row


def describe_document(content: bytes) -> JsonObject:
    """Return the size of a document and its SHA-256."""
    return {"size": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def decode_base64(text: object) -> bytes | None:
    """Return the bytes that a text in base64 stands for; None for any other value."""
    try:
        return base64.b64decode("".join(str(text).split()), validate=True)
    except (binascii.Error, ValueError):
        return None


def binary_paths(contract: Contract, type_name: str) -> list[KeyPath]:
    """Return the paths to base64 in a type, without those through lists."""
    keys = [key for key in contract.keys(type_name) if contract.simple(key) is None]
    return list(_find_binary(contract, keys[0], ())) if keys else []


def _find_binary(contract: Contract, key: str, above: KeyPath) -> t.Iterator[KeyPath]:
    for name, field in contract.members(key).items():
        path = (*above, name)
        if field.repeated or field.type == ANY or len(path) > MAX_BINARY:
            continue
        simple = contract.simple(field.type)
        if simple is not None:
            if simple["simple"] == "base64Binary":
                yield path
        elif contract.item(field.type) is None:
            yield from _find_binary(contract, field.type, path)


OPERATION = Operation(
    "document_download",
    (SOAP,),
    {
        **{name: {"type": "int"} for name in DOCUMENT_SOURCES},
        "dest": {"type": "path", "required": True},
        "mode": {"type": "raw"},
        "checksum": {"type": "str"},
    },
    download_document,
    {"mutually_exclusive": [[*DOCUMENT_SOURCES]], "required_one_of": [[*DOCUMENT_SOURCES]]},
)
