# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ways to end a connection that no well-behaved server uses: reset, and closed in the middle."""

from __future__ import annotations

import os
import socket
import struct
from typing import Any


def reset(sock: Any) -> None:
    """End the connection with a TCP reset; whatever was not sent is lost."""
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    close(sock)


def close(sock: Any) -> None:
    """End the connection at once, without the close message of TLS.

    The HTTP layer still holds the descriptor and closes it later: a dead socket takes its place, so that neither the
    connection stays open nor the number can be given to another one meanwhile.
    """
    ours, other = socket.socketpair()
    other.close()
    os.dup2(ours.fileno(), sock.fileno(), inheritable=False)
    ours.close()
