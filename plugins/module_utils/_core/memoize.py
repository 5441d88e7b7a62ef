# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers that are worked out once for each question, whoever asks and in whatever thread."""

from __future__ import annotations

import copy
import threading
import typing as t

from .errors import FcdError

Value = t.TypeVar("Value")


class Memory:
    """Remembers what came of each question: a value, or an error that everybody gets a copy of.

    Who asks while the answer is being worked out waits for it. The values are shared: nobody may change them.
    """

    def __init__(self) -> None:
        self._answers: dict[t.Hashable, _Answer] = {}
        self._lock = threading.Lock()

    def answer(self, question: t.Hashable, work_out: t.Callable[[], Value]) -> Value:
        """Return the answer. Raises the FcdError that working it out has raised."""
        with self._lock:
            answer = self._answers.get(question)
            mine = answer is None
            if answer is None:
                answer = self._answers[question] = _Answer()
        if mine:
            self._work_out(question, answer, work_out)
        answer.known.wait()
        told: Value = answer.told()
        return told

    def __len__(self) -> int:
        """Return how many questions have been asked."""
        return len(self._answers)

    def values(self) -> list[t.Any]:
        """Return all values that are known."""
        return [answer.value for answer in list(self._answers.values()) if answer.known.is_set()]

    def _work_out(self, question: t.Hashable, answer: _Answer, work_out: t.Callable[[], t.Any]) -> None:
        try:
            answer.value = work_out()
        except FcdError as error:
            answer.error = error
        except BaseException as defect:
            with self._lock:
                del self._answers[question]
            answer.error = FcdError(f"It could not be read: {type(defect).__name__}.")  # for those who wait
            raise
        finally:
            answer.known.set()


class _Answer:
    def __init__(self) -> None:
        self.known = threading.Event()
        self.value: t.Any = None
        self.error: FcdError | None = None

    def told(self) -> t.Any:
        if self.error is None:
            return self.value
        own = copy.copy(self.error)
        own.details = dict(own.details)
        raise own
