"""Publishes the lines of a log file as they are written."""

from __future__ import annotations

import os
from typing import Any, BinaryIO, Dict, List, Optional

from agent_module import Datasource, Event

LONGEST_LINE = 16 * 1024


class LogFile(Datasource):
    async def run(self) -> None:
        path = self.settings["path"]
        kept = await self.host.state.get("position")
        # Another file than before is a new one, and so is what it has.
        if kept is not None and kept["path"] != path:
            kept = None
        follower = LogFollower(path, self.settings.get("from", "end"), kept)
        try:
            await self.follow(follower)
        finally:
            follower.close()

    async def follow(self, follower: LogFollower) -> None:
        missing = False
        kept = None
        while True:
            lines = follower.read()
            if lines:
                await self.host.events.publish(*[self.event(line) for line in lines])
            # Behind the lines that are in the log: after a restart none is missing, and none but
            # those of a batch that was under way comes twice.
            if follower.position != kept:
                kept = follower.position
                await self.host.state.set("position", kept)
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

    def __init__(self, path: str, start: str, kept: Optional[Dict[str, Any]] = None) -> None:
        """Goes on at a `position` that was kept; else it begins at the start or the end."""
        self.path = path
        self.missing = False
        self.position = kept
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
            self._read_to(0)
        chunk = self._file.read(64 * 1024)
        if chunk:
            return self._split(chunk)
        # Nothing more in this one: only now may it be left for its successor.
        if self._replaced():
            self.close()
        return []

    def close(self) -> None:
        """Closes the file; the next read opens it again."""
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
            self._begin(self._file)
        # Only the file that was there at first may have lines from before.
        self._from_end = False
        return self._file is not None

    def _begin(self, file: BinaryIO) -> None:
        now = os.fstat(file.fileno())
        kept, name = self.position, _identity(now)
        if kept is not None:
            # Another file of this name, or one that was cut short, is new from its beginning.
            goes_on = kept["file"] == name and kept["offset"] <= now.st_size
            file.seek(kept["offset"] if goes_on else 0)
        elif self._from_end:
            file.seek(0, os.SEEK_END)
        self._read_to(file.tell())

    def _read_to(self, offset: int) -> None:
        assert self._file is not None
        file = _identity(os.fstat(self._file.fileno()))
        self.position = {"path": self.path, "file": file, "offset": offset}

    def _split(self, chunk: bytes) -> List[str]:
        assert self._file is not None
        line_end = chunk.rfind(b"\n") + 1
        if line_end:
            self._read_to(self._file.tell() - len(chunk) + line_end)
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


def _identity(status: os.stat_result) -> str:
    """The identity of a file, which a rename keeps; a text, since the numbers may be large."""
    return f"{status.st_dev}:{status.st_ino}"
