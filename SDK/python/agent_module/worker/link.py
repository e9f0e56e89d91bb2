"""The socket to the host."""

from __future__ import annotations

import array
import asyncio
import errno
import json
import os
import socket
import struct
import threading
from collections import deque
from typing import Any, Callable, Deque, List, Optional, Tuple

from .frames import FrameDecoder, sealed
from .protocol import DESCRIPTOR, INLINE_BODY, Frame, ProtocolError

# The kernel allows 253. The host sends one with a frame.
_MAX_DESCRIPTORS = 16
_READ_SIZE = 1 << 18
# Errors that say that the system lacks something for the moment: memory, or descriptors on the way, which
# the kernel counts for all processes of a user. The host hasn't ended.
_LACKS = (errno.ETOOMANYREFS, errno.ENOBUFS, errno.ENOMEM)
# Seconds between two attempts to send, and until sending is given up.
_PAUSE = 0.02
_PATIENCE = 30.0


class Link:
    """Frames over the socket. It reads on the loop's thread; any thread may send.

    Sending never blocks. There are two queues: frames of control pass frames of data, so that a PING is
    answered while events wait for the host.
    """

    def __init__(self, connection: socket.socket, loop: asyncio.AbstractEventLoop) -> None:
        """Makes a link that owns the socket. `close` closes it."""
        connection.setblocking(False)
        self._socket = connection
        self._loop = loop
        self._decoder = FrameDecoder()
        self._arrived: Deque[Optional[Frame]] = deque()
        self._wake: Optional[asyncio.Future[None]] = None
        self._failure: Optional[ProtocolError] = None
        self._is_at_end = False
        # The queues, the frame that is being written and what follows from them.
        self._lock = threading.RLock()
        self._control: Deque[Tuple[bytes, Optional[int]]] = deque()
        self._data: Deque[Tuple[bytes, Optional[int]]] = deque()
        self._current: Optional[Tuple[memoryview, Optional[int]]] = None
        self._is_writing = False
        # When the system began to lack something, and whether a further attempt is planned.
        self._lacks_since: Optional[float] = None
        self._is_retry_planned = False
        self._drained: Optional[asyncio.Future[None]] = None

    @property
    def waiting(self) -> int:
        """The number of frames that wait to be sent. Any thread."""
        return len(self._data) + len(self._control)

    def open(self) -> None:
        """Begins to read. Called once."""
        self._loop.add_reader(self._socket, self._readable)

    def close(self) -> None:
        """Ends reading and writing, and closes the socket. Called once."""
        self._loop.remove_reader(self._socket)
        self._loop.remove_writer(self._socket)
        self._decoder.close()
        self._socket.close()

    # Receiving.

    async def receive(self) -> Optional[Frame]:
        """Returns the next frame; None when the host is gone or `end` was called. Raises ProtocolError
        behind the last frame that the protocol allows."""
        while not self._arrived:
            if self._failure is not None:
                raise self._failure
            self._wake = self._loop.create_future()
            await self._wake
        return self._arrived.popleft()

    def end(self) -> None:
        """Makes `receive` return None behind the frames that have arrived."""
        self._offer(None)

    def rest(self) -> List[Frame]:
        """Stops receiving and returns the frames that have arrived until now. The host's sending fails
        from here on: no frame is lost unnoticed."""
        try:
            self._socket.shutdown(socket.SHUT_RD)
        except OSError:
            pass  # The host has ended. The end of the socket can still be read.
        while not self._is_at_end and self._failure is None:
            self._readable()
        return [frame for frame in self._arrived if frame is not None]

    def _readable(self) -> None:
        try:
            data, ancillary, _, _ = self._socket.recvmsg(
                _READ_SIZE, socket.CMSG_SPACE(_MAX_DESCRIPTORS * 4))
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            data, ancillary = b"", []
        if not data:
            self._is_at_end = True
            self._loop.remove_reader(self._socket)
            return self._offer(None)
        received = array.array("i")
        for level, kind, content in ancillary:
            if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
                received.frombytes(content[:len(content) - len(content) % received.itemsize])
        try:
            for frame in self._decoder.feed(data, received):
                self._offer(frame)
        except ProtocolError as error:
            self._loop.remove_reader(self._socket)
            self._failure = error
            self._awaken()

    def _offer(self, frame: Optional[Frame]) -> None:
        self._arrived.append(frame)
        self._awaken()

    def _awaken(self) -> None:
        if self._wake is not None and not self._wake.done():
            self._wake.set_result(None)

    # Sending.

    def send(self, op: int, id: int, body: bytes, data: bool) -> None:
        """Queues a frame and writes what the socket takes now. Any thread. Frames of `data` are passed by
        the others. Raises OSError when a large body finds no memory."""
        descriptor = None
        if len(body) > INLINE_BODY:
            descriptor = sealed(body)
            body, op = json.dumps({"bytes": len(body)}).encode(), op | DESCRIPTOR
        frame = struct.pack("<IBI", len(body) + 5, op, id) + body
        with self._lock:
            (self._data if data else self._control).append((frame, descriptor))
            self._write()

    async def flush(self) -> None:
        """Waits until all frames are written, or the host is gone."""
        with self._lock:
            if not (self._current or self._control or self._data):
                return
            self._drained = self._loop.create_future()
        await self._drained

    def _write(self) -> None:
        """Writes until the socket takes no more. With the lock held."""
        try:
            while self._step():
                self._lacks_since = None
        except (BlockingIOError, InterruptedError):
            self._lacks_since = None
            self._want_writer(True)
            return
        except OSError as error:
            if error.errno in _LACKS and self._plan_retry():
                return
            # The host has ended. The reader gets the end of the socket and ends the worker.
            self._control.clear()
            self._data.clear()
            self._current = None
        self._want_writer(False)
        if self._drained is not None:
            self.on_loop(self._note_drained)

    def _step(self) -> bool:
        """Writes a piece. Returns False if there is nothing to write."""
        if self._current is None:
            queue = self._control or self._data
            if not queue:
                return False
            frame, descriptor = queue.popleft()
            self._current = (memoryview(frame), descriptor)
        rest, descriptor = self._current
        if descriptor is None:
            sent = self._socket.send(rest, socket.MSG_NOSIGNAL)
        else:
            rights = (socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [descriptor]))
            sent = self._socket.sendmsg([rest], [rights], socket.MSG_NOSIGNAL)
            # The descriptor is sent with the frame's first byte. The rest has none.
            os.close(descriptor)
        self._current = (rest[sent:], None) if sent < len(rest) else None
        return True

    def _plan_retry(self) -> bool:
        """Plans a further attempt after a pause. Returns False, and ends the worker, when the system has
        lacked something for too long. With the lock held."""
        now = self._loop.time()
        if self._lacks_since is None:
            self._lacks_since = now
        if now - self._lacks_since >= _PATIENCE:
            self.on_loop(self._give_up)
            return False
        # The socket has space, so it would be writable at once.
        self._want_writer(False)
        if not self._is_retry_planned:
            self._is_retry_planned = True
            self.on_loop(self._loop.call_later, _PAUSE, self._retry)
        return True

    def _retry(self) -> None:
        with self._lock:
            self._is_retry_planned = False
            self._write()

    def _give_up(self) -> None:
        self._failure = ProtocolError("the system has had no room for a frame to the host for too long")
        self._awaken()

    def _want_writer(self, is_wanted: bool) -> None:
        if is_wanted != self._is_writing:
            self._is_writing = is_wanted
            self.on_loop(self._watch)

    def _watch(self) -> None:
        with self._lock:
            if self._is_writing:
                self._loop.add_writer(self._socket, self._writable)
            else:
                self._loop.remove_writer(self._socket)

    def _writable(self) -> None:
        with self._lock:
            self._write()

    def _note_drained(self) -> None:
        if self._drained is not None and not self._drained.done():
            self._drained.set_result(None)

    def on_loop(self, body: Callable[..., None], *arguments: Any) -> None:
        """Calls a function on the loop's thread: at once when this is it, later from another thread.
        Raises RuntimeError when the loop has ended."""
        if self._loop is _running_loop():
            body(*arguments)
        else:
            self._loop.call_soon_threadsafe(body, *arguments)


def _running_loop() -> Optional[asyncio.AbstractEventLoop]:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
