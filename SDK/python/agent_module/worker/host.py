"""The host as a contribution sees it inside a worker."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, AsyncIterator, Optional

from ..events import Event, EventBatch, EventResults, Events
from ..host import LEVELS, Host
from ..metrics import Health
from ..state import State
from ..tasks import Tasks
from ..wire import JSONObject, without_none
from . import call_context
from .subscriptions import Batch

if TYPE_CHECKING:
    from .worker import Worker


class WorkerHost(Host):
    """The host of one contribution. All contributions of a worker share its connection and its metrics."""

    def __init__(self, worker: Worker) -> None:
        """Makes the host of a contribution."""
        self._worker = worker
        self.metrics = worker.metrics
        self.health = Health(worker.metrics)
        self.events = WorkerEvents(worker)
        self.state = WorkerState(worker)
        self.tasks = WorkerTasks(worker, self.events)

    def log(self, message: str, level: str = "info") -> None:
        """Writes a log record."""
        if level not in LEVELS:
            raise ValueError(f'"{level}" is not one of {", ".join(LEVELS)}')
        # The call's context exists on this thread and not on the loop's.
        self._worker.log(level, str(message), call_context.call_id.get())

    def heartbeat(self) -> None:
        """Sends a heartbeat."""
        self._worker.heartbeat()


class WorkerEvents(Events):
    """The host's events over PUBLISH, SUBSCRIBE and the service `events/1`."""

    def __init__(self, worker: Worker) -> None:
        """Makes the events of one contribution."""
        self._worker = worker

    async def publish(self, *events: Event) -> None:
        """Publishes events."""
        await self._worker.publisher.publish([event.to_json() for event in events])

    async def subscribe(
        self, query: str, window: Optional[float] = None, capacity: Optional[int] = None,
        overflow: Optional[str] = None,
    ) -> AsyncIterator[EventBatch]:
        """Iterates over batches of matching events."""
        request = _request(query, window, capacity=capacity, overflow=overflow)
        async for bodies, dropped in self._batches(request):
            yield EventBatch([Event.from_json(body) for body in bodies], dropped)

    async def consume(
        self, query: str, consumer: str, start: str = "newest", capacity: Optional[int] = None
    ) -> AsyncIterator[EventBatch]:
        """Iterates over batches for a durable consumer."""
        request = _request(query, None, capacity=capacity, consumer=consumer)
        request["from"] = start
        async for bodies, dropped in self._batches(request):
            yield EventBatch([Event.from_json(body) for body in bodies], dropped)

    async def messages(
        self, query: str, span: str, after: Optional[str] = None
    ) -> AsyncIterator[JSONObject]:
        """Iterates over the messages of a query."""
        async for bodies, _ in self._batches(_request(query, None, span=span, after=after)):
            for body in bodies:
                yield body

    async def query(
        self, query: str, window: Optional[float] = None, limit: Optional[int] = None
    ) -> EventResults:
        """Returns recent events."""
        input = _request(query, window, limit=limit)
        body = await self._worker.calls.call("events/1", "query", input)
        events = [Event.from_json(event) for event in body.get("events", [])]
        return EventResults(events, bool(body.get("truncated")))

    async def _batches(self, request: JSONObject) -> AsyncIterator[Batch]:
        subscription = self._worker.subscriptions.subscribe(request)
        try:
            while True:
                batch = await subscription.take()
                if batch is None:
                    return
                yield batch
                # The reader has requested the next batch, so this one is done.
                subscription.done(len(batch[0]))
        finally:
            subscription.close()


class WorkerState(State):
    """The host's state over the service `state/1`."""

    def __init__(self, worker: Worker) -> None:
        """Makes the state of one contribution."""
        self._worker = worker

    async def _call(self, method: str, input: JSONObject) -> JSONObject:
        answer: JSONObject = await self._worker.calls.call("state/1", method, input)
        return answer


class WorkerTasks(Tasks):
    """The host's tasks and bots over the service `tasks/1`."""

    def __init__(self, worker: Worker, events: Events) -> None:
        """Makes the tasks of one contribution. `events` are those of the same contribution."""
        self._worker = worker
        self._events = events

    async def _call(self, method: str, input: JSONObject) -> JSONObject:
        answer: JSONObject = await self._worker.calls.call("tasks/1", method, input)
        return answer


def _request(query: str, window: Optional[float], **others: Any) -> JSONObject:
    """The body of SUBSCRIBE, or the input of a query. `window` is in seconds."""
    return without_none(
        query=query, window_ms=None if window is None else int(window * 1000), **others)
