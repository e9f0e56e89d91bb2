"""The events of the fake host."""

from __future__ import annotations

import asyncio
import json
import math
from typing import TYPE_CHECKING, AsyncIterator, List, Optional, Tuple

from ..events import Event, EventBatch, EventResults, Events
from ..wire import JSONObject

if TYPE_CHECKING:
    from .host import FakeHost


class FakeEvents(Events):
    """Events in memory. A query is a list of words, each of which must hold: `path:value`, or the type of
    the event. Alternatives are separated by `|`."""

    def __init__(self, host: FakeHost) -> None:
        """Makes an empty log of events."""
        self._host = host
        #: Query and span of each query that was begun.
        self.queries: List[Tuple[str, str]] = []
        self._all: List[Event] = []
        self._receivers: List[Tuple[str, asyncio.Queue[EventBatch]]] = []
        self._running: List[Tuple[str, asyncio.Queue[Optional[JSONObject]]]] = []

    def inject(self, *events: Event) -> None:
        """Keeps events and gives them to subscribers. An event without a timestamp gets the clock's."""
        for event in events:
            if event.timestamp is None:
                event.timestamp = self._host.clock
            self._all.append(event)
        for query, queue in self._receivers:
            matching = [event for event in events if _matches(query, event)]
            if matching:
                queue.put_nowait(EventBatch(matching))

    def say(self, message: Optional[JSONObject], query: Optional[str]) -> None:
        """Gives a message to all running queries, or to those with this text; None ends them."""
        for text, queue in self._running:
            if query is None or query == text:
                queue.put_nowait(message)

    async def publish(self, *events: Event) -> None:
        """Keeps events in `published` of the host, too."""
        self.inject(*events)
        self._host.note_published(list(events))
        await asyncio.sleep(0)

    async def subscribe(
        self, query: str, window: Optional[float] = None, capacity: Optional[int] = None,
        overflow: Optional[str] = None,
    ) -> AsyncIterator[EventBatch]:
        """Iterates over batches of matching events. Nothing is ever dropped."""
        queue: asyncio.Queue[EventBatch] = asyncio.Queue()
        receiver = (query, queue)
        self._receivers.append(receiver)
        try:
            if window is not None:
                past = await self.query(query, window)
                if past.events:
                    queue.put_nowait(EventBatch(past.events))
            while True:
                yield await queue.get()
        finally:
            self._receivers.remove(receiver)

    async def consume(
        self, query: str, consumer: str, start: str = "newest", capacity: Optional[int] = None
    ) -> AsyncIterator[EventBatch]:
        """Iterates over batches. No position is kept: each consumer begins anew."""
        async for batch in self.subscribe(query, None if start == "newest" else math.inf):
            yield batch

    async def messages(
        self, query: str, span: str, after: Optional[str] = None
    ) -> AsyncIterator[JSONObject]:
        """Iterates over the messages that the test gives to this query."""
        queue: asyncio.Queue[Optional[JSONObject]] = asyncio.Queue()
        running = (query, queue)
        self.queries.append((query, span))
        self._running.append(running)
        self._host.note_query()
        try:
            while (message := await queue.get()) is not None:
                yield message
        finally:
            self._running.remove(running)

    async def query(
        self, query: str, window: Optional[float] = None, limit: Optional[int] = None
    ) -> EventResults:
        """Returns events that were injected or published."""
        is_bounded = window is not None and math.isfinite(window)
        since = self._host.clock - int((window or 0) * 1000) if is_bounded else 0
        found = [
            event for event in self._all
            if _matches(query, event) and (event.timestamp or 0) >= since]
        kept = found if limit is None else found[max(len(found) - limit, 0):]
        return EventResults(kept, len(kept) < len(found))


def _matches(query: str, event: Event) -> bool:
    return any(_matches_all(part, event) for part in query.split("|"))


def _matches_all(query: str, event: Event) -> bool:
    body = event.to_json()
    for word in query.split():
        path, colon, wanted = word.partition(":")
        if not colon:
            path, wanted = "type", word
        value = body.get(path, event.get(path))
        text = value if isinstance(value, str) else json.dumps(value)
        if text != wanted:
            return False
    return True
