"""Metrics and health of a contribution."""

from __future__ import annotations

import bisect
import math
import threading
from typing import Any, Callable, Dict, Iterable, List, Optional, Tuple, Type, TypeVar

from .wire import JSONObject

M = TypeVar("M", bound="Metric")

MAX_ENTRIES = 500
"""The maximum number of metrics, and of health states, in one report. The host accepts 1,000."""


class Metrics:
    """Metrics of a contribution, for the people who run the agent.

        orders = self.host.metrics.counter("orders_total", "Orders taken.", kind="web")
        orders.add()

    A contribution finds them as `self.host.metrics`. A change is cheap, because the SDK sends
    changes once a second, and before the worker ends. Keep the objects that the methods return. Use few
    labels with few values. docs/module-services.md has the rules of names. The host checks them, and the
    log shows its refusals. Any thread.
    """

    USUAL_BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
    MOST = 1000

    def __init__(self, send: Callable[[JSONObject], None], due: Callable[[bool], None]) -> None:
        """Makes an empty set of metrics.

        `send` takes a report. `due` is called after a change: with True for a report at once, with False
        for one within a second. Both are called on the thread that made the change.
        """
        self._send = send
        self._due = due
        self._lock = threading.Lock()
        self._metrics: Dict[Tuple[Any, ...], Metric] = {}
        self._health: Dict[str, JSONObject] = {}
        self._unsent_health: Dict[str, JSONObject] = {}
        self._is_due = False

    def counter(self, name: str, help: Optional[str] = None, **labels: str) -> Counter:
        """Returns the counter of this name, `…_total`, and these labels. It continues after a restart of
        the worker."""
        return self._metric(Counter, name, help, labels)

    def gauge(self, name: str, help: Optional[str] = None, **labels: str) -> Gauge:
        """Returns the gauge of this name and these labels. Its value ends with the worker."""
        return self._metric(Gauge, name, help, labels)

    def histogram(
        self, name: str, help: Optional[str] = None, bounds: Iterable[float] = USUAL_BOUNDS,
        **labels: str,
    ) -> Histogram:
        """Returns the histogram of this name and these labels. `bounds` are the upper bounds of its
        buckets, rising. The first call for a name sets them."""
        return self._metric(Histogram, name, help, labels, tuple(bounds))

    def flush(self) -> None:
        """Sends the changes at once, instead of within a second."""
        with self._lock:
            self._is_due = False
            metrics = [metric.take() for metric in self._metrics.values() if metric.has_changed]
            health = list(self._unsent_health.values())
            self._unsent_health = {}
        while metrics or health:
            report = {"metrics": metrics[:MAX_ENTRIES], "health": health[:MAX_ENTRIES]}
            self._send({key: part for key, part in report.items() if part})
            metrics, health = metrics[MAX_ENTRIES:], health[MAX_ENTRIES:]

    def note(self) -> None:
        """Plans a report within a second. The metrics call it."""
        if not self._is_due:
            self._is_due = True
            self._due(False)

    def note_health(self, component: str, part: JSONObject) -> None:
        """Sends the health of a component at once if it has changed. `Health` calls it. The component ""
        is the whole contribution."""
        with self._lock:
            if self._health.get(component) == part:
                return
            if component not in self._health and len(self._health) >= self.MOST:
                return
            self._health[component] = part
            self._unsent_health[component] = {"component": component, **part} if component else part
        self._due(True)

    def _metric(
        self, kind: Type[M], name: str, help: Optional[str], labels: Dict[str, str], *more: Any
    ) -> M:
        key = (kind, name, *sorted(labels.items()))
        with self._lock:
            known = self._metrics.get(key)
            if isinstance(known, kind):
                return known
            metric = kind(self, self._lock, name, help, labels, *more)
            # Labels with an unlimited number of values would fill the memory. A metric beyond the
            # limit isn't sent, because the host would refuse it.
            if len(self._metrics) < self.MOST:
                self._metrics[key] = metric
            return metric


