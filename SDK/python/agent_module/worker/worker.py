"""A worker: the program of one module, as the host starts it."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import threading
import time
from typing import TYPE_CHECKING, Any, Callable, Dict, Optional

from ..errors import ModuleError
from ..metrics import Metrics
from ..wire import JSONObject
from .channel import Channel
from .host import WorkerHost
from .host_calls import HostCalls
from .instances import Instances
from .invocations import Invocations
from .link import Link
from .log_writer import LogWriter
from .metrics_reporter import MetricsReporter
from .protocol import (
    ABI, CANCEL, CONFIGURE, CREDIT, ERROR, EVENT, HEARTBEAT, HELLO, INVOKE, LOAD, LOADED, PING,
    PROTOCOL, READY, REPLY, START, STOP, TOO_DEEP, Frame, ProtocolError, member)
from .publisher import EventPublisher
from .subscriptions import Subscriptions

if TYPE_CHECKING:
    from ..module import Module

HEARTBEAT_INTERVAL = 1.0
"""The shortest time between two HEARTBEATs, in seconds."""


async def serve(module: Module, connection: socket.socket) -> int:
    """Serves the host over this socket, which is closed at the end, and returns the exit status: 0 when
    the host has asked for the end or is gone, 1 when it has broken the protocol."""
    return await Worker(module, connection, asyncio.get_running_loop()).run()


class Worker:
    """The worker's side of the protocol for one module. It runs on the loop's thread; other threads enter
    by `log`, `heartbeat` and the metrics."""

    def __init__(
        self, module: Module, connection: socket.socket, loop: asyncio.AbstractEventLoop
    ) -> None:
        """Makes the parts of a worker. Nothing is sent or read before `run`."""
        self._module = module
        self._link = Link(connection, loop)
        self._channel = Channel(self._link, loop)
        self.publisher = EventPublisher(self._channel)
        self.subscriptions = Subscriptions(self._channel)
        self.calls = HostCalls(self._channel)
        self._instances = Instances(
            module.contributions, lambda: WorkerHost(self), self._contribution_ended)
        self._invocations = Invocations(self._channel, self._instances)
        self._log = LogWriter(self._channel, self._invocations.is_under_way)
        self._reporter = MetricsReporter(
            self._channel, self.calls, lambda message: self._log.write("warning", message))
        self._stopping: Optional[asyncio.Task[None]] = None
        self._heartbeat_lock = threading.Lock()
        self._last_heartbeat = 0.0
        self._handlers: Dict[int, Callable[[int, Any], None]] = {
            PING: lambda id, _: self._channel.send(REPLY, id),
            STOP: self._stop,
            LOAD: self._load,
            CONFIGURE: lambda id, body: self._channel.answer(
                id, READY, lambda: self._instances.configure(body)),
            START: lambda id, body: self._channel.answer(
                id, REPLY, lambda: self._instances.start(body)),
            INVOKE: self._invocations.invoke,
            CANCEL: lambda id, _: self._invocations.cancel(id),
            CREDIT: lambda _, body: self.publisher.grant(max(member(body, "n", int), 0)),
            EVENT: self.subscriptions.deliver,
            REPLY: lambda id, body: self._answered(id, None, body),
            ERROR: lambda id, body: self._answered(id, ModuleError.from_json(body), body),
        }

    @property
    def metrics(self) -> Metrics:
        """The metrics of all contributions. Any thread."""
        return self._reporter.metrics

    async def run(self) -> int:
        """Serves until the host asks for the end (0), is gone (0), or breaks the protocol (1). Called
        once."""
        self._link.open()
        self._channel.send(HELLO, 0, {
            "protocol": [PROTOCOL, PROTOCOL], "abi": ABI, "toolchain": "", "pid": os.getpid()})
        try:
            while True:
                frame = await self._link.receive()
                if frame is None:
                    break
                self._receive(frame)
            if self._stopping is not None and self._stopping.done():
                self._answer_late_stops()
                await self._link.flush()
            return 0
        except ProtocolError as error:
            print(f"{self._module.name}: the host broke the protocol: {error}", file=sys.stderr)
            return 1
        finally:
            for task in [*self._instances.work, *self._invocations.tasks]:
                task.cancel()
            self._link.close()

    def log(self, level: str, message: str, call: int) -> None:
        """Writes a log record of a call, 0 for none. Any thread."""
        self._channel.on_loop(self._log.write, level, message, call)

    def heartbeat(self) -> None:
        """Sends a HEARTBEAT, at most one a second. Any thread; it reaches the host even while the caller
        keeps the loop busy."""
        with self._heartbeat_lock:
            if time.monotonic() - self._last_heartbeat < HEARTBEAT_INTERVAL:
                return
            self._last_heartbeat = time.monotonic()
        self._channel.send(HEARTBEAT, 0)

    # Frames of the host.

    def _receive(self, frame: Frame) -> None:
        op, id, body = frame
        if body is TOO_DEEP:
            # A person may have sent such an input; everything else is the host's own.
            if op != INVOKE:
                raise ProtocolError("a body that is nested too deeply")
            self._channel.fail(id, ModuleError("invalid_argument", "The input is nested too deeply."))
            return
        handler = self._handlers.get(op)
        if handler is None:
            self._channel.fail(id, ModuleError("unsupported", f"This worker doesn't know op {op}."))
        else:
            handler(id, body)

    def _load(self, id: int, body: Any) -> None:
        offered = member(body, "protocol", int)
        if offered != PROTOCOL:
            message = f"This worker speaks protocol {PROTOCOL}, the host chose {offered}."
            return self._channel.fail(id, ModuleError("unsupported", message))
        contributions = [{"kind": k, "name": n} for k, n in self._module.contributions]
        self._channel.send(LOADED, id, {
            "abi": ABI, "name": self._module.name, "version": self._module.version,
            "contributions": contributions, "sandbox": "none"})

    def _answered(self, id: int, error: Optional[ModuleError], body: Any) -> None:
        if self.subscriptions.answered(id, error) or self.calls.answered(id, error, body):
            return
        if error is not None:
            # Such as a PUBLISH that was refused: nobody waits for its answer.
            self._log.write("warning", f"The host reports: {error.message}")

    def _contribution_ended(self, ended: JSONObject) -> None:
        self.metrics.flush()
        self._channel.ended(ended)

    # The end.

    def _stop(self, id: int, body: Any) -> None:
        if self._stopping is None:
            self._instances.stop()
            deadline = body.get("deadline_ms", 0) if isinstance(body, dict) else 0
            self._stopping = self._channel.loop.create_task(self._end(id, deadline / 1000))
            self._stopping.add_done_callback(lambda _: self._link.end())
        else:
            self._channel.send(REPLY, id)

    async def _end(self, id: int, seconds: float) -> None:
        """Cancels all calls, waits up to `seconds` for them and for all work, and answers the first
        STOP. 0 waits without a limit."""
        under_way = [*self._instances.work, *self._invocations.tasks]
        for task in self._invocations.tasks:
            task.cancel()
        if under_way:
            await asyncio.wait(under_way, timeout=seconds or None)
        self.metrics.flush()
        # As data: it must follow the events and log records that still wait.
        self._channel.send(REPLY, id, data=True)

    def _answer_late_stops(self) -> None:
        """Answers each STOP that came after the first one was done."""
        for op, id, _ in self._link.rest():
            if op == STOP:
                self._channel.send(REPLY, id, data=True)
