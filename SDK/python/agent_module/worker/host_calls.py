"""Calls of the host's services."""

from __future__ import annotations

import asyncio
from typing import Any, Dict, Optional

from ..errors import ModuleError
from ..wire import without_none
from . import call_context
from .channel import Channel
from .protocol import CALL


class HostCalls:
    """The calls of this worker that wait for the host's answer. The loop's thread."""

    def __init__(self, channel: Channel) -> None:
        """Begins without calls."""
        self._channel = channel
        self._waiting: Dict[int, asyncio.Future[Any]] = {}

    async def call(self, service: str, method: str, input: Any) -> Any:
        """Calls a method of a service and returns its answer. Raises the host's ModuleError, and
        TypeError or ValueError for an input that isn't JSON."""
        return await self.begin(service, method, input, call_context.traceparent.get())

    def begin(
        self, service: str, method: str, input: Any, traceparent: Optional[str] = None
    ) -> asyncio.Future[Any]:
        """Sends a call at once and returns the future of its answer. Raises TypeError or ValueError for an
        input that isn't JSON."""
        id = self._channel.new_id()
        answer: asyncio.Future[Any] = self._channel.loop.create_future()
        self._channel.send(CALL, id, {
            "service": service, "method": method, "input": input,
            **without_none(traceparent=traceparent)})
        self._waiting[id] = answer
        answer.add_done_callback(lambda _: self._waiting.pop(id, None))
        return answer

    def answered(self, id: int, error: Optional[ModuleError], body: Any) -> bool:
        """Takes a REPLY or an ERROR of the host; False when no call of this id waits."""
        answer = self._waiting.pop(id, None)
        if answer is None or answer.done():
            return False
        if error is not None:
            answer.set_exception(error)
        else:
            answer.set_result(body)
        return True
