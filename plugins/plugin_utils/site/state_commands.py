# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands on what a site owns: list it, show one thing, release one, move one to another key, sign it all.

None of them changes anything at the service. Those that change the registry hold the lock that runs of the site hold.
"""

from __future__ import annotations

import copy

from ...module_utils._connection.options import STORAGE
from ...module_utils._connection.task import Params, Result, Task
from ...module_utils._core.errors import InvalidInput
from ...module_utils._core.text import Redacted, did_you_mean, leaf_texts, name_in_line
from ...module_utils._core.type_aliases import JsonObject
from ...module_utils._object_storage.leases import HeldLock
from .declare.drafts import kind_and_label
from .entry_operations import run_operation
from .model import KINDS, Declaration, Entry, Place
from .ownership_notes import noted_secrets
from .plan.plan_document import redacted_values, with_hidden_fields
from .registry.registry import Ownership, require_key
from .registry.registry_document import CREATING, KnownObject, Owned, is_same_number, shown_place, validated_identity
from .registry.registry_places import owner_name
from .registry.site_lock import LockOptions, site_lock
from .shared_reads import RememberingClients
from .site_key import MAKE_A_KEY, check_can_sign, checked_key, user_key
from .stages import Selected

LIST, SHOW, RELEASE, MOVE, SIGN = "list", "show", "release", "move", "sign"
LINE = "%-20s %-24s %-24s %-12s %-8s %s"
TABLE_HEADER = LINE % ("KIND", "KEY", "NAME", "ID", "ORIGIN", "")


def run_state(declaration: Declaration, task: Task, params: Params) -> Result:
    """Do what ``command`` says. Raises InvalidInput, Busy, and what the services raise."""
    what = _named("what", params["what"]) if params["command"] not in (LIST, SIGN) else None
    to = _named("to", params["to"]) if params["command"] == MOVE else None
    registry = (STORAGE,) if "container" in declaration.registry else ()
    read = KINDS[what[0]].operation().services if what is not None and params["command"] in (SHOW, MOVE) else ()
    task.settings.require(tuple(dict.fromkeys((*read, *registry))))
    owner = owner_name(declaration.site, params["environment"])
    command = params["command"]
    writes, doubtful = command in (RELEASE, MOVE, SIGN), command in (LIST, SHOW, SIGN)
    if writes:
        check_can_sign(task)
    if not doubtful:
        require_key(task, owner, declaration.registry)
    if command == SIGN and user_key(task) is None:
        raise InvalidInput("site_key: a key is required for signing.", next_step=f"{MAKE_A_KEY}.", option="site_key")

    def done(task: Task, lock: HeldLock) -> tuple[StateCommands, Result]:
        commands = StateCommands(declaration, task, owner, lock, doubtful=doubtful)
        if what is not None:
            return commands, commands.of_one(command, what, to)
        return commands, commands.signed(params) if command == SIGN else commands.listed()

    def rehearse() -> None:
        trial = copy.copy(task)
        trial.check_mode = True
        done(trial, HeldLock())

    with site_lock(
        task,
        owner,
        declaration.registry,
        LockOptions.of(params) if writes else LockOptions(how="none"),
        before_create=rehearse,
    ) as lock:
        commands, told = done(task, lock)
        told["changed"] = told["changed"] or lock.made_container
    environment = params["environment"] or None
    whole = {"site": declaration.site, "environment": environment, "registry": commands.ownership.place, **told}
    return Redacted(redacted_values(task.redactor, whole))


def _named(option: str, text: str) -> Place:
    """Return kind and key of ``kind.key``. Raises InvalidInput."""
    try:
        kind, label = kind_and_label(text)
    except InvalidInput as error:
        raise InvalidInput(f"{option}: {text!r} does not name an object of a site: {error}", option=option) from None
    return kind.name, label


class StateCommands:
    """The commands for one site."""

    def __init__(
        self, declaration: Declaration, task: Task, owner: str, lock: HeldLock, *, doubtful: bool = False
    ) -> None:
        self.ownership = Ownership.opened(task, owner, declaration.registry, None, lock, doubtful=doubtful)
        self._task = task
        self._declared = declaration.by_place()
        self._labels: dict[Place, Entry] = {(one.kind, one.key): one for one in declaration.entries}

    def listed(self) -> Result:
        """Return all that the site owns or knows, in the order of the kinds."""
        order = {name: number for number, name in enumerate(KINDS)}
        owned = sorted(self.ownership.owned().values(), key=lambda one: (order.get(one.kind, 99), one.key, one.name))
        doubts = [{"registry": doubt.text, "doubt": doubt.why} for doubt in self.ownership.doubts]
        rows = [self._row(one) for one in owned]
        table = [line.rstrip() for line in (TABLE_HEADER, *map(_line, rows))]
        return {"changed": False, "entries": rows, "table": table, "doubts": doubts}

    def signed(self, params: Params) -> Result:
        """Sign the registry, and tell what was in it. Raises InvalidInput for what is forged."""
        previous = params["previous_key"]
        before = None if not previous else checked_key("previous_key", previous)
        read = self.listed()  # in check mode this is what would be signed
        changed = self.ownership.sign(before, discard=params["discard"])
        return {**(read if self._task.check_mode else self.listed()), "changed": changed}

    def of_one(self, command: str, what: Place, to: Place | None) -> Result:
        """Show, release or move one thing."""
        owned = self.ownership.find(*what)
        if to is not None:
            return self._moved(what, owned, to)
        if owned is None:
            raise self._unknown(what)
        if command == RELEASE:
            before = self._row(owned)
            if owned.place in self._declared:
                self._task.warn(
                    f"{shown_place(what)} is still declared, so the next apply takes it back into the site."
                )
            self.ownership.released([owned.place])
            return _told(before, None)
        return {"changed": False, "entry": self._row(owned), "service": self._shown_at_service(owned)}

    def _row(self, owned: Owned) -> JsonObject:
        row = {name: getattr(owned, name) for name in ("kind", "key", "name", "id", "origin", "phase", "protected")}
        doubt = next((one.why for one in self.ownership.doubts if owned.place in one.places), None)
        return {**row, "made_at": owned.made_at, "declared": owned.place in self._declared, "doubt": doubt}

    def _moved(self, what: Place, owned: Owned | None, to: Place) -> Result:
        target = self._labels.get(to) or self._declared.get(to)
        present = self.ownership.find(*to)
        if owned is None or owned == present:  # it was moved before
            if present is None:
                raise self._unknown(what)
            return _told(self._row(present), self._row(present))
        known = KnownObject(to[0], owned.name, owned.id, owned.identity, to[1], owned.protected)
        known = known.with_fields(moved_from=owned.moved_from)
        if target is not None:
            protected = target.lifecycle.prevent_destroy
            known = KnownObject(to[0], target.name, None, target.identity, target.key, protected)
        if known.place != owned.place:
            self._check_name(owned, known)
        self.ownership.check_conflicts([known.place])
        if target is None:
            kept = "gives the object back its former key"
            lost = "counts the object as no longer declared, so that prune removes it"
            comes = kept if owned.place in self._declared else lost
            self._task.warn(
                f"No entry is declared as {to[0]}.{to[1]}. Declare one before the next apply, which otherwise {comes}."
            )
        before = self._row(owned)
        self.ownership.renamed([(owned.place, known)])
        return _told(before, self._row(self.ownership.owned()[known.place]))

    def _check_name(self, owned: Owned, known: KnownObject) -> None:
        """Raise InvalidInput unless the thing bears its new name at the service: nothing renames it here."""
        if owned.place in self._declared:
            raise InvalidInput(
                f"what: {shown_place(owned.place)} is declared, so it cannot become {shown_place(known.place)}.",
                next_step="Remove its entry from the site file first.",
                option="what",
            )
        found = self._at_service(Owned(known.kind, known.name, identity=known.identity)) or {}
        if owned.kind != known.kind or not is_same_number(owned.id, found.get("id")):
            raise InvalidInput(
                f"to: {shown_place(known.place)} is not the name of {shown_place(owned.place)} at the service.",
                next_step="To rename it, add it to moved in the site file, and apply that.",
                option="to",
            )

    def _unknown(self, what: Place) -> InvalidInput:
        known = [one for one in self.ownership.owned().values() if one.kind == what[0]]
        labels = [*(one.key for one in known), *(one.name for one in known)]
        near = did_you_mean(what[1], labels) if labels else f"It owns no {what[0]}."
        return InvalidInput(
            f"what (in the playbooks provision_what): the site does not own {shown_place(what)}. {near}",
            next_step="The command list (ansible-playbook fcd.cloud.state) shows everything that it owns.",
            option="what",
        )

    def _shown_at_service(self, owned: Owned) -> JsonObject | None:
        """Return what the service says of a thing, without what is declared as a secret or was when it was applied."""
        found = self._at_service(owned)
        if found is None:
            return None
        declared = self._declared.get(owned.place)
        secrets = noted_secrets(owned) | (frozenset() if declared is None else declared.secrets)
        public = "\0".join((owned.name, owned.key, *(KINDS[owned.kind].operation().options)))
        for text in leaf_texts([found.get(name) for name in secrets]):
            self._task.redactor.add(None if text in public else text)
        return with_hidden_fields(owned.kind, secrets, found, {})[0]

    def _at_service(self, owned: Owned) -> JsonObject | None:
        """Return what the service says of a thing, None where it is not there or cannot be read by itself.

        It is read as for a removal that is planned only: that takes no option but the one that says which is meant.
        """
        kind = KINDS[owned.kind]
        options = kind.operation().options
        if "state" not in options:
            return None
        task = copy.copy(self._task)
        task.check_mode, task.warn = True, lambda _text: None
        task.clients = RememberingClients(task)
        by_number = owned.id is not None and "id" in options
        given = {"id": owned.id} if by_number else validated_identity(owned)
        forced: dict[str, object] = {name: True for name in ("force", "force_detach") if name in options}
        params = {**kind.defaults(), **kind.fixed, **given, **forced, "state": "absent"}
        entry = Entry(owned.kind, owned.key, owned.name, given, params, "the registry")
        before = run_operation(task, Selected(entry), params).before
        return dict(before) if before else None


def _line(row: JsonObject) -> str:
    """Return an entry as one line of a table, whatever it is called: it may be forged, and is reviewed here."""
    notes = ("protected" * row["protected"], "not declared" * (not row["declared"]))
    more = ("outcome unknown" * (row["phase"] == CREATING), row["doubt"])
    number = "-" if row["id"] is None else row["id"]
    cells = (row["kind"], row["key"], row["name"], number, row["origin"], ", ".join(filter(None, (*notes, *more))))
    return LINE % tuple(name_in_line(str(cell)) for cell in cells)


def _told(before: JsonObject | None, after: JsonObject | None) -> Result:
    """Return the result of a command that may change the registry."""
    return {"changed": before != after, "entry": after, "diff": {"before": before or {}, "after": after or {}}}
