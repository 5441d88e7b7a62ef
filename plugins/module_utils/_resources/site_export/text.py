# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The text of an exported site file. The same account gives the same text: there is no date in it."""

from __future__ import annotations

import typing as t

from .found import LeftOut
from .writer import comment, document, quoted

HEAD = """The account as a site file: applied, it changes nothing.
What could not be declared so stands at the end, with the reasons. No secret is in here."""
FEW = 8  # names that one reason is told with
Groups = t.Dict[t.Tuple[str, t.Optional[str], str], t.List[str]]


def text_of(site: t.Mapping[str, t.Any], left_out: t.Iterable[LeftOut], not_read: t.Sequence[dict[str, str]]) -> str:
    """Return the file."""
    told = [f"{one['kind']} could not be read: {one['reason']}" for one in not_read]
    groups: Groups = {}
    for left in left_out:
        names = groups.setdefault((left.kind, left.option, left.reason), [])
        if left.name is not None:
            names.append(left.name)
    told += [_line(kind, option, reason, names) for (kind, option, reason), names in groups.items()]
    end = comment("Left out:\n" + "\n".join(f"- {line}" for line in told)) if told else ""
    return f"{comment(HEAD)}---\n{document(site)}{end and chr(10)}{end}"


def _line(kind: str, option: str | None, reason: str, names: t.Sequence[str]) -> str:
    """Return one line, whatever is in the names."""
    shown = ", ".join(map(quoted, names[:FEW]))
    more = f" and {len(names) - FEW} more" if len(names) > FEW else ""
    parts = [f"{kind}:", option or "", "of" if option and names else "", f"{shown}{more}"]
    return f"{' '.join(filter(None, parts))}: {' '.join(reason.split())}"
