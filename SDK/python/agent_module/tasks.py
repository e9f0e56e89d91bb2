"""The host's tasks and bots, and the events about them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, AsyncIterator, Awaitable, Callable, Dict, Iterable, List, Optional

from .bots import BotLoop, BotWork
from .errors import ModuleError
from .events import Event, Events
from .wire import JSONObject, without_none

MAX_WAIT_MS = 3_600_000
"""The longest time that a call waits in the host, and the longest lease, in milliseconds."""

TASK_EVENTS = (
    "bot_registered", "bot_status_changed", "bot_drained", "bot_offline", "bot_unregistered",
    "task_created", "task_queued", "task_assigned", "task_running", "task_succeeded", "task_failed",
    "task_dead", "task_cancelled", "task_unassignable", "assignment_completed", "assignment_ended",
)
"""The types of all events about tasks, bots and assignments."""


@dataclass
class TaskEvent:
    """An event about a task, a bot or an assignment. `kind` is its type. It holds the whole task, bot and
    assignment as they were then. One that the event isn't about is None."""

    kind: str
    task: Optional[Dict[str, Any]]
    bot: Optional[Dict[str, Any]]
    assignment: Optional[Dict[str, Any]]
    event: Event

    @staticmethod
    def of(event: Event) -> TaskEvent:
        """Reads an event."""
        task, bot, assignment = (event.get(name) for name in ("task", "bot", "assignment"))
        return TaskEvent(event.type, task, bot, assignment, event)


