# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Values between a playbook and the service: plain data on the way in, and texts that stay texts on the way out.

Whoever names an instance writes no templates here. Since ansible-core 2.19 a text is a template only when it comes from
the user. Before, every text was one unless it was marked; there an instance with the name ``{{ lookup('pipe', ...) }}``
would run a command. A first line ``#jinja2:`` makes a template of a text without any brace, for it says what stands in
their place.

Names of hosts are more than texts: they become arguments of ssh, parts of paths and patterns of hosts.
"""

from __future__ import annotations

import datetime as dt
import re
import typing as t

import ansible.template
from ansible.utils.unsafe_proxy import wrap_var

_TRUST = getattr(ansible.template, "trust_as_template", None)
NEEDED = _TRUST is None
OTHER_DELIMITERS = "#jinja2:"
BRACES = str.maketrans("{}", "__")
ODD = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]"  # ends lines, moves the cursor, turns the direction of writing
    r"|[\u061c\u200b-\u200f\ufeff]"  # has no width: two names look the same
    r"|[/\\]|^\.+$"  # leads to another file: facts and host_vars are kept by name
    r"|[*?\[\]]"  # would take the place of a pattern: hosts: '*' would be the controller alone
    r"|^-"  # an option of ssh, where the instance has no address
)
"""What has no place in the name of a host."""


class Untrusted:
    """Marks values where it is needed; equal texts, and equal objects, stay one."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[t.Any, t.Any]] = {}
        self._texts: dict[str, t.Any] = {}

    def value(self, value: object) -> t.Any:
        """Return the value so that no template is seen in it.

        Texts that can be none are plain in what ``ansible-inventory`` prints, which other programs read: marks would
        show there, and so does, since ansible-core 2.19, whatever is not trusted.
        """
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, list):
            return [self.value(one) for one in value]
        if not isinstance(value, dict):
            return value
        if id(value) not in self._known:
            marked = {name: self.value(one) for name, one in value.items()}
            self._known[id(value)] = (value, marked)  # held, or another object may get its id
        return self._known[id(value)][1]

    def _text(self, text: str) -> object:
        if "{" in text or text.startswith(OTHER_DELIMITERS):
            return wrap_var(text) if NEEDED else text  # the very one: an equal text of the user may be trusted
        if _TRUST is None:
            return text
        if text not in self._texts:
            self._texts[text] = _TRUST(text)
        return self._texts[text]

    def composed(self, value: object) -> object:
        """Return what an expression of the user has made; core has marked what may be no template there."""
        return value if NEEDED else self.value(value)

    @staticmethod
    def name(name: str) -> str:
        """Return the name of a host, with underscores in place of what does harm there.

        A marked one would be a mapping in what ``ansible-inventory --list`` prints.
        """
        name = ODD.sub(lambda found: "_" * len(found.group()), name)
        if not NEEDED:
            return name
        return name.translate(BRACES).replace(OTHER_DELIMITERS, "_jinja2:")


def plain_data(value: object) -> t.Any:
    """Return the value without the tags and kinds of text that only the controller knows."""
    if isinstance(value, t.Mapping):
        return {str(key): plain_data(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain_data(entry) for entry in value]
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, (dt.date, dt.time)):  # YAML makes them of texts without quotes; a module gets ISO 8601
        return value.isoformat()
    for kind in (int, float):
        if isinstance(value, kind):
            return kind(value)
    return str(value)  # texts, and what becomes one when it is sent
