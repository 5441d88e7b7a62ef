# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A relay in front of a server on this machine that makes it as distant as a real one: all data arrive later."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import typing as t
from urllib.parse import urlsplit

PIECE = 1 << 18
AHEAD = 64
"""Pieces that may be under way in one direction."""


@contextlib.contextmanager
def distant(base: str, delay: float) -> t.Iterator[str]:
    """Yield an address of the server of ``base`` from which data take ``delay`` seconds longer each way."""
    if not delay:
        yield base
        return
    loop, ready = asyncio.new_event_loop(), threading.Event()
    ports: list[int] = []

    async def serve() -> None:
        async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            there, onward = await asyncio.open_connection("127.0.0.1", urlsplit(base).port)
            await asyncio.gather(_carry(reader, onward, delay), _carry(there, writer, delay))

        server = await asyncio.start_server(relay, "127.0.0.1", 0)
        ports.append(server.sockets[0].getsockname()[1])
        ready.set()

    loop.create_task(serve())
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    ready.wait()
    try:
        yield f"{base[: base.rindex(':')]}:{ports[0]}"
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()


async def _carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, delay: float) -> None:
    """Hand on what comes, each piece after the delay, without holding up the next one."""
    under_way: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue(AHEAD)
    clock = asyncio.get_running_loop().time

    async def arrive() -> None:
        piece = b" "
        while piece:
            due, piece = await under_way.get()
            await asyncio.sleep(due - clock())
            writer.write(piece)
            await writer.drain()
        writer.close()

    arriving = asyncio.ensure_future(arrive())
    with contextlib.suppress(OSError):
        piece = b" "
        while piece:
            piece = await reader.read(PIECE)
            await under_way.put((clock() + delay, piece))
        await arriving
