# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The profile file: named sets of connection options in YAML."""

from __future__ import annotations

import functools
import os
import typing as t

from .._core.errors import FcdError, InvalidInput, require
from .._core.files import readable_by_others, reason_for_distrust
from .._core.home import expand_home
from .._core.private_files import read_regular
from .._core.text import did_you_mean, join_names, nearest
from .options import OPTIONS, convert_option

NOT_IN_A_PROFILE = ("profile", "config_file")
ADDRESS_OR_PATH = ("soap_wsdl",)
BELIEVED = ("ca_path", "soap_wsdl")  # files that decide what is trusted and what is sent
MAX_PROFILE_DEPTH = 20  # of lists and mappings: where thousands are nested, libyaml crashes and Python's loader fails


def read_profile(path: str, name: str, *, required: bool) -> dict[str, object]:
    """Return the options of one profile.

    ``required`` says that the user asked for this file or profile, so that it is an error if it is missing.
    Raises InvalidInput, naming the file and the place in it.
    """
    text = _read(path, required=required)
    if text is None:
        return {}
    profiles = _parse(path, text)
    _require_private(path, profiles)
    _require_named(path, profiles)
    if name in profiles:
        return _check_profile(path, name, profiles[name])
    if not required:
        return {}
    near = nearest(name, map(str, profiles), 1)
    raise InvalidInput(
        f"{path} has no profile {name!r}.",
        next_step=f"{f'Did you mean {near[0]!r}? ' if near else ''}It has {_names(profiles)}.",
        option="profile",
    )


def other_profiles(path: str, desired: str) -> str:
    """Return for a message which profiles the file has; empty if it has the desired one, or cannot be read."""
    try:
        text = _read(path, required=False)
        names = "" if text is None else _names(_parse(path, text))
    except FcdError:
        return ""
    return f", which has {names}" if names and repr(desired) not in names else ""


def _names(profiles: t.Mapping[t.Any, t.Any]) -> str:
    names = sorted(str(key) for key in profiles)
    if not names:
        return "none"
    return f"the profile{'s' if len(names) > 1 else ''} {join_names([repr(name) for name in names])}"


def _require_private(path: str, profiles: t.Mapping[t.Any, t.Any]) -> None:
    """Raise InvalidInput if the file contains secrets and others can read it."""
    sets = [entries for entries in profiles.values() if isinstance(entries, t.Mapping)]
    names = {key for entries in sets for key, value in entries.items() if key in OPTIONS and value is not None}
    if any(OPTIONS[key].secret for key in names) and readable_by_others(path):
        raise InvalidInput(
            f"The profile file {path} contains secrets and can be read by other users.",
            next_step=f"Run: chmod 600 {path}",
            option="config_file",
        )


def _require_named(path: str, profiles: t.Mapping[t.Any, t.Any]) -> None:
    """Raise InvalidInput for options that are where the names of profiles belong."""
    loose = [str(key) for key, value in profiles.items() if key in OPTIONS and not isinstance(value, t.Mapping)]
    if loose:
        raise InvalidInput(
            f"{path}: {', '.join(loose)} must be inside a profile.",
            next_step="Put a line 'default:' above the options and indent them by two spaces.",
            option="config_file",
        )


def _read(path: str, *, required: bool) -> str | None:
    try:
        return read_regular(path, judge=lambda file: _require_own(f"The profile file {path}", path, file)).decode()
    except FileNotFoundError:
        if not required:
            return None
        raise InvalidInput(
            f"The profile file {path} does not exist, and profile or config_file asks for it.",
            next_step="Create the file, name another one in config_file (FCD_CONFIG_FILE), or omit both options.",
            option="config_file",
        ) from None
    except (OSError, UnicodeDecodeError) as exc:
        why = exc.strerror if isinstance(exc, OSError) else "it is not UTF-8"
        raise InvalidInput(f"The profile file {path} cannot be read: {why}.", option="config_file") from None


@functools.lru_cache(maxsize=1)  # the items of a loop read the same text
def _parse(path: str, text: str) -> t.Mapping[str, t.Any]:
    if text.startswith("$ANSIBLE_VAULT"):
        raise InvalidInput(
            f"The profile file {path} is encrypted with ansible-vault, which only playbooks can decrypt.",
            next_step="Keep the secrets in vaulted variables of the play, or the file unencrypted with mode 0600.",
            option="config_file",
        )
    yaml = require("yaml", "PyYAML", purpose="The profile file", besides=("requests",))
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # takes an eighth of the time, in each task
    try:
        _check_depth(path, yaml.parse(text, loader))
        content = loader(text).get_single_data()
    except (yaml.YAMLError, ValueError, LookupError, OverflowError) as exc:  # the others from values such as 2026-02-30
        mark = getattr(exc, "problem_mark", None)
        where = f" in line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        raise InvalidInput(f"The profile file {path} is not valid YAML{where}.", option="config_file") from None
    if not isinstance(content, t.Mapping):
        raise InvalidInput(
            f"The profile file {path} must be a mapping from profile names to options, not {_kind(content)}.",
            option="config_file",
        )
    return content


def _check_depth(path: str, events: t.Iterable[t.Any]) -> None:
    depth = 0
    for event in events:
        kind = type(event).__name__
        depth += kind.endswith("StartEvent") - kind.endswith("EndEvent")
        if depth > MAX_PROFILE_DEPTH:
            raise InvalidInput(
                f"The profile file {path} has too many nested lists or mappings in line {event.start_mark.line + 1}.",
                option="config_file",
            )


def _check_profile(path: str, name: str, entries: object) -> dict[str, object]:
    """Return the options of a profile, with paths relative to the file; those that are to be believed are checked."""
    where = f"{path}, profile {name!r}"
    if not isinstance(entries, t.Mapping):
        raise InvalidInput(f"{where}: must be a mapping of options, not {_kind(entries)}.", option="config_file")
    allowed = [option for option in OPTIONS if option not in NOT_IN_A_PROFILE]
    found = {}
    for key, value in entries.items():
        if key not in allowed:
            raise InvalidInput(
                f"{where}: there is no option {str(key)!r}.",
                next_step=did_you_mean(str(key), allowed),
                option="config_file",
            )
        if value is not None:
            found[key] = _value(path, key, value, f"{where}: {key}")
    for key, value in found.items():
        if key in BELIEVED and os.path.exists(value):
            _require_own(f"{where}: {key} {value}", value)
    return found


def _value(file: str, key: str, value: object, where: str) -> t.Any:
    option = OPTIONS[key]
    plain = option.type in ("str", "path") and not option.choices
    if plain and not isinstance(value, str):  # YAML reads 0123 as 83, and no as false
        raise InvalidInput(f"{where} must be a string: put it in quotes.", option="config_file")
    found = convert_option(key, option, value, where)
    if found and (option.type == "path" or (key in ADDRESS_OR_PATH and "://" not in found)):
        return os.path.join(os.path.dirname(os.path.abspath(file)), expand_home(found))
    return found


def _require_own(what: str, path: str, descriptor: int | None = None) -> None:
    """Raise InvalidInput unless only this user or root can have written the file: it says where secrets are sent."""
    why = reason_for_distrust(path, descriptor)
    if why is not None:
        raise InvalidInput(
            f"{what} is not used: {why}.",
            next_step="Keep it in a folder that only you can write to. If its content is right, make it your own: "
            f"chown $(id -u) {path} && chmod 600 {path}",
            option="config_file",
        )


def _kind(value: object) -> str:
    return {"list": "a list", "str": "a text", "NoneType": "nothing"}.get(type(value).__name__, type(value).__name__)
