# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lookup of the numbers behind labels."""

from __future__ import annotations

DOCUMENTATION = r"""
name: dictionary_item
short_description: Look up the numbers of dictionary items by their labels
version_added: 0.1.0
description:
  - Returns the number of each label in one dictionary of the service.
  - The dictionary is read once in a process, however many labels are looked up in it.
author:
  - FCD collection contributors (@fcd-cloud)
extends_documentation_fragment:
  - fcd.cloud._connection_plugin.common
  - fcd.cloud._connection_plugin.rest
options:
  _terms:
    description:
      - Labels. They match exactly, else without regard to upper and lower case.
      - A wrong one is answered with the nearest.
      - A number stands for itself when the dictionary has it.
    required: true
    type: list
    elements: str
  dictionary:
    description:
      - Number or name of the dictionary.
    required: true
    type: str
seealso:
  - module: fcd.cloud.dictionary_info
"""

EXAMPLES = r"""
- name: Show the number of a disk class
  ansible.builtin.debug:
    msg: "{{ lookup('fcd.cloud.dictionary_item', 'Tier 1', dictionary=17) }}"

- name: Show the numbers of several statuses
  ansible.builtin.debug:
    msg: "{{ query('fcd.cloud.dictionary_item', 'Powered On', 'Powered Off', dictionary='Instance statuses') }}"
"""

RETURN = r"""
_list:
  description: Numbers, in the order of the labels.
  type: list
  elements: int
"""

import typing as t

from ansible.errors import AnsibleLookupError
from ansible.plugins.lookup import LookupBase
from ansible.utils.display import Display

from ansible_collections.fcd.cloud.plugins.module_utils._core.digests import digest
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import FcdError
from ansible_collections.fcd.cloud.plugins.module_utils._core.redaction import Redactor
from ansible_collections.fcd.cloud.plugins.module_utils._engine.labels import Item, resolve
from ansible_collections.fcd.cloud.plugins.module_utils._resources.dictionary import content
from ansible_collections.fcd.cloud.plugins.module_utils._session.infrastructure import infrastructure
from ansible_collections.fcd.cloud.plugins.module_utils._session.options import REST
from ansible_collections.fcd.cloud.plugins.module_utils._session.settings import Settings
from ansible_collections.fcd.cloud.plugins.module_utils._session.task import Task

display = Display()
_READ: dict[str, list[Item]] = {}  # content of the dictionaries that this process has read, by who sees it


class LookupModule(LookupBase):
    """Looks up numbers."""

    def run(self, terms: list[t.Any], variables: dict[str, t.Any] | None = None, **kwargs: t.Any) -> list[int]:
        """Return the numbers of the labels."""
        self.set_options(var_options=variables, direct=kwargs)
        params = self.get_options()
        redactor = Redactor()
        try:
            settings = Settings.resolve(params, (REST,))
            redactor = Redactor(settings.secrets())
            items = self._items(settings, params["dictionary"])
            where = f"the items of dictionary {params['dictionary']}"
            return [resolve(str(term), items, option="label", where=where) for term in terms]
        except FcdError as error:
            raise AnsibleLookupError(redactor.text(f"fcd.cloud.dictionary_item: {error}")) from None

    def _items(self, settings: Settings, dictionary: str) -> list[Item]:
        who = [settings[name] for name in ("base_url", "username", "api_client_id", "access_token")]
        key = digest(*who, dictionary)
        if key not in _READ:
            task = Task(settings, warn=display.warning, tell=display.v, way="lookup")
            _READ[key] = content(infrastructure(task), dictionary)[1]
        return _READ[key]
