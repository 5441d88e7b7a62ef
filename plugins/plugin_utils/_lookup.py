# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the lookups share: options to a task, errors to Ansible's own."""

from __future__ import annotations

import abc
import typing as t

from ansible.errors import AnsibleLookupError
from ansible.plugins.lookup import LookupBase

from ansible_collections.fcd.cloud.plugins.module_utils._ansible.execution import require_text
from ansible_collections.fcd.cloud.plugins.module_utils._ansible.option_suggestions import Asked, answer_to_option
from ansible_collections.fcd.cloud.plugins.module_utils._connection.options import OPTIONS
from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Settings, Task
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import FcdError, InvalidInput
from ansible_collections.fcd.cloud.plugins.module_utils._core.text import Redactor, fit_for_json, visible
from ansible_collections.fcd.cloud.plugins.plugin_utils._check_mode_run import check_mode_run_of_task
from ansible_collections.fcd.cloud.plugins.plugin_utils._screen import display, show_detail

FOR_LOOPS = "wantlist"  # what some cores hand over with a loop


class ServiceLookup(LookupBase):
    """Base of the lookups; a subclass names its ``services`` and does its work in ``look_up``."""

    services: t.ClassVar[tuple[str, ...]]
    elsewhere: t.ClassVar[str] = ""
    """Where a word belongs that is no option."""

    def run(self, terms: list[t.Any], variables: dict[str, t.Any] | None = None, **kwargs: t.Any) -> list[t.Any]:
        """Return what ``look_up`` finds for the terms."""
        self.set_options(var_options=variables, direct=kwargs)
        params: dict[str, t.Any] = self.get_options()
        redactor = Redactor()
        try:
            self._refuse_unknown(kwargs, params)
            settings = Settings.resolve(params, self.services)
            task = Task(settings, warn=display.warning, tell=show_detail, runner="lookup")
            redactor = task.redactor
            words = []
            for term in terms:
                require_text(term, "terms", is_list=True)
                words.append(str(term))
            run = check_mode_run_of_task()
            if run is None:
                return t.cast("list[t.Any]", fit_for_json(self.look_up(task, words, params)))
            task.planned_objects = run.planned_objects
            found = fit_for_json(self.look_up(task, run.with_numbers(words), run.with_numbers(params)))
            return t.cast("list[t.Any]", run.with_placeholders(found))
        except FcdError as error:
            name = self._load_name.rpartition(".")[2]  # some cores say the whole path
            raise AnsibleLookupError(visible(redactor.text(f"fcd.cloud.{name}: {error}"))) from None

    def _refuse_unknown(self, given: t.Iterable[str], known: t.Iterable[str]) -> None:
        """Raise InvalidInput for a word that Ansible itself would pass over in silence."""
        unknown = [name for name in given if name not in known and name != FOR_LOOPS]
        if unknown:
            own = [name for name in known if name not in OPTIONS and not name.startswith("_")]
            answer = answer_to_option(Asked(unknown[0], list(known))) or f"Known: {', '.join(sorted(own))}."
            raise InvalidInput(
                f"There is no option {unknown[0]!r}.",
                next_step=self.elsewhere or answer,
                option=unknown[0],
            )

    @abc.abstractmethod
    def look_up(self, task: Task, terms: list[str], params: t.Mapping[str, object]) -> list[t.Any]:
        """Do the work."""
