# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Suggestions for refused arguments: which option or value was meant."""

from __future__ import annotations

import re
import typing as t

from .._connection.options import OPTIONS, OptionSpecs
from .._core.text import nearest
from .option_synonyms import BOOLEANS, LISTED_BY, OWNERS, SYNONYMS_BY_MODULE, SYNONYMS_BY_VALUE, Synonyms

IDENTITY_OPTIONS = frozenset(("id", "name"))
SHORTEST, LONG = 4, 8  # letters of words that may be misspelt by one letter, and by two
RISKY_OPTION = re.compile(r"force|purge|recreate|delete|prune|overwrite|break_|discard")
"""Options that may remove or duplicate something."""

_SUGGESTION = re.compile("^(Did you mean|Use) '")
_UNANSWERED = re.compile(r"There is no option '[^']*'\.")

# in the messages of Ansible
_NO_NUMBER = re.compile(r"(?:argument|option) '(\w+)' .*unable to convert to int", re.DOTALL)
LIST_OF_OPTIONS = ". Supported parameters include: "
MISSING_OPTIONS = "missing required arguments: "


class Asked(t.NamedTuple):
    """A word, and all names of the options that may be meant; ``others`` are aliases among them.

    ``module`` is the name of the module whose options they are, unless they are suboptions.
    """

    word: str
    known: t.Collection[str]
    others: t.Collection[str] = ()
    module: str = ""


def answer_to_option(asked: Asked, given: t.Collection[str] = ()) -> str:
    """Return a sentence that says which option is meant; empty for an unknown word.

    A synonym of other collections comes first, then the name of the object for what the module is called after, then
    the nearest of the options that were not given.
    """
    word = asked.word
    rows = [
        words[word] for marks, words in SYNONYMS_BY_MODULE if word in words and set(marks.split()).issubset(asked.known)
    ]
    if word in {asked.module, *asked.module.split("_")} - OWNERS:
        rows.append(("name",))
    answer = next(filter(None, (_use(meant, asked.known) for meant in rows)), "")
    near = () if answer else nearest(word, sorted(set(may_be_meant(asked)).difference(given)), 1)
    return f"Did you mean {near[0]!r}?" if near else answer


def answer_to_value(option: str, value: object, choices: t.Collection[str], known: t.Iterable[str] = ()) -> str:
    """Return a sentence that says which choice is meant; empty for a valid choice and for an unknown word.

    ``known`` are the other options of the module.
    """
    if value in choices or not isinstance(value, (str, bool)):
        return ""
    given = str(value).lower()
    word = BOOLEANS.get(given, given)
    words = _synonyms_for(option, {*known, *choices})
    near = next(filter(lambda one: is_misspelt(word, one), choices), None)
    answer = _use(words[word], choices) if word in words else f"Did you mean {near!r}?" if near else ""
    return f"YAML reads {word} as {given}. {answer}" if answer and word != given else answer


def _synonyms_for(option: str, marks: t.Container[str]) -> Synonyms:
    """Return the synonyms for values of an option; of two for one word, the first counts."""
    found = [words for name, mark, words in SYNONYMS_BY_VALUE if name == option and mark in marks]
    return {word: meant for words in reversed(found) for word, meant in words.items()}


def may_be_meant(asked: Asked) -> list[str]:
    """Return the options that may be suggested for a word: those with a similar spelling, or with its parts.

    Credentials, addresses, aliases and risky options are only suggested for a similar spelling.
    """
    word = asked.word.lower()
    suggestions = []
    for option in asked.known:
        risky = bool(RISKY_OPTION.search(option)) or option in asked.others
        has_words = not risky and option not in OPTIONS and _shares_words(word, option)
        if option[:1] != "_" and (has_words or is_misspelt(word, option, 1 if risky else 2)):
            suggestions.append(option)
    return suggestions


def _shares_words(word: str, option: str) -> bool:
    """Return whether all words of one are among those of the other; an ID or a name alone says nothing."""
    asked, there = set(word.split("_")), set(option.split("_"))
    return asked <= there or (there <= asked and not there <= IDENTITY_OPTIONS)


def is_misspelt(word: str, option: str, most: int = 2) -> bool:
    """Return whether one letter is wrong, missing or superfluous, or the letters are in another order.

    In long words with the same first letter, ``most`` letters may be wrong; words that differ more may be opposites,
    such as attached and detached.
    """
    same_start = word[:1] == option[:1]
    if len(word) < SHORTEST and not same_start:
        return False
    row = list(range(len(option) + 1))  # edits from the letters read so far to each prefix of the option
    for letter in word:
        above, row = row, [row[0] + 1]
        for at, other in enumerate(option):
            row.append(min(row[at] + 1, above[at + 1] + 1, above[at] + (letter != other)))
    allowed = most if len(word) >= LONG and same_start else 1
    return row[-1] <= allowed or (len(word) > SHORTEST and sorted(word) == sorted(option))


