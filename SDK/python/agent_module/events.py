"""Events: what they are, and how a contribution publishes, subscribes to and queries them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, AsyncIterator, Dict, List, Optional

from .errors import ModuleError
from .wire import JSONObject


@dataclass
class Event:
    """Something that happened.

    The host fills in `timestamp` (Unix milliseconds) and `source` (the name of the process) of an event
    that is published without them.
    """

    type: str
    fields: Dict[str, Any] = field(default_factory=dict)
    timestamp: Optional[int] = None
    source: Optional[str] = None

    def get(self, path: str, default: Any = None) -> Any:
        """Returns a field by its name, or by a path with dots into nested objects. A field whose name has
        dots wins over a path."""
        if path in self.fields:
            return self.fields[path]
        value: Any = self.fields
        for key in path.split("."):
            if not isinstance(value, dict) or key not in value:
                return default
            value = value[key]
        return value

    def to_json(self) -> JSONObject:
        """Returns the event as JSON: its fields beside `type`, `timestamp` and `source`, which win
        over fields of the same names."""
        body: JSONObject = {"type": self.type}
        if self.timestamp is not None:
            body["timestamp"] = self.timestamp
        if self.source is not None:
            body["source"] = self.source
        return {**self.fields, **body}

    @staticmethod
    def from_json(body: JSONObject) -> Event:
        """Reads an event from JSON. Raises ModuleError "invalid_argument" for one without a type."""
        if not isinstance(body, dict) or not isinstance(body.get("type"), str):
            raise ModuleError("invalid_argument", 'An event needs a "type".')
        fields = {k: v for k, v in body.items() if k not in ("type", "timestamp", "source")}
        return Event(body["type"], fields, body.get("timestamp"), body.get("source"))


@dataclass
class EventBatch:
    """Events of a subscription, oldest first. `dropped` is the number lost since the batch before."""

    events: List[Event]
    dropped: int = 0


class QueryRow(Dict[str, Any]):
    """One row of a query: a dict of its columns. `timestamp` is its moment in Unix milliseconds."""

    def __init__(self, values: JSONObject, timestamp: int) -> None:
        """Makes a row. A column `timestamp` wins over the argument, the timestamp of the message."""
        super().__init__(values)
        self.timestamp: int = values.get("timestamp", timestamp)


@dataclass
class EventResults:
    """The events that a query found, oldest first. `truncated` is True when more than the limit match."""

    events: List[Event]
    truncated: bool = False


class Events:
    """The host's events. A contribution finds them as `self.host.events`.

    A query is a filter such as `trade pair:BTC`. The methods that take a span also take pipes behind it
    (docs/queries.md). All methods are called on the loop's thread. They raise ModuleError:
    "invalid_argument" for a query that the host can't read, and other codes when the host refuses.
    """

    async def publish(self, *events: Event) -> None:
        """Publishes events. Waits while the host can't accept more.

        Raises TypeError or ValueError for an event that isn't JSON, and ModuleError "invalid_argument" for
        one of more than 1 MiB. None of the events is published then.
        """
        raise NotImplementedError

    def subscribe(
        self, query: str, window: Optional[float] = None, capacity: Optional[int] = None,
        overflow: Optional[str] = None,
    ) -> AsyncIterator[EventBatch]:
        """Iterates over batches of matching events: first those of the last `window` seconds, then new
        ones. Leaving the loop ends the subscription.

        `overflow` says what the host does when more than `capacity` events wait for this subscriber:
        `drop_oldest`, `drop_newest`, `block` (the publisher waits), or `read_log` (the host reads them
        from the log later).
        """
        raise NotImplementedError

    def consume(
        self, query: str, consumer: str, start: str = "newest", capacity: Optional[int] = None
    ) -> AsyncIterator[EventBatch]:
        """Iterates over batches for a durable consumer. The host remembers its position under this name
        and for this process, and continues there after a crash of either side.

        A batch is done when the next one is requested. A batch that was delivered and isn't done is
        delivered again. A new consumer begins with the `newest` or the `oldest` event.
        """
        raise NotImplementedError

    async def rows(self, query: str, span: str) -> AsyncIterator[QueryRow]:
        """Iterates over the rows of a query: first over the past that `span` covers, then over new
        events. Ends with the span, if it has an end."""
        async for message in self.messages(query, span):
            for row in message.get("events", ()):
                yield QueryRow(row, message.get("timestamp", 0))

    def messages(
        self, query: str, span: str, after: Optional[str] = None
    ) -> AsyncIterator[JSONObject]:
        """Iterates over all messages of a query: rows (their `type` is `event`), and its start, stop and
        end.

        With `after` messages with rows have a `mark`. A contribution keeps the newest mark together with
        its results, and passes it as `after` at the next start; the first start passes `now`. Then no row
        is missing and none comes twice. docs/protocol.md says which queries have marks.
        """
        raise NotImplementedError

    async def query(
        self, query: str, window: Optional[float] = None, limit: Optional[int] = None
    ) -> EventResults:
        """Returns events of the last `window` seconds, or all stored events. With `limit` they are the
        newest ones."""
        raise NotImplementedError
