# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The text of an exported site file. The same account gives the same text: there is no date in it.

YAML is written here since the Python of a host that runs modules need not have a YAML library. Strings stand without
quotes only where no version of YAML, and nobody who reads it, can take them for anything else. What Ansible could
evaluate, if somebody loads the file as variables, gets the tag ``!unsafe``, which prevents it.
"""

from __future__ import annotations

import json
import re
import typing as t

from .._core.text import join_names, visible_lines
from .exported_account import LeftOut

HEADER_TEXT = """The account as a site file. Applying it changes nothing. Remove what another site owns.
Anything that could not be declared is listed at the end, with the reason. There are no secrets in this file."""
MAX_REASON_NAMES = 8  # names listed with one reason
Groups = t.Dict[t.Tuple[str, t.Optional[str], str], t.List[str]]


def site_text(site: t.Mapping[str, object], left_out: t.Iterable[LeftOut], not_read: t.Sequence[dict[str, str]]) -> str:
    told = [f"{one['kind']} could not be read: {one['reason']}" for one in not_read]
    groups: Groups = {}
    for left in left_out:
        names = groups.setdefault((left.kind, left.option, left.reason), [])
        if left.name is not None:
            names.append(left.name)
    told += [_line(kind, option, reason, names) for (kind, option, reason), names in groups.items()]
    end = yaml_comment("Left out:\n" + "\n".join(f"- {line}" for line in told)) if told else ""
    return f"{yaml_comment(HEADER_TEXT)}---\n{yaml_document(site)}{end and chr(10)}{end}"


def _line(kind: str, option: str | None, reason: str, names: t.Sequence[str]) -> str:
    """Return one line, whatever is in the names."""
    parts = [
        f"{kind}:",
        option or "",
        "of" if option and names else "",
        join_names(list(map(yaml_quoted, names)), MAX_REASON_NAMES),
    ]
    return f"{' '.join(filter(None, parts))}: {' '.join(reason.split())}"


PLAIN_SCALAR = re.compile(r"[A-Za-z][A-Za-z0-9_./@+-]*(?: [A-Za-z0-9_./@+()-]+)*")
YAML_WORDS = frozenset(("y", "n", "yes", "no", "on", "off", "true", "false", "null", "none", "nan", "inf"))
EVALUATED = re.compile(r"\{[{%#]|\A#jinja2:|[(|]")
"""Text that Ansible evaluates: templates and, in conditions, expressions that call something."""
MAX_PLAIN_SCALAR = 100  # characters


def yaml_document(value: t.Mapping[str, object]) -> str:
    """Return a mapping as a YAML document without its first line; an empty line stands before each list of mappings."""
    lines: list[str] = []
    for name, entry in value.items():
        if isinstance(entry, (dict, list)):
            lines.append("")
        lines += _member(yaml_scalar(name), entry)
    return "".join(f"{line}\n" for line in lines)


def yaml_comment(text: str) -> str:
    """Return a text, which may be anything, as lines of a comment."""
    return "".join(f"# {line}".rstrip() + "\n" for line in visible_lines(text))


def yaml_quoted(text: str) -> str:
    """Return a text in double quotes, in one line; invisible characters and those that change direction are escaped."""
    quoted = json.dumps(text, ensure_ascii=False)
    return quoted if quoted.isprintable() else "".join(map(_escaped, quoted))


def _escaped(mark: str) -> str:
    number = ord(mark)
    return mark if mark.isprintable() else f"\\u{number:04x}" if number <= 0xFFFF else f"\\U{number:08x}"


def yaml_scalar(value: object) -> str:
    """Return a scalar in one line."""
    if not isinstance(value, str):
        return json.dumps(value)
    if PLAIN_SCALAR.fullmatch(value) and len(value) <= MAX_PLAIN_SCALAR and value.lower() not in YAML_WORDS:
        return value
    return f"{_tag(value)}{yaml_quoted(value)}"


def _tag(text: str) -> str:
    return "!unsafe " if EVALUATED.search(text) else ""


def _member(name: str, value: object) -> list[str]:
    """Return the lines of one member of a mapping or, with a dash as its name, of one entry of a list."""
    if isinstance(value, dict) and value:
        return [f"{name}:", *_indented(_members(value))]
    if isinstance(value, list) and value:
        return [f"{name}:", *_indented(_entries(value))]
    if isinstance(value, str) and _as_block(value):
        kept = value.endswith("\n")
        lines = (value[:-1] if kept else value).split("\n")
        return [f"{name}: {_tag(value)}{'|' if kept else '|-'}", *_indented(lines)]
    return [f"{name}: {yaml_scalar(value)}"]


def _members(value: t.Mapping[object, object]) -> list[str]:
    return [line for name, entry in value.items() for line in _member(yaml_scalar(str(name)), entry)]


def _entries(values: t.Sequence[object]) -> list[str]:
    lines: list[str] = []
    for value in values:
        inside = _members(value) if isinstance(value, dict) and value else [yaml_scalar(value)]
        if isinstance(value, list) and value:
            inside = _entries(value)
        lines += [f"{'- ' if number == 0 else '  '}{line}" if line else "" for number, line in enumerate(inside)]
    return lines


def _indented(lines: t.Iterable[str]) -> list[str]:
    return [f"  {line}" if line else "" for line in lines]


def _as_block(text: str) -> bool:
    """Whether a text of several lines can be written as a block: nothing in it gets lost or has to be escaped."""
    lines = text.split("\n")
    return (
        len(text.rstrip("\n").split("\n")) > 1
        and all(map(str.isprintable, lines))
        and bool(lines[0])
        and not lines[0].startswith(" ")
        and not text.endswith("\n\n")
        and not any(line != line.rstrip() for line in lines)
    )
