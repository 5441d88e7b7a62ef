# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks of one's own: expressions over a plan that have to hold before it is applied.

They are written as those of ``assert``. The plan is data of the service, so that no text in it is taken for a template.
"""

from __future__ import annotations

import hashlib
import os
import typing as t

from ansible.errors import AnsibleError
from ansible.module_utils.parsing.convert_bool import boolean
from ansible.template import Templar, trust_as_template

from ....module_utils._core.errors import InvalidInput
from ....module_utils._core.private_files import read_regular
from ....module_utils._core.text import did_you_mean
from ..model import KINDS
from ..read.secret_sources import SecretSources
from ..read.site_yaml import Mistakes, SourceLine, Table, read_yaml
from .plan_document import COUNTED_VERDICTS, digest_of_text

TOP, WORDS = "policies", ("name", "that", "message", "when", "each")
POLICY_SUFFIXES = (".yml", ".yaml")
MAX_POLICY_BYTES = 1 << 20  # bytes of a file

if t.TYPE_CHECKING:
    from ansible.parsing.dataloader import DataLoader


class Policy(t.NamedTuple):
    """One check: all of ``that`` has to hold where ``when`` does; with ``each`` for every change, as ``change``."""

    name: str
    that: tuple[str, ...]
    message: str
    when: str
    each: bool
    source: SourceLine


class PolicyResult(t.NamedTuple):
    """What came of a check, as a plan tells it."""

    name: str
    file: str
    message: str
    passed: bool


def read_policies(paths: t.Sequence[str]) -> list[Policy]:
    """Return the checks in files, and in the YAML files of folders, by name. Raises InvalidInput with all mistakes."""
    mistakes, files = Mistakes(), []
    for path in paths:
        here = policy_files(path)
        if not here:
            suffixes = " or ".join(POLICY_SUFFIXES)
            what = f"{TOP}: a folder of policies must contain files that end in {suffixes}; this one has none."
            mistakes.note(SourceLine(_label(path), path), what)
        files += here
    found = [policy for file in files for policy in _policies_in(file, mistakes)]
    mistakes.raise_any()
    return found


def _label(path: str) -> str:
    near = os.path.relpath(path)
    return path if near.startswith(os.pardir) else near


def _policies_in(path: str, mistakes: Mistakes) -> list[Policy]:
    label = _label(path)
    try:
        content = read_regular(path, MAX_POLICY_BYTES).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise InvalidInput(f"policies: {label} cannot be read: {why}.", option=TOP) from None
    whole = read_yaml(content, label, os.path.dirname(path))
    for key in (key for key in whole if key != TOP):
        mistakes.note(whole.source_of(key), f"there is no {key!r} in a file of policies, only {TOP}.")
    rows = whole.get(TOP)
    if not isinstance(rows, list):
        mistakes.note(whole.source, f"{TOP}: a list of checks is expected.")
        return []
    return [policy for row in rows for policy in _policies(row, whole.source_of(TOP), mistakes)]


def policy_files(path: str) -> list[str]:
    """Return the file itself, or the files of policies in a folder by name."""
    if not os.path.isdir(path):
        return [path]
    return [os.path.join(path, name) for name in sorted(os.listdir(path)) if name.endswith(POLICY_SUFFIXES)]


def _policies(row: object, above: SourceLine, mistakes: Mistakes) -> t.Iterator[Policy]:
    """Yield the check that a row is; nothing where it is wrong."""
    if not isinstance(row, Table):
        mistakes.note(getattr(row, "source", above), f"{TOP}: a check is a mapping with name, that and message.")
        return
    unknown = [key for key in row if key not in WORDS]
    for key in unknown:
        mistakes.note(row.source_of(key), f"{TOP}: there is no {key!r} in a check. {did_you_mean(key, WORDS)}")
    if unknown:
        return
    that, each = _that(row, mistakes), _each(row, mistakes)
    if that is None or each is None:
        return
    yield Policy(
        name=str(row["name"]),
        that=that,
        message=str(row["message"]),
        when=str(row.get("when", "true")),
        each=each,
        source=row.source,
    )


def _that(row: Table, mistakes: Mistakes) -> tuple[str, ...] | None:
    given = row.get("that")
    that = given if isinstance(given, list) else [given]
    texts = [*that, row.get("name"), row.get("message"), row.get("when", "true")]
    if that and all(isinstance(one, (str, bool)) for one in texts):
        return tuple(map(str, that))
    mistakes.note(row.source, f"{TOP}: a check has name, that (one or several expressions) and message.")
    return None


def _each(row: Table, mistakes: Mistakes) -> bool | None:
    try:
        return bool(boolean(row.get("each", False)))
    except TypeError:
        mistakes.note(row.source_of("each"), f"{TOP}: each is true or false, not {row['each']!r}.")
        return None


def policies_digest(paths: t.Sequence[str]) -> str:
    """Return the digest over the files of policies, wherever they are. Raises InvalidInput."""
    try:
        files = [(os.path.basename(file), read_regular(file)) for path in paths for file in policy_files(path)]
    except OSError as error:
        raise InvalidInput(f"policies: {error.filename} cannot be read: {error.strerror}.", option="policies") from None
    return digest_of_text([(name, hashlib.sha256(content).hexdigest()) for name, content in files])


class FixedMembers(t.Dict[str, t.Any]):
    """A mapping of which the members are known, so that another one is a mistake, and not merely undefined."""

    def __init__(self, what: str, members: t.Mapping[str, object]) -> None:
        super().__init__(members)
        self._what = what

    def __getattribute__(self, name: str) -> t.Any:
        """Return a member rather than the method that a dictionary has by the same name, such as ``update``."""
        return self[name] if dict.__contains__(self, name) else super().__getattribute__(name)

    def __missing__(self, name: str) -> t.NoReturn:
        """Raise an error that no default hides."""
        raise AnsibleError(f"there is no {name!r} in {self._what}. {did_you_mean(name, self)}")

    def get(self, name: str, default: object = None) -> t.Any:
        """Return a member; there is nothing for which the default could stand."""
        del default
        return self[name]


def policy_view(plan: t.Mapping[str, t.Any]) -> FixedMembers:
    """Return a plan as policies see it: with the counts of every kind, and with fixed members where they are ours."""
    from ansible.utils.unsafe_proxy import wrap_var

    shown: dict[str, t.Any] = wrap_var(dict(plan))
    by_kind = {kind: {**dict.fromkeys(COUNTED_VERDICTS, 0), **shown["by_kind"].get(kind, {})} for kind in KINDS}
    counts = {kind: FixedMembers(f"plan.by_kind.{kind}", numbers) for kind, numbers in by_kind.items()}
    view = {
        **shown,
        "counts": FixedMembers("plan.counts", shown["counts"]),
        "by_kind": FixedMembers("plan.by_kind", counts),
    }
    for name, what in (("changes", "a change"), ("not_sent", "plan.not_sent"), ("errors", "plan.errors")):
        view[name] = [FixedMembers(what, one) for one in shown[name]]
    return FixedMembers("plan", view)


class PolicyCheck:
    """Tries checks on plans, with the variables of a task."""

    def __init__(self, loader: DataLoader, variables: t.Mapping[str, object], policies: t.Sequence[Policy]) -> None:
        self._loader = loader
        self._variables = variables
        self._sources = SecretSources({**variables, "plan": {}, "change": {}})
        self._policies = policies

    def results(self, plan: t.Mapping[str, object]) -> list[dict[str, object]]:
        """Return PolicyResults as dictionaries; of a check for each change only those that do not hold."""
        shown, found = policy_view(plan), []
        for policy in self._policies:
            more = [{"change": change} for change in shown["changes"]] if policy.each else [{}]
            results = [self._of_case(policy, {"plan": shown, **case}) for case in more]
            failed = [one for one in results if not one.passed]
            found += failed or [PolicyResult(policy.name, str(policy.source), "", passed=True)]
        return [one._asdict() for one in found]

    def _of_case(self, policy: Policy, case: dict[str, t.Any]) -> PolicyResult:
        templar = Templar(loader=self._loader, variables={**self._variables, **case})
        passed, message = False, policy.message
        try:
            passed = not self._holds(templar, policy.when) or all(self._holds(templar, one) for one in policy.that)
            if passed:
                message = ""
            elif not self._sources.reads_outside(message):  # what it reads may be secret: it stays as it is written
                message = str(templar.template(trust_as_template(message)))
        except AnsibleError as error:
            message = f"{message} (it cannot be evaluated: {self._why(policy, error)})"
        return PolicyResult(policy.name, str(policy.source), message, passed)

    def _why(self, policy: Policy, error: AnsibleError) -> str:
        """Return what is wrong with a check, without what came of a vault or a lookup."""
        written = (policy.message, *(_expression(one) for one in (policy.when, *policy.that)))
        if any(map(self._sources.reads_outside, written)):
            return "it uses a lookup or an encrypted value, so the reason is not shown"
        lines = str(error.message).partition(" String: ")[0].splitlines()
        return lines[0] if lines else type(error).__name__

    @staticmethod
    def _holds(templar: Templar, expression: str) -> bool:
        return str(templar.template(trust_as_template(_expression(expression)))) == "yes"


def _expression(text: str) -> str:
    """Return the template that an expression is tried with."""
    return "{{ 'yes' if (" + text + ") else 'no' }}"
