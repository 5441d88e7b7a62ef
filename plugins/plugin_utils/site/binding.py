# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a plan binds, and whether a run still is the one that was planned.

``bound`` in a plan has the name of a key, a salt, digests of the account that it is for, of each secret value and of
each file that is sent, and a seal over all that the plan says. The salt is the public half of a secret of this plan
(``site_key``), with which digests are made, so that nobody can try values out. Where there is nothing to bind, and no
key is given, it is random, and they are ordinary ones.
"""

from __future__ import annotations

import hashlib
import hmac
import itertools
import json
import secrets
import typing as t

from ...module_utils._connection.options import OPTIONS
from ...module_utils._connection.task import Params, Task
from ...module_utils._core.errors import InvalidInput
from ...module_utils._core.text import join_names, name_in_line, visible
from .declare.declaration import secret_option_names, whole_option
from .model import KINDS, Entry, Place
from .plan.plan_document import BOUND_MEMBERS, NEW_PLAN_ADVICE, PlanDocument, by_place, changes_digest, digest_of_text
from .registry.last_registry import ACCOUNT_SETTINGS
from .site_key import SiteKey, controller_key, user_key
from .stages import UNCHANGED, Planned

SCOPE = (
    *("site", "environment", "registry", "stage", "part", "kinds", "targets", "state"),
    *("adopt", "force_create", "max_delete", "max_replace"),
)
"""Members of a plan that have to be those of the run that takes it."""

DEFAULT_PLAN_LIMITS = {"max_delete": "10", "max_replace": None}
"""Limits of a run that is given none."""

COMPARED = {"declaration": "the declaration", "changes": "the required changes", "policies": "the policies"}
"""What the other digests of a plan are over, in words."""

LETTERS = str.maketrans("0123456789abcdef", "ghjkmnpqrstvwxyz")
"""How digests are written: a number or word that is secret, and hidden wherever it stands, is not in them by chance."""

DIGITS_OF_LETTERS = {letter: digit for digit, letter in LETTERS.items()}
MAX_SHOWN_DIFFERENCES = 3  # entries in a message, and fields of each
MAX_SHOWN_VALUE = 60  # characters


class Binding(t.NamedTuple):
    """What a run binds: digests of secret values, and of files that are sent, by their names, and the ``account``.

    Of that it has the connection options themselves: those that are given, of the services that the run uses.
    """

    key: SiteKey | None
    salt: str
    values: dict[str, str]
    files: dict[str, str]
    account: t.Mapping[str, str] = {}
    secret: bytes | None = None

    @classmethod
    def of(
        cls, task: Task, plans: t.Sequence[Planned], before: PlanDocument | None, services: t.Sequence[str] = ()
    ) -> Binding:
        """Return it with the salt of the plan ``before``, if the run takes one.

        ``services`` are those that are used besides the ones of the ``plans``. The key is the given one, else that of
        this controller, which is made when there is something to bind. Raises InvalidInput for a plan to be taken with
        a public key.
        """
        there = [plan for plan in plans if not (plan.context or plan.removes)]
        values = _by_name(task, itertools.chain.from_iterable(_secret_values(plan.entry) for plan in there))
        files = _by_name(task, itertools.chain.from_iterable(map(_files, there)))
        bound = {} if before is None else before["bound"]
        key = user_key(task) or (controller_key(task) if any((values, files, bound.get("key"))) else None)
        salt, secret = _secret_of(key, bound) if bound else _new_secret(key)
        digests = [
            {name: _digest(secret, salt, purpose, name, *those) for name, those in found.items()}
            for purpose, found in (("value", values), ("file", files))
        ]
        return cls(key, salt, digests[0], digests[1], _account(task, plans, services), secret)

    def sealed(self, plan: PlanDocument) -> PlanDocument:
        """Return a plan that is complete with what binds it."""
        key = None if self.key is None else self.key.name
        digests = {"account": self._account_digests(self.secret), "values": self.values, "files": self.files}
        bound = {"key": key, "salt": self.salt, **digests}
        whole = {**plan, "shown_digest": _shown_digest(plan), "bound": bound}
        return {**whole, "bound": {**bound, "seal": _seal(self.secret, whole)}}

    def differences(self, path: str, plan: PlanDocument, registry_place: Place) -> list[str]:
        """Return in words what of the values and files is not that of a plan from a file, without showing any.

        Raises InvalidInput for a plan that was made with another key, or was edited.
        """
        bound, secret = plan["bound"], self._secret_for(path, plan["bound"]["key"])
        if bound.get("values") is None:
            whole = {**plan, "bound": {**bound, "values": self.values, "files": self.files}}
            sealed = _seal(secret, whole) == bound["seal"]
            return [] if sealed else ["its seal does not match the secret values and files of this run"]
        if _seal(secret, plan) != bound["seal"] or not _shows_what_it_binds(plan, registry_place):
            raise InvalidInput(
                f"plan: {path} was edited after it was made ({plan['made_at']}). Nothing was changed.",
                next_step=NEW_PLAN_ADVICE,
                option="plan",
            )
        found = [*_differing(bound["values"], self.values), *_differing(bound["files"], self.files)]
        if not found and bound["key"] is None and self.key is not None:
            return [f"it was made without a key, and this run has the key {self.key.name}"]
        return found

    def check_account(self, path: str, plan: PlanDocument) -> None:
        """Raise InvalidInput for a plan of another account, or one that was made with another key."""
        then, now = plan["bound"]["account"], self._account_digests(self._secret_for(path, plan["bound"]["key"]))
        others = [name for name in now if then.get(name, now[name]) != now[name]]
        if others:
            raise InvalidInput(
                f"plan: {path} is for another account: its "
                f"{join_names([f'{name} is not {self.account[name]}' for name in others], len(ACCOUNT_SETTINGS))}. "
                "Nothing was changed.",
                next_step="Use the plan that was made for this account, or make one.",
                option="plan",
            )

    def _account_digests(self, secret: bytes | None) -> dict[str, str]:
        return {name: _digest(secret, self.salt, "account", name, value) for name, value in self.account.items()}

    def _secret_for(self, path: str, name: str | None) -> bytes | None:
        """Return what a plan with the key of that name has its digests made with; None for one without a key.

        Raises InvalidInput for a key that this run does not have.
        """
        if name is None:
            return None
        if self.key is not None and name != self.key.name:
            own = "the site_key" if self.key.given else "no site_key is given, and the key of this controller"
            raise InvalidInput(
                f"plan: {path} is bound with the key {name}, but {own} is {self.key.name}. Nothing was changed.",
                next_step="Make a new plan with the site_key (FCD_SITE_KEY) of the apply, or with its public key. "
                "Without one, apply on the controller that made the plan, with the same state_dir.",
                option="plan",
            )
        return self.secret


def _new_secret(key: SiteKey | None) -> tuple[str, bytes | None]:
    """Return the salt of a new plan, and the secret that it leads to, if there is a key."""
    salt, secret = (secrets.token_hex(16), None) if key is None else key.new_secret()
    return salt.translate(LETTERS), secret


def _secret_of(key: SiteKey | None, bound: t.Mapping[str, t.Any]) -> tuple[str, bytes | None]:
    """Return the salt of a plan, and the secret that it leads to, if it was made with a key."""
    salt = bound["salt"]
    return salt, None if key is None or bound["key"] is None else key.secret_of(salt.translate(DIGITS_OF_LETTERS))


def _account(task: Task, plans: t.Iterable[Planned], services: t.Sequence[str]) -> dict[str, str]:
    """Return the options that say whose things are worked on, as far as services are used; those not given are not."""
    kinds = dict.fromkeys(plan.entry.kind for plan in plans)
    used = {*services, *(service for kind in kinds for service in KINDS[kind].operation().services)}
    given = {name: task.settings[name] for name in ACCOUNT_SETTINGS if OPTIONS[name].used_by(used)}
    return {name: str(value).rstrip("/") for name, value in given.items() if value is not None}


def _secret_values(entry: Entry) -> t.Iterator[tuple[str, object]]:
    """Yield the secret values of an entry with their names; paths count from the folder of the site file."""
    secret = secret_option_names(entry)
    for name, value in entry.given.items():
        if value is not None and name in secret:
            yield f"{entry.kind}.{entry.name}.{name}", whole_option(entry, name)


def _by_name(task: Task, found: t.Iterable[tuple[str, t.Any]]) -> dict[str, list[t.Any]]:
    """Return what was found by names as they are shown; where a secret is a part of names, several may have one."""
    named: dict[str, list[t.Any]] = {}
    for name, value in found:
        named.setdefault(task.redactor.text(name), []).append(value)
    return named


def _files(plan: Planned) -> t.Iterator[tuple[str, str]]:
    """Yield the files that are sent, with their digests."""
    for name, digest in sorted(plan.sends.items()):
        yield f"{plan.entry.kind}.{name}", digest


def _digest(secret: bytes | None, salt: str, purpose: str, *parts: t.Any) -> str:
    digest = digest_of_text([purpose, salt, *parts]).rpartition(":")[2]
    if secret is not None:
        digest = hmac.new(secret, digest.encode(), hashlib.sha256).hexdigest()
    return digest.translate(LETTERS)


def _seal(secret: bytes | None, plan: PlanDocument) -> str:
    """Return what seals a plan: also one that was handed on without what it shows."""
    bound = plan["bound"]
    names = ("format", "mode", "made_at", *SCOPE, *(f"{word}_digest" for word in (*COMPARED, "shown")))
    parts = [bound[name] for name in ("account", "values", "files")]
    return _digest(secret, bound["salt"], "plan", [plan.get(name) for name in names], *parts)


def _shown_digest(plan: PlanDocument) -> str:
    return digest_of_text({name: value for name, value in plan.items() if name not in ("bound", "shown_digest")})


def _shows_what_it_binds(plan: PlanDocument, registry_place: Place) -> bool:
    """Return whether what a plan shows, if anything, is what its digests are over."""
    if plan.get("changes") is None:
        return True
    shown = _shown_digest(plan), changes_digest(plan["changes"], registry_place)
    return shown == (plan["shown_digest"], plan["changes_digest"])


def _differing(then: t.Mapping[str, str], now: t.Mapping[str, str]) -> t.Iterator[str]:
    for name in {**then, **now}:
        if name not in now:
            yield f"{name} is in the plan only"
        elif then.get(name) != now[name]:
            yield f"{name} is not {'that of' if name in then else 'in'} the plan"


def check_same(path: str, before: PlanDocument, now: PlanDocument, binding: Binding, registry_place: Place) -> None:
    """Raise InvalidInput unless the plan of the file is for this run, this declaration and these changes.

    What it binds has to be what the run has, and the plan itself as it was made.
    """
    _check_scope(path, before, now)
    differences = binding.differences(path, before, registry_place)
    binding.check_account(path, before)
    differs = [words for name, words in COMPARED.items() if before.get(f"{name}_digest") != now[f"{name}_digest"]]
    about = f"{' and '.join(differs)}{_differences(before, now, registry_place)}" if differs else "this run: "
    if differs or differences:
        raise InvalidInput(
            f"plan: {path} ({before['made_at']}) no longer matches {about}"
            f"{join_names(differences, MAX_SHOWN_DIFFERENCES)}{'. ' if differences else ''}Nothing was changed.",
            next_step=f"If an earlier run was interrupted, it may have done part of the plan. {NEW_PLAN_ADVICE}",
            option="plan",
        )


def limits_of_the_plan(params: Params, plan: PlanDocument) -> dict[str, str]:
    """Return the limits that an apply without limits of its own takes from its plan; the seal is checked later."""
    if params["prune"] or params["state"] == "absent":  # what removes the site has its limit in the same command
        return {}
    unset = [name for name, default in DEFAULT_PLAN_LIMITS.items() if (params[name] or None) == default]
    return {name: plan[name] for name in unset if isinstance(plan.get(name), str)}


def _check_scope(path: str, before: PlanDocument, now: PlanDocument) -> None:
    """Raise InvalidInput for a plan of another run."""
    for name in SCOPE:
        if before.get(name) != now[name]:
            raise InvalidInput(
                f"plan: {path} is for {name} {_as_words(before.get(name))}, this run is for {_as_words(now[name])}. "
                "Nothing was changed.",
                next_step="Use the plan that was made for this run, or make one.",
                option="plan",
            )
    if before["mode"] == "drift" or (before["mode"] == "prune") != (now["mode"] == "prune"):
        raise InvalidInput(
            f"plan: {path} was made for {before['mode']}, this run is for {now['mode']}. Nothing was changed.",
            next_step=NEW_PLAN_ADVICE,
            option="plan",
        )


def _as_words(value: object) -> str:
    return "none" if value is None else str(value) if not isinstance(value, list) else ", ".join(map(str, value))


def _differences(before: PlanDocument, now: PlanDocument, registry_place: Place) -> str:
    """Return the first entries whose changes differ, in words; nothing of them where the plan has digests only."""
    if before.get("changes") is None:
        return ". "
    old, new = (by_place(json.loads(json.dumps(plan["changes"], default=str))) for plan in (before, now))
    differing = [place for place in {**old, **new} if old.get(place) != new.get(place) and place != registry_place]
    if not differing:
        return ": the same entries change in the same way. "
    texts = [f"{' '.join(place)} ({_difference(old.get(place), new.get(place))})" for place in differing]
    return f": {join_names(texts, MAX_SHOWN_DIFFERENCES)}. "


def _difference(then: list[t.Any] | None, now: list[t.Any] | None) -> str:
    """Return in words how two changes of an entry differ: in what is done, or else in the first fields."""
    old, new = (dict(zip(BOUND_MEMBERS, values or ())) for values in (then, now))
    actions = [str(change.get("action", UNCHANGED)) for change in (old, new)]
    if actions[0] != actions[1]:
        return f"{actions[0]}, now {actions[1]}"
    steps = _steps(old), _steps(new)
    differing = [name for name in {**steps[0], **steps[1]} if steps[0].get(name) != steps[1].get(name)]
    texts = [f"{visible(name)}: {', now '.join(one.get(name, UNCHANGED) for one in steps)}" for name in differing]
    more = [f"and {len(texts) - MAX_SHOWN_DIFFERENCES} more"] if len(texts) > MAX_SHOWN_DIFFERENCES else []
    return "; ".join([actions[0], *texts[:MAX_SHOWN_DIFFERENCES], *more])


def _steps(change: t.Mapping[str, t.Any]) -> dict[str, str]:
    """Return what becomes of each field of a change, such as ``10 -> 20``; those within mappings by dotted names."""
    sides = [dict(_fields(change[side], "")) for side in ("before", "after")]
    more = {name: str(change[name]) for name in ("id", "adopts", "moved_from")}
    names = dict.fromkeys(itertools.chain(*sides))
    return {
        **more,
        **{name: " -> ".join(dict.fromkeys(side[name] for side in sides if name in side)) for name in names},
    }


def _fields(value: t.Mapping[str, t.Any], above: str) -> t.Iterator[tuple[str, str]]:
    for name, one in value.items():
        if isinstance(one, t.Mapping):
            yield from _fields(one, f"{above}{name}.")
        else:
            yield f"{above}{name}", name_in_line(one if isinstance(one, str) else json.dumps(one), MAX_SHOWN_VALUE)
