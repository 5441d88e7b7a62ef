# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Why a template cannot be resolved, in full, and without anything that a value of it could show.

Ansible's messages quote values. Of a template with a secret value, only names that stand in its own text are repeated.
"""

from __future__ import annotations

import re

from ansible.errors import AnsibleError

from ...module_utils._core.errors import InvalidInput

UNRESOLVED = "the template cannot be resolved"
CONCEALED = f"{UNRESOLVED}. The reason is not shown, because the value is secret."
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
        return InvalidInput(f"{'' if found.group(1) else 'something '}{found.group()}.", concealed=concealed)
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
    return CONCEALED


def _missing_file(message: str, template: str) -> str:
    """Return which file a lookup misses, if its name stands in the template, and not in a value."""
    for _quote, plugin, _other, file in _FILE_LOOKUP.findall(template):
        if re.search(rf"(?<![\w./-]){re.escape(file)}(?![\w/-])", message):
            return f"{UNRESOLVED}: the lookup {plugin} finds no file {file!r}."
    return f"{UNRESOLVED}: a lookup finds no file of that name. The name is not shown, because it may be secret."
