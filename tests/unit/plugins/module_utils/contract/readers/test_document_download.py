# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Documents of invoices and icons: found by the schema, and written to a file."""

from __future__ import annotations

import hashlib
import os
import pathlib
import stat
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._contract import readers
from ansible_collections.fcd.cloud.plugins.module_utils._contract.documents import OPERATION as DOWNLOAD
from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.plugins.module_utils._core.files import mode_of
from ansible_collections.fcd.cloud.tests.unit.plugins.module_utils.soap import bench as soap_bench
from ansible_collections.fcd.cloud.tests.unit.plugins.module_utils.soap.bench import Bench

CONTENT = b"%PDF-1.4 example"
DESCRIBED = {"size": 16, "sha256": hashlib.sha256(CONTENT).hexdigest()}


def permissions(path: pathlib.Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_document_is_written_once(bench: Bench, tmp_path: pathlib.Path) -> None:
    dest = tmp_path / "invoice.pdf"
    foreseen = bench.run(DOWNLOAD, check_mode=True, invoice_id=1301, dest=str(dest))
    assert not dest.exists()
    done = bench.run(DOWNLOAD, invoice_id=1301, dest=str(dest))
    assert foreseen == done
    told = {name: done[name] for name in ("changed", "file", "size", "sha256")}
    assert told == {"changed": True, "file": str(dest), **DESCRIBED}
    assert (dest.read_bytes(), permissions(dest)) == (CONTENT, 0o600)
    assert not bench.run(DOWNLOAD, invoice_id=1301, dest=str(dest))["changed"]
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["invoice.pdf"]


def test_permissions_are_kept_or_set(bench: Bench, tmp_path: pathlib.Path) -> None:
    dest = tmp_path / "invoice.pdf"
    dest.write_bytes(CONTENT)
    dest.chmod(0o644)
    assert not bench.run(DOWNLOAD, invoice_id=1301, dest=str(dest))["changed"]
    assert permissions(dest) == 0o644
    assert bench.run(DOWNLOAD, check_mode=True, invoice_id=1301, dest=str(dest), mode="0640")["changed"]
    assert permissions(dest) == 0o644
    assert bench.run(DOWNLOAD, invoice_id=1301, dest=str(dest), mode="0640")["changed"]
    assert permissions(dest) == 0o640
    assert not bench.run(DOWNLOAD, invoice_id=1301, dest=str(dest), mode=0o640)["changed"]
    dest.write_bytes(b"old")
    assert bench.run(DOWNLOAD, invoice_id=1301, dest=str(dest))["changed"]
    assert (dest.read_bytes(), permissions(dest)) == (CONTENT, 0o600)


def test_a_link_stays_a_link(bench: Bench, tmp_path: pathlib.Path) -> None:
    real, link = tmp_path / "real.pdf", tmp_path / "link.pdf"
    real.write_bytes(b"old")
    link.symlink_to(real)
    assert bench.run(DOWNLOAD, invoice_id=1301, dest=str(link))["changed"]
    assert (link.is_symlink(), real.read_bytes()) == (True, CONTENT)


UNFIT: dict[str, tuple[str, dict[str, t.Any], str]] = {
    "no folder": ("missing/x.pdf", {}, "there is no folder"),
    "no folder, with a slash": ("missing/", {}, "there is no folder"),
    "no checksum": ("x.pdf", {"checksum": "sha256:9"}, r"^checksum: 'sha256:9' is not a checksum\. Write it as <alg"),
    "no algorithm": ("x.pdf", {"checksum": "md5:" + 32 * "0"}, "the algorithms are sha256 .64 hexadecimal digits., "),
    "no such invoice": ("x.pdf", {"invoice_id": 9}, "^invoice_id: there is no invoice 9; nothing is written to"),
    "nothing": ("x.pdf", {"dest": ""}, "^dest is empty. Name the file to write"),
    "setuid": ("x.pdf", {"mode": "6755"}, r"^mode: 6755 has special bits .* Give the permissions only, as '0755'\."),
    "sticky": ("x.pdf", {"mode": "1644"}, r"^mode: 1644 has special bits "),
    "no octal": ("x.pdf", {"mode": "u=rw"}, "mode: 'u=rw' is not an octal number"),
}


@pytest.mark.parametrize(("name", "options", "words"), UNFIT.values(), ids=list(UNFIT))
def test_what_cannot_be_written_is_told(
    bench: Bench, tmp_path: pathlib.Path, name: str, options: dict[str, t.Any], words: str
) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    for check_mode in (False, True):
        with pytest.raises(errors.InvalidInput, match=words):
            bench.run(DOWNLOAD, check_mode=check_mode, **{"invoice_id": 1301, "dest": f"{folder}/{name}", **options})
        assert list(folder.iterdir()) == []


@pytest.mark.parametrize("check_mode", [False, True])
def test_a_pipe_or_a_device_is_neither_read_nor_replaced(
    bench: Bench, tmp_path: pathlib.Path, *, check_mode: bool
) -> None:
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to(os.devnull)
    for dest in (pipe, link):
        with pytest.raises(errors.InvalidInput, match="cannot be written: it is not a regular file"):
            bench.run(DOWNLOAD, check_mode=check_mode, invoice_id=1301, dest=str(dest))
    assert pipe.is_fifo()


def test_a_folder_that_cannot_be_written_to_matters_when_there_is_something_to_write(
    bench: Bench, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dest = tmp_path / "x.pdf"
    monkeypatch.setattr(os, "access", lambda path, _mode: path != str(tmp_path))  # root may write everywhere
    for check_mode in (True, False):
        with pytest.raises(errors.InvalidInput, match=f"its folder {tmp_path} cannot be written to"):
            bench.run(DOWNLOAD, check_mode=check_mode, invoice_id=1301, dest=str(dest))
    dest.write_bytes(CONTENT)
    assert not bench.run(DOWNLOAD, invoice_id=1301, dest=str(dest))["changed"]


def test_nothing_is_left_behind_when_writing_fails(
    bench: Bench, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "out"
    folder.mkdir()

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(errors.InvalidInput, match=r"dest: .*x\.pdf cannot be written: No space left on device\."):
        bench.run(DOWNLOAD, invoice_id=1301, dest=str(folder / "x.pdf"))
    assert list(folder.iterdir()) == []


def test_an_invoice_without_a_document(bench: Bench, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from sandbox.soap import constants

    monkeypatch.setitem(constants.INVOICES[1301], "Document", None)
    (invoice,) = bench.run(readers.INVOICE_INFO, invoice_id=1301)["invoices"]
    assert invoice["document"] is None
    with pytest.raises(errors.InvalidInput, match=r"^invoice_id: the invoice \d+ has no document"):
        bench.run(DOWNLOAD, invoice_id=1301, dest=str(tmp_path / "x.pdf"))


def test_the_member_is_found_by_its_type_or_named(bench: Bench, tmp_path: pathlib.Path) -> None:
    bench.hide_member("Invoice", "Document")
    dest = str(tmp_path / "x.pdf")
    with pytest.raises(errors.InvalidInput) as caught:
        bench.run(DOWNLOAD, invoice_id=1301, dest=dest)
    assert str(caught.value) == (
        "The service's type Invoice has no member that can hold a document (base64Binary). "
        'Name the member in soap_member_map: {"Invoice.document": ...}.'
    )
    bench.connection = {"soap_member_map": {"Invoice.document": "InvoiceNumber"}}
    with pytest.raises(errors.Unusable, match="invoice_number of Invoice is not base64"):
        bench.run(DOWNLOAD, invoice_id=1301, dest=dest)


def test_several_documents_have_to_be_told_apart(bench: Bench, tmp_path: pathlib.Path) -> None:
    types = dict(soap_bench.data_without(frozenset())["types"])
    (key,) = (name for name in types if name.endswith("}Invoice"))
    bench.data = {**bench.data, "types": {**types, key: types[key] + " Scan . xs:base64Binary 001"}}
    with pytest.raises(errors.InvalidInput, match=r"several members that can hold a document: document, scan\. Name"):
        bench.run(DOWNLOAD, invoice_id=1301, dest=str(tmp_path / "x.pdf"))
    bench.connection = {"soap_member_map": {"Invoice.document": "Document"}}
    assert bench.run(DOWNLOAD, invoice_id=1301, dest=str(tmp_path / "x.pdf"))["changed"]


def test_a_folder_gets_a_file_named_after_the_document(bench: Bench, tmp_path: pathlib.Path) -> None:
    for dest, number, name in (
        (tmp_path, {"invoice_id": 1301}, "invoice-1301.pdf"),
        (tmp_path, {"icon_id": 801}, "icon-801.png"),
    ):
        for changed in (True, False):
            done = bench.run(DOWNLOAD, dest=f"{dest}/", **number)
            assert (done["changed"], done["file"]) == (changed, str(tmp_path / name))
    assert not bench.run(DOWNLOAD, dest=str(tmp_path), invoice_id=1301)["changed"]
    (tmp_path / "invoice-1301.pdf").unlink()
    (tmp_path / "invoice-1301.pdf").mkdir()
    with pytest.raises(errors.InvalidInput, match="it is a folder; name a file in it"):
        bench.run(DOWNLOAD, dest=str(tmp_path), invoice_id=1301)


@pytest.mark.parametrize("check_mode", [False, True])
def test_another_checksum_changes_no_file(bench: Bench, tmp_path: pathlib.Path, *, check_mode: bool) -> None:
    dest = tmp_path / "x.pdf"
    dest.write_bytes(b"old")
    other = hashlib.sha512(CONTENT).hexdigest()
    with pytest.raises(
        errors.OperationFailed, match=f"invoice 1301 has the sha256 checksum {DESCRIBED['sha256']}, not 000"
    ):
        bench.run(DOWNLOAD, check_mode=check_mode, invoice_id=1301, dest=str(dest), checksum="sha256:" + 64 * "0")
    assert dest.read_bytes() == b"old"
    assert bench.run(DOWNLOAD, check_mode=check_mode, invoice_id=1301, dest=str(dest), checksum=f"SHA512:{other}")[
        "changed"
    ]


def test_the_diff_shows_both_files(bench: Bench, tmp_path: pathlib.Path) -> None:
    dest = tmp_path / "x.pdf"
    after = {"file": str(dest), **DESCRIBED, "mode": "0600"}
    for check_mode in (True, False):
        diff = bench.run(DOWNLOAD, check_mode=check_mode, invoice_id=1301, dest=str(dest))["diff"]
        assert diff == {"before": {}, "after": after}
    dest.chmod(0o644)
    kept = bench.run(DOWNLOAD, invoice_id=1301, dest=str(dest))
    assert kept["diff"] == {"before": {**after, "mode": "0644"}, "after": {**after, "mode": "0644"}}
    assert kept["mode"] == "0644"
    dest.write_bytes(b"old")
    diff = bench.run(DOWNLOAD, invoice_id=1301, dest=str(dest), mode="0640")["diff"]
    assert (diff["before"]["size"], diff["before"]["mode"]) == (3, "0644")
    assert diff["after"] == {**after, "mode": "0640"}


def test_an_icon_is_written_too(bench: Bench, tmp_path: pathlib.Path) -> None:
    dest = tmp_path / "linux.png"
    done = bench.run(DOWNLOAD, icon_id=801, dest=str(dest), mode="0644")
    assert (done["changed"], done["size"], dest.read_bytes()) == (True, 8, b"\x89PNG\r\n\x1a\n")
    with pytest.raises(errors.InvalidInput, match=r"^icon_id: there is no icon 9; nothing is written to"):
        bench.run(DOWNLOAD, icon_id=9, dest=str(dest))


MODES: list[tuple[t.Any, int | None]] = [
    ("0640", 0o640),
    ("640", 0o640),
    ("0o600", 0o600),
    (0o600, 0o600),
    ("7777", 0o7777),
    ("17777", None),
    (-1, None),
    ("0680", None),
    ("", None),
    (True, None),
]


def test_permissions_in_octal() -> None:
    for given, mode in MODES:
        if mode is not None:
            assert mode_of(given, "mode") == mode
            continue
        with pytest.raises(errors.InvalidInput, match=r"^mode: .* Give it in quotes, as '0640'\.$"):
            mode_of(given, "mode")


NUMBERS = {640: "0640", 644: "0644", 600: "0600", 1777: "1777", 440: "0440", 400: "0400"}


def test_a_number_without_quotes_that_yaml_takes_for_a_decimal_one() -> None:
    """640 would be 01200: a sticky bit and writing for nobody."""
    for given, meant in NUMBERS.items():
        with pytest.raises(errors.InvalidInput) as caught:
            mode_of(given, "mode")
        assert str(caught.value) == (
            f"mode: it is unclear whether the number {given} is meant as octal permissions. "
            f"Give it in quotes, as '{meant}'."
        )
