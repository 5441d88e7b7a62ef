# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Envelopes: the headers of a request, and what an answer has to look like."""

from __future__ import annotations

import re

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._soap.contract import SOAP_11, SOAP_12, Malformed
from ansible_collections.fcd.cloud.plugins.module_utils._soap.messages import AnswerEnvelope, XmlTree, write_envelope

WSA = "http://www.w3.org/2005/08/addressing"


def test_a_request_has_each_address_header_once() -> None:
    headers, body, message_id = write_envelope(
        SOAP_12, "urn:a?b&c", "https://x.example.com/?a&b", "<n1:X/>", {"urn:n": "n1"}
    )
    root = XmlTree(body).root
    header, content = root.children
    assert root.tag == f"{{{SOAP_12}}}Envelope"
    assert [(node.tag, node.text) for node in header.children] == [
        (f"{{{WSA}}}Action", "urn:a?b&c"),
        (f"{{{WSA}}}MessageID", message_id),
        (f"{{{WSA}}}To", "https://x.example.com/?a&b"),
    ]
    assert [node.tag for node in content.children] == ["{urn:n}X"]
    assert headers == {"Content-Type": 'application/soap+xml; charset=utf-8; action="urn:a?b&c"'}


def test_a_request_of_2004_says_where_the_answer_goes() -> None:
    old = "http://schemas.xmlsoap.org/ws/2004/08/addressing"
    _headers, body, message_id = write_envelope(SOAP_12, "urn:a", "urn:to", "<X/>", {}, old)
    header = XmlTree(body).root.children[0]
    names = [node.tag for node in header.children]
    assert names == [f"{{{old}}}{name}" for name in ("Action", "MessageID", "ReplyTo", "To")]
    assert header.children[2].children[0].text == f"{old}/role/anonymous"
    relates = (
        f'<a:RelatesTo xmlns:a="{old}">urn:other</a:RelatesTo><a:RelatesTo xmlns:a="{old}">{message_id}</a:RelatesTo>'
    )
    answer = f'<s:Envelope xmlns:s="{SOAP_12}"><s:Header>{relates}</s:Header><s:Body/></s:Envelope>'
    assert AnswerEnvelope(answer.encode()).relates_to == ["urn:other", message_id]


def test_soap_1_1_has_its_own_headers() -> None:
    headers, body, _id = write_envelope(SOAP_11, "urn:a", "https://x.example.com/", "<X/>", {})
    assert headers == {"Content-Type": "text/xml; charset=utf-8", "SOAPAction": '"urn:a"'}
    assert XmlTree(body).root.tag == f"{{{SOAP_11}}}Envelope"


def test_message_ids_are_random_uuids() -> None:
    ids = {write_envelope(SOAP_12, "", "", "", {})[2] for _turn in range(50)}
    assert len(ids) == 50
    form = r"urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
    assert all(re.fullmatch(form, one) for one in ids)


@pytest.mark.parametrize("namespace", [SOAP_11, SOAP_12])
def test_an_answer_is_opened(namespace: str) -> None:
    opened = AnswerEnvelope(
        f'<s:Envelope xmlns:s="{namespace}" xmlns:a="{WSA}"><s:Header><a:RelatesTo> urn:1 </a:RelatesTo></s:Header>'
        f"<s:Body><x/></s:Body></s:Envelope>".encode()
    )
    assert (opened.namespace, opened.relates_to, opened.content and opened.content.tag) == (namespace, ["urn:1"], "x")


@pytest.mark.parametrize(("names", "listed"), [("xy", "x, y"), ("xyzvw", "x, y, z and 2 more")])
def test_a_body_with_several_elements_has_no_content(names: str, listed: str) -> None:
    inside = "".join(f"<{name}/>" for name in names)
    opened = AnswerEnvelope(f'<s:Envelope xmlns:s="{SOAP_12}"><s:Body>{inside}</s:Body></s:Envelope>'.encode())
    with pytest.raises(Malformed, match=f"its body contains {listed} instead of one element"):
        _content = opened.content


def test_an_empty_body_has_no_content() -> None:
    opened = AnswerEnvelope(f'<s:Envelope xmlns:s="{SOAP_12}"><s:Body/></s:Envelope>'.encode())
    assert (opened.content, opened.relates_to) == (None, [])


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (b"<html><body>x</body></html>", "it is XML, but no SOAP envelope"),
        (b'<s:Envelope xmlns:s="urn:x"><s:Body/></s:Envelope>', "it is XML, but no SOAP envelope"),
        (b'<s:Envelope xmlns:s="%s"/>' % SOAP_12.encode(), "its envelope has no body"),
        (b'<s:Envelope xmlns:s="%s"><s:Body>' % SOAP_12.encode(), "it is not well-formed XML"),
    ],
)
def test_what_is_no_envelope(body: bytes, problem: str) -> None:
    with pytest.raises(Malformed, match=problem):
        AnswerEnvelope(body)