class Metric:
    """A named value with its labels. `Metrics` makes it. Any thread may change it."""

    def __init__(
        self, metrics: Metrics, lock: threading.Lock, name: str, help: Optional[str],
        labels: Dict[str, str],
    ) -> None:
        """Makes a metric that shares the lock of its `Metrics`."""
        self._metrics = metrics
        self._lock = lock
        self._base: JSONObject = {"name": name}
        if help is not None:
            self._base["help"] = help
        if labels:
            self._base["labels"] = {key: str(value) for key, value in sorted(labels.items())}
        self._value = 0.0
        self.has_changed = False

    def take(self) -> JSONObject:
        """Returns the change since the last call as JSON. `Metrics` calls it with the lock held."""
        raise NotImplementedError

    def _note(self) -> None:
        self.has_changed = True
        self._metrics.note()


class Counter(Metric):
    """A value that only grows."""

    def add(self, amount: float = 1) -> None:
        """Adds an amount. Negative amounts, NaN and the infinities are ignored."""
        if not (amount > 0 and math.isfinite(amount)):
            return
        with self._lock:
            self._value += amount
            self._note()

    def take(self) -> JSONObject:
        """Returns the amount since the last call."""
        value, self._value, self.has_changed = self._value, 0.0, False
        return {**self._base, "add": value}


class Gauge(Metric):
    """A value that rises and falls."""

    def set(self, value: float) -> None:
        """Sets the value. NaN and the infinities are ignored."""
        if math.isfinite(value):
            with self._lock:
                self._value = float(value)
                self._note()

    def add(self, amount: float = 1) -> None:
        """Adds an amount, which may be negative. A gauge begins with 0."""
        if math.isfinite(amount):
            with self._lock:
                self._value += amount
                self._note()

    def take(self) -> JSONObject:
        """Returns the value as it is now."""
        self.has_changed = False
        return {**self._base, "set": self._value}


class Histogram(Metric):
    """A distribution of values over buckets."""

    def __init__(
        self, metrics: Metrics, lock: threading.Lock, name: str, help: Optional[str],
        labels: Dict[str, str], bounds: Tuple[float, ...],
    ) -> None:
        """Makes an empty histogram. The last bucket has no upper bound."""
        super().__init__(metrics, lock, name, help, labels)
        self._bounds = bounds
        self._counts: List[int] = [0] * (len(bounds) + 1)

    def observe(self, value: float) -> None:
        """Counts a value. NaN and the infinities are ignored."""
        if math.isfinite(value):
            with self._lock:
                self._counts[bisect.bisect_left(self._bounds, value)] += 1
                self._value += value
                self._note()

    def take(self) -> JSONObject:
        """Returns the counts and the sum since the last call."""
        taken = {"bounds": list(self._bounds), "counts": self._counts, "sum": self._value}
        self._counts, self._value, self.has_changed = [0] * (len(self._bounds) + 1), 0.0, False
        return {**self._base, **taken}


class Health:
    """The health of a contribution's parts, for the people who run the agent.

    A contribution finds it as `self.host.health`. A report holds until another one replaces it, and ends
    with the worker. Any thread.
    """

    STATES = ("ok", "degraded", "failing")

    def __init__(self, metrics: Metrics) -> None:
        """Makes the health of a contribution. Its reports are sent with those of `metrics`."""
        self._metrics = metrics

    def report(
        self, state: str, reason: Optional[str] = None, component: Optional[str] = None
    ) -> None:
        """Reports the state of a component, or of the whole contribution.

        `state` is "ok", "degraded" or "failing"; another raises ValueError. `reason` is a sentence for the
        person who must act. A report that changes nothing isn't sent.
        """
        if state not in self.STATES:
            raise ValueError(f'"{state}" is not one of {", ".join(self.STATES)}')
        part = {"state": state} if reason is None else {"state": state, "reason": reason}
        self._metrics.note_health(component or "", part)
