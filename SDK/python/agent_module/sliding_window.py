"""A sliding window over the rows of a query."""

from __future__ import annotations

import asyncio
import bisect
import math
from typing import (
    TYPE_CHECKING, Any, AsyncIterator, Dict, Iterable, List, Mapping, Optional, Set, Tuple)

if TYPE_CHECKING:
    from .host import Host


class SlidingWindow:
    """The complete rows of the last part of an index, for a monitor that computes over them.

    A row is a row of a query, or a dict with a `timestamp` in Unix milliseconds. A row is complete when it
    has a value of each mnemonic. The window has no clock and no I/O. Its caller passes rows and the time.
    It isn't safe for use from several threads. docs/modules-swift.md has its rules.
    """

    def __init__(
        self, mnemonics: Iterable[str], duration: float, index: Optional[str] = None,
        unit: float = 1, carry: Optional[float] = None, patience: float = 60,
        restart_after: int = 3, capacity: int = 100_000,
    ) -> None:
        """Makes an empty window.

        `duration`, `carry` and `patience` are seconds. `index` is the column with a row's position, and
        `unit` is the number of seconds of one step of it. Without an index the timestamp is the position.
        `carry` is how far a value is used again for rows without one. After `patience` without a value a
        mnemonic is missing. `restart_after` late rows in a row begin a new window. At most `capacity`
        rows are kept.
        """
        self.mnemonics = list(mnemonics)
        self.index = index
        self.patience = patience
        scale = 1000.0 if index is None else 1 / unit
        self._reach = duration * scale
        self._carry = None if carry is None else carry * scale
        self._restart_after = max(1, restart_after)
        self._capacity = max(1, capacity)
        self._positions: List[float] = []
        self._values: List[List[Any]] = []
        self._known: Dict[str, Tuple[float, Any]] = {}
        self._late: List[Tuple[float, List[Any]]] = []
        self._seen: Dict[str, Optional[int]] = {mnemonic: None for mnemonic in self.mnemonics}
        self._missing: Set[str] = set()
        self._returned: Set[str] = set()

    def __len__(self) -> int:
        return len(self._positions)

    @property
    def positions(self) -> List[float]:
        """The positions of the rows, rising: values of the index, or Unix milliseconds."""
        return list(self._positions)

    @property
    def missing(self) -> List[str]:
        """The mnemonics that `changes` has reported as missing and that haven't returned."""
        return [mnemonic for mnemonic in self.mnemonics if mnemonic in self._missing]

    def values(self, mnemonic: str) -> List[Any]:
        """Returns the values of a mnemonic, one for each row, or an empty list for an unknown one."""
        if mnemonic not in self.mnemonics:
            return []
        place = self.mnemonics.index(mnemonic)
        return [values[place] for values in self._values]

    def numbers(self, mnemonic: str) -> List[float]:
        """Returns the values of a mnemonic as numbers, one for each row. A value that isn't a number
        is `nan`."""
        numbers = [_number(value) for value in self.values(mnemonic)]
        return [math.nan if number is None else number for number in numbers]

    def take(self, row: Mapping[str, Any], now: int) -> str:
        """Takes a row and returns the outcome. `added` and `restarted` rows are in the window,
        `incomplete`, `duplicate` and `late` ones aren't. `now` is in Unix milliseconds."""
        for mnemonic in self.mnemonics:
            if row.get(mnemonic) is not None:
                if mnemonic in self._missing:
                    self._returned.add(mnemonic)
                    self._missing.discard(mnemonic)
                self._seen[mnemonic] = now
        moment = getattr(row, "timestamp", row.get("timestamp"))
        position = _number(moment if self.index is None else row.get(self.index))
        if position is None or not math.isfinite(position):
            return "incomplete"
        values = [self._value(row, mnemonic, position) for mnemonic in self.mnemonics]
        self._remember(row, position)
        if None in values:
            return "incomplete"
        return self._place(position, values)

    def changes(self, now: int) -> List[Tuple[str, List[str]]]:
        """Returns the changes since the last call: `("returned", mnemonics)` and
        `("missing", mnemonics)`, each once. Call it after each row, and from time to time while no rows
        come. `now` is in Unix milliseconds."""
        changes = []
        back = [mnemonic for mnemonic in self.mnemonics if mnemonic in self._returned]
        self._returned.clear()
        if back:
            changes.append(("returned", back))
        gone = []
        for mnemonic in self.mnemonics:
            # If the clock was set back, the patience begins again.
            seen = self._seen[mnemonic]
            last = now if seen is None else min(seen, now)
            self._seen[mnemonic] = last
            if mnemonic not in self._missing and now - last >= self.patience * 1000:
                self._missing.add(mnemonic)
                gone.append(mnemonic)
        if gone:
            changes.append(("missing", gone))
        return changes

    def _value(self, row: Mapping[str, Any], mnemonic: str, position: float) -> Any:
        """Returns the row's own value, or the latest known one if it is near enough and not from a later
        position."""
        value = row.get(mnemonic)
        if value is None and self._carry is not None and mnemonic in self._known:
            where, known = self._known[mnemonic]
            if 0 <= position - where <= self._carry:
                return known
        return value

    def _remember(self, row: Mapping[str, Any], position: float) -> None:
        for mnemonic in self.mnemonics if self._carry is not None else ():
            value = row.get(mnemonic)
            where, _ = self._known.get(mnemonic, (position, None))
            if value is not None and where <= position:
                self._known[mnemonic] = (position, value)

    def _place(self, position: float, values: List[Any]) -> str:
        if not self._positions or position >= self._positions[-1] - self._reach:
            self._late.clear()
            return "added" if self._insert(position, values) else "duplicate"
        # A few late rows are normal. Several in a row mean that the index was set back.
        self._late.append((position, values))
        if len(self._late) < self._restart_after:
            return "late"
        self._known = {k: v for k, v in self._known.items() if v[0] <= position}
        self._positions, self._values = [], []
        for where, kept in self._late:
            self._insert(where, kept)
        self._late.clear()
        return "restarted"

    def _insert(self, position: float, values: List[Any]) -> bool:
        """Inserts a row in its order and drops rows that are out of reach. Returns False for a position
        that exists already."""
        place = bisect.bisect_left(self._positions, position)
        if place < len(self._positions) and self._positions[place] == position:
            return False
        self._positions.insert(place, position)
        self._values.insert(place, values)
        first = bisect.bisect_left(self._positions, self._positions[-1] - self._reach)
        gone = max(first, len(self._positions) - self._capacity)
        del self._positions[:gone], self._values[:gone]
        return True


