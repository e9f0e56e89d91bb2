"""Write a module for an agent in Python 3.9 or newer, without dependencies.

    from agent_module import Datasource, Event, Module

    module = Module("clock", "0.1.0")

    @module.datasource("ticks")
    class Ticks(Datasource):
        async def run(self):
            while True:
                await self.host.events.publish(Event("tick"))
                await self.host.sleep(self.settings["seconds"])

    if __name__ == "__main__":
        module.run()

Name, version and contributions must be those of `module.json`. All contributions of a module run on
one asyncio loop. If a call blocks the loop, the host takes the module for stuck. Pass such calls to
`asyncio.to_thread`, or call `host.heartbeat()` during a computation.

The package speaks the worker protocol (docs/protocol.md) on the descriptor that AGENT_WORKER_FD names.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from .bots import BotWork
from .contributions import (
    Action, Contribution, Datasource, LogicAdapter, Monitor, Notifier, Progress, Route, Strategy)
from .contributions import make_contribution as make_contribution
from .errors import ModuleError
from .events import Event, EventBatch, EventResults
from .events import Events as Events, QueryRow as QueryRow
from .host import Host
from .metrics import Counter as Counter, Gauge as Gauge, Histogram as Histogram
from .metrics import Health, Metrics
from .module import Module
from .state import State, StateEntry, StateTransaction, StateVersion
from .tasks import TaskEvent, Tasks

if TYPE_CHECKING:
    from .calls import Answer, Assignment, Notice, Statement
    from .log_follower import LogFollower
    from .outputs import Alert, Annotation, Message, output_events
    from .routes import Reply, Request
    from .sliding_window import SlidingWindow, windows
    from .testing import FakeHost
else:
    # These are loaded at their first use, so that a module without them starts sooner.
    _LATE = {
        "Answer": ".calls", "Assignment": ".calls", "Notice": ".calls", "Statement": ".calls",
        "LogFollower": ".log_follower",
        "Alert": ".outputs", "Annotation": ".outputs", "Message": ".outputs",
        "output_events": ".outputs",
        "Reply": ".routes", "Request": ".routes",
        "SlidingWindow": ".sliding_window", "windows": ".sliding_window",
        "FakeHost": ".testing",
    }

    def __getattr__(name: str) -> Any:
        if name not in _LATE:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(importlib.import_module(_LATE[name], __name__), name)


__all__ = [
    "Action", "Alert", "Annotation", "Answer", "Assignment", "BotWork", "Contribution", "Datasource",
    "Event", "EventBatch", "EventResults", "FakeHost", "Health", "Host", "LogFollower", "LogicAdapter",
    "Message", "Metrics", "Module", "ModuleError", "Monitor", "Notice", "Notifier", "Progress", "Reply", "Request",
    "Route", "SlidingWindow",
    "State", "StateEntry", "StateTransaction", "StateVersion", "Statement", "Strategy", "TaskEvent",
    "Tasks",
    "output_events", "windows",
]
