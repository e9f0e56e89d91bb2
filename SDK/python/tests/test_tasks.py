"""Tasks and bots, as a module sees them."""

import asyncio
import unittest

from agent_module import Event, FakeHost, ModuleError


class TaskTests(unittest.IsolatedAsyncioTestCase):
    def setUp(self) -> None:
        self.host = FakeHost()
        self.tasks = self.host.tasks

    async def test_a_task_is_queued_with_what_was_said_of_it(self) -> None:
        await self.tasks.queue_task(
            "Backup", "data_backup", {"keep": 7}, priority="high", due_date=5, retry={"attempts": 3})
        await self.tasks.create_task("b", "t")
        await self.tasks.execute_task("7", wait=2)
        self.assertEqual(self.tasks.asked, [
            ("create_task", {
                "name": "Backup", "type": "data_backup", "input": {"keep": 7}, "status": "queued",
                "priority": "high", "due_date": 5, "retry": {"attempts": 3}}),
            ("create_task", {"name": "b", "type": "t"}),
            ("execute_task", {"id": "7", "wait_ms": 2000})])

    async def test_capabilities_may_be_written_as_on_the_command_line(self) -> None:
        await self.tasks.register_bot("Data", ["backup:data_backup,copy:10", {"name": "x", "task_types": ["t"]}])
        self.assertEqual(self.tasks.asked[0][1]["capabilities"], [
            {"name": "backup", "task_types": ["data_backup", "copy"], "priority_boost": 10},
            {"name": "x", "task_types": ["t"]}])
        for wrong in ("backup", "a:b:c", "a:b:1:2"):
            with self.assertRaises(ModuleError):
                await self.tasks.register_bot("Data", [wrong])

    async def test_what_the_host_refuses_is_raised(self) -> None:
        def refuse(input: dict) -> None:
            raise ModuleError("conflict", "Nobody has room.")

        self.tasks.answers["assign_task"] = refuse
        with self.assertRaises(ModuleError) as raised:
            await self.tasks.assign_task("7", bot="b")
        self.assertEqual(raised.exception.code, "conflict")
        self.assertEqual(self.tasks.asked, [("assign_task", {"task_id": "7", "bot_id": "b"})])

    async def test_a_bot_accepts_does_and_tells(self) -> None:
        offers = [["1", "2"], ["3"]]

        async def offered(input: dict) -> dict:
            if not offers:
                await asyncio.Event().wait()
            return {"assignments": [
                {"id": id, "task": {"id": "t" + id, "input": 20}} for id in offers.pop(0)]}

        def accept(input: dict) -> dict:
            if input["id"] == "2":
                raise ModuleError("conflict", "It is withdrawn.")
            return input

        async def body(work) -> int:
            if work.id == "3":
                raise ModuleError("invalid_argument", "It can't be painted.")
            await work.report(0.5)
            await work.log("half of it")
            return work.input + 1

        told: asyncio.Queue = asyncio.Queue()
        self.tasks.answers.update({
            "register_bot": {"id": "bot-1"}, "get_bot_assignments": offered,
            "accept_assignment": accept, "complete_assignment": told.put_nowait})
        serving = asyncio.ensure_future(self.tasks.serve("Painter", ["paints:paint"], body, lease=30))
        ends = [await asyncio.wait_for(told.get(), 60) for _ in range(2)]
        serving.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await serving
        self.assertEqual(ends, [
            {"id": "1", "result": 21},
            {"id": "3", "success": False, "error": "It can't be painted.", "final": True}])
        said = [input for method, input in self.tasks.asked if method == "assignment_heartbeat"]
        self.assertEqual(said, [
            {"id": "1", "progress": {"percent": 50}},
            {"id": "1", "logs": [{"stream": "info", "text": "half of it"}]}])

    async def serve_one(self, body, heartbeat) -> dict:
        """Does one task, with heartbeats that the function answers, and returns the outcome."""
        offers = [{"assignments": [{"id": "1"}]}]

        async def offered(input: dict) -> dict:
            if not offers:
                await asyncio.Event().wait()
            return offers.pop()

        told: asyncio.Queue = asyncio.Queue()
        self.tasks.answers.update({
            "register_bot": {"id": "bot-1"}, "get_bot_assignments": offered,
            "assignment_heartbeat": heartbeat, "complete_assignment": told.put_nowait})
        # A lease of no time is renewed at once, again and again.
        serving = asyncio.ensure_future(self.tasks.serve("Painter", ["paints:paint"], body, lease=0))
        outcome = await asyncio.wait_for(told.get(), 60)
        serving.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await serving
        return outcome

    async def test_a_bot_renews_again_after_a_refusal_that_passes(self) -> None:
        refusals = ["closed", "failed", "overloaded"]

        def heartbeat(input: dict) -> dict:
            if refusals:
                raise ModuleError(refusals.pop(), "Try again in a moment.")
            return {"cancelling": True}

        async def body(work) -> None:
            await asyncio.Event().wait()

        self.assertEqual(await self.serve_one(body, heartbeat), {
            "id": "1", "success": False, "error": "It was cancelled.", "final": False})

    async def test_a_bot_renews_no_assignment_that_it_has_lost(self) -> None:
        beats = []
        lost = asyncio.Event()

        def heartbeat(input: dict) -> dict:
            beats.append(input)
            lost.set()
            raise ModuleError("conflict", "The lease is over.")

        async def body(work) -> int:
            await lost.wait()
            for _ in range(20):
                await asyncio.sleep(0)
            return 7

        self.assertEqual(await self.serve_one(body, heartbeat), {"id": "1", "result": 7})
        self.assertEqual(beats, [{"id": "1"}])

    async def test_a_bot_reports_its_outcome_again_after_a_refusal_that_passes(self) -> None:
        refusals = ["closed", "failed", "overloaded"]
        told: asyncio.Queue = asyncio.Queue()

        def complete(input: dict) -> None:
            if refusals:
                raise ModuleError(refusals.pop(), "Try again in a moment.")
            told.put_nowait(input)

        async def body(work) -> int:
            return 7

        offers = [{"assignments": [{"id": "1"}]}]

        async def offered(input: dict) -> dict:
            if not offers:
                await asyncio.Event().wait()
            return offers.pop()

        self.tasks.answers.update({
            "register_bot": {"id": "bot-1"}, "get_bot_assignments": offered,
            "complete_assignment": complete})
        serving = asyncio.ensure_future(self.tasks.serve("Painter", ["paints:paint"], body, lease=0))
        self.assertEqual(await asyncio.wait_for(told.get(), 60), {"id": "1", "result": 7})
        serving.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await serving

    async def test_what_happens_comes_with_all_of_it(self) -> None:
        events = self.tasks.events("task_assigned", "bot_registered")
        first = asyncio.ensure_future(events.__anext__())
        await asyncio.sleep(0)
        self.host.inject(
            Event("task_queued", {"task": {"id": "1"}}), Event("bot_registered", {"bot": {"id": "b"}}),
            Event("task_assigned", {"task": {"id": "1"}, "bot": None, "assignment": {"id": "4"}}))
        first, second = await asyncio.wait_for(first, 60), await events.__anext__()
        self.assertEqual((first.kind, first.bot, first.task), ("bot_registered", {"id": "b"}, None))
        self.assertEqual(
            (second.kind, second.task, second.bot, second.assignment),
            ("task_assigned", {"id": "1"}, None, {"id": "4"}))

    async def test_events_of_several_types_are_found(self) -> None:
        self.host.inject(Event("task_queued"), Event("tick"), Event("bot_registered"))
        found = await self.host.events.query("task_queued | bot_registered")
        self.assertEqual([event.type for event in found.events], ["task_queued", "bot_registered"])
