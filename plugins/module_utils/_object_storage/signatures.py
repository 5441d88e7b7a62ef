# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What lookups are asked for, and signatures that stand for a token: temporary addresses.

Source: docs/service/storage.md, "Optional features".
"""

from __future__ import annotations

import contextlib
import hmac
import ipaddress
import typing as t
from urllib.parse import quote, unquote, urlencode, urlsplit

from .._connection.options import WHOLE_SECONDS, check_least
from .._connection.task import Params, Task
from .._core.errors import FcdError, InvalidInput
from .._core.later import LATER
from .._core.type_aliases import JsonObject
from .api import Headers, ObjectStorage
from .connection import features_of
from .features import list_in
from .object_properties import expiry, to_unix
from .properties import KEY_ITEMS, check_container, check_object

DIGESTS = ("sha512", "sha256", "sha1")
EXPIRY_ADVICE = "Write seconds since 1970, or ISO 8601 such as 2030-01-31T12:00:00Z."  # no 'never', as objects have it
USUAL = "sha256"  # where the service does not tell which it takes


class Signer(t.NamedTuple):
    """What signatures are made with: the secret key, and the name of the digest."""

    key: str
    digest: str

    def sign(self, *lines: str | int) -> str:
        """Return the signature of these lines in hexadecimal digits; in check mode, it may be as unknown as its key."""
        if self.key == LATER:
            return LATER
        text = "\n".join(str(line) for line in lines)
        return hmac.new(self.key.encode("utf-8"), text.encode("utf-8"), self.digest).hexdigest()


class Grant(t.NamedTuple):
    """What a temporary address allows, until when (seconds since 1970), and how a browser keeps what it gets."""

    method: str
    expires: int
    prefix: bool = False
    ip_range: str | None = None
    filename: str | None = None
    inline: bool = False


def temporary_url(address: str, grant: Grant, signer: Signer) -> str:
    """Return the address with which anybody can do what the grant says; ``address`` is that of the object."""
    path = unquote(urlsplit(address).path)
    signed: list[str | int] = [grant.method, grant.expires, f"prefix:{path}" if grant.prefix else path]
    if grant.ip_range:
        signed.insert(0, f"ip={grant.ip_range}")
    query: JsonObject = {"temp_url_sig": signer.sign(*signed), "temp_url_expires": grant.expires}
    if grant.prefix:
        query["temp_url_prefix"] = unquote(path.split("/", 4)[4])
    if grant.ip_range:
        query["temp_url_ip_range"] = grant.ip_range
    if grant.filename:
        query["filename"] = grant.filename
    text = urlencode(query, quote_via=quote)
    return f"{address}?{text}&inline" if grant.inline else f"{address}?{text}"


def check_range(text: str | None) -> str | None:
    """Return the option ``ip_range`` when the service can read it. Raises InvalidInput."""
    if text is None:
        return None

    try:
        ipaddress.ip_network(text)
    except ValueError as error:
        raise InvalidInput(
            f"ip_range: {error}.",
            next_step="Write an address, or the first one of a range and its length, such as 203.0.113.0/24.",
            option="ip_range",
        ) from None
    return text


def signer(task: Task, storage: ObjectStorage, container: str, params: Params) -> Signer:
    """Return what to sign with: the options ``key`` and ``digest``, else what the service holds and takes.

    Raises InvalidInput.
    """
    key = params["key"]
    if key == "":
        raise InvalidInput("key: it is empty.", next_step="Leave it out to sign with the service's own.", option="key")
    if key is None:
        key = _cached_key(storage, container)
    task.redactor.add(None if key == LATER else key)
    return Signer(key, params["digest"] or _digest(task))


def _cached_key(storage: ObjectStorage, container: str) -> str:
    """Return the first key of the container, else of the account; the service shows them to their owner only."""
    found = _first_key(storage.container_metadata(container), "container")
    if not found:
        with contextlib.suppress(FcdError):  # a user without the administrator role may not look
            found = _first_key(storage.account_metadata(), "account")
    if found:
        return found
    raise InvalidInput(
        f"key: neither the container {container!r} nor the account has a key that this user can see.",
        next_step="Give key, or set one with temp_url_key of fcd.cloud.storage_container or fcd.cloud.storage_account.",
        option="key",
    )


def _first_key(headers: Headers | None, kind: str) -> str | None:
    found = (headers or {}).get
    return next((key for name in KEY_ITEMS if (key := found(f"x-{kind}-meta-{name}"))), None)


def _digest(task: Task) -> str:
    allowed = list_in(features_of(task).section("tempurl"), "allowed_digests") or [USUAL]
    found = USUAL if USUAL in allowed else next((digest for digest in DIGESTS if digest in allowed), None)
    if found is None:
        raise InvalidInput(
            f"digest: the service takes only {', '.join(map(str, allowed))}, and none of these is available on this "
            "host.",
            option="digest",
        )
    return found


def object_places(task: Task, terms: t.Sequence[str], *, whole: bool = True) -> list[tuple[str, str]]:
    """Return container and object of each term ``container/object``; not ``whole``: the object may be missing.

    Raises InvalidInput.
    """
    if not terms:
        raise InvalidInput("Name an object, as container/object.")
    features = features_of(task)
    places = []
    for term in terms:
        container, slash, name = term.partition("/")
        if whole and not (slash and name):
            raise InvalidInput(f"{term!r} names no object; write container/object.")
        check_container(container, features, "container")
        places.append((container, check_object(name, features, "object") if name else ""))
    return places


def end_of_signature(params: Params, now: float) -> int:
    """Return the moment that ``expires_at`` or ``expires_in`` means, in seconds since 1970. Raises InvalidInput."""
    if params["expires_at"] is not None:
        try:
            moment = expiry(params["expires_at"])
        except InvalidInput as error:
            error.next_step = EXPIRY_ADVICE
            raise
        if moment is None:
            raise InvalidInput("expires_at: a signature must expire.", next_step=EXPIRY_ADVICE, option="expires_at")
        end = to_unix(moment)
        if end <= now:
            raise InvalidInput(f"expires_at: {moment} has passed.", option="expires_at")
        return end
    seconds = int(WHOLE_SECONDS.read("expires_in", params["expires_in"]))
    check_least({"expires_in": seconds}, expires_in=1)
    return int(now) + seconds
