# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The small things that everything else stands on."""

from __future__ import annotations

import base64
import itertools
import json
import os
import re
import shlex
import stat
import sys
import typing as t
from pathlib import Path
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import VERSION
from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.plugins.module_utils._core.clock import Clock, Deadline
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import require
from ansible_collections.fcd.cloud.plugins.module_utils._core.private_files import (
    private_folder,
    read_json,
    read_regular,
    remove,
    write_json,
)
from ansible_collections.fcd.cloud.plugins.module_utils._core.text import (
    MASK,
    Redactor,
    common_prefix,
    did_you_mean,
    digest,
    fold,
    names_a_secret,
    nearest,
    plain,
    quoted,
    secret_option_values,
    snake,
)

GALAXY = Path(__file__).resolve().parents[5] / "galaxy.yml"


@pytest.mark.skipif(not GALAXY.exists(), reason="not a checkout")
def test_the_version_is_that_of_the_collection() -> None:
    found = re.search(r"^version: *(\S+)$", GALAXY.read_text(), re.MULTILINE)
    assert found is not None
    assert found.group(1) == VERSION


# ---------------------------------------------------------------- names


NAMES: list[tuple[t.Any, ...]] = [
    ("WarehouseName", "WarehouseName", "warehouse_name"),
    ("IPAddressId", "IPAddressId", "ip_address_id"),
    ("RevDnsV6", "RevDnsV6", "rev_dns_v6"),
    ("_x003C_Id_x003E_k__BackingField", "Id", "id"),
    ("<FirstName>k__BackingField", "FirstName", "first_name"),
    ("_results", "results", "results"),
    ("__a", "a", "a"),
    ("_", "_", "_"),
    ("already_snake", "already_snake", "already_snake"),
    ("some-thing.else", "some-thing.else", "some_thing_else"),
    ("", "", ""),
]


def test_names(subtests: pytest.Subtests) -> None:
    for name, as_plain, as_snake in NAMES:
        with subtests.test(name=name, as_plain=as_plain):
            assert plain(name) == as_plain
            assert snake(name) == as_snake


def test_spellings_fold_to_one(subtests: pytest.Subtests) -> None:
    for name in ("WarehouseName", "warehouse_name", "warehouseName", "WAREHOUSE-NAME", "_warehouseName"):
        with subtests.test(name=name):
            assert fold(name) == "warehousename"


@given(st.text(max_size=20))
def test_folding_a_snake_changes_nothing(name: str) -> None:
    assert fold(snake(name)) == fold(name)


MEANT: list[tuple[t.Any, ...]] = [
    ("frist", ["first", "second"], "Did you mean 'first'?"),
    ("TIER 1", ["Tier 1", "Tier 2"], "Did you mean 'Tier 1' or 'Tier 2'?"),
    (
        "standard-2",
        ["v1.standard-1.512", "v1.standard-2.2", "v1.standard-8.8192", "v1.standard-2.4096", "v1.standard-20.4"],
        "Did you mean 'v1.standard-2.2', 'v1.standard-2.4096' or 'v1.standard-20.4'?",
    ),
    ("ubuntu 18.04", ["Alpine", "Ubuntu Server 18.04 LTS"], "Did you mean 'Ubuntu Server 18.04 LTS'?"),
    ("size", ["disk_size", "sizes"], "Did you mean 'sizes' or 'disk_size'?"),
    ("linux", ["Alma Linux 9 minimal", "other"], "Did you mean 'Alma Linux 9 minimal'?"),
    ("zzz", ["b", "a"], "Known: a, b."),
    ("pricelist", ["retries"], "Known: retries."),
    (
        "zzz",
        [f"{number:02}" for number in range(30)],
        f"Known: {', '.join(f'{n:02}' for n in range(20))} and 10 more.",
    ),
    ("zzz", ["b", "a", "b"], "Known: a, b."),
    ("zzz", [], "There are none."),
    ("", ["a"], "Known: a."),
    ("x", ["client_fixed_amounts", "disks"], "Known: client_fixed_amounts, disks."),
    ("ssh", ["disks", "ssh_keys"], "Did you mean 'ssh_keys'?"),
    ("", ["10 (b)", "9 (a)", "141 (c)", "x"], "Known: 9 (a), 10 (b), 141 (c), x."),
]


