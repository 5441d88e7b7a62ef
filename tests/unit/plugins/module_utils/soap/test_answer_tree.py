# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The parser: what it keeps, and what it refuses."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._soap import messages
from ansible_collections.fcd.cloud.plugins.module_utils._soap.contract import TYPE, Malformed
from ansible_collections.fcd.cloud.plugins.module_utils._soap.messages import ID, XmlTree

XSI = "http://www.w3.org/2001/XMLSchema-instance"
SERIALIZATION = "http://schemas.microsoft.com/2003/10/Serialization/"


def test_names_texts_and_attributes() -> None:
    tree = XmlTree('<?xml version="1.0"?><!-- c --><p:a xmlns:p="urn:x" p:q="1" r="2">ż<b>x&amp;y</b>ó</p:a>'.encode())
    assert tree.root.tag == "{urn:x}a"
    assert tree.root.attributes == {"{urn:x}q": "1", "r": "2"}
    assert tree.root.text == ""  # no type of a contract has text and elements side by side
    assert [(node.tag, node.text) for node in tree.root.children] == [("b", "x&y")]
    assert tree.size == 2


def test_a_stated_type_is_resolved_where_it_stands() -> None:
    tree = XmlTree(
        f'<a xmlns:i="{XSI}" xmlns:p="urn:1"><b xmlns:p="urn:2" i:type="p:T"/><c i:type=" p:T "/><d i:type="T"/>'
        f'<e xmlns="urn:3" i:type="T"><f xmlns="" i:type="T"/></e></a>'.encode()
    )
    stated = [node.attributes[TYPE] for node in (*tree.root.children, tree.root.children[3].children[0])]
    assert stated == ["{urn:2}T", "{urn:1}T", "T", "{urn:3}T", "T"]


def test_ids_are_collected() -> None:
    tree = XmlTree(f'<a xmlns:z="{SERIALIZATION}"><b z:Id="i1"/></a>'.encode())
    assert tree.ids["i1"].attributes[ID] == "i1"


def test_utf_16_is_read() -> None:
    assert XmlTree('<?xml version="1.0" encoding="utf-16"?><a>ż</a>'.encode("utf-16")).root.text == "ż"


BOMB = b'<!DOCTYPE a [<!ENTITY b "x"><!ENTITY c "&b;&b;&b;&b;">]><a>&c;</a>'
OUTSIDE = b'<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/hostname">]><a>&b;</a>'


@pytest.mark.parametrize(
    "body", [BOMB, OUTSIDE, b'<!DOCTYPE a SYSTEM "https://x.example.net/a.dtd"><a/>', b"<!DOCTYPE a><a/>"]
)
def test_a_dtd_is_refused(body: bytes) -> None:
    with pytest.raises(Malformed, match="it has a DTD, which SOAP forbids"):
        XmlTree(body)


@pytest.mark.parametrize(
    "body",
    [
        *(
            b"",
            b"<a><b></a>",
            b"<a>",
            b"<a/><b/>",
            b"text",
            b"<a>\xff</a>",
            b"<a>&nbsp;</a>",
            b"<p:a/>",
            b"<a>\x00</a>",
        ),
        b'<?xml version="1.0" encoding="no-such"?><a/>',
    ],
)
def test_what_is_not_well_formed_is_refused(body: bytes) -> None:
    with pytest.raises(Malformed, match="it is not well-formed XML"):
        XmlTree(body)


def test_depth_is_bounded() -> None:
    assert XmlTree(b"<a>" * 60 + b"</a>" * 60).size == 60
    with pytest.raises(Malformed, match="it is nested deeper than 60 levels"):
        XmlTree(b"<a>" * 61 + b"</a>" * 61)


def test_the_number_of_elements_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "MAX_ELEMENTS", 1000)
    assert XmlTree(b"<a>" + b"<b/>" * 999 + b"</a>").size == 1000
    with pytest.raises(Malformed, match="it has more than 1000 elements"):
        XmlTree(b"<a>" + b"<b/>" * 1000 + b"</a>")


WITHOUT_END: list[t.Any] = ['<b c="{}"/>', "<b {}/>", "<!--{}-->", "<?p {}?>", "<{}/>", "<b xmlns:{}='urn:x'/>"]


def test_a_tag_or_comment_without_end_is_refused_before_it_is_whole() -> None:
    for long in WITHOUT_END:
        with pytest.raises(Malformed, match="it has a tag or a comment larger than 1 MiB"):
            XmlTree(b"<a>" + long.format("x" * (3 << 20)).encode() + b"</a>")


@pytest.mark.parametrize("size", [1 << 17, (1 << 18) - 10, 1 << 19, (1 << 20) - 100])
def test_a_large_attribute_is_read(size: int) -> None:
    root = XmlTree(f'<a><b c="{"x" * size}">y</b>{"<d/>" * 1000}</a>'.encode()).root
    assert (len(root.children[0].attributes["c"]), root.children[0].text, len(root.children)) == (size, "y", 1001)


@pytest.mark.parametrize("long", ["<b>{}</b>", "<b><![CDATA[{}]]></b>"])
def test_a_long_text_is_none(long: str) -> None:
    text = "żółć" * (1 << 20)
    assert XmlTree(f"<a>{long.format(text)}</a>".encode()).root.children[0].text == text


def test_a_text_in_many_pieces_stays_quick() -> None:
    root = XmlTree(b"<a>" + b"x<b/>" * 200_000 + b"</a>").root
    assert (root.text, len(root.children)) == ("", 200_000)
    assert XmlTree(b"<a>" + b"x<!---->" * 200_000 + b"</a>").root.text == "x" * 200_000
