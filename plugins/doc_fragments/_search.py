# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Options of readers that search. Private to the collection."""

from __future__ import annotations


class ModuleDocFragment:
    """C(fcd.cloud._search) for searches, C(fcd.cloud._search.language) for what has a name for each language."""

    DOCUMENTATION = r"""
options:
  search_text:
    description:
      - Text to search for; what is searched is up to the service.
    type: str
    aliases: [search]
  filters:
    description:
      - Further members of the search input, as M(fcd.cloud.contract_info) lists them, in any spelling. The direction
        of sorting is one of them where the WSDL has it; nothing is sent for it otherwise.
      - A wrong name or value is refused before anything is sent.
    type: dict
  limit:
    description:
      - Most rows to return, the first ones in the order of the service, which the contract does not show. Without it,
        all of them are read, page after page.
    type: int
"""

    LANGUAGE = r"""
options:
  language_dict_id:
    description:
      - Number of the language in which names are told, for what has a name for each language. A name is null
        where there is none in this language.
      - Without it, the name is the English one (number 2), else the first that there is.
    type: int
    aliases: [language_id]
"""
