"""Messages between processes: a length, then a pickle, over a socket; open files may go along."""

from __future__ import annotations

import pickle
import socket
from collections.abc import Iterator, Sequence
from typing import Any

MARK = b"2fold"
"""What every message begins with: a learner may write nonsense to all files that it has open."""

SIZE = len(MARK) + 8
"""Bytes of the mark, and of the length of a message."""

MOST_FILES = 4
"""Open files that a message may bring."""

AT_ONCE = 1 << 20
"""Bytes that are read together."""


def send(channel: socket.socket, message: Any, files: Sequence[int] = ()) -> None:
    """Write one message."""
    body = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
    header = MARK + len(body).to_bytes(SIZE - len(MARK), "little")
    if files:
        socket.send_fds(channel, [header], files)
        channel.sendall(body)
    else:
        channel.sendall(header + body)


def receive(channel: socket.socket) -> tuple[Any, list[int]]:
    """Read one message and the files that came with it; EOFError where there will be no more."""
    header, files, _, _ = socket.recv_fds(channel, SIZE, MOST_FILES)
    header += _read_exactly(channel, SIZE - len(header)) if header else b""
    if not header:
        raise EOFError
    return pickle.loads(_read_exactly(channel, _read_length(header))), list(files)


def _read_length(header: bytes) -> int:
    if not header.startswith(MARK):
        raise ValueError("this is no message")
    return int.from_bytes(header[len(MARK) :], "little")


def _read_exactly(channel: socket.socket, size: int) -> bytes:
    parts = bytearray()
    while len(parts) < size:
        part = channel.recv(min(size - len(parts), AT_ONCE))
        if not part:
            raise EOFError
        parts += part
    return bytes(parts)


class Inbox:
    """Messages that come in parts, on a socket that is only read when there is something."""

    def __init__(self, channel: socket.socket) -> None:
        self._channel = channel
        self._parts = bytearray()

    def read(self) -> bool:
        """Take what has come; False where nothing will come any more."""
        try:
            part = self._channel.recv(AT_ONCE, socket.MSG_DONTWAIT)
        except (BlockingIOError, InterruptedError):
            return True
        except OSError:
            return False
        self._parts += part
        return bool(part)

    def messages(self) -> Iterator[Any]:
        """Yield the messages that are complete."""
        while len(self._parts) >= SIZE:
            end = SIZE + _read_length(bytes(self._parts[:SIZE]))
            if len(self._parts) < end:
                return
            body = bytes(self._parts[SIZE:end])
            del self._parts[:end]
            yield pickle.loads(body)