def test_did_you_mean(subtests: pytest.Subtests) -> None:
    for word, candidates, text in MEANT:
        with subtests.test(word=word, candidates=candidates):
            assert did_you_mean(word, candidates) == text


def test_only_a_few_are_near() -> None:
    assert len(nearest("name1", [f"name{number}" for number in range(30)])) == 3


# ---------------------------------------------------------------- redaction


def test_names_of_secrets(subtests: pytest.Subtests) -> None:
    for name in ("password", "newPassword", "ad_password", "ResetToken", "Code", "VerificationCode", "InitScript"):
        with subtests.test(name=name):
            assert names_a_secret(name)


def test_names_that_only_sound_secret(subtests: pytest.Subtests) -> None:
    for name in ("linkToChangePassword", "CodeId", "tokens_left", "IsPeselVerified", "postal_code"):
        with subtests.test(name=name):
            assert not names_a_secret(name)


def test_secrets_are_hidden_however_they_are_written() -> None:
    redactor = Redactor(["pass&wörd", None, ""])
    for spelled in ("pass&wörd", "pass%26w%C3%B6rd", "cGFzcyZ3w7ZyZA=="):
        assert redactor.text(f"<{spelled}>") == f"<{MASK}>"


MANY_LINES = "#!/bin/sh\nexport KEY='pass \"wörd\" \\\\ more'\nok\n"


