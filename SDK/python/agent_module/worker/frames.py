"""Frames as bytes of the socket, and large bodies as sealed memfds that travel beside a frame."""

from __future__ import annotations

import fcntl
import json
import os
import struct
from collections import deque
from typing import Any, Deque, Iterable, Iterator

from .protocol import DESCRIPTOR, MAX_BODY, MAX_FRAME, TOO_DEEP, Frame, ProtocolError

# These are the kernel's numbers, because a Python with old headers lacks their names.
_F_ADD_SEALS, _F_GET_SEALS = 1033, 1034
_SEALS = 0x1 | 0x2 | 0x4 | 0x8  # SEAL, SHRINK, GROW, WRITE


class FrameDecoder:
    """Makes frames from bytes and descriptors as they arrive. Used on the loop's thread."""

    def __init__(self) -> None:
        """Makes a decoder that waits for the first frame."""
        self._buffer = bytearray()
        self._descriptors: Deque[int] = deque()

    def feed(self, data: bytes, descriptors: Iterable[int]) -> Iterator[Frame]:
        """Takes bytes and the descriptors that came with them, and iterates over the complete frames.
        Raises ProtocolError behind the frames that came before the breach."""
        self._buffer += data
        self._descriptors.extend(descriptors)
        position = 0
        try:
            while len(self._buffer) - position >= 4:
                (length,) = struct.unpack_from("<I", self._buffer, position)
                if not 5 <= length <= MAX_FRAME:
                    raise ProtocolError(f"a frame of {length} bytes")
                if len(self._buffer) - position < 4 + length:
                    return
                op, id = struct.unpack_from("<BI", self._buffer, position + 4)
                body = bytes(self._buffer[position + 9:position + 4 + length])
                position += 4 + length
                yield Frame(op & ~DESCRIPTOR, id, self._body(body, bool(op & DESCRIPTOR)))
        finally:
            # One removal serves all frames, because each removal moves the rest of the buffer.
            del self._buffer[:position]

    def close(self) -> None:
        """Closes descriptors that no frame has claimed."""
        while self._descriptors:
            os.close(self._descriptors.popleft())

    def _body(self, body: bytes, is_beside: bool) -> Any:
        if is_beside:
            if not self._descriptors:
                raise ProtocolError("a frame without the descriptor that it announces")
            body = taken(self._descriptors.popleft(), _parsed(body))
        return _parsed(body) if body else None


def _parsed(body: bytes) -> Any:
    try:
        return json.loads(body)
    except RecursionError:
        # Deeply nested JSON is valid. Only this request is refused, not the connection to the host.
        return TOO_DEEP
    except ValueError as error:
        raise ProtocolError(f"a body that isn't JSON: {error}") from error


def sealed(body: bytes) -> int:
    """Returns the descriptor of a sealed memfd with these bytes. The caller closes it. Raises OSError."""
    descriptor = os.memfd_create("agent", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    try:
        rest = memoryview(body)
        while rest:
            rest = rest[os.write(descriptor, rest):]
        fcntl.fcntl(descriptor, _F_ADD_SEALS, _SEALS)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def taken(descriptor: int, announced: Any) -> bytes:
    """Returns the bytes of a memfd that came beside a frame, and closes it. Raises ProtocolError for one
    that isn't as the frame announces it.

    It must be sealed: the host could otherwise change it while it is read.
    """
    try:
        size = os.fstat(descriptor).st_size
        if fcntl.fcntl(descriptor, _F_GET_SEALS) & _SEALS != _SEALS:
            raise ProtocolError("a body whose memfd isn't sealed")
        if size > MAX_BODY or not isinstance(announced, dict) or announced.get("bytes") != size:
            raise ProtocolError(f"a body of {size} bytes, announced as {announced}")
        pieces, position = [], 0
        while position < size:
            # The read has a position, because the descriptor shares its offset with the sender.
            piece = os.pread(descriptor, size - position, position)
            if not piece:
                raise ProtocolError("a body that ends early")
            pieces.append(piece)
            position += len(piece)
        return b"".join(pieces)
    except OSError as error:
        raise ProtocolError(f"a body that can't be read: {error}") from error
    finally:
        os.close(descriptor)
