# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The SOAP client of many who plan at the same time: each read goes out once, and nothing but reads goes out at all."""

from __future__ import annotations

import typing as t

from ..._core.once_each import OnceEach
from ..messages import WRITE
from .client import Message, SoapClient


class RememberingSoapClient(SoapClient):
    """A client that calls each reading operation once with the same inputs, and remembers the result."""

    memory: OnceEach

    @classmethod
    def over(cls, client: SoapClient) -> RememberingSoapClient:
        """Return one that calls as ``client`` does."""
        remembering = cls.__new__(cls)
        vars(remembering).update(vars(client))
        remembering.memory = OnceEach()
        return remembering

    def send(self, message: Message) -> t.Any:
        """Send a read or a log-in, or return what it brought before.

        Raises what SoapClient.send does, or AssertionError.
        """
        if message.kind == WRITE:
            raise AssertionError(f"{message.operation.name} is not sent while planning")
        send = super().send
        question = (message.operation.name, message.text, tuple(sorted(message.prefixes.items())))
        return self.memory.answer(question, lambda: send(message))
