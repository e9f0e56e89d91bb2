"""What a module's own unit tests use: python3 -m unittest discover SDK/python/tests"""

import asyncio
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from agent_module import FakeHost  # noqa: E402


class FakeHostTests(unittest.TestCase):
    def test_a_unit_test_gives_the_rows_of_a_query(self) -> None:
        async def rows():
            host = FakeHost(now=7)
            taken = asyncio.ensure_future(self._collect(host.events.rows("a => count()", "now")))
            while not host.queries:
                await asyncio.sleep(0)
            host.give({"count": 1}, query="another")
            host.give({"count": 2}, {"count": 3, "timestamp": 9})
            host.end_queries()
            return host.queries, await taken

        queries, taken = asyncio.run(rows())
        self.assertEqual(queries, [("a => count()", "now")])
        self.assertEqual([(row["count"], row.timestamp) for row in taken], [(2, 7), (3, 9)])

    async def _collect(self, rows):
        return [row async for row in rows]


if __name__ == "__main__":
    unittest.main()
