# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The lookups of the object storage, against a real Swift: what they sign is used without a token."""

from __future__ import annotations

import base64
import pathlib
import time
import typing as t

import pytest
import requests
from ansible.errors import AnsibleLookupError
from chaos.workplace import PATIENCE
from sandbox.process import SandboxProcess

from ansible_collections.fcd.cloud.plugins.lookup import storage_object, storage_temp_url
from ansible_collections.fcd.cloud.plugins.plugin_utils._lookup import ServiceLookup
from ansible_collections.fcd.cloud.tests.unit.plugins.module_utils.object_storage.conftest import Bench

KEY, OTHER_KEY = "speckled-wren-signs", "marbled-newt-signs"
DEFAULTS: dict[str, dict[str, t.Any]] = {
    "storage_object": {"encoding": "utf-8", "max_size": 1 << 24, "default": None},
    "storage_temp_url": {
        "method": "GET",
        "prefix": False,
        "ip_range": None,
        "filename": None,
        "inline": False,
        "expires_in": 60,
        "expires_at": None,
        "key": None,
        "digest": None,
    },
}
CLASSES: dict[str, type[ServiceLookup]] = {
    "storage_object": storage_object.LookupModule,
    "storage_temp_url": storage_temp_url.LookupModule,
}


class LookupBench(Bench):
    """Looks things up, with options as Ansible would have them after reading the documentation."""

    def look_up(self, plugin: str, *terms: str, **options: t.Any) -> list[t.Any]:
        connection = self.task(**options.pop("connection", {})).settings
        known = {**DEFAULTS[plugin], **{name: connection[name] for name in connection if name[:7] != "profile"}}
        known.pop("config_file", None)
        lookup = CLASSES[plugin]()
        lookup._load_name = f"fcd.cloud.{plugin}"
        lookup.set_options = lambda **_more: None  # type: ignore[method-assign]
        lookup.get_options = lambda **_more: {**known, **options}  # type: ignore[method-assign]
        return lookup.run(list(terms), **options)

    def one(self, plugin: str, term: str, **options: t.Any) -> t.Any:
        return self.look_up(plugin, term, **options)[0]

    def anybody(self, method: str, url: str, **more: t.Any) -> requests.Response:
        """Send a request without a token."""
        return requests.request(method, url, verify=self.info["ca_path"], timeout=PATIENCE, **more)


@pytest.fixture
def swift(sandbox: SandboxProcess, tmp_path: pathlib.Path) -> LookupBench:
    sandbox.reset()
    bench = LookupBench(sandbox, tmp_path)
    bench.container()
    return bench


def test_content_as_text_and_as_bytes(swift: LookupBench) -> None:
    swift.object(name="a b/ü?#%25", content="häl\nlo")
    swift.raw("PUT", "/c/bytes", data=b"\xff\0")
    assert swift.look_up("storage_object", "c/a b/ü?#%25", "c/a b/ü?#%25") == ["häl\nlo", "häl\nlo"]
    assert swift.one("storage_object", "c/bytes", encoding="base64") == base64.b64encode(b"\xff\0").decode()
    with pytest.raises(AnsibleLookupError, match="no text in UTF-8"):
        swift.one("storage_object", "c/bytes")


def test_content_that_is_not_there_or_too_large(swift: LookupBench) -> None:
    assert swift.one("storage_object", "c/none", default="instead") == "instead"
    with pytest.raises(AnsibleLookupError, match="no object 'none' in a container 'c'"):
        swift.one("storage_object", "c/none")
    swift.object(content="four")
    assert swift.one("storage_object", "c/o", max_size=4) == "four"
    with pytest.raises(AnsibleLookupError, match="more than 3 bytes"):
        swift.one("storage_object", "c/o", max_size=3)
    for term, shape in ((["c/a"], "a list"), ({"name": "a"}, "a dictionary"), (True, "true or false"), (None, "null")):
        with pytest.raises(AnsibleLookupError, match=f"terms: write a text for each entry of the list, not {shape}"):
            swift.look_up("storage_object", t.cast("str", term))
    with pytest.raises(AnsibleLookupError, match="names no object"):
        swift.one("storage_object", "c")


