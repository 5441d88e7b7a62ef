# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which documents are read, and from where."""

from __future__ import annotations

import os
import typing as t

import pytest

pytest.importorskip("zeep")
pytest.importorskip("lxml.etree")

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.module_utils._soap import wsdl as wsdl_file
from ansible_collections.fcd.cloud.plugins.module_utils._soap.contract import Contract
from ansible_collections.fcd.cloud.plugins.module_utils._soap.wsdl import WsdlDocuments, read_wsdl

from .contracts import ADDRESS, WSDL_FOLDER, wsdl

SCHEMA = (
    '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:o">'
    '<xs:element name="O" type="xs:int"/>'
    "</xs:schema>"
)
PLAIN = '<xs:element name="In"><xs:complexType><xs:sequence/></xs:complexType></xs:element>'


def importing(*locations: str) -> bytes:
    imports = "".join(f'<xs:import namespace="urn:o" schemaLocation="{location}"/>' for location in locations)
    return wsdl(imports + PLAIN).encode()


class Net:
    """Answers for addresses, and notes what was asked for."""

    def __init__(self, main: bytes, other: bytes = SCHEMA.encode()) -> None:
        self.asked: list[str] = []
        self._main, self._other = main, other

    def __call__(self, address: str) -> bytes:
        self.asked.append(address)
        return self._main if address == ADDRESS else self._other


def read(net: Net, address: str = ADDRESS) -> Contract:
    return Contract(read_wsdl(WsdlDocuments(address, net), 0.0))


@pytest.mark.parametrize(
    ("location", "asked"),
    [
        ("http://node1.internal.example/CommonFcd.svc?xsd=xsd0", "https://soap.example.com/CommonFcd.svc?xsd=xsd0"),
        ("https://user:pw@evil.example.net:99/a/b.xsd#x", "https://soap.example.com/a/b.xsd"),
        ("?xsd=xsd0", "https://soap.example.com/CommonFcd.svc?xsd=xsd0"),
        ("/x/y.xsd", "https://soap.example.com/x/y.xsd"),
        ("//evil.example.net/y.xsd", "https://soap.example.com/y.xsd"),
    ],
)
def test_imports_are_asked_for_at_the_own_host(location: str, asked: str) -> None:
    net = Net(importing(location))
    read(net)
    assert net.asked == [ADDRESS, asked]


@pytest.mark.parametrize("location", ["file:///etc/hostname", "FILE:///etc/hostname", "ftp://soap.example.com/x.xsd"])
def test_nothing_but_the_net_for_a_wsdl_from_the_net(location: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_args: t.Any, **_more: t.Any) -> t.Any:
        raise AssertionError("a file was opened")

    net = Net(importing(location))
    documents = WsdlDocuments(ADDRESS, net)
    documents.read(ADDRESS)
    monkeypatch.setattr("builtins.open", refuse)
    with pytest.raises(InvalidInput, match="which is not a network address; refused"):
        documents.read(location)
    assert net.asked == [ADDRESS]


def test_a_file_import_of_a_remote_wsdl_ends_the_reading() -> None:
    net = Net(importing("file:///etc/hostname"))
    with pytest.raises(InvalidInput, match="imports 'file:///etc/hostname', which is not a network address; refused"):
        read(net)


def test_a_document_is_fetched_once() -> None:
    net = Net(importing("a.xsd", "http://other.example.net/a.xsd"))
    read(net)
    assert net.asked == [ADDRESS, "https://soap.example.com/a.xsd"]


HTML = b"<!DOCTYPE html><html><body>Log in</body></html>"


NO_WSDL: list[tuple[t.Any, ...]] = [
    (HTML, "an HTML page"),
    (b"  <html><body>Log in<br></body></html>", "an HTML page"),
    (b"<html xmlns='http://www.w3.org/1999/xhtml'><body/></html>", "an HTML page"),
    (b'{"error": "no"}', "JSON"),
    (b"", "nothing"),
    (b"\r\n", "nothing"),
    (b"Not found", "plain text"),
    (b"\x00\x01\x02", "binary data"),
    (b"<definitions>", "XML that is broken or cut off ("),
    (b"<feed xmlns='urn:x'/>", "an XML document <feed>"),
    (SCHEMA.encode(), "an XML document <schema>"),
    (b'<!DOCTYPE d [<!ENTITY a "b">]><d>&a;</d>', "a document with a DTD (refused)"),
]


