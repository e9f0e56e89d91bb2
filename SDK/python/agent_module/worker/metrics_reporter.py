"""Reports of metrics and health to the host."""

from __future__ import annotations

import asyncio
import math
import time
from typing import Any, Callable, Set

from ..metrics import Metrics
from ..wire import JSONObject
from .channel import Channel
from .host_calls import HostCalls

INTERVAL = 1.0
"""The shortest time between two reports, in seconds."""
MAX_REFUSALS = 100
"""The maximum number of different refusals in the log."""


class MetricsReporter:
    """Sends changes of the metrics at most once a second. All contributions of a worker share its
    metrics."""

    def __init__(
        self, channel: Channel, calls: HostCalls, warn: Callable[[str], None]
    ) -> None:
        """Makes a reporter with empty metrics. `warn` gets the host's refusals."""
        self._channel = channel
        self._calls = calls
        self._warn = warn
        self._refusals: Set[str] = set()
        self._last_urgent = -math.inf
        self.metrics = Metrics(
            lambda report: self._channel.on_loop(self._send, report), self._due)

    def _due(self, is_urgent: bool) -> None:
        """Called by the metrics on any thread, also by one that outlives the loop."""
        try:
            self._channel.loop.call_soon_threadsafe(self._plan, is_urgent)
        except RuntimeError:
            pass  # The worker has ended, but a thread of the module still runs.

    def _plan(self, is_urgent: bool) -> None:
        if not is_urgent:
            self._channel.loop.call_later(INTERVAL, self.metrics.flush)
        elif time.monotonic() - self._last_urgent >= INTERVAL:
            self._last_urgent = time.monotonic()
            self.metrics.flush()
        else:
            # Frequent changes of health wait like those of metrics.
            self.metrics.note()

    def _send(self, report: JSONObject) -> None:
        """Sends at once, without a task, because the answer to STOP must follow the last report."""
        self._calls.begin("metrics/1", "report", report).add_done_callback(self._answered)

    def _answered(self, answer: asyncio.Future[Any]) -> None:
        """Logs each refusal of the host once. A host without the service is no fault of the
        module."""
        if answer.cancelled():
            return
        error = answer.exception()
        if error is None:
            reasons = [str(entry.get("reason")) for entry in answer.result().get("refused", [])]
        else:
            reasons = [str(error)] if getattr(error, "code", "") == "invalid_argument" else []
        for reason in reasons:
            if reason not in self._refusals and len(self._refusals) < MAX_REFUSALS:
                self._refusals.add(reason)
                self._warn(f"metrics/1: {reason}")
