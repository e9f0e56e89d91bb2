"""Events from this worker to the host, within the credit that the host grants."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Deque, List, Tuple

from ..errors import ModuleError
from ..wire import JSONObject, encode
from . import call_context
from .channel import Channel
from .protocol import MAX_BATCH, MAX_BATCH_EVENTS, MAX_EVENT, PUBLISH


class EventPublisher:
    """Publishes events of all contributions and spends one credit an event. The loop's thread."""

    def __init__(self, channel: Channel) -> None:
        """Begins without credit: the host grants the first after START."""
        self._channel = channel
        self._credit = 0
        self._waiting: Deque[Tuple[int, asyncio.Future[int]]] = deque()

    def grant(self, count: int) -> None:
        """Adds credit and passes it on to publishers that wait, in their order."""
        self._credit += count
        while self._waiting and self._credit > 0:
            wanted, granted = self._waiting.popleft()
            # A publisher that was cancelled waits no more.
            if not granted.done():
                count = min(wanted, self._credit)
                self._credit -= count
                granted.set_result(count)

    async def publish(self, events: List[JSONObject]) -> None:
        """Publishes events, in several frames if there are many. Waits for credit.

        Raises TypeError or ValueError for an event that isn't JSON, and ModuleError "invalid_argument" for
        one that is too large. Then no event is published and no credit is spent.
        """
        parent = call_context.traceparent.get()
        if parent is not None:
            events = [{**event, "__traceparent": parent} for event in events]
        # All before the first credit: a wrong event must not end up between two that were
        # published.
        texts = [_event_text(event) for event in events]
        position = 0
        while position < len(texts):
            count = await self._spend(_batch(texts, position))
            body = b"[" + b",".join(texts[position:position + count]) + b"]"
            try:
                self._channel.send_encoded(PUBLISH, 0, body)
            except BaseException:
                self.grant(count)
                raise
            position += count

    async def _spend(self, wanted: int) -> int:
        """Takes as much credit as there is, up to `wanted`; waits for the first. Returns how much."""
        if self._credit > 0 and not self._waiting:
            count = min(wanted, self._credit)
            self._credit -= count
            return count
        granted: asyncio.Future[int] = self._channel.loop.create_future()
        self._waiting.append((wanted, granted))
        try:
            return await granted
        except asyncio.CancelledError:
            # The grant and the cancellation may fall into the same turn of the loop. Nobody else
            # would spend that credit.
            if granted.done() and not granted.cancelled():
                self.grant(granted.result())
            raise


def _event_text(event: JSONObject) -> bytes:
    text = encode(event)
    if len(text) > MAX_EVENT:
        raise ModuleError("invalid_argument", f"An event of {len(text)} bytes; {MAX_EVENT} are allowed.")
    return text


def _batch(texts: List[bytes], start: int) -> int:
    """How many of the texts fit into a frame: at least one."""
    size = 0
    for place in range(start, min(start + MAX_BATCH_EVENTS, len(texts))):
        size += len(texts[place])
        if size > MAX_BATCH and place > start:
            return place - start
    return min(MAX_BATCH_EVENTS, len(texts) - start)
