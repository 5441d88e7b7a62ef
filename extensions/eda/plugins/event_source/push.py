# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""An event source for ansible-rulebook: signed webhooks of a forge that tell of a push."""

from __future__ import annotations

import asyncio
import base64
import binascii
import hashlib
import hmac
import json
import logging
import math
import re
import time
import typing as t

DOCUMENTATION = r"""
---
short_description: Emit an event when a branch is pushed
description:
  - An event source for ansible-rulebook that receives webhooks. A request is accepted only if it is signed with the
    secret, the signed time is within the window around the current time, and the request was not received before.
  - It accepts signatures as made by GitHub (C(X-Hub-Signature-256) over the body, with the time in its
    C(repository.pushed_at)), and by Standard Webhooks, which GitLab uses for signing tokens (C(webhook-id),
    C(webhook-timestamp) and C(webhook-signature)). A plain token in a header, such as C(X-Gitlab-Token), is not a
    signature.
  - A request that is larger than allowed, or does not state its size, is rejected before its body is read.
  - Requests signed before the source began to listen are rejected too, so nothing is repeated after a restart.
  - The event is C(event.push) with C(ref), a branch such as C(refs/heads/main), and C(commit), its 40 digits. It
    contains no other text from the request, since rulebooks treat what they pass on as templates. Deleting a branch is
    not an event.
options:
  host:
    description:
      - The address to listen on. Put a TLS proxy in front of it.
    type: str
    default: 127.0.0.1
  port:
    description:
      - The port to listen on.
    type: int
    required: true
  secret:
    description:
      - The secret that the forge signs with, at least 16 characters. A secret that begins with C(whsec_) is decoded as
        defined by Standard Webhooks.
    type: str
    required: true
  window:
    description:
      - Maximum difference in seconds between the signed time and the current time.
    type: float
    default: 300
  max_body:
    description:
      - Maximum size of a request in bytes.
    type: int
    default: 1048576
"""

EXAMPLES = r"""
- fcd.cloud.push:
    port: 5000
    secret: "{{ webhook_secret }}"
"""

LOG = logging.getLogger(__name__)
OPTIONS = ("host", "port", "secret", "window", "max_body")
MIN_SECRET = 16
PATIENCE = 30
"""Seconds for a body to come in."""
REF = re.compile(r"refs/heads/[A-Za-z0-9][A-Za-z0-9._/+-]{0,200}")
COMMIT = re.compile(r"[0-9a-f]{40}")
NO_COMMIT = "0" * 40


class Refused(Exception):
    """A request that does not count; ``status`` is for its sender."""

    def __init__(self, status: int, why: str) -> None:
        """Take the status of the answer, and one line for its text and the log."""
        super().__init__(why)
        self.status = status


class Wish(t.NamedTuple):
    """The options of the source, checked."""

    host: str
    port: int
    secret: str
    window: float
    max_body: int


def wish(args: t.Mapping[str, t.Any]) -> Wish:
    """Return the options. Raises ValueError: what is wrong, never with the secret."""
    given = {name: value for name, value in args.items() if not name.startswith("eda_")}  # added by ansible-rulebook
    unknown = sorted(set(given) - set(OPTIONS))
    if unknown:
        raise ValueError(f"fcd.cloud.push: unknown option {', '.join(unknown)}; there are {', '.join(OPTIONS)}")
    secret = given.get("secret")
    if not isinstance(secret, str) or len(secret) < MIN_SECRET:
        raise ValueError(f"fcd.cloud.push: secret is missing or has fewer than {MIN_SECRET} characters")
    wanted = Wish(
        str(given.get("host") or "127.0.0.1"),
        int(_number(given, "port", None, 65535)),
        secret,
        _number(given, "window", 300, math.inf),
        int(_number(given, "max_body", 1024 * 1024, math.inf)),
    )
    _keys(wanted.secret)
    return wanted


def _number(given: t.Mapping[str, t.Any], name: str, default: t.Any, most: float) -> float:
    try:
        value = float(given.get(name, default))
    except (TypeError, ValueError):
        value = math.nan
    if not 0 < value <= most or value == math.inf:
        raise ValueError(f"fcd.cloud.push: {name} is {given.get(name)!r}, not a number above 0")
    return value


def _keys(secret: str) -> tuple[bytes, bytes]:
    """Return the key of a signature over the body, and that of a Standard Webhook. Raises ValueError."""
    plain = secret.encode()
    if not secret.startswith("whsec_"):
        return plain, plain
    try:
        return plain, base64.b64decode(secret.partition("_")[2], validate=True)
    except binascii.Error:
        raise ValueError("fcd.cloud.push: secret begins with whsec_, and what follows is no base64") from None


