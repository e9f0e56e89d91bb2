"""The host as a contribution sees it."""

from __future__ import annotations

import asyncio
import time

from .events import Events
from .metrics import Health, Metrics
from .state import State
from .tasks import Tasks

LEVELS = ("trace", "debug", "info", "notice", "warning", "error", "critical")
"""The levels of log records, the lowest first."""


class Host:
    """The host as a contribution sees it: a log, a clock, events, state, tasks and bots, metrics, health.

    A contribution finds it as `self.host`. Each contribution has one of its own. In a worker it is
    connected to the agent. In unit tests it is a `FakeHost`.
    """

    events: Events
    state: State
    tasks: Tasks
    metrics: Metrics
    health: Health

    def log(self, message: str, level: str = "info") -> None:
        """Writes a log record. Never blocks; any thread.

        Raises ValueError for an unknown level. A record that an action writes during a task is also in the
        task's log. Another thread must have the call's context for that, as with asyncio.to_thread. While
        1,024 frames wait to be sent, records are dropped and counted.
        """
        raise NotImplementedError

    def now(self) -> int:
        """Returns the time in Unix milliseconds. Any thread."""
        return int(time.time() * 1000)

    async def sleep(self, seconds: float) -> None:
        """Waits. In a unit test only the fake clock advances."""
        await asyncio.sleep(seconds)

    def heartbeat(self) -> None:
        """Reports to the host that a long computation isn't stuck. Any thread, at any rate. At most one
        heartbeat a second is sent."""
        raise NotImplementedError