def test_the_key_comes_from_the_container_then_from_the_account(swift: LookupBench) -> None:
    swift.object(name="deep/ü ?.txt", content="shown")
    with pytest.raises(AnsibleLookupError, match=r"key: neither .* Give key"):
        swift.one("storage_temp_url", "c/deep/ü ?.txt")
    swift.raw("POST", "", X_Account_Meta_Temp_URL_Key=OTHER_KEY)
    url = swift.one("storage_temp_url", "c/deep/ü ?.txt")
    assert swift.anybody("GET", url).text == "shown"
    swift.raw("POST", "/c", X_Container_Meta_Temp_URL_Key_2=KEY)
    moment = str(int(time.time()) + 60)
    ours = swift.one("storage_temp_url", "c/deep/ü ?.txt", expires_at=moment)
    assert ours == swift.one("storage_temp_url", "c/deep/ü ?.txt", expires_at=moment, key=KEY)
    assert swift.anybody("GET", ours).text == "shown"
    assert swift.anybody("PUT", ours, data=b"x").status_code == 401
    assert swift.anybody("GET", ours.replace("deep", "peed")).status_code == 401


@pytest.mark.parametrize("digest", ["sha1", "sha256", "sha512"])
def test_digests(swift: LookupBench, digest: str) -> None:
    swift.object(content="shown")
    swift.raw("POST", "/c", X_Container_Meta_Temp_URL_Key=KEY)
    allowed = requests.get(f"{swift.info['storage_base']}/info", verify=swift.info["ca_path"], timeout=PATIENCE).json()
    url = swift.one("storage_temp_url", "c/o", digest=digest)
    expected = 200 if digest in allowed["tempurl"]["allowed_digests"] else 401
    assert swift.anybody("GET", url).status_code == expected


def test_without_features_the_usual_digest_is_taken(swift: LookupBench) -> None:
    swift.object(content="shown")
    swift.sandbox.settings(storage={"info": False})
    assert swift.anybody("GET", swift.one("storage_temp_url", "c/o", key="unknown")).status_code == 401
    swift.raw("POST", "/c", X_Container_Meta_Temp_URL_Key=KEY)
    assert swift.anybody("GET", swift.one("storage_temp_url", "c/o")).text == "shown"


def test_what_an_address_allows(swift: LookupBench) -> None:
    swift.raw("POST", "/c", X_Container_Meta_Temp_URL_Key=KEY)
    swift.object(name="reports/one.txt", content="1")
    put = swift.one("storage_temp_url", "c/new", method="PUT")
    assert swift.anybody("PUT", put, data=b"made").status_code == 201
    named = swift.one("storage_temp_url", "c/new", filename="für dich.txt")
    assert "f%C3%BCr%20dich.txt" in swift.anybody("GET", named).headers["Content-Disposition"]
    shown = swift.anybody("GET", swift.one("storage_temp_url", "c/new", inline=True))
    assert shown.headers["Content-Disposition"] == "inline"
    begins = swift.one("storage_temp_url", "c/reports/", prefix=True)
    assert swift.anybody("GET", begins.replace("/reports/?", "/reports/one.txt?")).text == "1"
    assert swift.anybody("GET", begins.replace("/reports/?", "/new?")).status_code == 401
    here = swift.one("storage_temp_url", "c/new", ip_range="127.0.0.0/8")
    there = swift.one("storage_temp_url", "c/new", ip_range="203.0.113.0/24")
    assert [swift.anybody("GET", url).status_code for url in (here, there)] == [200, 401]


@pytest.mark.parametrize(
    ("plugin", "options", "words"),
    [
        ("storage_temp_url", {"expires_in": 0}, "expires_in: 0; it must be at least 1"),
        ("storage_temp_url", {"expires_at": "2020-01-01T00:00:00Z"}, "has passed"),
        ("storage_temp_url", {"expires_at": "never"}, "must expire"),
        ("storage_temp_url", {"expires_at": "soon"}, r"not a point in time\. Write .* such as 2030-01-31T12:00:00Z\.$"),
        ("storage_temp_url", {"ip_range": "300.1.1.1"}, "ip_range: '300.1.1.1' does not appear to be an IPv4"),
        (
            "storage_temp_url",
            {"ip_range": "10.1.1.1/8"},
            r"ip_range: 10\.1\.1\.1/8 has host bits set. Write an address",
        ),
    ],
)
def test_mistakes_are_told_before_anything_is_sent(
    swift: LookupBench, plugin: str, options: dict[str, t.Any], words: str
) -> None:
    swift.forget()
    with pytest.raises(AnsibleLookupError, match=words):
        swift.one(plugin, "c/o", **options)
    assert swift.seen() == []


def test_an_empty_key_is_none(swift: LookupBench) -> None:
    with pytest.raises(AnsibleLookupError, match=r"key: it is empty\. Leave it out"):
        swift.one("storage_temp_url", "c/o", key="")
