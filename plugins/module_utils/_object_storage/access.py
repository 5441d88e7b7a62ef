# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Access to the object storage: logging in, its public description, and advice about refusals."""

from __future__ import annotations

from urllib.parse import quote, unquote

from .._connection.credentials import Token, expiring_token
from .._connection.options import WHOLE_SECONDS, read_option
from .._connection.task import Task, exchange
from .._core.errors import Forbidden, Rejected, Unauthorized, Unusable
from .._core.type_aliases import JsonObject
from .._http.client import Exchange
from .._http.messages import Request, number_of


def log_in(task: Task, base: str, *, renewed: bool) -> Token:
    """Return the token of the user of a task, with the storage address ``url``. Raises Unauthorized, Unusable."""
    settings = task.settings
    user, key = settings["storage_user"], settings["storage_key"]
    if settings["storage_key_encoding"] == "percent":
        user, key = quote(user, safe=":"), quote(key, safe="")
    asked_at = task.clock.now()
    try:
        option = "storage_token_lifetime"
        lifetime = read_option({"type": WHOLE_SECONDS}, option, settings[option])
        issued = _obtain_token(exchange(task, direct=True), base, user, key, lifetime=lifetime, renewed=renewed)
    except Unauthorized as exc:
        hint = f"Check storage_user (account:user) and storage_key, and storage_base ({base})."
        if "%" in settings["storage_user"] + settings["storage_key"] and settings["storage_key_encoding"] == "none":
            hint += " They contain a percent sign, which some servers decode: try storage_key_encoding: percent."
        text = f"The object storage refused the login of {settings['storage_user']!r}."
        details = {name: value for name, value in exc.details.items() if name != "service_message"}
        raise Unauthorized(text, next_step=hint, **details) from None  # its text may repeat what was sent
    return expiring_token(issued["token"], issued["expires_in"], asked_at, url=issued["url"])


def _obtain_token(
    exchange: Exchange, base: str, user: str, key: str, *, lifetime: int | None, renewed: bool
) -> JsonObject:
    """Request a token: ``token``, ``url`` (storage address) and ``expires_in`` (remaining seconds; None: unknown).

    A token that is still valid is returned again. With ``renewed``, a new one revokes it, also for parallel runs.
    ``lifetime`` (seconds) counts only for a new token.
    """
    operation = "Obtain token"
    headers = {"X-Auth-User": user, "X-Auth-Key": key}
    if lifetime is not None:
        headers["X-Auth-Token-Lifetime"] = str(lifetime)
    if renewed:
        headers["X-Auth-New-Token"] = "true"
    answer = exchange.send(
        Request(operation=operation, method="GET", url=f"{base}/auth/v1.0", kind="login", headers=headers, fixed=True)
    )
    token = answer.headers.get("x-storage-token") or answer.headers.get("x-auth-token")
    url = answer.headers.get("x-storage-url")
    if not token or not url:
        raise Unusable(
            f"{operation}: the answer (HTTP {answer.status}) has no X-Storage-Token or no X-Storage-Url.",
            next_step="Check storage_base: it must be the address of the object storage, without a path.",
            operation=operation,
            status=answer.status,
            request_id=answer.request_id,
        )
    return {"token": token, "url": url.rstrip("/"), "expires_in": number_of(answer.headers, "x-auth-token-expires")}


def read_features(exchange: Exchange, base: str) -> dict[str, object] | None:
    """Return what ``/info`` says about limits and features, or None where it is switched off. Needs no token."""
    answer = exchange.send(
        Request(
            operation="Read the features of the object storage",
            method="GET",
            url=f"{base}/info",
            kind="read",
            accept_statuses=frozenset((401, 403, 404)),
            json_answer=True,
        )
    )
    features = answer.json() if answer.status < 300 else None
    return features if isinstance(features, dict) else None


TOO_LARGE = 413
READING = ("GET", "HEAD")


def explain_refusal(error: Rejected, user: str, method: str, path: str) -> Rejected:
    """Return the error with user, place and next step; ``path`` is the part of the address after the account."""
    container, _slash, name = (unquote(part) for part in path.partition("/"))
    if isinstance(error, Forbidden):
        return _forbidden(error, user, method, container, name)
    if error.status == TOO_LARGE and "quota" in str(error.details.get("service_message", "")).lower():
        error.next_step = (
            f"Raise the quota (quota_bytes, quota_count of the container {container!r}, or that of the account), "
            "or remove what is not needed."
        )
    return error


def _forbidden(error: Forbidden, user: str, method: str, container: str, name: str) -> Forbidden:
    place = f" for {'/'.join(part for part in (container, name) if part)!r}" if container else ""
    to_whom = f"the service denies it to the user {user!r}" if user else "the service refuses it"
    use = "Use"
    if name or (container and method in READING):  # settings of containers are for administrators only
        access = "read_acl" if method in READING else "write_acl"
        use = f"Let {access} of the container {container!r} name that user, or use"
    return Forbidden(
        f"{error.message.rstrip('.')}: {to_whom}{place}.",
        next_step=f"{use} storage_user and storage_key of a user with the administrator role.",
        **error.details,
    )


def administrator_missing(error: Forbidden, doing: str, otherwise: str = "") -> Forbidden:
    """Return the error about the missing role; ``doing`` begins its sentence, ``otherwise`` is an alternative."""
    return Forbidden(
        f"{doing} needs a token of a user with the administrator role in the account, and storage_user does not have "
        "it.",
        next_step=f"Set storage_user and storage_key to those of such a user{otherwise}.",
        **error.details,
    )
