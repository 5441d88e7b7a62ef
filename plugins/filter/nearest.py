# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Filter that finds what somebody meant who misspelt a name."""

from __future__ import annotations

DOCUMENTATION = r"""
name: nearest
short_description: Find the names most similar to a word
version_added: 1.0.0
description:
  - Returns the candidates that are most similar to a word, best match first; an empty list if none is similar.
  - It is intended for error messages that suggest valid values.
author:
  - FCD collection contributors (@fcd-cloud)
positional: candidates
options:
  _input:
    description: The word.
    required: true
    type: str
  candidates:
    description: The names to search.
    required: true
    type: list
    elements: str
  most:
    description: Maximum number of names to return.
    type: int
    default: 3
"""

EXAMPLES = r"""
- name: Show the most similar name
  ansible.builtin.debug:
    msg: "{{ 'subregoin' | fcd.cloud.nearest(['template', 'subregion', 'type']) | first }}"
"""

RETURN = r"""
_value:
  description: The names, best match first.
  type: list
  elements: str
"""

import typing as t

from ansible.errors import AnsibleFilterError

from ansible_collections.fcd.cloud.plugins.module_utils._core import text as names


def _nearest(word: t.Any, candidates: t.Any, most: int = 3) -> list[str]:
    """Return the candidates that are most like the word."""
    if not isinstance(word, str):
        raise AnsibleFilterError(f"fcd.cloud.nearest takes a text, not {type(word).__name__}.")
    if isinstance(candidates, (str, bytes)) or not isinstance(candidates, t.Iterable):
        raise AnsibleFilterError("fcd.cloud.nearest: candidates must be a list of texts.")
    return names.nearest(str(word), [str(name) for name in candidates], int(most))


class FilterModule:
    """Hands out the filter."""

    def filters(self) -> dict[str, t.Callable[..., t.Any]]:
        """Return the filter by its name."""
        return {"nearest": _nearest}