def test_secrets_in_longer_texts_are_hidden_in_every_encoding(subtests: pytest.Subtests) -> None:
    for before, secret in itertools.product(
        ("", "u", "us", "use", "user:"), ("canary-of-mine", "pass/wörd?>~", MANY_LINES)
    ):
        with subtests.test(before=before, secret=secret):
            redactor = Redactor([secret])
            text = f"{before}{secret} and more"
            for encode in (base64.b64encode, base64.urlsafe_b64encode):
                encoded = encode(text.encode()).decode()
                shown = redactor.text(encoded)
                assert MASK in shown
                middle = encoded[4 * len(before.encode()) // 3 + 4 :][: len(secret) - 8]
                assert middle
                assert middle not in shown
            for spell in (
                quote,
                quote_plus,
                json.dumps,
                repr,
                shlex.quote,
                lambda one: json.dumps(one, ensure_ascii=False),
            ):
                assert redactor.text(spell(secret)).strip("'\"") == MASK


def test_lines_of_a_secret_are_secret() -> None:
    redactor = Redactor([MANY_LINES])
    assert redactor.text("line 2: export KEY='pass \"wörd\" \\\\ more': failed") == f"line 2: {MASK}: failed"
    assert redactor.text("ok, #!/bin/bash") == "ok, #!/bin/bash"


def test_secrets_that_overlap_are_hidden_together() -> None:
    assert Redactor(["abcdef", "defghi", "ghijkl"]).text("<abcdefghijkl>abcdef.") == f"<{MASK}>{MASK}."


def test_a_long_number_that_is_secret_is_hidden_as_a_number() -> None:
    redactor = Redactor(["44051401359", "1234"])
    assert redactor.value({"pesel": 44051401359, "id": 1234, "note": "is 1234"}) == {
        "pesel": MASK,
        "id": 1234,
        "note": f"is {MASK}",
    }


def test_what_is_given_to_secret_options_is_found_at_any_depth_and_of_any_type() -> None:
    inner = {"token": {"type": "str", "no_log": True, "aliases": ["tok"]}, "name": {"type": "str"}}
    spec = {
        "fields": {"type": "dict", "no_log": True},
        "users": {"type": "list", "elements": "dict", "options": inner},
        "user": {"type": "dict", "options": inner},
    }
    options = {
        "fields": {"pesel": 44051401359, "on": True, "rest": [None, "", "deep", 1.5]},
        "users": [{"token": "one", "name": "shown"}, {"tok": ["two"]}, "odd"],
        "user": "odd too",
        "more": "x",
    }
    assert [*secret_option_values(spec, options)] == ["44051401359", "deep", "1.5", "one", "two"]


def test_short_ones_are_left() -> None:
    assert Redactor(["abc"]).text("abc abcd") == "abc abcd"
    assert Redactor(["abcd"]).text("abc abcd") == f"abc {MASK}"


def test_the_longer_secret_wins() -> None:
    assert Redactor(["word", "password"]).text("password") == MASK


def test_structures() -> None:
    redactor = Redactor(["canary"])
    value = {"a": ["canary", 1, None, True], "canary": ("x", {"b": "my canary"}), "n": 1.5}
    assert redactor.value(value) == {"a": [MASK, 1, None, True], MASK: ["x", {"b": f"my {MASK}"}], "n": 1.5}
    assert redactor.value(frozenset({"canary"})) == [MASK]


@given(st.text(min_size=4, max_size=12), st.text(max_size=12), st.text(max_size=12))
def test_no_secret_gets_through(secret: str, before: str, after: str) -> None:
    if "*" in secret:
        return
    shown = Redactor([secret]).text(before + secret + after)
    assert secret not in shown or secret in before + after or MASK in shown


# ---------------------------------------------------------------- time


class Stepping(Clock):
    def __init__(self) -> None:
        self.time = 100.0
        self.slept: list[float] = []

    def monotonic(self) -> float:
        return self.time

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.time += seconds


def test_deadline_ends_waiting() -> None:
    clock = Stepping()
    deadline = Deadline(clock, 5.0, "call")
    assert (deadline.left(), deadline.over) == (5.0, False)
    deadline.check("Reading")
    deadline.sleep(2.0)
    deadline.sleep(9.0)
    assert (deadline.left(), deadline.over, clock.slept) == (0.0, True, [2.0, 3.0])
    with pytest.raises(
        errors.DeadlinePassed, match=r"Reading: the time limit of this call \(5 s\) has passed\. .* raise timeout\."
    ):
        deadline.check("Reading")


def test_no_deadline() -> None:
    clock = Stepping()
    deadline = Deadline(clock, None)
    deadline.sleep(1e6)
    deadline.check("Reading")
    assert (deadline.left(), deadline.over) == (None, False)


def test_a_deadline_within_another(subtests: pytest.Subtests) -> None:
    for outer, inner, left in (
        (None, None, None),
        (None, 3.0, 3.0),
        (5.0, None, 5.0),
        (5.0, 3.0, 3.0),
        (3.0, 5.0, 3.0),
    ):
        with subtests.test(outer=outer, inner=inner):
            deadline = Deadline(Stepping(), outer, "task")
            within = deadline.within(inner, "call")
            assert within.left() == left
            assert (within is deadline) == (outer is not None and (inner is None or outer < inner))


def test_the_real_clock() -> None:
    clock = Clock()
    start = clock.monotonic()
    clock.sleep(0.01)
    clock.sleep(-1)
    assert clock.monotonic() - start >= 0.01
    assert abs(clock.now() - __import__("time").time()) < 5


# ---------------------------------------------------------------- digests, libraries, errors


def test_digests_tell_parts_apart() -> None:
    found = {digest("a", "b"), digest("ab"), digest("a", "b", ""), digest("b", "a"), digest("ż"), digest(1, 2)}
    assert len(found) == 6
    assert all(re.fullmatch("[0-9a-f]{32}", name) for name in found)
    assert digest("a", 1) == digest("a", "1")


def test_a_library_that_is_there() -> None:
    assert require("json") is json


@pytest.mark.parametrize(("package", "named"), [(None, "fcd_not_there"), ("Fcd-Package", "Fcd-Package")])
def test_a_library_that_is_not(package: str | None, named: str) -> None:
    with pytest.raises(errors.MissingLibrary) as caught:
        require("fcd_not_there.part", package, purpose="This module")
    assert caught.value.message.startswith(f"This module needs the Python library {named}, which {sys.executable}")
    assert caught.value.next_step == f"Install it with: {sys.executable} -m pip install {named}"
    assert caught.value.details == {"library": named, "libraries": [named], "python": sys.executable}


def test_all_libraries_that_are_not_there_are_named_at_once() -> None:
    with pytest.raises(errors.MissingLibrary) as caught:
        require("fcd_not_there", purpose="It", besides=("json", "fcd_other.part", "fcd_not_there", "fcd_third"))
    assert caught.value.message.startswith("It needs the Python libraries fcd_not_there and fcd_other and fcd_third, ")
    assert caught.value.next_step == (
        f"Install them with: {sys.executable} -m pip install fcd_not_there fcd_other fcd_third"
    )


def test_quoted(subtests: pytest.Subtests) -> None:
    for text, shown in (
        ("plain", "'plain'"),
        ("API\\jan", "'API\\jan'"),
        ("it's", '"it\'s"'),
        ("a\nb", "'a\\nb'"),
        ("", "''"),
    ):
        with subtests.test(text=text, shown=shown):
            assert quoted(text) == shown


def test_an_error_as_a_result() -> None:
    error = errors.NotFound("It is gone.", next_step="Look.", status=404, request_id=None)
    assert str(error) == "It is gone. Look."
    assert error.status == 404
    assert error.as_result() == {"msg": "It is gone. Look.", "error": {"kind": "NotFound", "status": 404}}
    assert str(errors.Busy("Later.")) == "Later."


def test_what_is_known_about_effects_follows_from_the_family() -> None:
    rejected = {errors.Unauthorized, errors.Forbidden, errors.NotFound, errors.Conflict, errors.RateLimited}
    assert all(issubclass(kind, errors.Rejected) for kind in rejected)
    assert not issubclass(errors.Unusable, errors.Rejected)
    assert issubclass(errors.DeadlinePassed, errors.Unclear)
    assert not issubclass(errors.Unreachable, errors.Unclear)


# ---------------------------------------------------------------- private files


def mode(path: Path | str) -> int:
    return stat.S_IMODE(os.stat(path).st_mode)


def test_folders_are_made_for_one_user(tmp_path: Path) -> None:
    umask = os.umask(0)
    try:
        path = private_folder(str(tmp_path / "a" / "b" / "c"))
    finally:
        os.umask(umask)
    assert [mode(tmp_path / part) for part in ("a", "a/b", "a/b/c")] == [0o700] * 3
    assert private_folder(path) == path


def test_an_open_folder_is_closed(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir(mode=0o755)
    private_folder(str(tmp_path / "a"))
    assert mode(tmp_path / "a") == 0o700


def test_a_folder_of_somebody_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    with pytest.raises(errors.InvalidInput, match="belongs to another user") as caught:
        private_folder(str(tmp_path))
    assert "state_dir" in str(caught.value.next_step)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files to others")
def test_a_folder_behind_a_link_of_somebody_else(tmp_path: Path) -> None:
    """It leads to files of this user, which would be closed, written to and removed there."""
    (tmp_path / "precious").mkdir(mode=0o755)
    link = tmp_path / "tokens"
    link.symlink_to("../" + tmp_path.name + "/precious")
    assert private_folder(str(link)) == str(link)
    (tmp_path / "precious").chmod(0o755)
    os.chown(link, 54321, 54321, follow_symlinks=False)
    for path in (link, link / "below"):
        with pytest.raises(errors.InvalidInput, match=f"cannot be used: the link {link} belongs to another user"):
            private_folder(str(path))
    assert mode(tmp_path / "precious") == 0o755


@pytest.mark.parametrize("given", [0o755, 0o750, 0o701])
def test_a_folder_that_others_may_enter_is_closed(tmp_path: Path, given: int) -> None:
    tmp_path.chmod(given)
    assert private_folder(str(tmp_path)) == str(tmp_path)
    assert mode(tmp_path) == 0o700


def test_a_circle_of_links_has_an_end(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(errors.InvalidInput, match="cannot be used"):
        private_folder(str(tmp_path / "a"))


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(errors.InvalidInput, match="cannot be used: Not a directory") as caught:
        private_folder(str(tmp_path / "file" / "a"))
    assert "Set state_dir" in str(caught.value.next_step)


def test_a_folder_that_cannot_be_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda _path, _mode: False)
    with pytest.raises(errors.InvalidInput, match="cannot be used: it cannot be written to"):
        private_folder(str(tmp_path))


def test_a_folder_that_another_process_makes_meanwhile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.mkdir

    def rival(path: str, rights: int) -> None:
        real(path, rights)
        raise FileExistsError

    monkeypatch.setattr(os, "mkdir", rival)
    assert mode(private_folder(str(tmp_path / "a"))) == 0o700


def test_files_are_written_for_one_user(tmp_path: Path) -> None:
    path = tmp_path / "a" / "x.json"
    write_json(str(path), {"b": [1, "ż"]})
    assert (mode(path), mode(path.parent), read_json(str(path))) == (0o600, 0o700, {"b": [1, "ż"]})
    write_json(str(path), None)
    assert os.listdir(path.parent) == ["x.json"]


def test_a_write_that_fails_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    write_json(str(path), 1)
    with pytest.raises(TypeError):
        write_json(str(path), t.cast("t.Any", {"b": object()}))
    assert (read_json(str(path)), os.listdir(tmp_path)) == (1, ["x.json"])


def test_a_disk_that_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(errors.InvalidInput, match="cannot be used: No space left on device") as caught:
        write_json(str(tmp_path / "x.json"), 1)
    assert "state_dir" in str(caught.value.next_step)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("content", ["", "{", "\xff", pytest.param("[" * 100_000, id="nested")])
def test_a_broken_file_is_none(content: str, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(content.encode("latin-1"))
    path.chmod(0o600)
    assert read_json(str(path)) is None


def test_a_file_that_is_not_there_or_not_ours(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    assert read_json(str(path)) is None
    remove(str(path))
    write_json(str(path), 1)
    path.chmod(0o640)
    assert read_json(str(path)) is None
    remove(str(path))
    assert not path.exists()


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (os.mkfifo, "it is not a regular file"),
        (os.mkdir, "Is a directory"),
        (lambda path: Path(path).symlink_to("/dev/zero"), "it is not a regular file"),
        (lambda path: Path(path).write_bytes(b"[1, 2, 3]"), "it has more than 8 bytes"),
    ],
)
def test_odd_files_are_refused_and_never_waited_for(tmp_path: Path, make: t.Callable[[str], None], why: str) -> None:
    path = str(tmp_path / "x.json")
    make(path)
    with pytest.raises(OSError, match=why):
        read_regular(path, 8)
    assert read_json(path, 8) is None


def test_a_file_of_just_the_most_bytes_is_read(tmp_path: Path) -> None:
    write_json(str(tmp_path / "x.json"), [1, 2])
    assert (read_json(str(tmp_path / "x.json"), 5), read_json(str(tmp_path / "x.json"), 4)) == ([1, 2], None)


def test_removing_what_cannot_be_removed(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    remove(str(tmp_path / "file" / "x.json"))
    (tmp_path / "folder").mkdir()
    with pytest.raises(errors.InvalidInput, match=f"The folder {tmp_path} cannot be used: "):
        remove(str(tmp_path / "folder"))


def test_a_relative_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert mode(private_folder("a/b")) == mode(tmp_path / "a" / "b") == 0o700


def test_what_names_begin_with(subtests: pytest.Subtests) -> None:
    for names, prefix in (
        ([], ""),
        (["web"], "web"),
        (["web-1", "web-10"], "web-1"),
        (["web", "db"], ""),
        ({"ab", "abc", "abd"}, "ab"),
    ):
        with subtests.test(names=names, prefix=prefix):
            assert common_prefix(names) == prefix
