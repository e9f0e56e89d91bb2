"""Publishes an alert when errors come too fast."""

from __future__ import annotations

from collections import deque
from typing import Deque, Optional

from agent_module import Alert, Monitor, output_events


class ErrorRate(Monitor):
    async def run(self) -> None:
        count = self.settings.get("count", 10)
        window = self.settings.get("window_seconds", 60)
        rate = Rate(count, window, self.settings.get("cooldown_seconds", 60))
        query = self.settings.get("query", "type:log_line level:error")
        async for batch in self.host.events.subscribe(query):
            for event in batch.events:
                time = event.timestamp if event.timestamp is not None else self.host.now()
                if rate.add(time):
                    line = event.get("line", event.type)
                    await self.alert(f"{count} errors within {window} seconds. The last: {line}", line)

    async def alert(self, text: str, line: str) -> None:
        self.host.log(text, "warning")
        fields = {"count": self.settings.get("count", 10), "line": line}
        events = output_events(self.settings.get("output"), Alert(text, fields=fields), self.host.now())
        await self.host.events.publish(*events)


class Rate:
    """Counts what happened within a window of time; `window` and `cooldown` are in seconds."""

    def __init__(self, limit: int, window: int, cooldown: int) -> None:
        self._limit = limit
        self._window = window * 1000
        self._cooldown = cooldown * 1000
        self._times: Deque[int] = deque()
        self._last_alert: Optional[int] = None

    def add(self, time: int) -> bool:
        """Counts one; true when that is one too many, and the last alert was long enough ago."""
        self._times.append(time)
        while time - self._times[0] >= self._window:
            self._times.popleft()
        if len(self._times) < self._limit:
            return False
        if self._last_alert is not None and time - self._last_alert < self._cooldown:
            return False
        self._last_alert = time
        return True