class Gate:
    """Lets signed, fresh and new requests through; remembers those that came within the window."""

    def __init__(self, wanted: Wish, now: float) -> None:
        """Take the options; what was signed before ``now`` (seconds since 1970) does not count."""
        self._wanted = wanted
        self._body_key, self._standard_key = _keys(wanted.secret)
        self._start = math.floor(now)  # forges tell whole seconds
        self._seen: dict[bytes, float] = {}

    def admit(self, headers: t.Mapping[str, str], length: int | None) -> None:
        """Look at a request before its body is read. Raises Refused. ``headers`` have small letters."""
        if length is None:
            raise Refused(411, "it does not say how long it is")
        if length > self._wanted.max_body:
            raise Refused(413, f"it has {length} bytes; max_body is {self._wanted.max_body}")
        if "x-hub-signature-256" not in headers and "webhook-signature" not in headers:
            raise Refused(401, "it has no signature")

    def event(self, headers: t.Mapping[str, str], body: bytes, now: float) -> dict[str, t.Any] | None:
        """Return the event of a request, None when it tells of no pushed branch. Raises Refused."""
        standard = "webhook-signature" in headers
        digest = self._standard(headers, body) if standard else self._over_body(headers, body)
        try:
            content = json.loads(body)
        except ValueError:
            raise Refused(400, "it is no JSON") from None
        if not isinstance(content, dict) or "ref" not in content:
            return None  # such as the ping of a new webhook
        signed_at = headers.get("webhook-timestamp") if standard else _pushed_at(content)
        self._fresh(_seconds(signed_at), digest, now)
        ref, commit = str(content["ref"]), str(content.get("after"))
        if commit == NO_COMMIT or not REF.fullmatch(ref) or not COMMIT.fullmatch(commit):
            return None
        return {"push": {"ref": ref, "commit": commit}}

    def _over_body(self, headers: t.Mapping[str, str], body: bytes) -> bytes:
        digest = hmac.new(self._body_key, body, hashlib.sha256)
        return _proved(digest.digest(), f"sha256={digest.hexdigest()}", [headers.get("x-hub-signature-256", "")])

    def _standard(self, headers: t.Mapping[str, str], body: bytes) -> bytes:
        signed = f"{headers.get('webhook-id', '')}.{headers.get('webhook-timestamp', '')}.".encode() + body
        digest = hmac.digest(self._standard_key, signed, "sha256")
        return _proved(digest, f"v1,{base64.b64encode(digest).decode()}", headers["webhook-signature"].split())

    def _fresh(self, signed_at: float, digest: bytes, now: float) -> None:
        if not abs(now - signed_at) <= self._wanted.window:
            raise Refused(401, "the time that is signed is too far from now")
        if signed_at < self._start:
            raise Refused(401, "it was signed before this source listened")
        self._seen = {one: when for one, when in self._seen.items() if now - when <= self._wanted.window}
        if digest in self._seen:
            raise Refused(409, "it came before")
        self._seen[digest] = signed_at


def _proved(digest: bytes, right: str, given: t.Iterable[str]) -> bytes:
    """Return the digest when one of the signatures is right; comparing takes the same time for all. Raises Refused."""
    if not any(hmac.compare_digest(right.encode(), one.encode("utf-8", "surrogateescape")) for one in given):
        raise Refused(401, "its signature is wrong")
    return digest


def _pushed_at(content: t.Mapping[str, t.Any]) -> t.Any:
    repository = content.get("repository")
    return repository.get("pushed_at") if isinstance(repository, dict) else None


def _seconds(value: t.Any) -> float:
    """Return a time of a request. Raises Refused."""
    if isinstance(value, bool) or not re.fullmatch("[0-9]{1,12}", str(value)):
        raise Refused(401, "no time is signed")
    return float(value)


async def main(queue: asyncio.Queue[t.Any], args: dict[str, t.Any]) -> None:
    """Listen, and put an event into the queue for each push; never ends by itself.

    Raises ValueError: an option is wrong.
    """
    wanted = wish(args)
    from aiohttp import web  # it comes with ansible-rulebook; all else works without

    gate = Gate(wanted, time.time())

    async def take(request: web.Request) -> web.Response:
        headers = {name.lower(): value for name, value in request.headers.items()}
        try:
            gate.admit(headers, request.content_length)
            body = await asyncio.wait_for(request.read(), PATIENCE)
            found = gate.event(headers, body, time.time())
        except asyncio.TimeoutError:
            return web.Response(status=408, headers={"Connection": "close"})
        except Refused as refusal:
            LOG.warning("fcd.cloud.push: refused a request: %s", refusal)
            return web.Response(status=refusal.status, text=f"{refusal}\n", headers={"Connection": "close"})
        if found:
            await queue.put(found)
        return web.Response(status=202 if found else 200)

    application = web.Application(client_max_size=wanted.max_body + 1)
    application.router.add_post("/{path:.*}", take)
    runner = web.AppRunner(application, access_log=None)
    await runner.setup()
    try:
        await web.TCPSite(runner, wanted.host, wanted.port).start()
        await asyncio.Future()
    finally:
        await runner.cleanup()
