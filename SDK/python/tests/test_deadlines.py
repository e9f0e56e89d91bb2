"""A deadline that has passed, and a contribution's own timeout, are distinguished."""

import time
import unittest

from test_agent_module import ERROR, Host

MODULE = """
    import asyncio
    from agent_module import *

    module = Module("fixture", "1.0.0")

    @module.action("wait")
    class Wait(Action):
        async def perform(self, input, progress):
            await asyncio.wait_for(asyncio.sleep(3600), input)

    module.run()
"""


class DeadlineTests(unittest.TestCase):
    def setUp(self) -> None:
        self.host = Host(MODULE)
        self.addCleanup(self.host.close)
        self.host.ready("action", "wait")

    def test_a_timeout_of_the_contribution_is_its_failure(self) -> None:
        for id, deadline in ((4, 0), (5, int(time.time() * 1000) + 600_000)):
            self.host.invoke(id, "action", "wait", 0.01, deadline=deadline)
            op, answered, body = self.host.receive()
            self.assertEqual((op, answered, body["code"]), (ERROR, id, "failed"))
            self.assertIn("TimeoutError", body["message"])

    def test_a_deadline_that_passes_is_said(self) -> None:
        self.host.invoke(4, "action", "wait", 3600, deadline=int(time.time() * 1000) + 50)
        op, answered, body = self.host.receive()
        self.assertEqual((op, answered, body["code"]), (ERROR, 4, "deadline_exceeded"))


if __name__ == "__main__":
    unittest.main()
