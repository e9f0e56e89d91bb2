"""Log records to the host."""

from __future__ import annotations

from typing import Callable

from .channel import Channel
from .protocol import LOG, limited


class LogWriter:
    """Sends log records while few frames wait, and counts those that it drops. The loop's thread."""

    def __init__(self, channel: Channel, is_under_way: Callable[[int], bool]) -> None:
        """Makes a writer. `is_under_way` says whether a call hasn't been answered yet."""
        self._channel = channel
        self._is_under_way = is_under_way
        self._dropped = 0

    def write(self, level: str, message: str, call: int = 0) -> None:
        """Writes a record, of a call if that is still under way. When 1,024 frames wait it is dropped."""
        if self._channel.is_crowded:
            self._dropped += 1
            return
        if self._dropped:
            lost, self._dropped = self._dropped, 0
            self._channel.send(
                LOG, 0, {"level": "warning", "message": f"{lost} log records were dropped."})
        call = call if self._is_under_way(call) else 0
        # A call's record isn't `data`, because the call's REPLY must not overtake it.
        self._channel.send(LOG, call, {"level": level, "message": limited(message)}, data=call == 0)
