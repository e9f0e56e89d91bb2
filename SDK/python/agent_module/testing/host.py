"""The fake host."""

from __future__ import annotations

import asyncio
from typing import Any, Dict, List, Optional, Tuple, Union

from ..contributions import Datasource, Monitor
from ..events import Event
from ..host import Host
from ..metrics import Health, Metrics
from ..wire import JSONObject
from .events import FakeEvents
from .metrics import FakeMetrics
from .state import FakeState
from .tasks import FakeTasks


class FakeHost(Host):
    """A host for unit tests.

    It keeps log records and published events, and answers queries over the events that the test injects.
    It keeps state and metrics by the host's rules. Its clock moves only by `sleep` and by the test. A
    contribution that is made with the same fake host finds the state that an earlier one has left. It isn't
    safe for use from several threads, but for the metrics.
    """

    def __init__(self, now: int = 1_700_000_000_000, process: str = "test") -> None:
        """Makes a host. `now` is where its clock begins, in Unix milliseconds; `process` is the name of
        the process in its error messages."""
        #: The clock, in Unix milliseconds. A test may set it.
        self.clock = now
        self.process = process
        #: Level and message of each log record.
        self.logs: List[Tuple[str, str]] = []
        #: The events that contributions have published.
        self.published: List[Event] = []
        self.heartbeats = 0
        self.events: FakeEvents = FakeEvents(self)
        self.state: FakeState = FakeState(self)
        self.tasks: FakeTasks = FakeTasks(self.events)
        self._measured = FakeMetrics()
        self.metrics = Metrics(self._take_report, lambda is_urgent: None)
        self.health = Health(self.metrics)
        self._changed = asyncio.Event()

    @property
    def queries(self) -> List[Tuple[str, str]]:
        """Query and span of each query that was begun with `rows` or `messages`."""
        return self.events.queries

    # As a contribution uses it.

    def log(self, message: str, level: str = "info") -> None:
        """Keeps a log record in `logs`."""
        self.logs.append((level, message))

    def now(self) -> int:
        """Returns the clock, in Unix milliseconds."""
        return self.clock

    async def sleep(self, seconds: float) -> None:
        """Moves the clock, without waiting."""
        self.clock += int(seconds * 1000)
        await asyncio.sleep(0)

    def heartbeat(self) -> None:
        """Counts in `heartbeats`."""
        self.heartbeats += 1

    # As a test uses it.

    def inject(self, *events: Event) -> None:
        """Puts events into the host, as another process would by publishing them."""
        self.events.inject(*events)

    def give(self, *rows: Dict[str, Any], query: Optional[str] = None) -> None:
        """Gives rows to all running queries, or only to those with this text. The fake host doesn't run
        queries itself."""
        dated = [{"timestamp": self.clock, **row} for row in rows]
        self.events.say({"type": "event", "timestamp": self.clock, "events": dated}, query)

    def end_queries(self, query: Optional[str] = None) -> None:
        """Ends all running queries, or those with this text, as the end of their span does."""
        self.events.say({"type": "stop", "reason": "EndOfSpan"}, query)
        self.events.say({"type": "destroy"}, query)
        self.events.say(None, query)

    async def run(
        self, contribution: Union[Datasource, Monitor], until_published: int
    ) -> List[Event]:
        """Runs a datasource or a monitor until that many events are published, and returns them. Raises
        what `run` of the contribution raises."""
        work = asyncio.ensure_future(contribution.run())
        try:
            while len(self.published) < until_published and not work.done():
                self._changed.clear()
                changed = asyncio.ensure_future(self._changed.wait())
                waiting: List[asyncio.Future[Any]] = [work, changed]
                await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
                changed.cancel()
            if work.done():
                await work
        finally:
            work.cancel()
        return self.published

    def metric(self, name: str, **labels: str) -> Any:
        """Returns the value of a counter or a gauge, `(count, sum)` of a histogram, None for a metric that
        has no value with these labels."""
        self.metrics.flush()
        return self._measured.value(name, labels)

    def health_of(self, component: Optional[str] = None) -> Optional[Tuple[str, Optional[str]]]:
        """Returns the last reported state and reason of a component, or of the whole contribution; None
        without a report."""
        self.metrics.flush()
        return self._measured.health.get(component or "")

    # As its parts use it.

    def note_published(self, events: List[Event]) -> None:
        """Keeps events that a contribution has published."""
        self.published.extend(events)
        self._changed.set()

    def note_query(self) -> None:
        """Lets `run` look again: a query was begun."""
        self._changed.set()

    def _take_report(self, report: JSONObject) -> None:
        for refused in self._measured.call("report", report)["refused"]:
            self.log(f"metrics/1: {refused['reason']}", "warning")
