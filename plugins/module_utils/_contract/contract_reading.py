# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading operations for lookups: plain results, kept for a while."""

from __future__ import annotations

import typing as t

from .._core.errors import InvalidInput
from .._session.result_cache import KeptResults
from .._session.task import Task
from .contract_call import check_limit
from .contract_inputs import holds_secrets, secrets_in
from .task_client import common_fcd

if t.TYPE_CHECKING:
    from .common_fcd import CommonFcd

IDENTITY = ("soap_url", "soap_wsdl", "soap_to", "soap_user_prefix", "username")


class Question(t.NamedTuple):
    """What is asked of an operation besides its name."""

    inputs: t.Mapping[str, t.Any]
    all_pages: bool = False
    limit: int | None = None


class Reader:
    """Answers questions of one task. The client is made when something has to be asked for."""

    def __init__(self, task: Task, cache_seconds: float) -> None:
        self._task = task
        self._kept = KeptResults(task, cache_seconds, IDENTITY)
        self._client: CommonFcd | None = None

    def answer(self, name: str, question: Question) -> t.Any:
        """Return the result of an operation. Raises InvalidInput for one that writes, and what a call raises."""
        check_limit(question.limit)
        path = self._kept.path(name, question._asdict())
        secret = any(secrets_in(question.inputs))
        return self._kept.answer(
            path, lambda: self._asked(name, question), lambda result: not secret and not holds_secrets(result)
        )

    def _asked(self, name: str, question: Question) -> t.Any:
        if self._client is None:
            self._client = common_fcd(self._task)
        operation = self._client.operation(name)
        if not operation.reads:
            raise InvalidInput(
                f"{operation.name} changes something, and a lookup only reads.",
                next_step="Call it with the module fcd.cloud.contract_call.",
                operation=operation.name,
            )
        if question.all_pages or question.limit is not None:
            return operation.rows(question.inputs, question.limit)
        return operation.call(question.inputs)
