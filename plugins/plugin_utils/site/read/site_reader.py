# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A site file and its environments from disk, as Ansible would treat them in a task.

Texts are decrypted, templates resolved, types and rules of options checked.
"""

from __future__ import annotations

import os
import re
import typing as t
from functools import cached_property

from ansible.errors import AnsibleError
from ansible.module_utils.common.arg_spec import ArgumentSpecValidator
from ansible.module_utils.common.parameters import remove_values
from ansible.parsing.dataloader import DataLoader
from ansible.template import trust_as_template

from ....module_utils._ansible.execution import check_shapes
from ....module_utils._ansible.option_suggestions import with_unknown_options
from ....module_utils._connection.options import OptionType, own_options
from ....module_utils._core.errors import InvalidInput
from ....module_utils._core.text import Redactor, leaf_texts, plain_data, secret_option_values
from ....module_utils._core.type_aliases import JsonObject
from ..model import EntryKind, Spec
from .secret_sources import SecretSources
from .site_yaml import Mistakes, Table, Text, may_be_template, plain_number, read_yaml, written_text

MAX_SITE_FILE_BYTES = 32 << 20  # bytes
OMITTED: t.Any = object()
"""The value of an option that a template leaves out."""

NOT_REVEALED = (
    "it comes from a lookup or is encrypted, and would be shown in plans and reports. To allow that, add "
    '!reveal, such as !reveal "{{ ... }}".'
)


def read_site_file(loader: DataLoader, path: str) -> Table:
    """Return what is in a file; messages call it by its path from the current folder, if it is below."""
    whole = os.path.abspath(path)
    near = os.path.relpath(whole)
    label = whole if near.startswith(os.pardir) else near
    if not os.path.exists(whole):
        raise InvalidInput(f"There is no file {label}.", next_step="Check the path.")
    if not os.path.isfile(whole):
        raise InvalidInput(f"{label} is not a regular file.", next_step="Give the site file itself.")
    if os.path.getsize(whole) > MAX_SITE_FILE_BYTES:
        raise InvalidInput(
            f"{label} has more than {MAX_SITE_FILE_BYTES >> 20} MiB, which is too large for a site file."
        )
    try:
        text = loader.get_text_file_contents(whole, "latin-1")  # which takes any byte
        content = text.encode("latin-1").decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{label} is not UTF-8 (byte {error.start}).") from None
    except AnsibleError as error:
        first = str(error.message).splitlines()[0] if str(error.message) else type(error).__name__
        raise InvalidInput(f"{label} cannot be read: {first}") from None
    except OSError as error:
        raise InvalidInput(f"{label} cannot be read: {error.strerror}.") from None
    return read_yaml(content, label, os.path.dirname(whole))


class SiteReader:
    """Resolves templates with the variables of a task, checks options, and collects what is wrong with a site file.

    ``secrets``: values of secret options are looked at; ``redactor`` knows those that were. ``guesses``: names or
    entries are not known, since they were not looked at.
    """

    def __init__(self, loader: DataLoader, templar: t.Any, *, secrets: bool = True, lookups: bool = True) -> None:
        self.secrets = secrets
        self.mistakes = Mistakes()
        self.redactor = Redactor()
        self.guesses = False
        self._lookups = lookups
        self._loader = loader
        self._variables = templar.available_variables
        self._validators: dict[str, ArgumentSpecValidator] = {}
        self._omit = self._variables.get("omit")
        self._templar = templar

    @cached_property
    def _sources(self) -> SecretSources:
        """The sources of what templates draw; a file without templates has none."""
        return SecretSources(self._variables)

    def is_secret(self, value: object) -> bool:
        """Whether a value, or something in it, was decrypted or looked up, and the file does not say to show it."""
        return any(one.secret is not False if self._reads_outside(one) else bool(one.secret) for one in _texts(value))

    def plain_texts(self, value: object) -> t.Iterator[str]:
        """Yield the texts in a secret value that were neither decrypted nor looked up, but stand beside such."""
        if isinstance(value, (dict, list)):
            for entry in value.values() if isinstance(value, dict) else value:
                yield from self.plain_texts(entry)
        elif not self.is_secret(value):
            found = self._resolve(value)
            yield from leaf_texts(None if found is OMITTED else found)

    def is_skipped(self, value: object) -> bool:
        """Whether a value is not looked at in this reading."""
        if self.secrets:
            return False
        return self.is_secret(value) or (not self._lookups and any(map(self._reads_outside, _texts(value))))

    def _reads_outside(self, text: Text) -> bool:
        return text.vaulted or (not text.literal and may_be_template(text) and self._sources.reads_outside(str(text)))

    def resolve_entries(self, text: t.Any) -> object:
        """Return what a template stands for in the place of entries, None for what is not looked at.

        What is in a variable may have secrets in it, which stay templates. Raises InvalidInput.
        """
        if self.is_secret(text) and text.secret is None:
            found = self._sources.inside(str(text), text.source)
            if found is not None:
                return found
        found = self.resolve(text)
        skipped = found is OMITTED and self.is_skipped(text)
        self.guesses = self.guesses or skipped
        return None if skipped else found

    def resolve(self, value: object, *, secret: bool = False) -> t.Any:
        """Return a value with all texts in it resolved, OMITTED for one that is not looked at. Raises InvalidInput."""
        if not secret and self.is_secret(value):
            raise InvalidInput(NOT_REVEALED)
        if self.is_skipped(value):
            return OMITTED
        found = self._resolve(value)
        for text in (*leaf_texts(found), *sorted({*_keys(found)} - {*_keys(value)})) if secret else ():
            self.redactor.add(text)
        return found

    def _resolve(self, value: object) -> object:
        if isinstance(value, dict):
            found = {name: self._resolve(entry) for name, entry in value.items()}
            return {name: entry for name, entry in found.items() if entry is not OMITTED}
        if isinstance(value, list):
            return [entry for entry in map(self._resolve, value) if entry is not OMITTED]
        return self._value(value) if isinstance(value, Text) else value

    def _value(self, text: Text) -> t.Any:
        """Return what a text stands for, OMITTED for nothing. Raises InvalidInput."""
        if text.vaulted:
            return self._decrypted(text)
        if text.literal or not may_be_template(text):
            return str(text)
        try:
            found = self._templar.template({"it": trust_as_template(str(text))})  # in a mapping, or omit is an error
        except AnsibleError as error:
            raise template_error(error, str(text)) from None
        except Exception as error:  # noqa: BLE001 - a filter may raise anything
            raise InvalidInput(f"the template cannot be resolved: {type(error).__name__}.") from None
        if "it" not in found or (self._omit is not None and found["it"] == self._omit):
            return OMITTED
        return plain_data(found["it"])

    def validate(self, kind: EntryKind, options: JsonObject) -> tuple[JsonObject, list[str]]:
        """Return the options of an entry complete and converted, and what is wrong with them."""
        validator = self._validators.get(kind.name)
        operation = kind.operation()
        if validator is None:
            validator = ArgumentSpecValidator(dict(operation.options), **operation.rules)
            self._validators[kind.name] = validator
        try:
            options = {name: _as_written(operation.options[name], value, name) for name, value in options.items()}
            check_shapes(operation.options, options)
            done = validator.validate(options)
        except InvalidInput as wrong:
            return {}, [str(wrong)]
        except (ArithmeticError, ValueError):  # a number without end, or with thousands of digits
            return {}, list(_inconvertible(operation.options, options))
        params: JsonObject = done.validated_parameters
        messages = done.error_messages
        if not messages:
            try:
                return own_options(operation.options, params), []
            except InvalidInput as wrong:
                messages = [str(wrong)]

        hidden = {*done._no_log_values, *secret_option_values(operation.options, options)}  # noqa: SLF001 - no public way
        readable = [with_unknown_options(text, operation.name, operation.options, options) for text in messages]
        return params, [str(remove_values(text, hidden)) for text in readable]

    def _decrypted(self, text: Text) -> str:
        try:
            return str(self._loader._vault.decrypt(str(text).encode()), "utf-8")  # noqa: SLF001 - as Ansible's own YAML
        except UnicodeDecodeError:
            raise InvalidInput("the decrypted text is not UTF-8.") from None
        except AnsibleError:
            raise InvalidInput(
                "it cannot be decrypted with the vault secrets at hand.",
                next_step="Give --vault-password-file or --vault-id.",
            ) from None


TEXT, DATA = {"type": "str"}, {"type": "float"}


def _as_written(spec: Spec, value: object, name: str) -> object:
    """Return a value as the module takes it: a number is what stands in the file where a text is expected, else plain.

    In a free mapping all values are texts, in the data of a content they are not. Raises InvalidInput.
    """
    kind, options = spec.get("type", "str"), spec.get("options") or {}
    inside = TEXT if kind in ("str", "dict") else DATA
    if isinstance(value, dict):
        named = {key: options.get(key, inside) for key in value}
        return {key: _as_written(named[key], one, f"{name}.{key}") for key, one in value.items()}
    if isinstance(value, list):
        of_list: Spec = {"type": spec.get("elements", "raw"), "options": options} if kind == "list" else inside
        return [_as_written(of_list, one, f"{name}[{number}]") for number, one in enumerate(value)]
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return value
    is_text = kind in ("str", "path", "raw") and not isinstance(kind, OptionType)  # sizes and times are numbers
    return written_text(value) if is_text else plain_number(value, name)


def _inconvertible(spec: t.Mapping[str, t.Any], options: JsonObject) -> t.Iterator[str]:
    """Yield a message for each option that Ansible fails to convert, instead of telling what is wrong with it."""
    for name, value in options.items():
        kept = {key: entry for key, entry in spec[name].items() if key in ("type", "elements", "options")}
        try:
            ArgumentSpecValidator({name: kept}).validate({name: value})
        except (ArithmeticError, ValueError):
            yield f"{name}: a number is expected, in digits, and not longer than the service accepts."


def _keys(value: object) -> t.Iterator[str]:
    """Yield the names in a value; those that the file does not have came of what is secret."""
    if isinstance(value, (dict, list)):
        yield from map(str, value if isinstance(value, dict) else ())
        for entry in value.values() if isinstance(value, dict) else value:
            yield from _keys(entry)


def _texts(value: object) -> t.Iterator[Text]:
    """Yield the texts of the file in a value."""
    if isinstance(value, (dict, list)):
        for entry in value.values() if isinstance(value, dict) else value:
            yield from _texts(entry)
    elif isinstance(value, Text):
        yield value


UNRESOLVED = "the template cannot be resolved"
CONCEALED_REASON = f"{UNRESOLVED}. The reason is not shown, because the value is secret."
_UNDEFINED = re.compile(r"'([^']+)' is undefined|has no attribute '[^']+'")
_NO_VARIABLE = re.compile(r"no variable named '[^']+'", re.IGNORECASE)
_NO_FILE = re.compile(
    r"file not found|could not locate file|could not be found|could not find|unable to find", re.IGNORECASE
)
_FILE_LOOKUP = re.compile(r"""\b(?:lookup|query|q)\(\s*(['"])([\w.]+)\1\s*,\s*(['"])([^'"\\]+)\3\s*[,)]""")
_SYNTAX = re.compile(r"syntax error|template error while templating", re.IGNORECASE)


def template_error(error: AnsibleError, template: str) -> InvalidInput:
    """Return what is wrong with a template; ``concealed`` in the details is the same without any value."""
    message = str(error.message)
    concealed = _concealed_reason(message, template)
    found = _UNDEFINED.search(message)
    if found:
        origin = "Variables come from -e, and from an inventory that is given with -i." if found.group(1) else None
        what = f"{'' if found.group(1) else 'something '}{found.group()}."
        return InvalidInput(what, next_step=origin, concealed=concealed)
    lines = message.partition(" String: ")[0].splitlines() or [type(error).__name__]
    return InvalidInput(f"{UNRESOLVED}: {lines[0]}", concealed=concealed)


def _concealed_reason(message: str, template: str) -> str:
    undefined = _UNDEFINED.search(message)
    if undefined and undefined.group(1) in re.findall(r"\w+", template):
        return f"{undefined.group()}."
    if undefined and not undefined.group(1):
        return f"{UNRESOLVED}: something in it has no such attribute. No more is shown, because the value is secret."
    if undefined or _NO_VARIABLE.search(message):
        return f"{UNRESOLVED}: a variable that it depends on is undefined."
    if _NO_FILE.search(message):
        return _missing_file(message, template)
    if _SYNTAX.search(message):
        return f"{UNRESOLVED}: it has a syntax error, or names a filter or test that does not exist."
    return CONCEALED_REASON


def _missing_file(message: str, template: str) -> str:
    """Return which file a lookup misses, if its name stands in the template, and not in a value."""
    for _quote, plugin, _other, file in _FILE_LOOKUP.findall(template):
        if re.search(rf"(?<![\w./-]){re.escape(file)}(?![\w/-])", message):
            return f"{UNRESOLVED}: the lookup {plugin} finds no file {file!r}."
    return f"{UNRESOLVED}: a lookup finds no file of that name. The name is not shown, because it may be secret."