class Tasks:
    """The host's tasks and bots. A contribution creates, watches and assigns tasks, and serves as a bot.

    A contribution finds them as `self.host.tasks`. The answers are the host's own, dictionaries with the
    keys of docs/tasks.md and docs/bots.md. Ids of tasks and assignments are texts. All methods are called
    on the loop's thread, and raise ModuleError: "invalid_argument" for an id that doesn't exist and for
    wrong input, "conflict" when the present state doesn't allow the change, "unsupported" when the module
    has no right to it.
    """

    _events: Events

    # Tasks.

    async def create_task(self, name: str, type: str, input: Any = None, **others: Any) -> JSONObject:
        """Creates a task that waits until it is executed. `others` are the members of docs/tasks.md:
        `priority`, `description`, `run_at`, `due_date`, `bot`, `tags`, `retry`, `unique` ..."""
        return await self._call("create_task", without_none(name=name, type=type, input=input, **others))

    async def queue_task(self, name: str, type: str, input: Any = None, **others: Any) -> JSONObject:
        """Creates a task that is executed as soon as a slot is free."""
        return await self.create_task(name, type, input, **{"status": "queued", **others})

    async def execute_task(
        self, id: str, data: Any = None, wait: Optional[float] = None
    ) -> JSONObject:
        """Executes a task that waits or has ended. `data` replaces its input, or is merged into it. With
        `wait` the call waits for its end, at most that number of seconds."""
        return await self._call("execute_task", without_none(id=id, data=data, wait_ms=_ms(wait)))

    async def get_task(self, id: str) -> JSONObject:
        """Returns a task with its history."""
        return await self._call("get_task", {"id": id})

    async def list_tasks(self, **selection: Any) -> List[JSONObject]:
        """Returns tasks, the newest first. `selection` may have `status` (a list), `type`, `bot`, `tag`,
        `q`, `parent`, `limit` ..."""
        return await self._list("list_tasks", selection, "tasks")

    async def wait_for_task(self, id: str, seconds: float = 60) -> JSONObject:
        """Returns a task when it has ended, or in its present state after `seconds`."""
        return await self._call("wait_for_task", {"id": id, "wait_ms": _ms(seconds)})

    async def cancel_task(
        self, id: str, note: Optional[str] = None, force: bool = False
    ) -> JSONObject:
        """Cancels a task. One that is running is asked to stop."""
        return await self._call("cancel_task", without_none(id=id, note=note, force=force))

    async def task_logs(self, id: str, after: int = 0) -> List[JSONObject]:
        """Returns up to 1,000 lines of a task's log after the number `after`. A line has `text`,
        `stream`, `timestamp` and `number`."""
        return await self._list("get_task_logs", {"id": id, "after": after, "limit": 1000}, "lines")

    async def explain_task(self, id: str) -> List[str]:
        """Returns sentences that say why a task isn't done yet."""
        reasons: List[str] = (await self._call("explain_task", {"id": id}))["reasons"]
        return reasons

    async def task_types(self) -> List[JSONObject]:
        """Returns the types of tasks that the agent knows."""
        return await self._list("list_task_types", {}, "types")

    # Bots.

    async def register_bot(
        self, name: str, capabilities: Iterable[Any] = (), max_concurrent_tasks: int = 1,
        bot_type: str = "worker", **others: Any,
    ) -> JSONObject:
        """Registers a bot, which is online at once, and returns it. It replaces a bot of this process with
        the same name.

        A capability is an object as in docs/bots.md, or "NAME:TYPE[,TYPE...][:BOOST]". ModuleError
        "invalid_argument" is raised for a text of another form.
        """
        return await self._call("register_bot", {
            "name": name, "capabilities": [_capability(entry) for entry in capabilities],
            "max_concurrent_tasks": max_concurrent_tasks, "bot_type": bot_type, **others})

    async def set_bot_status(self, id: str, status: str) -> JSONObject:
        """Sets the status of a bot: online, busy, draining, offline or error."""
        return await self._call("set_bot_status", {"id": id, "status": status})

    async def bot_heartbeat(self, id: str) -> JSONObject:
        """Reports that a bot is alive. After its first heartbeat a bot must continue to send them."""
        return await self._call("bot_heartbeat", {"id": id})

    async def unregister_bot(self, id: str) -> None:
        """Removes a bot from the registry. Its tasks are queued again."""
        await self._call("unregister_bot", {"id": id})

    async def list_bots(self, **selection: Any) -> List[JSONObject]:
        """Returns the bots. `selection` may have `type`, `status`, `task_type`."""
        bots: List[JSONObject] = []
        while True:
            page = await self._call("list_bots", selection)
            bots += page["bots"]
            if "next" not in page:
                return bots
            selection["after"] = page["next"]

    async def get_bot(self, id: str) -> JSONObject:
        """Returns one bot."""
        return await self._call("get_bot", {"id": id})

    async def bot_statistics(self, id: str) -> JSONObject:
        """Returns the statistics of a bot: outcomes and durations of its tasks."""
        return await self._call("get_bot_stats", {"id": id})

    async def system_statistics(self) -> JSONObject:
        """Returns the statistics of all bots and queues: `total_bots`, `online_bots`, `queue_size` ..."""
        return await self._call("get_bots_stats", {})

    async def strategy(self) -> str:
        """Returns the name of the strategy that assigns tasks."""
        name: str = (await self._call("get_assignment_strategy", {}))["assignment_strategy"]
        return name

    async def set_strategy(self, name: str) -> None:
        """Sets the strategy: best_fit, load_balanced, round_robin, priority_first, or a module's
        MODULE/NAME."""
        await self._call("set_assignment_strategy", {"assignment_strategy": name})

    # Assignments.

    async def assign_task(self, id: str, bot: Optional[str] = None) -> JSONObject:
        """Assigns a task to a bot, or to the best one with a free slot, and returns the assignment."""
        return await self._call("assign_task", without_none(task_id=id, bot_id=bot))

    async def explain_assignment(self, id: str) -> JSONObject:
        """Returns for each bot why it can or can't get a task."""
        return await self._call("explain_assignment", {"id": id})

    async def list_assignments(self, **selection: Any) -> List[JSONObject]:
        """Returns assignments, the newest first. `selection` may have `status`, `bot`, `task`, `before`,
        `limit`."""
        return await self._list("list_assignments", selection, "assignments")

    async def offers(self, bot: str, wait: float = 0) -> List[JSONObject]:
        """Returns the assignments that a bot is offered, each with its `task`. Waits up to `wait` seconds
        for one."""
        return await self._list(
            "get_bot_assignments", {"id": bot, "wait_ms": _ms(wait)}, "assignments")

    async def accept(self, id: str, lease: Optional[float] = None) -> JSONObject:
        """Accepts an assignment. With `lease` the bot loses the task after that number of seconds without
        a report."""
        return await self._call("accept_assignment", without_none(id=id, lease_ms=_ms(lease)))

    async def reject(self, id: str, reason: str = "") -> None:
        """Rejects an offered or an accepted assignment. Another bot gets the task."""
        await self._call("reject_assignment", {"id": id, "reason": reason})

    async def report_progress(self, id: str, progress: Any = None, logs: Iterable[str] = ()) -> bool:
        """Reports progress and log lines of an assignment, and renews its lease. Returns True if the
        task must be cancelled."""
        lines = [{"stream": "info", "text": text} for text in logs]
        answer = await self._call(
            "assignment_heartbeat", without_none(id=id, progress=progress, logs=lines or None))
        return bool(answer["cancelling"])

    async def complete(self, id: str, result: Any = None) -> None:
        """Completes an assignment. The task has succeeded."""
        await self._call("complete_assignment", {"id": id, "result": result})

    async def fail(self, id: str, error: str, final: bool = False) -> None:
        """Completes an assignment whose task has failed. `final` means that a retry is of no use."""
        await self._call(
            "complete_assignment", {"id": id, "success": False, "error": error, "final": final})

    async def serve(
        self, name: str, capabilities: Iterable[Any], body: Callable[[BotWork], Awaitable[Any]],
        max_concurrent_tasks: int = 1, lease: float = 60, **others: Any,
    ) -> None:
        """Serves as a bot until it is cancelled.

            async def run(self):
                await self.host.tasks.serve("Painter", ["paints:paint"], self.paint)

        Registers the bot, accepts offers, up to `max_concurrent_tasks` at once, and reports the result or
        the exception of `body`. Renews each lease three times in `lease` seconds. Cancels `body` when its
        task is cancelled. After ModuleError "invalid_argument" from `body` the task isn't retried. If the
        bot itself is cancelled, the host queues its tasks again.
        """
        bot = await self.register_bot(name, capabilities, max_concurrent_tasks, **others)
        await BotLoop(self, body, max_concurrent_tasks, lease).run(bot["id"])

    async def events(self, *kinds: str) -> AsyncIterator[TaskEvent]:
        """Iterates over new events about tasks, bots and assignments: those of these `kinds`, or all."""
        async for batch in self._events.subscribe(" | ".join(kinds or TASK_EVENTS)):
            for event in batch.events:
                yield TaskEvent.of(event)

    async def _list(self, method: str, input: JSONObject, member: str) -> List[JSONObject]:
        found: List[JSONObject] = (await self._call(method, input))[member]
        return found

    async def _call(self, method: str, input: JSONObject) -> JSONObject:
        """Calls a method of the service `tasks/1`."""
        raise NotImplementedError


def _ms(seconds: Optional[float]) -> Optional[int]:
    return None if seconds is None else min(max(int(seconds * 1000), 0), MAX_WAIT_MS)


def _capability(entry: Any) -> Any:
    """Returns `NAME:TYPE[,TYPE...][:BOOST]` as an object."""
    if not isinstance(entry, str):
        return entry
    name, *rest = entry.split(":")
    if not rest or len(rest) > 2:
        raise ModuleError(
            "invalid_argument", f'A capability is NAME:TYPE[,TYPE...][:BOOST], not "{entry}".')
    try:
        boost = int(rest[1]) if len(rest) == 2 else 0
    except ValueError:
        raise ModuleError(
            "invalid_argument", f'The boost of "{entry}" is a whole number.') from None
    return {"name": name, "task_types": rest[0].split(","), "priority_boost": boost}
