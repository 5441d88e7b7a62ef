# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which templates draw on something outside: a lookup, or a value that is encrypted with Ansible Vault.

This is found out from their text, before anything is resolved. What they draw may be secret, and drawing it may run
programs. A template draws as well when a variable in it does, so variables are followed to the end.
"""

from __future__ import annotations

import json
import typing as t

from ansible.parsing.vault import EncryptedString
from jinja2 import Environment, TemplateSyntaxError, nodes

from .site_yaml import SourceLine, may_be_template, text_at

LOOKUPS = ("lookup", "query", "q")
_SHORT = (
    *("dict", "flattened", "indexed_items", "items", "list"),
    *("nested", "random_choice", "sequence", "subelements", "together"),
)
PURE = frozenset([*_SHORT, *(f"ansible.builtin.{name}" for name in _SHORT)])
"""Lookups that only give what they are given."""

PLAIN_NODES = (
    *(nodes.Const, nodes.List, nodes.Tuple, nodes.Dict, nodes.Pair, nodes.Keyword),
    *(nodes.Name, nodes.Getattr, nodes.Getitem),
)
"""What makes no text."""

DECRYPTS = frozenset(["unvault", "ansible.builtin.unvault"])
OTHER_FILES = (nodes.Include, nodes.Import, nodes.FromImport, nodes.Extends)
OTHER_DELIMITERS = "#jinja2:"
ANYTHING = OTHER_DELIMITERS  # counts as a template that draws
VariablePath = t.Tuple[t.Any, ...]


class SecretSources:
    """Knows the variables of a task as they are written, templates in them not resolved."""

    def __init__(self, variables: t.Mapping[str, object]) -> None:
        self._variables = variables
        self._jinja = Environment(extensions=["jinja2.ext.do", "jinja2.ext.loopcontrols"])  # noqa: S701 - only parses
        self._templates: dict[str, bool] = {}
        self._paths: dict[VariablePath, bool] = {}
        self._inside = False

    def reads_outside(self, template: str) -> bool:
        """Return whether the template draws on something outside; one that cannot be read draws on nothing."""
        if template not in self._templates:
            outermost, self._inside = not self._inside, True
            known = len(self._templates), len(self._paths)
            self._templates[template] = False  # for one that leads back to itself
            self._templates[template] = self._reads_outside(template)
            if outermost:
                self._inside = False
                if self._templates[template]:  # what was found on the way may have been judged before this was known
                    _forget_guesses(self._templates, known[0])
                    _forget_guesses(self._paths, known[1])
        return self._templates[template]

    def _reads_outside(self, template: str) -> bool:
        if template.startswith(OTHER_DELIMITERS):
            return True
        try:
            tree = self._jinja.parse(template)
        except TemplateSyntaxError:
            return False
        return _reaches_out(tree) or any(self._variable_draws(path) for path in _paths_in(tree))

    def _variable_draws(self, path: VariablePath) -> bool:
        if path not in self._paths:
            self._paths[path] = False
            self._paths[path] = self._value_draws(self._raw(path))
        return self._paths[path]

    def _value_draws(self, value: object) -> bool:
        if isinstance(value, EncryptedString):
            return True
        if isinstance(value, str):
            return may_be_template(value) and self.reads_outside(value)
        if isinstance(value, t.Mapping):
            return any(map(self._value_draws, value.values()))
        return isinstance(value, (list, tuple)) and any(map(self._value_draws, value))

    def _raw(self, path: VariablePath) -> object:
        """Return what is written where the path leads; where it leads into a template, the template."""
        variables: t.Any = self._variables
        if path[0] == "vars":
            path = path[1:]
        elif path[0] == "hostvars":
            hosts: t.Any = variables.get("hostvars")
            known = len(path) > 1 and hasattr(hosts, "raw_get")
            variables, path = (hosts.raw_get(path[1]), path[2:]) if known else ({}, ())
        if not path or not isinstance(variables, t.Mapping):
            return ANYTHING
        value: t.Any = variables.get(path[0])
        for member in path[1:]:
            if not _has(value, member):  # a method, or a part of what comes of a template
                break
            value = value[member]
        return value

    def inside(self, template: str, source: SourceLine) -> object:
        """Return what a template stands for that is only the name of a variable with a list or mapping in it.

        It is written out as if it stood in the file: each text in it that is a template, or encrypted, is a template of
        its own. None: the template is something else.
        """
        path = self._bare(template)
        value = self._raw(path) if path else None
        if isinstance(value, str) and may_be_template(value) and value != template:
            return self.inside(value, source)
        if not path or not isinstance(value, (t.Mapping, list)):
            return None
        return _written(value, path[0] + "".join(f"[{json.dumps(member)}]" for member in path[1:]), source)

    def _bare(self, template: str) -> VariablePath | None:
        try:
            body = self._jinja.parse(template).body
        except TemplateSyntaxError:
            return None
        alone = body[0].nodes if len(body) == 1 and isinstance(body[0], nodes.Output) else ()
        return _path(alone[0]) if len(alone) == 1 else None


def _forget_guesses(judged: dict[t.Any, bool], known: int) -> None:
    """Leave out all that was judged to draw on nothing after the first ``known``."""
    for one in [one for one in [*judged][known:] if not judged[one]]:
        del judged[one]


def _reaches_out(tree: nodes.Template) -> bool:
    """Whether a template reads other files, decrypts, or looks up what it was not given."""
    filters = {one.name for one in tree.find_all(nodes.Filter)}
    constants = {one.value for one in tree.find_all(nodes.Const) if isinstance(one.value, str)}  # map('unvault', ...)
    pure = {id(one.node) for one in tree.find_all(nodes.Call) if _is_pure(one)}
    lookups = (one for one in tree.find_all(nodes.Name) if one.name in LOOKUPS and id(one) not in pure)
    return not DECRYPTS.isdisjoint(filters | constants) or any(map(any, (tree.find_all(OTHER_FILES), lookups)))


def _is_pure(call: nodes.Call) -> bool:
    """Whether this looks up nothing. Lookups resolve templates in what they are given, so it may hold or make none."""
    name = call.args[0] if call.args and isinstance(call.node, nodes.Name) and call.node.name in LOOKUPS else None
    if not isinstance(name, nodes.Const) or name.value not in PURE:
        return False
    return all(
        isinstance(one, PLAIN_NODES) and not (isinstance(one, nodes.Const) and _begins_template(str(one.value)))
        for one in call.find_all(nodes.Node)
    )


def _begins_template(text: str) -> bool:
    return "{" in text or text.startswith(OTHER_DELIMITERS)


def _has(value: object, member: object) -> bool:
    if isinstance(value, t.Mapping):
        return member in value
    return isinstance(value, (list, tuple)) and isinstance(member, int) and -len(value) <= member < len(value)


def _path(node: nodes.Node) -> VariablePath | None:
    """Return name, members and items of an expression such as ``a.b['c'][0]``, None for another one."""
    if isinstance(node, nodes.Name):
        return (node.name,)
    if isinstance(node, nodes.Getattr):
        above, member = _path(node.node), node.attr
    elif isinstance(node, nodes.Getitem) and isinstance(node.arg, nodes.Const):
        above, member = _path(node.node), node.arg.value
    else:
        return None
    return above and (*above, member)


def _paths_in(node: nodes.Node) -> t.Iterator[VariablePath]:
    """Yield the variables that an expression uses, each with the way to the part of it."""
    path = _path(node)
    if path:
        yield path
        return
    for below in node.iter_child_nodes():
        yield from _paths_in(below)


def _written(value: object, expression: str, source: SourceLine) -> t.Any:
    if isinstance(value, t.Mapping):
        return {
            str(name): _written(one, f"{expression}[{json.dumps(str(name))}]", source) for name, one in value.items()
        }
    if isinstance(value, list):
        return [_written(one, f"{expression}[{number}]", source) for number, one in enumerate(value)]
    if isinstance(value, EncryptedString) or (isinstance(value, str) and may_be_template(value)):
        return text_at(f"{{{{ {expression} }}}}", source)
    return text_at(value, source, literal=True) if isinstance(value, str) else value
