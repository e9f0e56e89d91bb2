"""The rules of a sliding window, one by one."""

import asyncio
import math
import os
import random
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from agent_module import FakeHost, QueryRow, SlidingWindow, windows  # noqa: E402


def by_etim(mnemonics=("A",), **rules):
    return SlidingWindow(mnemonics, 10, index="ETIM", **rules)


def take(window, *positions):
    return [window.take({"ETIM": p, "A": p, "timestamp": 0}, 0) for p in positions]


class WindowTests(unittest.TestCase):
    def test_it_holds_the_rows_of_its_duration_before_the_last(self) -> None:
        window = by_etim()
        self.assertEqual(take(window, 0, 4, 9.5, 10, 14), ["added"] * 5)
        self.assertEqual(window.positions, [4, 9.5, 10, 14])
        self.assertEqual(window.numbers("A"), [4, 9.5, 10, 14])
        self.assertEqual((len(window), window.values("B")), (4, []))
        window = SlidingWindow(["A"], 10)
        for time in (0, 5000, 15000, 15001):
            self.assertEqual(window.take({"A": 1, "timestamp": time}, 0), "added")
        self.assertEqual(window.take(QueryRow({"A": 1}, 15002), 0), "added")
        self.assertEqual(window.positions, [15000, 15001, 15002])

    def test_a_row_that_is_not_complete_is_not_kept(self) -> None:
        window = by_etim(("A", "B"))
        for row in ({"ETIM": 1, "A": 1}, {"ETIM": 1, "A": 1, "B": None}, {"A": 1, "B": 1},
                    {"ETIM": "x", "A": 1, "B": 1}, {"ETIM": True, "A": 1, "B": 1}):
            self.assertEqual(window.take(row, 0), "incomplete")

    def test_values_may_be_carried_forward_so_far_and_never_back(self) -> None:
        window = by_etim(("A", "B"), carry=3)
        rows = [(1, 1, None), (2, None, 20), (5, 3, None), (6, 4, None), (1.5, 9, None), (7, None, 30)]
        outcomes = [window.take({"ETIM": e, "A": a, "B": b}, 0) for e, a, b in rows]
        kept, not_kept = "added", "incomplete"
        self.assertEqual(outcomes, [not_kept, kept, kept, not_kept, not_kept, kept])
        self.assertEqual((window.numbers("A"), window.numbers("B")), ([1, 3, 4], [20, 20, 30]))

    def test_late_rows_duplicates_and_an_index_that_was_set_back(self) -> None:
        window = by_etim()
        self.assertEqual(take(window, 20, 12, 9, 12, 9.5), ["added", "added", "late", "duplicate", "late"])
        self.assertEqual(window.positions, [12, 20])
        window = by_etim()
        self.assertEqual(take(window, 100, 1, 2, 101), ["added", "late", "late", "added"])
        self.assertEqual(take(window, 1, 2, 3, 4), ["late", "late", "restarted", "added"])
        self.assertEqual(window.positions, [1, 2, 3, 4])
        window = by_etim()
        self.assertEqual(take(window, 1, 1e15, 2, 3, 4), ["added", "added", "late", "late", "restarted"])

    def test_it_is_what_a_plain_recomputation_keeps(self) -> None:
        numbers = random.Random(7)
        for capacity in (3, 1000):
            window, kept = by_etim(restart_after=10**9, capacity=capacity), []
            for _ in range(500):
                etim = numbers.randrange(200) / 4
                if (not kept or etim >= kept[-1] - 10) and etim not in kept:
                    kept = sorted([*kept, etim])
                    kept = [p for p in kept if p >= kept[-1] - 10][-capacity:]
                take(window, etim)
                self.assertEqual(window.positions, kept)

    def test_what_is_not_a_number_has_no_number(self) -> None:
        window = by_etim()
        window.take({"ETIM": 1, "A": "on"}, 0)
        self.assertEqual(window.values("A"), ["on"])
        self.assertTrue(math.isnan(window.numbers("A")[0]))

    def test_a_mnemonic_is_missing_after_a_while_and_told_when_it_is_back(self) -> None:
        window = SlidingWindow(["A", "B"], 10, patience=60)
        self.assertEqual(window.changes(0), [])
        window.take({"A": 1, "timestamp": 0}, 30_000)
        self.assertEqual(window.changes(59_999), [])
        self.assertEqual(window.changes(60_000), [("missing", ["B"])])
        self.assertEqual(window.missing, ["B"])
        self.assertEqual(window.changes(90_000), [("missing", ["A"])])
        window.take({"A": 1, "B": 1, "timestamp": 0}, 91_000)
        self.assertEqual(window.changes(91_000), [("returned", ["A", "B"])])
        self.assertEqual(window.changes(10_000), [])
        self.assertEqual(window.changes(69_999), [])
        self.assertEqual(window.changes(70_000), [("missing", ["A", "B"])])


class SequenceTests(unittest.IsolatedAsyncioTestCase):
    async def test_a_window_slides_over_rows_and_says_what_is_missing_while_none_come(self) -> None:
        host, queue = FakeHost(), asyncio.Queue()

        async def rows():
            while (row := await queue.get()) is not None:
                yield row

        updates = windows(rows(), by_etim(patience=60), host)
        for row in ({"ETIM": 1, "A": 5}, {"ETIM": 2}):
            queue.put_nowait(row)
        kind, window = await updates.__anext__()
        self.assertEqual((kind, window.numbers("A")), ("moved", [5]))
        self.assertEqual(await updates.__anext__(), ("skipped", "incomplete"))
        self.assertEqual(await updates.__anext__(), ("missing", ["A"]))
        queue.put_nowait({"ETIM": 3, "A": 6})
        self.assertEqual((await updates.__anext__())[0], "moved")
        self.assertEqual(await updates.__anext__(), ("returned", ["A"]))
        queue.put_nowait(None)
        self.assertEqual([update async for update in updates if update[0] == "moved"], [])


if __name__ == "__main__":
    unittest.main()