def test_what_is_no_wsdl_is_told_in_one_line() -> None:
    for body, found in NO_WSDL:
        with pytest.raises(InvalidInput) as caught:
            read(Net(body))
        assert caught.value.message.startswith(f"There is no WSDL at {ADDRESS}: found {found}")
        assert "soap_wsdl" in (caught.value.next_step or "")
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (HTML, "an HTML page"),
        (b"<feed/>", "an XML document <feed>"),
        (b'<!DOCTYPE s [<!ENTITY a "b">]>' + SCHEMA.encode(), "a document with a DTD (refused)"),
    ],
)
def test_what_is_no_schema_is_told_with_both_addresses(body: bytes, found: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        read(Net(importing("a.xsd"), body))
    assert caught.value.message == (
        f"The WSDL {ADDRESS} imports https://soap.example.com/a.xsd, which is not a schema: found {found}."
    )


def test_size_and_number_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wsdl_file, "MAX_DOCUMENTS", 3)
    with pytest.raises(InvalidInput, match="imports more than 3 documents"):
        read(Net(importing("a.xsd", "b.xsd", "c.xsd")))
    monkeypatch.setattr(wsdl_file, "MAX_WSDL_BYTES", 100)
    with pytest.raises(InvalidInput, match="and its imports are larger than 0 MiB"):
        read(Net(importing("a.xsd")))


def test_tags_and_attributes_of_all_documents_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    marks = sum(importing("a.xsd").count(mark) + SCHEMA.encode().count(mark) for mark in (b"<", b"="))
    monkeypatch.setattr(wsdl_file, "MAX_MARKS", marks)
    assert read(Net(importing("a.xsd"), SCHEMA.encode())).operations() == ["Op"]
    monkeypatch.setattr(wsdl_file, "MAX_MARKS", marks - 1)
    with pytest.raises(InvalidInput, match=f"and its imports have more than {marks - 1} tags and attributes"):
        read(Net(importing("a.xsd"), SCHEMA.encode()))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "iso-8859-2", "windows-1250", "us-ascii"])
def test_usual_encodings_are_read(encoding: str) -> None:
    text = f'<?xml version="1.0" encoding="{encoding}"?>{wsdl(PLAIN)}'
    assert read(Net(text.encode(encoding))).operations() == ["Op"]


@pytest.mark.parametrize("encoding", ["utf-7", "UTF-7", "cp037", "no-such"])
def test_an_encoding_that_hides_tags_is_refused(encoding: str) -> None:
    text = f"<?xml version='1.0' encoding = '{encoding}'?>{wsdl(PLAIN)}"
    with pytest.raises(InvalidInput, match=f"found a document in the encoding '{encoding}'"):
        read(Net(text.encode()))


def test_depth_is_bounded() -> None:
    deep = wsdl(
        "<xs:annotation>" + "<xs:documentation>" * 400 + "</xs:documentation>" * 400 + "</xs:annotation>" + PLAIN
    )
    with pytest.raises(InvalidInput, match="There is no WSDL at"):
        read(Net(deep.encode()))


def save(folder: t.Any, name: str, content: bytes) -> str:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content)
    return str(path)


@pytest.mark.parametrize(
    ("location", "name"),
    [
        ("xsd0.xsd", "xsd0.xsd"),
        ("schemas/xsd0.xsd", "schemas/xsd0.xsd"),
        ("schemas/xsd0.xsd", "xsd0.xsd"),
        ("https://node1.internal.example/a/xsd0.xsd", "xsd0.xsd"),
        ("https://node1.internal.example/CommonFcd.svc?xsd=xsd0", "xsd0"),
        ("https://node1.internal.example/CommonFcd.svc?xsd=xsd0", "xsd0.xsd"),
    ],
)
def test_the_imports_of_a_file_lie_beside_it(tmp_path: t.Any, location: str, name: str) -> None:
    path = save(tmp_path, "saved.wsdl", importing(location))
    save(tmp_path, name, SCHEMA.encode())
    net = Net(b"")
    assert read(net, path).operations() == ["Op"]
    assert net.asked == []


@pytest.mark.parametrize(
    ("location", "desired"),
    [
        ("../outside.xsd", "outside.xsd"),
        ("/etc/hostname", "hostname"),
        ("https://node1.internal.example/CommonFcd.svc?xsd=../outside", "outside.xsd"),
        ("https://node1.internal.example/CommonFcd.svc?wsdl=wsdl0", "wsdl0.wsdl"),
    ],
)
def test_a_file_outside_its_folder_is_not_read(tmp_path: t.Any, location: str, desired: str) -> None:
    save(tmp_path, "outside.xsd", SCHEMA.encode())
    path = save(tmp_path, "in/saved.wsdl", importing(location))
    with pytest.raises(InvalidInput) as caught:
        read(Net(b""), path)
    assert f"which is not in its folder (save it there as {desired!r})" in caught.value.message


def test_a_file_that_is_missing(tmp_path: t.Any) -> None:
    with pytest.raises(InvalidInput) as caught:
        read(Net(b""), str(tmp_path / "no.wsdl"))
    assert caught.value.message == f"The WSDL {tmp_path}/no.wsdl cannot be read: No such file or directory."


def test_a_pipe_is_not_waited_for(tmp_path: t.Any) -> None:
    os.mkfifo(tmp_path / "pipe.wsdl")
    with pytest.raises(InvalidInput, match=r"pipe\.wsdl cannot be read: it is not a regular file"):
        read(Net(b""), str(tmp_path / "pipe.wsdl"))


def test_the_home_folder_may_be_written_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", os.path.abspath(WSDL_FOLDER))
    assert len(read(Net(b""), "~/CommonFcd.wsdl").operations()) == 108
