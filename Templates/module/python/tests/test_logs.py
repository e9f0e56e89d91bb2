"""From the module's folder: python3 -m unittest discover tests"""

import asyncio
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from agent_module import Event, FakeHost, Statement, make_contribution  # noqa: E402
from datasources.log_file import LogFile  # noqa: E402
from logic_adapters.error_count import ErrorCount  # noqa: E402
from monitors.error_rate import ErrorRate  # noqa: E402


class LogTests(unittest.IsolatedAsyncioTestCase):
    def write(self, name: str, text: str, mode: str = "w") -> None:
        with open(os.path.join(self.folder.name, name), mode) as file:
            file.write(text)

    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = os.path.join(self.folder.name, "log")

    async def test_no_line_comes_again_after_a_restart(self) -> None:
        self.write("log", "one\ntwo\n")
        host = FakeHost()
        settings = {"path": self.path, "from": "start", "pause_ms": 10}
        await host.run(make_contribution(LogFile, settings, host), until_published=2)
        self.write("log", "three\n", "a")
        events = await host.run(make_contribution(LogFile, settings, host), until_published=3)
        self.assertEqual([event.get("line") for event in events], ["one", "two", "three"])

    async def test_lines_become_events(self) -> None:
        self.write("log", "all is well\nERROR: disk full\n")
        host = FakeHost()
        source = make_contribution(LogFile, {"path": self.path, "from": "start"}, host)
        events = await host.run(source, until_published=2)
        self.assertEqual([event.get("level") for event in events], ["info", "error"])

    async def test_errors_that_come_too_fast_raise_one_alert(self) -> None:
        host = FakeHost()
        monitor = make_contribution(ErrorRate, {"count": 3}, host)
        running = asyncio.ensure_future(host.run(monitor, until_published=1))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        for time in (0, 50_000, 70_000, 80_000, 90_000):
            host.inject(Event("log_line", {"level": "error", "line": "bad"}, time))
        alerts = await running
        self.assertEqual(alerts[0].get("text"), "3 errors within 60 seconds. The last: bad")

    async def test_it_says_how_many_errors_there_were(self) -> None:
        host = FakeHost()
        adapter = make_contribution(ErrorCount, {}, host)
        for age in (400, 200, 1):
            event = Event("log_line", {"level": "error", "line": "disk full"})
            event.timestamp = host.now() - age * 1000
            host.inject(event)
        answer = await adapter.respond(Statement("How many errors in the last 5 minutes?"))
        self.assertEqual(answer.confidence, 0.95)
        self.assertEqual(answer.text, "2 errors in the last 5 minutes. The latest: disk full")
        self.assertIsNone(await adapter.respond(Statement("how are you?")))


if __name__ == "__main__":
    unittest.main()
