"""A bot inside a module: it accepts assignments, does their tasks and reports the outcome."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Awaitable, Callable, Optional, Set

from .errors import ModuleError, describe
from .wire import JSONObject, without_none

if TYPE_CHECKING:
    from .tasks import Tasks

OFFER_WAIT = 600.0
"""How long one request for offers waits in the host, in seconds."""

FINAL = ("conflict", "invalid_argument", "unsupported")
"""The codes of refusals that stay: the assignment isn't this bot's any more. Others may pass."""


class BotWork:
    """A task that a bot is doing. `Tasks.serve` makes one for each accepted assignment."""

    def __init__(self, tasks: Tasks, offer: JSONObject) -> None:
        """Makes the work of an assignment that was offered."""
        self._tasks = tasks
        #: The assignment's id.
        self.id: str = offer["id"]
        #: The whole assignment, with the keys of docs/bots.md.
        self.assignment = offer
        #: The whole task, with the keys of docs/tasks.md.
        self.task: JSONObject = offer.get("task") or {}
        #: The task's input.
        self.input: Any = self.task.get("input")

    async def report(self, fraction: float, message: Optional[str] = None) -> None:
        """Reports the finished share, from 0 to 1, and the present work. Raises ModuleError when the
        assignment isn't this bot's any more."""
        percent = min(max(fraction, 0), 1) * 100
        await self._tasks.report_progress(self.id, without_none(percent=percent, message=message))

    async def log(self, *lines: str) -> None:
        """Writes lines into the task's log. Raises ModuleError when the assignment isn't this bot's any
        more."""
        await self._tasks.report_progress(self.id, logs=lines)


class BotLoop:
    """The loop of one registered bot. All of it runs on the loop's thread."""

    def __init__(
        self, tasks: Tasks, body: Callable[[BotWork], Awaitable[Any]], max_concurrent_tasks: int,
        lease: float,
    ) -> None:
        """Makes a loop. `body` does one task; `lease` is in seconds."""
        self._tasks = tasks
        self._body = body
        self._max_concurrent_tasks = max_concurrent_tasks
        self._lease = lease

    async def run(self, bot: str) -> None:
        """Accepts offers to the bot of this id and does them, until it is cancelled."""
        running: Set[asyncio.Task[None]] = set()
        try:
            while True:
                for offer in await self._tasks.offers(bot, wait=OFFER_WAIT):
                    try:
                        await self._tasks.accept(offer["id"], self._lease)
                    except ModuleError:
                        continue  # Another bot has it now.
                    running.add(asyncio.ensure_future(self._perform(BotWork(self._tasks, offer))))
                running = {work for work in running if not work.done()}
                # The host offers only as many tasks as the bot has slots. With all slots in use
                # another request would only wait.
                if len(running) >= self._max_concurrent_tasks:
                    await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
        finally:
            # The tasks of a bot that ends haven't failed. The host queues them again.
            for work in running:
                work.cancel()

    async def _perform(self, work: BotWork) -> None:
        """Does one task and reports its outcome."""
        doing = asyncio.ensure_future(self._body(work))
        is_wanted = True

        async def renew() -> None:
            nonlocal is_wanted
            while True:
                # Two renewals may be late or lost before the lease expires.
                await asyncio.sleep(self._lease / 3)
                try:
                    is_cancelling = await self._tasks.report_progress(work.id)
                except ModuleError as refusal:
                    if refusal.code in FINAL:
                        return
                    continue  # The disk may be full or the host be starting: the next one may pass.
                if is_cancelling:
                    is_wanted = False
                    doing.cancel()

        # The assignment is renewed until the host has the outcome: the report may take several tries.
        renewing = asyncio.ensure_future(renew())
        try:
            result = await doing
        except asyncio.CancelledError:
            doing.cancel()
            if is_wanted:
                raise
            await self._report(lambda: self._tasks.fail(work.id, "It was cancelled."))
        except Exception as error:  # noqa: BLE001: whatever the module's code raises is reported
            reason = describe(error)
            is_final = reason.code == "invalid_argument"
            await self._report(lambda: self._tasks.fail(work.id, reason.message, is_final))
        else:
            await self._report(lambda: self._tasks.complete(work.id, result))
        finally:
            renewing.cancel()

    async def _report(self, send: Callable[[], Awaitable[None]]) -> None:
        """Sends the outcome until the host has it, or refuses it for good."""
        while True:
            try:
                return await send()
            except ModuleError as refusal:
                if refusal.code in FINAL:
                    return  # The assignment isn't this bot's any more; the host knows the task's outcome.
            await asyncio.sleep(self._lease / 3)
