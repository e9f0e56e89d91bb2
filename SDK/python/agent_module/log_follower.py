"""Follows a log file."""

from __future__ import annotations

import os
from typing import Any, BinaryIO, Dict, List, Optional

_LONGEST_LINE = 16 * 1024


class LogFollower:
    """The lines of a file that grows, is cut short, or is replaced by another of its name.

    `position` says how far the file was read. It is JSON, so that a module can keep it in its state. It
    is None until the file was there. `missing` is true while there is no such file. A line ends with a
    line feed. At most 16 KiB of it are kept, and empty lines are left out. Nothing here waits.
    """

    def __init__(self, path: str, start: str, kept: Optional[Dict[str, Any]] = None) -> None:
        """Resumes at a `position` that was kept, or begins at the `start` or the `end` of the file."""
        self.path = path
        self.missing = False
        self.position = kept
        self._from_end = start == "end"
        self._file: Optional[BinaryIO] = None
        self._rest = b""

    def read(self) -> List[str]:
        """The lines since the last call, of 64 KiB at most. An empty list means that there is no more now."""
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
        self._rest = rest[:_LONGEST_LINE]
        lines = [line[:_LONGEST_LINE].rstrip(b"\r").decode(errors="replace") for line in complete]
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
