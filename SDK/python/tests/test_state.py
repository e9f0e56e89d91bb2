"""State in Python: the host for tests against what every implementation answers, and the wrapper."""

import asyncio
import json
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))

from agent_module import FakeHost, ModuleError, State  # noqa: E402


def timeless(answer):
    """An answer without the times, which an implementation may choose."""
    for entry in [*answer.get("entries", []), *answer.get("versions", [])]:
        del entry["updated"]
    return answer


class ConformanceTests(unittest.TestCase):
    def test_it_answers_as_every_implementation_does(self) -> None:
        with open(os.path.join(HERE, "..", "..", "conformance", "state.json"), encoding="utf-8") as file:
            suites = json.load(file)
        self.assertGreater(len(suites), 4)
        for suite in suites:
            with self.subTest(suite["name"]):
                asyncio.run(self.check(suite["steps"]))

    async def check(self, steps) -> None:
        state = FakeHost(process="p").state
        for step in steps:
            method, input = step.get("method"), step.get("input")
            if "fill" in step:
                text = "x" * (step["fill"]["bytes"] - 2)
                method = "write"
                input = {"changes": [{"key": step["fill"]["key"], "value": text}]}
            try:
                answer = await state._call(method, input)
                self.assertEqual(timeless(answer), step.get("answer"), str(step)[:200])
            except ModuleError as error:
                self.assertEqual(error.code, step.get("error"), str(step)[:200])
                self.assertIn(step.get("says", ""), error.message, str(step)[:200])


class StateTests(unittest.IsolatedAsyncioTestCase):
    def setUp(self) -> None:
        self.host = FakeHost()
        self.state: State = self.host.state

    async def test_values_versions_and_history(self) -> None:
        self.assertIsNone(await self.state.get("a"))
        self.assertEqual(await self.state.get("a", 5), 5)
        self.assertEqual(await self.state.set("a", {"n": [1, None]}), 1)
        self.assertEqual(await self.state.get("a"), {"n": [1, None]})
        self.assertEqual((await self.state.entry("a")).version, 1)
        await self.state.set("b", None)
        self.assertEqual([e.key for e in await self.state.entries("b", "x", "a")], ["b", "a"])
        self.assertEqual(await self.state.keys(), ["a", "b"])
        await self.state.remove("a")
        self.assertEqual([v.removed for v in await self.state.history("a")], [True, False])
        self.assertEqual((await self.state.limits())["used"]["keys"], 1)

    async def test_what_is_expected_is_compared(self) -> None:
        version = await self.state.set("a", 1, expected=0)
        for change in (self.state.set("a", 2, expected=0), self.state.remove("a", expected=9)):
            with self.assertRaises(ModuleError) as raised:
                await change
            self.assertEqual(raised.exception.code, "conflict")
        await self.state.remove("a", expected=version)

    async def test_what_is_not_json_is_refused(self) -> None:
        circle = []
        circle.append(circle)
        for value in (float("nan"), {1, 2}, circle, chr(0xD800)):
            with self.assertRaises(ModuleError) as raised:
                await self.state.set("a", value)
            self.assertEqual(raised.exception.code, "invalid_argument")
        self.assertIsNone(await self.state.get("a"))

    async def test_updates_from_many_tasks_are_all_counted(self) -> None:
        await asyncio.gather(*(self.state.update("n", lambda n: n + 1, 0) for _ in range(20)))
        self.assertEqual(await self.state.get("n"), 20)

    async def test_a_transaction_is_all_or_nothing(self) -> None:
        await self.state.set("stock", 3)

        async def order(state):
            stock = await state.get("stock")
            state.set("stock", stock - 1)
            state.set("order", "tea")
            state.remove("old")
            return await state.get("stock")

        self.assertEqual(await self.state.transaction(order), 2)
        self.assertEqual(await self.state.keys(), ["order", "stock"])

        async def fail(state):
            state.set("stock", 0)
            raise KeyError("x")

        with self.assertRaises(KeyError):
            await self.state.transaction(fail)
        self.assertEqual(await self.state.get("stock"), 2)

    async def test_a_transaction_begins_again_when_what_it_has_read_was_changed(self) -> None:
        runs = 0

        async def double(state):
            nonlocal runs
            runs += 1
            read = await state.get("read", 0)
            if runs == 1:
                await self.state.set("read", 5)
            state.set("double", 2 * read)

        await self.state.transaction(double)
        self.assertEqual((runs, await self.state.get("double")), (2, 10))

        async def late(state):
            read = await state.get("read")
            await self.state.set("read", read + 1)
            state.set("double", 0)

        with self.assertRaises(ModuleError) as raised:
            await self.state.transaction(late)
        self.assertEqual(raised.exception.code, "conflict")
        self.assertEqual(await self.state.get("double"), 10)


if __name__ == "__main__":
    unittest.main()
