"""Metrics and health in Python: the host for tests against what every implementation answers, and
the metrics themselves."""

import json
import os
import sys
import threading
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))

from agent_module import FakeHost, Metrics, ModuleError  # noqa: E402


class ConformanceTests(unittest.TestCase):
    def test_it_answers_as_every_implementation_does(self) -> None:
        with open(os.path.join(HERE, "..", "..", "conformance", "metrics.json"), encoding="utf-8") as file:
            suites = json.load(file)
        self.assertGreater(len(suites), 4)
        for suite in suites:
            with self.subTest(suite["name"]):
                self.check(suite["steps"])

    def check(self, steps) -> None:
        host = FakeHost(process="p")
        for step in steps:
            try:
                answer = host._measured.call(step["method"], step["input"])
                self.assertEqual(answer, step.get("answer"), str(step)[:200])
            except ModuleError as error:
                self.assertEqual(error.code, step.get("error"), str(step)[:200])
                self.assertIn(step.get("says", ""), error.message, str(step)[:200])
            for shown in step.get("shows", []):
                value = host.metric(shown["name"], **shown["labels"])
                if "value" in shown:
                    self.assertEqual(value, shown["value"])
                else:
                    self.assertEqual(value[0], shown["count"])
                    self.assertAlmostEqual(value[1], shown["sum"])
            for part in step.get("health", []):
                expected = (part["state"], part.get("reason"))
                self.assertEqual(host.health_of(part.get("component")), expected)


class MetricsTests(unittest.TestCase):
    def setUp(self) -> None:
        self.host = FakeHost()

    def test_counters_add_up_whoever_holds_them(self) -> None:
        def count() -> None:
            orders = self.host.metrics.counter("orders_total", "Orders.", kind="web")
            for _ in range(1000):
                orders.add()
            orders.add(-5)
            orders.add(float("nan"))

        threads = [threading.Thread(target=count) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(self.host.metric("orders_total", kind="web"), 4000)
        self.assertIsNone(self.host.metric("orders_total"))

    def test_gauges_and_histograms(self) -> None:
        depth = self.host.metrics.gauge("depth")
        depth.set(3)
        depth.add(-5)
        self.assertEqual(self.host.metric("depth"), -2)
        wait = self.host.metrics.histogram("wait_seconds", bounds=[1, 2])
        wait.observe(1)
        wait.observe(7.5)
        self.assertEqual(self.host.metric("wait_seconds"), (2, 8.5))

    def test_health_is_what_was_said_last(self) -> None:
        self.assertIsNone(self.host.health_of())
        self.host.health.report("ok")
        self.host.health.report("failing", "No route.", "database")
        self.host.health.report("degraded", component="database")
        self.assertEqual(self.host.health_of(), ("ok", None))
        self.assertEqual(self.host.health_of("database"), ("degraded", None))
        with self.assertRaises(ValueError):
            self.host.health.report("fine")

    def test_one_report_has_what_has_come_together(self) -> None:
        reports, due = [], []
        metrics = Metrics(reports.append, due.append)
        orders = metrics.counter("orders_total")
        for _ in range(5):
            orders.add()
        self.assertEqual(due, [False])
        metrics.flush()
        metrics.flush()
        orders.add(0.5)
        metrics.flush()
        self.assertEqual(due, [False, False])
        self.assertEqual(
            reports,
            [{"metrics": [{"name": "orders_total", "add": 5.0}]},
             {"metrics": [{"name": "orders_total", "add": 0.5}]}])

    def test_what_is_refused_is_said_in_the_log(self) -> None:
        self.host.metrics.gauge("Wrong").set(1)
        self.assertIsNone(self.host.metric("Wrong"))
        self.assertIn('"Wrong" isn\'t a name', self.host.logs[0][1])


if __name__ == "__main__":
    unittest.main()
