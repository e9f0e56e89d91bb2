"""A value that can't be sent is refused or replaced by an error; nothing waits for ever because of it."""

import unittest

from test_agent_module import CREDIT, ENDED, ERROR, LOG, PUBLISH, Host

MODULE = """
    import asyncio
    from agent_module import *

    module = Module("fixture", "1.0.0")
    BAD = [float("nan"), {1}, "caf\\udce9", "x" * ((1 << 20) + 1)]

    @module.datasource("sensor")
    class Sensor(Datasource):
        async def run(self):
            refused = 0
            for n in range(1100):
                try:
                    await self.host.events.publish(Event("good", {}), Event("bad", {"v": BAD[n % 4]}))
                except (ValueError, TypeError, ModuleError):
                    refused += 1
            await self.host.events.publish(Event("refused", {"n": refused}))

    @module.datasource("cancelled")
    class Cancelled(Datasource):
        async def run(self):
            task = asyncio.ensure_future(self.host.events.publish(Event("never", {})))
            await asyncio.sleep(0)
            publisher = self.host._worker.publisher
            publisher.grant(1)
            task.cancel()
            await asyncio.wait([task])
            await self.host.events.publish(Event("after", {}))

    @module.datasource("large")
    class Large(Datasource):
        async def run(self):
            await self.host.events.publish(*[Event("large", {"v": "x" * 400_000})] * 3)

    @module.datasource("files")
    class Files(Datasource):
        async def run(self):
            name = b"caf\\xe9.txt".decode(errors="surrogateescape")
            self.host.log(name)
            raise ValueError(f"{name} isn't a table")

    class Mute(Exception):
        def __str__(self):
            raise RuntimeError("no text")

    @module.action("act")
    class Act(Action):
        async def perform(self, input, progress):
            if input == "mute":
                raise Mute()
            if input == "cause":
                raise ModuleError("failed", "No.", {1})
            raise ValueError("\\udc80 isn't a table")

    module.run()
"""


class RefusedTests(unittest.TestCase):
    def setUp(self) -> None:
        self.host = Host(MODULE)
        self.addCleanup(self.host.close)

    def test_an_event_that_is_not_json_costs_no_credit(self) -> None:
        self.host.ready("datasource", "sensor")
        self.host.send(CREDIT, 0, {"n": 1})
        self.assertEqual(self.host.receive(), (PUBLISH, 0, [{"n": 1100, "type": "refused"}]))

    def test_credit_that_was_granted_to_a_cancelled_task_is_spent_by_the_next(self) -> None:
        self.host.ready("datasource", "cancelled")
        self.assertEqual(self.host.receive(), (PUBLISH, 0, [{"type": "after"}]))

    def test_a_frame_of_events_is_bounded_in_bytes(self) -> None:
        self.host.ready("datasource", "large")
        self.host.send(CREDIT, 0, {"n": 64})
        for _ in range(3):
            op, _, events = self.host.receive()
            self.assertEqual((op, len(events)), (PUBLISH, 1))

    def test_an_end_with_a_lone_surrogate_is_told(self) -> None:
        self.host.ready("datasource", "files")
        self.assertEqual(self.host.receive(), (LOG, 0, {"level": "info", "message": "caf\\udce9.txt"}))
        op, _, body = self.host.receive()
        self.assertEqual((op, body["status"]), (ENDED, "failed"))
        self.assertIn("caf\\udce9.txt isn't a table", body["message"])

    def test_a_call_is_answered_whatever_its_error_says(self) -> None:
        self.host.ready("action", "act")
        for id, input, words in (
                (4, "", "\\udc80 isn't a table"), (5, "mute", "Mute"), (6, "cause", "No.")):
            self.host.invoke(id, "action", "act", input)
            op, answered, body = self.host.receive()
            self.assertEqual((op, answered, body["code"]), (ERROR, id, "failed"))
            self.assertIn(words, body["message"])


if __name__ == "__main__":
    unittest.main()
