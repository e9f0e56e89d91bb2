"""Publishes the lines of a log file as they are written."""

from __future__ import annotations

import os
from typing import BinaryIO, List, Optional

from agent_module import Datasource, Event

LONGEST_LINE = 16 * 1024


class LogFile(Datasource):
    async def run(self) -> None:
        path = self.settings["path"]
        follower = LogFollower(path, self.settings.get("from", "end"))
        try:
            await self.follow(follower)
        finally:
            follower.close()

    async def follow(self, follower: LogFollower) -> None:
        missing = False
        while True:
            lines = follower.read()
            if lines:
                await self.host.events.publish(*[self.event(line) for line in lines])
            if follower.missing and not missing:
                self.host.log(f"{follower.path} isn't there yet.", "warning")
            missing = follower.missing
            # A file that has just given lines may have more.
            if not lines:
                await self.host.sleep(self.settings.get("pause_ms", 500) / 1000)

    def event(self, line: str) -> Event:
        words = self.settings.get("error_words", ["error"])
        is_error = any(word.lower() in line.lower() for word in words)
        level = "error" if is_error else "info"
        return Event("log_line", {"file": self.settings["path"], "line": line, "level": level})


class LogFollower:
    """Reads a file that grows, is cut short, or is replaced by another of its name."""

    def __init__(self, path: str, start: str) -> None:
        self.path = path
        self.missing = False
        self._from_end = start == "end"
        self._file: Optional[BinaryIO] = None
        self._rest = b""

    def read(self) -> List[str]:
        """What has been written since the last time, up to some 64 KB."""
        if self._file is None and not self._open():
            return []
        assert self._file is not None
        if os.fstat(self._file.fileno()).st_size < self._file.tell():
            self._file.seek(0)
            self._rest = b""
        chunk = self._file.read(64 * 1024)
        if chunk:
            return self._split(chunk)
        # Nothing more in this one: only now may it be left for its successor.
        if self._replaced():
            self.close()
        return []

    def close(self) -> None:
        """Lets go of the file; the next read opens it anew."""
        if self._file is not None:
            self._file.close()
        self._file, self._rest = None, b""

    def _open(self) -> bool:
        try:
            self._file = open(self.path, "rb", buffering=0)
        except OSError:
            self.missing = True
        else:
            self.missing = False
            if self._from_end:
                self._file.seek(0, os.SEEK_END)
        # Only the file that was there at first may have lines from before.
        self._from_end = False
        return self._file is not None

    def _split(self, chunk: bytes) -> List[str]:
        *complete, rest = (self._rest + chunk).split(b"\n")
        self._rest = rest[:LONGEST_LINE]
        lines = [line[:LONGEST_LINE].rstrip(b"\r").decode(errors="replace") for line in complete]
        return [line for line in lines if line]

    def _replaced(self) -> bool:
        assert self._file is not None
        try:
            return not os.path.samestat(os.fstat(self._file.fileno()), os.stat(self.path))
        except OSError:
            return False
