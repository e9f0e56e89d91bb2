"""The metrics of the fake host: the rules of the host's `metrics/1`, in memory.

SDK/conformance/metrics.json has what every implementation answers.
"""

from __future__ import annotations

import bisect
from typing import Any, Dict, List, Optional, Tuple

from ..errors import ModuleError
from ..metrics import Health, Metrics
from ..wire import JSONObject
from .metric_names import metric_problem
from .shapes import check_members, wrong_input

MEMBERS = ("name", "help", "labels", "add", "set", "observe", "bounds", "counts", "sum")
KINDS = {"add": "counter", "set": "gauge", "observe": "histogram", "counts": "histogram"}
"""The member that carries a metric's change, and the kind that it makes it."""
MAX_ENTRIES = 1000


class FakeMetrics:
    """Metrics and health in memory. They go with their fake host."""

    FAMILIES, SERIES, COMPONENTS = 100, 1000, 50

    def __init__(self) -> None:
        """Makes it empty."""
        #: State and reason by component; "" is the whole contribution.
        self.health: Dict[str, Tuple[str, Optional[str]]] = {}
        self._families: Dict[str, Tuple[str, List[float]]] = {}
        self._series: Dict[Tuple[str, Tuple[Tuple[str, str], ...]], Any] = {}

    def value(self, name: str, labels: Dict[str, str]) -> Any:
        """Returns the value of a counter or a gauge, `(count, sum)` of a histogram, None for none."""
        value = self._series.get((name, tuple(sorted(labels.items()))))
        return (sum(value[0]), value[1]) if isinstance(value, tuple) else value

    def call(self, method: str, input: Any) -> JSONObject:
        """Answers a method of the service. Raises ModuleError "invalid_argument" for an input of another
        shape; an entry that breaks a rule is among the refused."""
        if method != "report":
            raise ModuleError("unsupported", f'metrics/1 has no "{method}"; it has report.')
        check_members(input, ("metrics", "health"), _wrong)
        metrics = _list(input.get("metrics", []))
        parts = _list(input.get("health", []))
        for metric in metrics:
            _check_metric(metric)
        for part in parts:
            check_members(part, ("component", "state", "reason"), _wrong)
            if part.get("state") not in Health.STATES:
                raise _wrong('"state" is ok, degraded or failing')
        refused = []
        for metric in metrics:
            reason = metric_problem(metric, _kind(metric)) or self._take(metric)
            if reason:
                refused.append({"name": metric["name"], "reason": reason})
        for part in parts:
            reason = self._take_health(part)
            if reason:
                refused.append({"component": part.get("component", ""), "reason": reason})
        return {"refused": refused}

    def _take(self, metric: JSONObject) -> Optional[str]:
        """Takes a change, or returns why not."""
        name, kind = metric["name"], _kind(metric)
        usual = list(Metrics.USUAL_BOUNDS)
        known, bounds = self._families.get(name, (kind, metric.get("bounds", usual)))
        if known != kind:
            return f'"{name}" is a {known} already, and can\'t be a {kind}.'
        if metric.get("bounds", bounds) != bounds:
            return f'The histogram "{name}" has other bounds already.'
        if "counts" in metric and len(metric["counts"]) != len(bounds) + 1:
            return f'"counts" of "{name}" needs {len(bounds) + 1} numbers, one more than bounds.'
        if name not in self._families and len(self._families) >= self.FAMILIES:
            return f'The process has {self.FAMILIES} metrics, which is the most; "{name}" is one more.'
        key = (name, tuple(sorted(metric.get("labels", {}).items())))
        if key not in self._series and len(self._series) >= self.SERIES:
            return (
                f"The process has {self.SERIES} combinations of labels, which is the most; "
                f'"{name}" would add one.')
        self._families[name] = (kind, bounds)
        self._series[key] = _changed(self._series.get(key), metric, bounds)
        return None

    def _take_health(self, part: JSONObject) -> Optional[str]:
        """Takes a component's health, or returns why not."""
        component = part.get("component", "")
        plain = all(c.isascii() and (c.isalnum() or c in " _-./:") for c in component)
        if not plain or len(component) > 64:
            return (
                f'"{component[:64]}" isn\'t a name for a component: letters, digits, spaces and '
                "_ - . / :, at most 64.")
        if component not in self.health and len(self.health) >= self.COMPONENTS:
            return f"The process has reported {self.COMPONENTS} components, which is the maximum."
        reason = part.get("reason")
        self.health[component] = (part["state"], None if reason is None else reason[:500])
        return None


def _changed(old: Any, metric: JSONObject, bounds: List[float]) -> Any:
    """The value after a change: a number, or counts and sum of a histogram."""
    if "set" in metric:
        return metric["set"]
    if "add" in metric:
        return (old or 0) + metric["add"]
    counts, total = old or ([0] * (len(bounds) + 1), 0)
    if "counts" in metric:
        return [a + b for a, b in zip(counts, metric["counts"])], total + metric["sum"]
    counts = list(counts)
    for value in metric["observe"]:
        counts[bisect.bisect_left(bounds, value)] += 1
    return counts, total + sum(metric["observe"])


def _kind(metric: JSONObject) -> str:
    return next(kind for key, kind in KINDS.items() if key in metric)


def _check_metric(metric: Any) -> None:
    """Refuses a metric of another shape."""
    check_members(metric, MEMBERS, _wrong)
    if len([key for key in KINDS if key in metric]) != 1:
        raise _wrong('a metric has one of "add", "set", "observe" and "counts"')
    if not isinstance(metric.get("name"), str):
        raise _wrong('a metric needs a "name"')
    labels = metric.get("labels", {})
    if not isinstance(labels, dict) or not all(isinstance(v, str) for v in labels.values()):
        raise _wrong('"labels" are texts')
    for key in ("add", "set", "sum"):
        if key in metric and not _is_number(metric[key]):
            raise _wrong(f'"{key}" needs a number')
    for key in ("observe", "bounds", "counts"):
        if key in metric and not all(map(_is_number, _list(metric[key]))):
            raise _wrong(f'"{key}" needs numbers')
    if metric.get("add", 0) < 0 or any(count < 0 for count in metric.get("counts", [])):
        raise _wrong('"add" and "counts" aren\'t negative')
    if "counts" in metric and not ("bounds" in metric and "sum" in metric):
        raise _wrong('"counts" come with "bounds" and a "sum"')


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _list(value: Any) -> List[Any]:
    if not isinstance(value, list) or len(value) > MAX_ENTRIES:
        raise _wrong(f"expected a list of at most {MAX_ENTRIES}")
    return value


def _wrong(what: str) -> ModuleError:
    return wrong_input("The input of report", what)
