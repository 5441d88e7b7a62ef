# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The argument specification: what a misspelt option is told, and which variables Ansible looks into."""

from __future__ import annotations

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._ansible.execution import argument_spec
from ansible_collections.fcd.cloud.plugins.module_utils._ansible.option_suggestions import with_unknown_options
from ansible_collections.fcd.cloud.plugins.module_utils._connection.options import OPTIONS, REST, SITE, SOAP, STORAGE
from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Operation

OWN = {"name": {"type": "str", "aliases": ["instance_name"]}, "state": {"type": "str"}}
SPEC = argument_spec(Operation("example", (REST, SOAP, STORAGE, SITE), OWN, lambda _task, _params: {}))


@pytest.mark.parametrize(
    ("message", "args", "told"),
    [
        ("missing: name", ["nam"], "There is no option 'nam'. Did you mean 'name'? Missing: name"),
        ("Unsupported: nam.", ["nam", "state"], "There is no option 'nam'. Did you mean 'name'? Unsupported: nam."),
        ("no", ["instancename"], "There is no option 'instancename'. Did you mean 'instance_name'? No"),
        ("no", ["pasword"], "There is no option 'pasword'. Did you mean 'password'? No"),
        ("no", ["zzzzzzzz"], "There is no option 'zzzzzzzz'. See ansible-doc fcd.cloud.example. No"),
        (
            "no",
            ["stat", "nam"],
            "There is no option 'stat'. Did you mean 'state'? There is no option 'nam'. Did you mean 'name'? No",
        ),
        ("no", ["pricelist"], "There is no option 'pricelist'. See ansible-doc fcd.cloud.example. No"),
        ("no", ["name", "instance_name", "timeout", "_ansible_check_mode"], "no"),
        ("no", [], "no"),
    ],
)
def test_misspelt_options(message: str, args: list[str], told: str) -> None:
    assert with_unknown_options(message, "example", SPEC, args) == told


def test_misspelt_suboptions() -> None:
    below = {"type": "list", "elements": "dict", "options": {"cache_control": {"type": "str"}}}
    rules = [{"cache_contrl": "x"}, {"cache_control": "y"}, {"cache_contrl": "z"}]
    told = "There is no option 'headers.cache_contrl'. Did you mean 'headers.cache_control'? No"
    for args in ({"headers": rules}, {"headers": rules[0]}):
        assert with_unknown_options("no", "example", {**SPEC, "headers": below}, args) == told
    assert with_unknown_options("no", "example", {**SPEC, "headers": below}, {"headers": ["a", None]}) == "no"


def test_what_begins_an_option_of_the_connection_is_not_meant_for_it() -> None:
    """A reader has no state, and who gives it one does not think of state_dir."""
    spec = argument_spec(Operation("example", (REST,), {}, lambda _task, _params: {}))
    assert (
        with_unknown_options("no", "example", spec, ["state"])
        == "There is no option 'state'. See ansible-doc fcd.cloud.example. No"
    )


def test_variables_that_can_hold_a_wrong_value_are_left_to_the_settings() -> None:
    looked_into = {name for name, spec in SPEC.items() if "fallback" in spec}
    assert looked_into == {name for name, one in OPTIONS.items() if one.type in ("str", "path") and not one.choices}
    assert {name for name, one in OPTIONS.items() if one.secret} <= looked_into  # so that Ansible hides them
