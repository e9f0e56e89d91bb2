"""What is logged in a call belongs to that call."""

import unittest

from test_agent_module import Host, LOG, REPLY

MODULE = """
    import asyncio
    from agent_module import *

    module = Module("fixture", "1.0.0")

    @module.action("talk")
    class Talk(Action):
        async def perform(self, input, progress):
            self.host.log("of the call")
            await asyncio.to_thread(self.host.log, "of its thread", "warning")
            asyncio.get_running_loop().call_later(0.01, self.host.log, "after the call")
            return input

    module.run()
"""


class CallLogTests(unittest.TestCase):
    def setUp(self) -> None:
        self.host = Host(MODULE)
        self.addCleanup(self.host.close)

    def test_what_is_logged_in_a_call_belongs_to_it(self) -> None:
        self.host.ready("action", "talk")
        self.host.invoke(4, "action", "talk", 1)
        self.assertEqual([self.host.receive() for _ in range(4)], [
            (LOG, 4, {"level": "info", "message": "of the call"}),
            (LOG, 4, {"level": "warning", "message": "of its thread"}),
            (REPLY, 4, 1), (LOG, 0, {"level": "info", "message": "after the call"})])
