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
      - Text to search for. Which fields are searched depends on the service.
    type: str
    aliases: [search]
  filters:
    description:
      - Further members of the search input, as listed by M(fcd.cloud.contract_info), in any spelling. They include the
        sort direction if the WSDL has it; otherwise, none is sent.
      - Unknown names and invalid values are rejected before anything is sent.
    type: dict
  limit:
    description:
      - Maximum number of rows to return, in the order of the service, which the contract does not define. If omitted,
        all rows are read, page by page.
    type: int
"""

    LANGUAGE = r"""
options:
  language_dict_id:
    description:
      - ID of the language in which to return names that exist in several languages. A name is null if there is none in
        this language.
      - If omitted, the English name (language 2) is returned, or the first name if there is no English one.
    type: int
    aliases: [language_id]
"""