def _use(meant: t.Iterable[str], known: t.Collection[str]) -> str:
    found = next((one for one in meant if one in known or " " in one), "")
    return f"Use {found!r}." if found and " " not in found else found


def with_unknown_options(message: str, name: str, spec: OptionSpecs, args: t.Iterable[str]) -> str:
    """Return the message, preceded by the arguments and values that no option takes, with suggestions.

    Ansible reports only the first mistake, such as the missing option whose name was misspelt, or it lists all options.
    That list is left out: the documentation of the module ``name`` has it.
    """
    sentences = list(dict.fromkeys(_unknown(spec, args, "", name)))
    if not sentences:
        return with_values(message, spec)
    if any(map(_UNANSWERED.fullmatch, sentences)):
        sentences.append(f"See ansible-doc fcd.cloud.{name}.")
    if LIST_OF_OPTIONS not in message:
        message = with_values(message, spec)
        begins_with_option = message.partition(":")[0].partition(".")[0] in spec
        sentences.append(message if begins_with_option else f"{message[:1].upper()}{message[1:]}")
    return " ".join(sentences)


def with_values(message: str, spec: OptionSpecs) -> str:
    """Return the message with where to take the value of each option that is missing or is no number."""
    names = message[len(MISSING_OPTIONS) :].split(", ") if message.startswith(MISSING_OPTIONS) else []
    no_numbers = _NO_NUMBER.findall(message)
    clauses = [*(_values(name, spec) for name in [*names, *no_numbers]), *(_label(name, spec) for name in no_numbers)]
    return "; ".join([message, *filter(None, clauses)])


def _values(name: str, spec: OptionSpecs) -> str:
    """Return which values an option takes, or what lists them; empty if neither is known."""
    choices = spec.get(name, {}).get("choices")
    if choices:
        return f"{name} is one of {', '.join(map(str, choices))}"
    return f"fcd.cloud.{LISTED_BY[name]} lists the numbers for {name}" if name in LISTED_BY else ""


def _label(name: str, spec: OptionSpecs) -> str:
    """Return which option takes a label instead of a number, if one does."""
    other = name.removesuffix("_id")
    return f"a label is given as {other}" if other != name and other in spec else ""


def _unknown(spec: OptionSpecs, args: t.Iterable[str], above: str, module: str = "") -> t.Iterator[str]:
    """Yield a sentence for each argument that no option takes; ``above`` is the option that they are suboptions of."""
    names = {name: {name, *option.get("aliases", ())} for name, option in spec.items()}
    known = set().union(*names.values())
    given = set().union(*(every for every in names.values() if not every.isdisjoint(args)))
    for name in args:
        if name not in known and not str(name).startswith("_ansible_"):
            answer = answer_to_option(Asked(str(name), known, known.difference(spec), module), given)
            answer = _SUGGESTION.sub(rf"\g<0>{above}", answer) or _suboption(spec, str(name), above)
            yield f"There is no option {f'{above}{name}'!r}. {answer}".strip()
        elif isinstance(args, t.Mapping):
            yield from _unknown_inside(spec, name, args[name], above)


def _suboption(spec: OptionSpecs, name: str, above: str) -> str:
    """Return a sentence that says which options have a suboption of this name, empty if none has."""
    word = name.lower().replace("-", "_")
    found = [repr(f"{above}{option}.{word}") for option, one in spec.items() if word in one.get("options", {})]
    return f"Did you mean {' or '.join(found)}?" if found else ""


def _unknown_inside(spec: OptionSpecs, name: str, value: object, above: str) -> t.Iterator[str]:
    """Yield a sentence for a value that is a synonym, and for each unknown suboption."""
    option = spec.get(name, {})
    known = {alias for one, other in spec.items() for alias in (one, *other.get("aliases", ()))}
    answer = answer_to_value(name, value, option["choices"], known) if option.get("choices") else ""
    if answer:
        yield f"{above}{name}: there is no value {value!r}. {answer}"
    for entry in (value if isinstance(value, list) else [value]) if option.get("options") else ():
        if isinstance(entry, dict):
            yield from _unknown(option["options"], entry, f"{above}{name}.")