def _number(value: Any) -> Optional[float]:
    """Returns the value if it is a number. In Python a bool is an int, but it isn't a measurement."""
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


async def windows(
    rows: AsyncIterator[Mapping[str, Any]], window: SlidingWindow, host: Host
) -> AsyncIterator[Tuple[str, Any]]:
    """Slides a window over the rows of a query and ends with them.

    Yields `("moved", window)` for each row that was added, and `("skipped", outcome)` for each other row.
    Yields `("missing", mnemonics)` and `("returned", mnemonics)` too, even while no rows come.
    Raises an exception of `rows`.
    """
    iterator = rows.__aiter__()
    window.changes(host.now())
    row: Optional[asyncio.Future[Mapping[str, Any]]] = None
    tick: Optional[asyncio.Future[None]] = None
    try:
        while True:
            row = row or asyncio.ensure_future(iterator.__anext__())
            # With four checks within the patience, a missing mnemonic is reported at most a quarter
            # late.
            tick = tick or asyncio.ensure_future(host.sleep(max(window.patience / 4, 0.05)))
            waiting: List[asyncio.Future[Any]] = [row, tick]
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            if tick.done():
                tick = tick.result()
            if row.done():
                try:
                    outcome = window.take(row.result(), host.now())
                except StopAsyncIteration:
                    return
                row = None
                moved = outcome in ("added", "restarted")
                yield ("moved", window) if moved else ("skipped", outcome)
            for change in window.changes(host.now()):
                yield change
    finally:
        for task in (row, tick):
            if task is not None:
                task.cancel()
