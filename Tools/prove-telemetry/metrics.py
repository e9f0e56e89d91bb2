"""Metrics as Prometheus reads them."""

import collections
import math

from prometheus_client.openmetrics import parser as openmetrics
from prometheus_client import parser as plain

#: What the plain form is called, and the one that a server asks for first.
PLAIN = "text/plain; version=0.0.4"
OPEN = "application/openmetrics-text; version=1.0.0"


def families(text, content_type):
    """The families of a page by their names, read by the parser that goes with its type."""
    read = openmetrics if content_type.startswith("application/openmetrics-text") else plain
    found = {}
    for family in read.text_string_to_metric_families(text):
        if family.name in found:
            raise AssertionError(f"{family.name} is there twice")
        found[family.name] = family
    return found


def said(text):
    """The names that a page has HELP for, and those that it has TYPE for."""
    names = {"HELP": collections.Counter(), "TYPE": collections.Counter()}
    for line in text.splitlines():
        words = line.split(" ", 3)
        if words[0] == "#" and words[1] in names:
            names[words[1]][words[2]] += 1
    return names["HELP"], names["TYPE"]


def check(text, content_type):
    """Raises AssertionError for what the parsers let pass; returns the families."""
    found = families(text, content_type)
    helps, types = said(text)
    for name, family in found.items():
        # The plain parser takes a counter's _total off; the page has it.
        title = name if name in types else name + "_total"
        assert helps[title] == 1 and types[title] == 1, f"{name}: HELP or TYPE is missing or doubled"
        assert family.documentation.strip(), f"{name} has no help"
        assert family.type in ("counter", "gauge", "histogram"), f"{name} is {family.type}"
        assert family.samples, f"{name} has no series"
        labels = [(one.name, tuple(sorted(one.labels.items()))) for one in family.samples]
        assert len(labels) == len(set(labels)), f"{name} has a series twice"
        if family.type == "counter":
            assert all(one.value >= 0 for one in family.samples), f"{name} is negative"
        if family.type == "histogram":
            histogram(name, family.samples)
    assert sum(types.values()) == len(found), "a family has TYPE and no series"
    return found


def histogram(name, samples):
    """Ranges rise, counts never fall, the last range is everything, and there are sum and count."""
    series = collections.defaultdict(dict)
    for one in samples:
        labels = dict(one.labels)
        bound = labels.pop("le", None)
        part = series[tuple(sorted(labels.items()))]
        if bound is None:
            part[one.name.removeprefix(name)] = one.value
        else:
            part.setdefault("buckets", []).append((float(bound), one.value))
    for labels, part in series.items():
        buckets = part["buckets"]
        assert buckets == sorted(buckets), f"{name}{labels}: {buckets}"
        counts = [count for _, count in buckets]
        assert counts == sorted(counts), f"{name}{labels}: {buckets}"
        assert buckets[-1][0] == math.inf, f"{name}{labels} has no +Inf"
        assert buckets[-1][1] == part["_count"], f"{name}{labels}: {part}"
        assert part["_count"] > 0 or part["_sum"] == 0, f"{name}{labels}: {part}"


def shape(found):
    """What must be the same in both forms: kind, help, and the series of each family."""
    return {
        name: (
            family.type, family.documentation,
            {(one.name, tuple(sorted(one.labels.items()))) for one in family.samples})
        for name, family in found.items()}
