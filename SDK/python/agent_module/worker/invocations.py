"""Calls of the host: each INVOKE becomes a task that answers it."""

from __future__ import annotations

import asyncio
import time
from typing import Any, Callable, Dict, List

from ..contributions import Progress
from ..errors import ModuleError, describe
from . import call_context
from .callers import caller
from .channel import Channel
from .instances import Instances, Key, contribution_key
from .protocol import PART, REPLY, ProtocolError


class Invocations:
    """The calls in progress. The loop's thread."""

    def __init__(self, channel: Channel, instances: Instances) -> None:
        """Begins without calls. Loads what calls of the module's kinds need."""
        self._channel = channel
        self._instances = instances
        self._callers = {kind: caller(kind) for kind in instances.kinds}
        self._tasks: Dict[int, asyncio.Task[None]] = {}

    @property
    def tasks(self) -> List[asyncio.Task[None]]:
        """The tasks of the calls in progress."""
        return list(self._tasks.values())

    def is_under_way(self, id: int) -> bool:
        """Whether a call hasn't been answered yet."""
        return id in self._tasks

    def invoke(self, id: int, body: Any) -> None:
        """Begins a call. Raises ProtocolError for a body that names no contribution, and for an id that
        is in use."""
        if id in self._tasks:
            raise ProtocolError(f"INVOKE {id} is under way already")
        key = contribution_key(body)
        # The task has its own context, so that its calls of the host belong to its trace.
        context = call_context.context_of(id, body)
        task = context.run(self._channel.loop.create_task, self._answer(id, key, body))
        self._tasks[id] = task
        # This is a callback and not a `finally` in the task, because a task that is cancelled
        # before its first step never runs.
        task.add_done_callback(lambda ended: self._ended(id, ended))

    def cancel(self, id: int) -> None:
        """Cancels a call if it is in progress. It gets an answer anyway."""
        if id in self._tasks:
            self._tasks[id].cancel()

    def _ended(self, id: int, task: asyncio.Task[None]) -> None:
        self._tasks.pop(id, None)
        if task.cancelled():
            self._channel.fail(id, ModuleError("cancelled", "It was cancelled."))

    async def _answer(self, id: int, key: Key, body: Any) -> None:
        loop = self._channel.loop
        deadline = body.get("deadline") or 0
        seconds = (deadline / 1000 - time.time()) if deadline > 0 else None
        end = None if seconds is None else loop.time() + seconds
        try:
            instance = self._instances.find(key)
            progress = Progress(
                self._parts(id), call_context.traceparent.get(), call_context.tracestate.get())
            work = self._callers[key[0]](instance, body.get("input"), progress)
            result = await asyncio.wait_for(work, seconds)
        except asyncio.TimeoutError as error:
            # The module's own code may raise it long before the deadline. That is a failure of the
            # module.
            if end is not None and loop.time() >= end:
                message = "The deadline passed before there was a result."
                self._channel.fail(id, ModuleError("deadline_exceeded", message))
            else:
                self._channel.fail(id, describe(error))
        except Exception as error:  # noqa: BLE001: whatever the module's code raises is reported
            self._channel.fail(id, describe(error))
        else:
            self._channel.answer(id, REPLY, lambda: result)

    def _parts(self, id: int) -> Callable[[Any], None]:
        """Returns a function that sends parts of a call's result until the call has ended. Any thread may
        call it."""
        sequence = 0

        def send(value: Any) -> None:
            nonlocal sequence
            if id in self._tasks:
                self._channel.send(PART, id, {"sequence": sequence, "value": value})
                sequence += 1

        return lambda value: self._channel.on_loop(send, value)
