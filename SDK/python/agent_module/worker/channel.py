"""Messages to the host as JSON."""

from __future__ import annotations

import asyncio
from typing import Any, Callable

from ..errors import ModuleError, describe
from ..wire import JSONObject, encode, without_none
from .link import Link
from .protocol import ENDED, ERROR, MAX_BODY, MAX_WAITING_FRAMES, ProtocolError, limited


class Channel:
    """Sends messages to the host, and numbers the requests of this worker."""

    def __init__(self, link: Link, loop: asyncio.AbstractEventLoop) -> None:
        """Sends over a link that others read from."""
        self.loop = loop
        self._link = link
        self._last_id = 0

    @property
    def is_crowded(self) -> bool:
        """Whether 1,024 frames or more wait. Log records are dropped then. Any thread."""
        return self._link.waiting >= MAX_WAITING_FRAMES

    def new_id(self) -> int:
        """Returns the id of a new request. The loop's thread."""
        self._last_id = self._last_id % 0xFFFFFFFF + 1
        return self._last_id

    def send(self, op: int, id: int, body: Any = None, data: bool = False) -> None:
        """Queues a frame. Other frames may overtake frames of `data`. Any thread.

        Raises TypeError or ValueError for a body that isn't JSON, and ModuleError "invalid_argument" for
        one of more than 256 MiB.
        """
        text = b"" if body is None else encode(body)
        if len(text) > MAX_BODY:
            raise ModuleError("invalid_argument", f"{len(text)} bytes are more than {MAX_BODY}.")
        self._link.send(op, id, text, data)

    def send_encoded(self, op: int, id: int, body: bytes) -> None:
        """Queues a frame of data whose body is JSON already. Any thread."""
        self._link.send(op, id, body, True)

    def answer(self, id: int, op: int, make: Callable[[], Any]) -> None:
        """Answers a request of the host with what `make` returns, or with ERROR for what it raises.
        A ProtocolError is raised: it ends the worker."""
        try:
            self.send(op, id, make())
        except ProtocolError:
            raise
        except Exception as error:  # noqa: BLE001: whatever the module's code raises is reported
            self.fail(id, describe(error))

    def fail(self, id: int, error: ModuleError) -> None:
        """Answers a request of the host with ERROR. Never raises for what the error says."""
        self._report_end(
            ERROR, id, without_none(code=error.code, message=error.message, cause=error.cause))

    def ended(self, body: JSONObject) -> None:
        """Reports that a contribution's work has ended by itself, behind the events that it has
        published. Never raises for what the body says."""
        self._report_end(ENDED, 0, body, data=True)

    def on_loop(self, body: Callable[..., None], *arguments: Any) -> None:
        """Calls a function on the loop's thread: at once when this is it, later from another thread.
        Raises RuntimeError when the loop has ended."""
        self._link.on_loop(body, *arguments)

    def _report_end(self, op: int, id: int, body: JSONObject, data: bool = False) -> None:
        try:
            safe = {k: limited(v) if k in ("message", "cause") else v for k, v in body.items()}
            self.send(op, id, safe, data)
        except Exception:  # noqa: BLE001: the host waits for the end, whatever the module's texts are
            plain = {k: v for k, v in body.items() if k in ("contribution", "kind")}
            code = "status" if op == ENDED else "code"
            self.send(op, id, {**plain, code: "failed", "message": "Its reason can't be told."}, data)
