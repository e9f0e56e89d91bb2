"""The host's rules for names, labels and bounds of metrics (docs/module-services.md)."""

from __future__ import annotations

from typing import Optional

from ..wire import JSONObject
from .shapes import byte_size


def metric_problem(metric: JSONObject, kind: str) -> Optional[str]:
    """Returns the rule that a metric of this kind breaks, as a sentence; None when it breaks none."""
    name = metric["name"]
    if not _is_name(name, 100):
        return (
            f'"{name}" isn\'t a name for a metric: a lower-case letter, then lower-case letters, '
            "digits and _, at most 100.")
    for suffix in ("_bucket", "_count", "_sum"):
        if name.endswith(suffix):
            return f'"{name}" ends in {suffix}, which belongs to histograms. Choose another name.'
    if kind == "counter" and not name.endswith("_total"):
        return f'The counter "{name}" must end in _total.'
    if kind != "counter" and name.endswith("_total"):
        return f'"{name}" ends in _total, which only counters do.'
    labels = metric.get("labels", {})
    if len(labels) > 10:
        return f'"{name}" has {len(labels)} labels; 10 is the most.'
    for label, value in sorted(labels.items()):
        problem = _label_problem(label, value)
        if problem:
            return f'A label of "{name}": {problem}'
    bounds = metric.get("bounds", [0])
    if not 1 <= len(bounds) <= 50 or any(a >= b for a, b in zip(bounds, bounds[1:])):
        return f'The bounds of "{name}" are 1 to 50 numbers, each greater than the one before.'
    return None


def _label_problem(label: str, value: str) -> Optional[str]:
    if label in ("le", "module", "process"):
        return f'"{label}" belongs to the host. Choose another name.'
    if not _is_name(label, 64):
        return (
            f'"{label}" isn\'t a name: a lower-case letter, then lower-case letters, digits and _, '
            "at most 64.")
    if byte_size(value) > 128:
        return f'the value of "{label}" has {byte_size(value)} bytes; 128 is the most.'
    return None


def _is_name(text: str, most: int) -> bool:
    letters = "abcdefghijklmnopqrstuvwxyz"
    return (
        0 < len(text) <= most and text[0] in letters
        and all(c in letters + "0123456789_" for c in text))
