# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a text of the service becomes a word of another language: one function each, and that language's reader.

Characters of many alphabets stand in the first, a middle and the last place. Other borders are tried where their
readers are: patterns of hosts in test_instance_hosts.py (``host_name``), terminals and logs of pipelines in
test_visible_text.py (``visible``, ``visible_text``), forms and queries in http/test_messages.py, paths in
sync/test_safe_names.py (``check_file_name``), SOAP in soap/test_against_zeep.py (``escape``), and the language of
OpenTofu in tests/orchestration/test_texts.py (``hcl_string``).
"""

from __future__ import annotations

import http.client
import io
import typing as t
from urllib.parse import unquote, urlsplit

import pytest
import yaml
from lxml import html
from markdown_it import MarkdownIt

from ansible_collections.fcd.cloud.plugins.module_utils._http.messages import Request, outgoing
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.api import ObjectStorage
from ansible_collections.fcd.cloud.plugins.module_utils._site_export.site_text import yaml_comment, yaml_scalar
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.read.site_yaml import read_yaml
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.report.templates import code_span, environment, fenced

MARKS = [chr(code) for code in range(0x20, 0x3000) if chr(code).isprintable() and (code < 0x100 or not code % 64)]
WORDS = [
    "{{ x }}",
    "$(x)",
    "```",
    "`` ` ``",
    "<!-- x -->",
    "</p>",
    "&lt;",
    "%41",
    "?a=b#c",
    "a: b",
    "- a",
    "a #b",
    "null",
]
NAMES = [name for mark in MARKS for name in (mark, f"{mark}x", f"x{mark}y", f"x{mark}")] + WORDS
MARKDOWN = MarkdownIt("gfm-like")
ELEMENT = environment({}).from_string('<p title="{{ text }}">{{ text }}</p>')
NOBODY: t.Any = None
STORAGE = ObjectStorage(NOBODY, NOBODY, "https://storage.example.com/v1/A", 1, print)


class Loader(yaml.SafeLoader):
    """Any other program, which knows the tag of texts that are not evaluated."""


Loader.add_constructor("!unsafe", lambda loader, node: str(loader.construct_scalar(node)))


def in_yaml(name: str) -> object:
    """Return what is both the key and the value."""
    ((key, value),) = yaml.load(f"{yaml_scalar(name)}: {yaml_scalar(name)}\n", Loader).items()
    return value if key == value else (key, value)


def in_site_file(name: str) -> object:
    """Return a value, which no template can be."""
    found = t.cast("t.Any", read_yaml(f"a: {yaml_scalar(name)}\n", "site.yml", "."))["a"]
    return str(found)


def in_yaml_comment(name: str) -> object:
    return name if yaml.safe_load(f"{yaml_comment(name)}a: 1\n") == {"a": 1} else None


def in_code_span(name: str) -> object:
    """Return what is code in a line of Markdown, where it is all that the line has; blanks at its ends may go."""
    (paragraph,) = html.fragments_fromstring(MARKDOWN.render(f"**a** {code_span(name)} *b*"))
    tags = [child.tag for child in paragraph]
    return paragraph[1].text_content() if tags == ["strong", "code", "em"] else tags


def in_code_block(name: str) -> object:
    (block,) = html.fragments_fromstring(MARKDOWN.render(fenced([name], "diff")))
    return block.text_content().removesuffix("\n")


def in_html(name: str) -> object:
    element = html.fragment_fromstring(ELEMENT.render(text=name))
    return element.text if element.get("title") == element.text and len(element) == 0 else None


def in_address(name: str) -> object:
    """Return the name of an object."""
    parts = urlsplit(STORAGE.address("c", name))
    return unquote(parts.path.removeprefix("/v1/A/c/")) if (parts.query, parts.fragment) == ("", "") else parts


def in_header(name: str) -> object:
    """Return the value; HTTP knows no blanks at its ends."""
    value = outgoing(Request("Do it", "POST", "https://a.example.com", headers={"X-A": name}), {}).headers["X-A"]
    sent = value if isinstance(value, bytes) else value.encode("ascii")
    (found,) = http.client.parse_headers(io.BytesIO(b"X-A: " + sent + b"\r\n\r\n")).values()
    return found.encode("latin-1").decode("utf-8")


BORDERS: dict[str, t.Callable[[str], object]] = {
    "yaml_scalar": in_yaml,
    "yaml_scalar, in a site file": in_site_file,
    "yaml_comment": in_yaml_comment,
    "code_span": in_code_span,
    "fenced": in_code_block,
    "environment": in_html,
    "ObjectStorage.address": in_address,
    "outgoing": in_header,
}
WITHOUT_BLANKS = ("code_span", "outgoing")


@pytest.mark.parametrize("border", BORDERS)
def test_what_is_written_is_read_as_one_word(border: str) -> None:
    read = BORDERS[border]
    found = {name: read(name) for name in NAMES}
    if border in WITHOUT_BLANKS:
        found = {name: value.strip(" ") if isinstance(value, str) else value for name, value in found.items()}
    meant = {name: name.strip(" ") if border in WITHOUT_BLANKS else name for name in NAMES}
    assert {name: value for name, value in found.items() if value != meant[name]} == {}
