"""Write a module for an agent in Python: one file, no dependencies, Python 3.9 or newer.

    from agent_module import Datasource, Event, Module

    module = Module("clock", "0.1.0")

    @module.datasource("ticks")
    class Ticks(Datasource):
        async def run(self):
            while True:
                await self.host.events.publish(Event("tick"))
                await self.host.sleep(self.settings["seconds"])

    if __name__ == "__main__":
        module.run()

Name, version and contributions must be those of `module.json`. What a contribution does runs on
one asyncio loop: a call that blocks it makes the module look stuck, so hand such calls to
`asyncio.to_thread`, or call `host.heartbeat()` while you compute.

It speaks the worker protocol (docs/protocol.md) on the descriptor named by AGENT_WORKER_FD.
"""

from __future__ import annotations

import array
import asyncio
import binascii
import bisect
import contextvars
import dataclasses
import fcntl
import inspect
import io
import json
import math
import os
import signal
import socket
import struct
import sys
import threading
import time
import traceback
from collections import deque
from dataclasses import dataclass, field
from typing import (
    Any, AsyncIterator, Awaitable, Callable, Deque, Dict, Iterable, List, Mapping, Optional, Set,
    Tuple, Union)

__all__ = [
    "Action", "Alert", "Annotation", "Answer", "Assignment", "BotWork", "Contribution", "Datasource",
    "Event", "EventBatch", "EventResults", "FakeHost", "Health", "Host", "LogicAdapter", "Message",
    "Metrics", "Module", "ModuleError", "Monitor", "Notice", "Notifier", "Progress", "Reply", "Request",
    "Route", "SlidingWindow",
    "State", "StateEntry", "StateTransaction", "StateVersion", "Statement", "Strategy", "Tasks",
    "output_events", "windows",
]

PROTOCOL = 1
ABI = 1
HELLO, LOAD, LOADED, CONFIGURE, READY, START, STOP, PING, REPLY, ERROR, PART = range(1, 12)
INVOKE, CANCEL, PUBLISH, SUBSCRIBE, UNSUBSCRIBE, EVENT, CREDIT, LOG, HEARTBEAT = range(12, 21)
CALL, ENDED = 21, 22
DESCRIPTOR = 0x80
MAX_FRAME = 16 * 1024 * 1024
INLINE_BODY = 1024 * 1024
MAX_BODY = 256 * 1024 * 1024
QUEUED_LOGS = 1024
EVENT_CREDIT = 512
KINDS = ("datasource", "monitor", "logic_adapter", "action", "notifier", "strategy", "route")
CODES = (
    "invalid_argument", "invalid_settings", "failed", "cancelled", "unsupported",
    "deadline_exceeded", "overloaded", "closed", "conflict",
)
LEVELS = ("trace", "debug", "info", "notice", "warning", "error", "critical")


class ModuleError(Exception):
    """Why something did not work. Raise one to choose the code that the host sees; any other
    exception that leaves a contribution is reported as "failed"."""

    def __init__(self, code: str, message: str, cause: Optional[str] = None) -> None:
        super().__init__(message)
        if code not in CODES:
            raise ValueError(f'"{code}" is not one of {", ".join(CODES)}')
        self.code = code
        self.message = message
        self.cause = cause


# ------------------------------------------------------------------------------------ values


@dataclass
class Event:
    """Something that happened. Leave `timestamp` (Unix milliseconds) and `source` to the host."""

    type: str
    fields: Dict[str, Any] = field(default_factory=dict)
    timestamp: Optional[int] = None
    source: Optional[str] = None

    def get(self, path: str, default: Any = None) -> Any:
        """A field by its name, or by a path with dots into nested objects."""
        if path in self.fields:
            return self.fields[path]
        value: Any = self.fields
        for key in path.split("."):
            if not isinstance(value, dict) or key not in value:
                return default
            value = value[key]
        return value

    def to_json(self) -> Dict[str, Any]:
        """The event as it travels."""
        body: Dict[str, Any] = {"type": self.type}
        if self.timestamp is not None:
            body["timestamp"] = self.timestamp
        if self.source is not None:
            body["source"] = self.source
        return {**self.fields, **body}

    @staticmethod
    def from_json(body: Dict[str, Any]) -> "Event":
        """Reads an event as it travels."""
        if not isinstance(body, dict) or not isinstance(body.get("type"), str):
            raise ModuleError("invalid_argument", 'An event needs a "type".')
        fields = {k: v for k, v in body.items() if k not in ("type", "timestamp", "source")}
        return Event(body["type"], fields, body.get("timestamp"), body.get("source"))


@dataclass
class EventBatch:
    """Some events of a subscription, oldest first; `dropped` were lost since the last batch."""

    events: List[Event]
    dropped: int = 0


class QueryRow(Dict[str, Any]):
    """One row of what a query gives: its columns by their names, and the moment it stands for."""

    def __init__(self, values: Dict[str, Any], timestamp: int) -> None:
        super().__init__(values)
        self.timestamp: int = values.get("timestamp", timestamp)


@dataclass
class EventResults:
    """What a query found, oldest first; `truncated` when there were more than the limit."""

    events: List[Event]
    truncated: bool = False


@dataclass
class Statement:
    """Something that a person said in a chat."""

    text: str
    session: Optional[str] = None
    author: Optional[str] = None
    timestamp: Optional[int] = None

    @property
    def words(self) -> List[str]:
        """The words in lower case, without punctuation."""
        spaced = "".join(c if c.isalnum() or c == "'" else " " for c in self.text.lower())
        return spaced.split()


@dataclass
class Answer:
    """What an adapter answers; `confidence` from 0 (never said) to 1."""

    text: str
    confidence: float
    data: Any = None


@dataclass
class Notice:
    """What a notifier delivers; `id` stays the same when the same notice is tried again."""

    id: str
    text: str
    title: str = ""
    severity: str = "info"
    recipient: Optional[str] = None


@dataclass
class Assignment:
    """Who gets a task (`None` leaves it where it is), and why; `ranking` has who comes next, where
    that one can't have it any more."""

    candidate: Optional[str]
    reason: Optional[str] = None
    ranking: List[str] = field(default_factory=list)


@dataclass
class Request:
    """A request to a route. `parameters` stand in the path for the manifest's `{parameter}`s; `query`
    has the values of each name; `headers` are those that don't prove who asks, by their names in
    small letters; `principal` says who does, for people."""

    method: str = "GET"
    path: str = ""
    parameters: Dict[str, str] = field(default_factory=dict)
    query: Dict[str, List[str]] = field(default_factory=dict)
    headers: Dict[str, str] = field(default_factory=dict)
    principal: Optional[str] = None
    body: bytes = b""

    @property
    def text(self) -> str:
        """The body as text."""
        return self.body.decode(errors="replace")

    def json(self) -> Any:
        """The body as JSON; raises "invalid_argument" when it isn't."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError) as error:
            raise ModuleError("invalid_argument", f"The body isn't JSON: {error}") from error

    def first(self, name: str, default: Optional[str] = None) -> Optional[str]:
        """The first value of a name in the query."""
        values = self.query.get(name)
        return values[0] if values else default

    @staticmethod
    def from_json(input: Dict[str, Any]) -> "Request":
        """Reads a request as it travels."""
        if not isinstance(input.get("method"), str) or not isinstance(input.get("path"), str):
            raise ModuleError("invalid_argument", 'A request needs a "method" and a "path".')
        body = str(input.get("body") or "").encode()
        if "body_base64" in input:
            try:
                body = binascii.a2b_base64(input["body_base64"])
            except (ValueError, TypeError) as error:
                raise ModuleError("invalid_argument", f"The body isn't base64: {error}") from error
        return Request(
            input["method"], input["path"], input.get("parameters") or {}, input.get("query") or {},
            input.get("headers") or {}, input.get("principal"), body)


@dataclass
class Reply:
    """What a route answers. The `body` is a text, bytes, or anything else as JSON; None is no body.
    Every answer gets headers that make it a document: no script of it runs."""

    body: Any = None
    content_type: Optional[str] = None
    status: int = 200
    headers: Dict[str, str] = field(default_factory=dict)

    def to_json(self) -> Dict[str, Any]:
        """The answer as it travels."""
        answer: Dict[str, Any] = {"status": self.status}
        if self.headers:
            answer["headers"] = dict(self.headers)
        if self.content_type is not None:
            answer["content_type"] = self.content_type
        if isinstance(self.body, str):
            answer["body"] = self.body
        elif isinstance(self.body, (bytes, bytearray)):
            answer["body_base64"] = binascii.b2a_base64(self.body, newline=False).decode()
        elif self.body is not None:
            answer["json"] = self.body
        return answer


@dataclass
class Alert:
    """Something that people should know about, or that is over. `severity` is info, warning or
    critical, `state` raised or resolved; `key` says what it is about, `since` when it began.
    Times are Unix milliseconds; `timestamp` is now when it is None."""

    text: str
    title: Optional[str] = None
    severity: str = "warning"
    state: str = "raised"
    key: Optional[str] = None
    since: Optional[int] = None
    timestamp: Optional[int] = None
    fields: Dict[str, Any] = field(default_factory=dict)

    @property
    def sentence(self) -> str:
        """What a chat says of it: the title in front of the text."""
        return ": ".join(part for part in (self.title, self.text) if part)

    def event(self, output: Optional[Dict[str, Any]], now: int) -> Event:
        """The alert as an event, in the name of an output's author."""
        own = {
            "state": self.state, "severity": self.severity, "title": self.title, "text": self.text,
            "key": self.key, "since": self.since, **_parties(output, "author", "room"),
        }
        type = (output or {}).get("event_type") or "alert"
        return _event(type, self.fields, own, self.timestamp, now)


@dataclass
class Message:
    """What somebody says in a chat room: an event `__message`, as Intelie LIVE's messenger knows
    it. Without an author or a room it has those of the output."""

    text: str
    author: Optional[Dict[str, Any]] = None
    room: Optional[Dict[str, Any]] = None
    uid: str = field(default_factory=lambda: _uid())
    timestamp: Optional[int] = None

    def event(self, output: Optional[Dict[str, Any]], now: int) -> Event:
        """The message as an event; the output says in which room and in whose name."""
        people = _parties(output, "author", "room")
        time = now if self.timestamp is None else self.timestamp
        own = {
            "uid": self.uid, "createdAt": time, "message": self.text,
            "author": self.author or people.get("author"), "room": self.room or people.get("room"),
        }
        return _event("__message", {}, own, time, now)


@dataclass
class Annotation:
    """A note on a stretch of time: an event `__annotations`, as Intelie LIVE knows them. `begin`
    and `end` are Unix milliseconds: now, and 30 seconds later, when they aren't given.
    A later one of the same `uid` takes its place."""

    text: str
    begin: Optional[int] = None
    end: Optional[int] = None
    uid: str = field(default_factory=lambda: _uid())
    color: Optional[str] = None
    timestamp: Optional[int] = None
    fields: Dict[str, Any] = field(default_factory=dict)

    def event(self, output: Optional[Dict[str, Any]], now: int) -> Event:
        """The annotation as an event; the output says whose it is and where it is shown."""
        people = _parties(output, "author", "room", "dashboard")
        dashboard = people.get("dashboard", {})
        time = now if self.timestamp is None else self.timestamp
        begin = time if self.begin is None else self.begin
        own = {
            "uid": self.uid, "createdAt": time, "begin": begin,
            "end": begin + 30_000 if self.end is None or self.end < begin else self.end,
            "message": self.text, "author": people.get("author", {}).get("name"),
            "room": people.get("room"), "dashboardId": dashboard.get("id"),
            "dashboard": dashboard.get("name"), "searchable": True, "__color": self.color,
            "__overwrite": ["uid"],
        }
        return _event("__annotations", self.fields, own, time, now)


def _uid() -> str:
    import uuid  # late: it takes milliseconds, and most workers never need one

    return str(uuid.uuid4())


def _parties(output: Optional[Dict[str, Any]], *keys: str) -> Dict[str, Dict[str, Any]]:
    """Members of an output as objects: a text stands for the name of an author, the id of others."""
    found = {key: (output or {})[key] for key in keys if key in (output or {})}
    bare = {"author": "name"}
    return {k: {bare.get(k, "id"): v} if isinstance(v, str) else v for k, v in found.items()}


def _event(
    type: str, fields: Dict[str, Any], own: Dict[str, Any], timestamp: Optional[int], now: int
) -> Event:
    own = {key: value for key, value in own.items() if value is not None}
    return Event(type, {**fields, **own}, now if timestamp is None else timestamp)


def output_events(
    output: Optional[Dict[str, Any]], said: Union[Alert, Message, Annotation], now: int
) -> List[Event]:
    """What to publish to say something by a settings object `agent:output`: the event itself, for
    an alert also a chat message with its sentence; and a value of the channel that
    `message_event` names. Without a room there is no chat message."""
    if isinstance(said, Annotation):
        return [said.event(output, now)]
    if isinstance(said, Alert):
        message = Message(said.sentence, timestamp=said.timestamp)
        return [said.event(output, now), *output_events(output, message, now)]
    event = said.event(output, now)
    events = [event] if "room" in event.fields else []
    channel = (output or {}).get("message_event")
    if channel:
        value = {channel["mnemonic"]: {"value": said.text}}
        events.append(Event(channel["event_type"], value, event.timestamp))
    return events


# ----------------------------------------------------------------------------- sliding windows


class SlidingWindow:
    """The complete rows of the last stretch of an index, for a monitor that computes over them.

    Rows are those of a query, or dicts with a `timestamp` (Unix milliseconds). `index` is
    the column that says where a row stands, `unit` how many seconds one of it lasts; without an
    index the timestamp counts. `duration`, `carry` and `patience` are seconds. It keeps no time and
    does no I/O: rows and the time go in. docs/modules-python.md has its rules.
    """

    def __init__(
        self, mnemonics: Iterable[str], duration: float, index: Optional[str] = None,
        unit: float = 1, carry: Optional[float] = None, patience: float = 60,
        restart_after: int = 3, capacity: int = 100_000,
    ) -> None:
        self.mnemonics = list(mnemonics)
        self.index = index
        self.patience = patience
        scale = 1000.0 if index is None else 1 / unit
        self._reach = duration * scale
        self._carry = None if carry is None else carry * scale
        self._restart_after = max(1, restart_after)
        self._capacity = max(1, capacity)
        self._positions: List[float] = []
        self._values: List[List[Any]] = []
        self._known: Dict[str, Tuple[float, Any]] = {}
        self._late: List[Tuple[float, List[Any]]] = []
        self._seen: Dict[str, Optional[int]] = {mnemonic: None for mnemonic in self.mnemonics}
        self._told: Set[str] = set()
        self._returned: Set[str] = set()

    def __len__(self) -> int:
        return len(self._positions)

    @property
    def positions(self) -> List[float]:
        """Where the rows stand, in order: values of the index, or Unix milliseconds."""
        return list(self._positions)

    @property
    def missing(self) -> List[str]:
        """The mnemonics that were told to be missing and haven't come back."""
        return [mnemonic for mnemonic in self.mnemonics if mnemonic in self._told]

    def values(self, mnemonic: str) -> List[Any]:
        """The values of a mnemonic, one for each row; none for one that isn't kept."""
        if mnemonic not in self.mnemonics:
            return []
        place = self.mnemonics.index(mnemonic)
        return [values[place] for values in self._values]

    def numbers(self, mnemonic: str) -> List[float]:
        """The values of a mnemonic as numbers, one for each row: `nan` for what is none."""
        return [_number(value, math.nan) for value in self.values(mnemonic)]

    def take(self, row: Mapping[str, Any], now: int) -> str:
        """Takes a row and says what became of it: `added` and `restarted` are in the window;
        `incomplete`, `duplicate` and `late` aren't. `now` is the time in Unix milliseconds."""
        for mnemonic in self.mnemonics:
            if row.get(mnemonic) is not None:
                if mnemonic in self._told:
                    self._returned.add(mnemonic)
                    self._told.discard(mnemonic)
                self._seen[mnemonic] = now
        moment = getattr(row, "timestamp", row.get("timestamp"))
        position = _number(moment if self.index is None else row.get(self.index), None)
        if position is None or not math.isfinite(position):
            return "incomplete"
        values = [self._value(row, mnemonic, position) for mnemonic in self.mnemonics]
        self._remember(row, position)
        if None in values:
            return "incomplete"
        return self._place(position, values)

    def changes(self, now: int) -> List[Tuple[str, List[str]]]:
        """What has changed since this was last asked: `("returned", mnemonics)` and
        `("missing", mnemonics)`, each told once. Ask after a row, and where none come."""
        changes = []
        back = [mnemonic for mnemonic in self.mnemonics if mnemonic in self._returned]
        self._returned.clear()
        if back:
            changes.append(("returned", back))
        gone = []
        for mnemonic in self.mnemonics:
            # A clock that was set back counts from where it stands now.
            seen = self._seen[mnemonic]
            last = now if seen is None else min(seen, now)
            self._seen[mnemonic] = last
            if mnemonic not in self._told and now - last >= self.patience * 1000:
                self._told.add(mnemonic)
                gone.append(mnemonic)
        if gone:
            changes.append(("missing", gone))
        return changes

    def _value(self, row: Mapping[str, Any], mnemonic: str, position: float) -> Any:
        """The row's own value, or the latest known one if it is near enough and not of later."""
        value = row.get(mnemonic)
        if value is None and self._carry is not None and mnemonic in self._known:
            where, known = self._known[mnemonic]
            if 0 <= position - where <= self._carry:
                return known
        return value

    def _remember(self, row: Mapping[str, Any], position: float) -> None:
        for mnemonic in self.mnemonics if self._carry is not None else ():
            value = row.get(mnemonic)
            where, _ = self._known.get(mnemonic, (position, None))
            if value is not None and where <= position:
                self._known[mnemonic] = (position, value)

    def _place(self, position: float, values: List[Any]) -> str:
        if not self._positions or position >= self._positions[-1] - self._reach:
            self._late.clear()
            return "added" if self._insert(position, values) else "duplicate"
        self._late.append((position, values))
        if len(self._late) < self._restart_after:
            return "late"
        self._known = {k: v for k, v in self._known.items() if v[0] <= position}
        self._positions, self._values = [], []
        for where, kept in self._late:
            self._insert(where, kept)
        self._late.clear()
        return "restarted"

    def _insert(self, position: float, values: List[Any]) -> bool:
        place = bisect.bisect_left(self._positions, position)
        if place < len(self._positions) and self._positions[place] == position:
            return False
        self._positions.insert(place, position)
        self._values.insert(place, values)
        first = bisect.bisect_left(self._positions, self._positions[-1] - self._reach)
        gone = max(first, len(self._positions) - self._capacity)
        del self._positions[:gone], self._values[:gone]
        return True


def _number(value: Any, otherwise: Any) -> Any:
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else otherwise


async def windows(
    rows: AsyncIterator[Mapping[str, Any]], window: SlidingWindow, host: "Host"
) -> AsyncIterator[Tuple[str, Any]]:
    """Lets a window slide over the rows of a query. Gives `("moved", window)` for each row that
    came in, `("skipped", outcome)` for each that didn't, and `("missing", mnemonics)` and
    `("returned", mnemonics)`, also while no rows come."""
    iterator = rows.__aiter__()
    window.changes(host.now())
    row: Any = None
    tick: Any = None
    try:
        while True:
            row = row or asyncio.ensure_future(iterator.__anext__())
            tick = tick or asyncio.ensure_future(host.sleep(max(window.patience / 4, 0.05)))
            await asyncio.wait([row, tick], return_when=asyncio.FIRST_COMPLETED)
            if tick.done():
                tick = tick.result()
            if row.done():
                try:
                    outcome = window.take(row.result(), host.now())
                except StopAsyncIteration:
                    return
                row = None
                moved = outcome in ("added", "restarted")
                yield ("moved", window) if moved else ("skipped", outcome)
            for change in window.changes(host.now()):
                yield change
    finally:
        for task in (row, tick):
            if task is not None:
                task.cancel()


# ----------------------------------------------------------------------------- what one writes


class Contribution:
    """What every contribution has. `settings` were checked against the manifest's schema; where
    the class has a dataclass `Settings`, it is made from them, otherwise they are a dict.

    `__init__` must not take anything exclusive (a port, a lock): the predecessor may still run.
    """

    def __init__(self, settings: Any, host: "Host") -> None:
        self.settings = settings
        self.host = host


class Datasource(Contribution):
    """A process that produces events."""

    async def run(self) -> None:
        """Works until it is cancelled. To return means that nothing is left to do."""
        raise NotImplementedError


class Monitor(Contribution):
    """A process that reacts to the results of queries over events."""

    async def run(self) -> None:
        """Works until it is cancelled."""
        raise NotImplementedError


class LogicAdapter(Contribution):
    """Answers chat messages. Of all adapters the one with the highest confidence speaks."""

    async def respond(self, statement: Statement) -> Optional[Answer]:
        """Answers, or returns None when the statement isn't for this adapter."""
        raise NotImplementedError


class Action(Contribution):
    """Executes tasks."""

    async def perform(self, input: Any, progress: "Progress") -> Any:
        """Does the work; cancelled when the host gives it up or the deadline passes."""
        raise NotImplementedError


class Notifier(Contribution):
    """Delivers notifications."""

    async def deliver(self, notice: Notice) -> Optional[str]:
        """Delivers one; returns the other system's name for the message, if it has one."""
        raise NotImplementedError


class Strategy(Contribution):
    """Chooses who gets a task."""

    async def choose(self, task: Dict[str, Any], candidates: List[Dict[str, Any]]) -> Assignment:
        """Chooses one of the candidates (each has an `id`), or none for now."""
        raise NotImplementedError


class Route(Contribution):
    """Answers requests to the agent's HTTP port below `/modules/NAME/`: those of the method and path
    that the manifest names. The host has checked who asks, and the body by the manifest's schema."""

    async def respond(self, request: Request) -> Any:
        """Answers with a `Reply`, a text (text/plain), bytes, or anything else as JSON. A ModuleError
        becomes the status: 400 for "invalid_argument", 409 for "conflict", 503 for "overloaded"."""
        raise NotImplementedError


_traceparent: contextvars.ContextVar[Optional[str]] = contextvars.ContextVar(
    "traceparent", default=None)
_tracestate: contextvars.ContextVar[Optional[str]] = contextvars.ContextVar(
    "tracestate", default=None)
# The call that the current task works for; 0 for none.
_call_id: contextvars.ContextVar[int] = contextvars.ContextVar("call_id", default=0)


class Progress:
    """Tells whoever waits for an action how far it has come."""

    def __init__(
        self, send: Callable[[Any], None], traceparent: Optional[str] = None,
        tracestate: Optional[str] = None,
    ) -> None:
        self._send = send
        #: The trace that the call belongs to, as W3C Trace Context writes it: send it along with what
        #: you ask of others for this call. None when the call isn't traced.
        self.traceparent = traceparent
        #: What other vendors want to be handed on with that trace; None for nothing.
        self.tracestate = tracestate

    def report(self, fraction: float, message: Optional[str] = None) -> None:
        """Reports a fraction from 0 to 1, and what is being done."""
        value: Dict[str, Any] = {"progress": min(max(fraction, 0), 1)}
        if message is not None:
            value["message"] = message
        self._send(value)

    def partial(self, value: Any) -> None:
        """Hands over a part of the result before the rest is done."""
        self._send(value)


class Module:
    """A module: its name, its version, and the contributions that it offers."""

    def __init__(self, name: str, version: str) -> None:
        self.name = name
        self.version = version
        self.contributions: Dict[Tuple[str, str], type] = {}

    def datasource(self, name: str) -> Callable[[type], type]:
        """Offers a class as a datasource of this name."""
        return self._offer("datasource", name, "run")

    def monitor(self, name: str) -> Callable[[type], type]:
        """Offers a class as a monitor of this name."""
        return self._offer("monitor", name, "run")

    def logic_adapter(self, name: str) -> Callable[[type], type]:
        """Offers a class as a logic adapter of this name."""
        return self._offer("logic_adapter", name, "respond")

    def action(self, name: str) -> Callable[[type], type]:
        """Offers a class as an action of this name."""
        return self._offer("action", name, "perform")

    def notifier(self, name: str) -> Callable[[type], type]:
        """Offers a class as a notifier of this name."""
        return self._offer("notifier", name, "deliver")

    def strategy(self, name: str) -> Callable[[type], type]:
        """Offers a class as a strategy of this name."""
        return self._offer("strategy", name, "choose")

    def route(self, name: str) -> Callable[[type], type]:
        """Offers a class as a route of this name."""
        return self._offer("route", name, "respond")

    def run(self) -> None:
        """Serves the host that started this program, until it asks for the end."""
        text = os.environ.get("AGENT_WORKER_FD", "")
        if not text.isdigit():
            sys.exit(
                f"This is the module {self.name}; an agent's host starts it. "
                "Enable it in settings.json and use: agent run"
            )
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            connection = socket.socket(fileno=int(text))
        except OSError as error:
            sys.exit(f"AGENT_WORKER_FD={text} is not a socket: {error}")
        connection.set_inheritable(False)
        for stream in (sys.stdout, sys.stderr):
            # A pipe is buffered by blocks, which would keep printed lines from the log for long.
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(line_buffering=True)
        status = asyncio.run(Worker(self, connection).serve())
        sys.stdout.flush()
        sys.exit(status)

    def _offer(self, kind: str, name: str, method: str) -> Callable[[type], type]:
        def register(cls: type) -> type:
            if (kind, name) in self.contributions:
                raise ValueError(f"The module {self.name} offers the {kind} {name} twice.")
            if not inspect.iscoroutinefunction(getattr(cls, method, None)):
                raise TypeError(f"{cls.__name__} needs `async def {method}` to be a {kind}.")
            self.contributions[(kind, name)] = cls
            return cls

        return register


def make_contribution(cls: type, settings: Dict[str, Any], host: "Host") -> Any:
    """Makes a contribution as the host does; for tests too."""
    wanted = getattr(cls, "Settings", None)
    if wanted is not None and dataclasses.is_dataclass(wanted):
        known = {f.name for f in dataclasses.fields(wanted)}
        unknown = sorted(set(settings) - known)
        if unknown:
            names = ", ".join(unknown)
            raise ModuleError("invalid_settings", f"{cls.__name__}.Settings has no {names}.")
        try:
            return cls(wanted(**settings), host)
        except TypeError as error:
            raise ModuleError("invalid_settings", f"{cls.__name__}: {error}") from error
    return cls(settings, host)


# ------------------------------------------------------------------------------------ the host


class Host:
    """The host as a contribution sees it: a log, a clock, events, state, tasks and bots, metrics."""

    events: "Events"
    state: "State"
    tasks: "Tasks"
    metrics: "Metrics"
    health: "Health"

    def log(self, message: str, level: str = "info") -> None:
        """Writes a log record. Never blocks; any thread. What an action logs while it does a task is in
        that task's log, too; from a thread only where that has the context, as asyncio.to_thread does."""
        raise NotImplementedError

    def now(self) -> int:
        """Unix milliseconds."""
        return int(time.time() * 1000)

    async def sleep(self, seconds: float) -> None:
        """Waits; a test's host decides how long it takes."""
        await asyncio.sleep(seconds)

    def heartbeat(self) -> None:
        """Tells the supervisor that a long computation is at work and not stuck. Any thread."""
        raise NotImplementedError


class Events:
    """The host's events: publish, subscribe, query.

    A query is a filter such as `trade pair:BTC`; with a span, pipes may follow it.
    """

    async def publish(self, *events: Event) -> None:
        """Publishes; waits while the host has no room."""
        raise NotImplementedError

    def subscribe(
        self, query: str, window: Optional[float] = None, capacity: Optional[int] = None,
        overflow: Optional[str] = None,
    ) -> AsyncIterator[EventBatch]:
        """Batches of matching events: first those of the last `window` seconds, then new ones.

        `overflow`: what happens when more than `capacity` wait: `drop_oldest`, `drop_newest`,
        `block` (who publishes waits), `read_log` (they are read from the log later).
        """
        raise NotImplementedError

    def consume(
        self, query: str, consumer: str, start: str = "newest", capacity: Optional[int] = None
    ) -> AsyncIterator[EventBatch]:
        """Batches for a durable consumer: the host remembers, under this name and for this process,
        what has been dealt with, and goes on there after a crash of either side.

        A batch counts as dealt with when the next one is asked for; what was delivered and not
        dealt with comes again. A new consumer begins with the `newest` or the `oldest` event.
        """
        raise NotImplementedError

    async def rows(self, query: str, span: str) -> AsyncIterator[QueryRow]:
        """The rows of a query, over the past that `span` asks for and then over what happens."""
        async for message in self.messages(query, span):
            for row in message.get("events", ()):
                yield QueryRow(row, message.get("timestamp", 0))

    def messages(self, query: str, span: str) -> AsyncIterator[Dict[str, Any]]:
        """All that a query says, rows (`type` is `event`) and what happens to it."""
        raise NotImplementedError

    async def query(
        self, query: str, window: Optional[float] = None, limit: Optional[int] = None
    ) -> EventResults:
        """Recent events, oldest first."""
        raise NotImplementedError


@dataclass
class StateEntry:
    """A value that the process keeps; `version` grows with each change of its state."""

    key: str
    value: Any
    version: int
    updated: int


@dataclass
class StateVersion:
    """What a key was at some time (Unix milliseconds), or that it was removed then."""

    version: int
    updated: int
    value: Any = None
    removed: bool = False


class State:
    """What the process keeps over restarts: JSON values by key. What a call returned is durable.

    The keys belong to the process of that name in the settings; what a module offers besides
    processes shares those of the module. Only the worker that was started last may write: in
    `__init__` the predecessor may still be at work. docs/state.md has limits and errors.
    """

    ATTEMPTS = 100

    async def get(self, key: str, default: Any = None) -> Any:
        """The value of a key; `default` when it isn't there."""
        entry = await self.entry(key)
        return default if entry is None else entry.value

    async def entry(self, key: str) -> Optional[StateEntry]:
        """The value of a key with its version; None when it isn't there."""
        entries = await self.entries(key)
        return entries[0] if entries else None

    async def entries(self, *keys: str) -> List[StateEntry]:
        """The values of several keys as they were at one moment; who isn't there is left out."""
        answer = await self._call("get", {"keys": list(keys)})
        return [
            StateEntry(entry["key"], entry["value"], entry["version"], entry["updated"])
            for entry in answer["entries"]]

    async def set(self, key: str, value: Any, expected: Optional[int] = None) -> int:
        """Sets a key, with `expected` only if it has that version (0: if it isn't there); raises
        ModuleError "conflict" when it has another. Returns its version."""
        return await self._write([_change(key, expected, value=value)])

    async def remove(self, key: str, expected: Optional[int] = None) -> None:
        """Removes a key, if it is there; with `expected` only if it has that version."""
        await self._write([_change(key, expected, remove=True)])

    async def keys(self, prefix: str = "") -> List[str]:
        """All keys that start with `prefix`, sorted by their bytes."""
        keys: List[str] = []
        while True:
            request: Dict[str, Any] = {"prefix": prefix, "values": False, "limit": 1000}
            if keys:
                request["after"] = keys[-1]
            page = await self._call("list", request)
            keys += [entry["key"] for entry in page["entries"]]
            if not page["truncated"]:
                return keys

    async def history(self, key: str) -> List[StateVersion]:
        """What a key was, the latest first, which is what it is now."""
        answer = await self._call("history", {"key": key})
        return [
            StateVersion(v["version"], v["updated"], v.get("value"), bool(v.get("removed")))
            for v in answer["versions"]]

    async def limits(self) -> Dict[str, Any]:
        """How much may be kept, and how much is: `key_bytes`, `value_bytes`, `owner_keys`,
        `owner_bytes`, `history`, `history_bytes`, `used`."""
        return await self._call("limits", {})

    async def update(self, key: str, change: Callable[[Any], Any], default: Any = None) -> Any:
        """Sets a key to what `change` makes of its value, and returns that. Where others come
        before, `change` is called again with what they made of it."""

        async def body(state: "StateTransaction") -> Any:
            value = change(await state.get(key, default))
            state.set(key, value)
            return value

        return await self.transaction(body)

    async def transaction(self, body: Callable[["StateTransaction"], Awaitable[Any]]) -> Any:
        """Changes several keys, all or none. Where something that `body` has read was changed
        meanwhile, nothing is changed and `body` is called again, at most 100 times: it should do
        nothing but read and change. What it raises is raised; then nothing is changed."""
        for attempt in range(1, self.ATTEMPTS + 1):
            transaction = StateTransaction(self)
            result = await body(transaction)
            changes = transaction._changes()
            try:
                if changes:
                    await self._write(changes)
                return result
            except ModuleError as error:
                if error.code != "conflict":
                    raise
                if attempt == self.ATTEMPTS:
                    message = f"Others came before a change of the state {attempt} times."
                    raise ModuleError("conflict", message, error.message) from error

    async def _write(self, changes: List[Dict[str, Any]]) -> int:
        try:
            json.dumps(changes, ensure_ascii=False, allow_nan=False).encode()
        except (TypeError, ValueError, RecursionError) as error:
            raise ModuleError("invalid_argument", f"The value can't be kept as JSON: {error}") from error
        return (await self._call("write", {"changes": changes}))["version"]

    async def _call(self, method: str, input: Dict[str, Any]) -> Any:
        raise NotImplementedError


class StateTransaction:
    """The state as one transaction sees it and will leave it."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._read: Dict[str, Optional[StateEntry]] = {}
        self._written: Dict[str, Dict[str, Any]] = {}

    async def get(self, key: str, default: Any = None) -> Any:
        """The value of a key, as this transaction has left it; `default` when it isn't there."""
        if key in self._written:
            return self._written[key].get("value", default)
        if key not in self._read:
            self._read[key] = await self._state.entry(key)
        entry = self._read[key]
        return default if entry is None else entry.value

    def set(self, key: str, value: Any) -> None:
        """Sets a key when the transaction ends."""
        self._written[key] = {"value": value}

    def remove(self, key: str) -> None:
        """Removes a key when the transaction ends."""
        self._written[key] = {"remove": True}

    def _changes(self) -> List[Dict[str, Any]]:
        """What is to be written. What was only read must not have changed."""
        if not self._written:
            return []
        expected = {k: 0 if entry is None else entry.version for k, entry in self._read.items()}
        keys = [*self._read, *(key for key in self._written if key not in self._read)]
        return [_change(key, expected.get(key), **self._written.get(key, {})) for key in keys]


def _change(key: str, expected: Optional[int], **what: Any) -> Dict[str, Any]:
    return {"key": key, **what, **({} if expected is None else {"expected": expected})}


class Tasks:
    """The host's tasks and bots: queue, look, give to a bot, be a bot.

    What the host answers comes back as it is, a dictionary; docs/tasks.md and docs/bots.md have the
    keys. ModuleError "invalid_argument" means that it doesn't exist or isn't right, "conflict" that it
    doesn't fit how things stand, "unsupported" that a module may not.
    """

    # Tasks.

    async def create_task(self, name: str, type: str, input: Any = None, **others: Any) -> Dict[str, Any]:
        """Creates a task that waits until it is executed. `others` are those of docs/tasks.md:
        `priority`, `description`, `run_at`, `due_date`, `bot`, `tags`, `retry`, `unique` ..."""
        return await self._call("create_task", _given(name=name, type=type, input=input, **others))

    async def queue_task(self, name: str, type: str, input: Any = None, **others: Any) -> Dict[str, Any]:
        """Creates a task that is done as soon as may be."""
        return await self.create_task(name, type, input, **{"status": "queued", **others})

    async def execute_task(
        self, id: str, data: Any = None, wait: Optional[float] = None
    ) -> Dict[str, Any]:
        """Asks for a task to be done that waits or has ended; `data` takes the place of its input, or
        is merged into it. With `wait` it waits so many seconds for the result."""
        return await self._call("execute_task", _given(id=id, data=data, wait_ms=_ms(wait)))

    async def get_task(self, id: str) -> Dict[str, Any]:
        """A task with its history."""
        return await self._call("get_task", {"id": id})

    async def list_tasks(self, **selection: Any) -> List[Dict[str, Any]]:
        """Tasks, the newest first: `status` (a list), `type`, `bot`, `tag`, `q`, `parent`, `limit` ..."""
        return (await self._call("list_tasks", selection))["tasks"]

    async def wait_for_task(self, id: str, seconds: float = 60) -> Dict[str, Any]:
        """A task once it has ended, or as it is when the time is over."""
        return await self._call("wait_for_task", {"id": id, "wait_ms": _ms(seconds)})

    async def cancel_task(
        self, id: str, note: Optional[str] = None, force: bool = False
    ) -> Dict[str, Any]:
        """Gives a task up; one that is being done is asked to stop."""
        return await self._call("cancel_task", _given(id=id, note=note, force=force))

    async def task_logs(self, id: str, after: int = 0) -> List[Dict[str, Any]]:
        """What a task has written: lines with `text`, `stream`, `timestamp` and `number`."""
        return (await self._call("get_task_logs", {"id": id, "after": after, "limit": 1000}))["lines"]

    async def explain_task(self, id: str) -> List[str]:
        """Why a task isn't done yet, in sentences."""
        return (await self._call("explain_task", {"id": id}))["reasons"]

    async def task_types(self) -> List[Dict[str, Any]]:
        """The types of tasks there are."""
        return (await self._call("list_task_types", {}))["types"]

    # Bots.

    async def register_bot(
        self, name: str, capabilities: Iterable[Any] = (), max_concurrent_tasks: int = 1,
        bot_type: str = "worker", **others: Any,
    ) -> Dict[str, Any]:
        """Takes a bot in, which is online at once; one of this process with the same name is replaced.
        A capability is an object as docs/bots.md has it, or "NAME:TYPE[,TYPE...][:BOOST]"."""
        return await self._call("register_bot", {
            "name": name, "capabilities": [_capability(entry) for entry in capabilities],
            "max_concurrent_tasks": max_concurrent_tasks, "bot_type": bot_type, **others})

    async def set_bot_status(self, id: str, status: str) -> Dict[str, Any]:
        """Says how a bot stands: online, busy, draining, offline, error."""
        return await self._call("set_bot_status", {"id": id, "status": status})

    async def bot_heartbeat(self, id: str) -> Dict[str, Any]:
        """A bot is there; from its first one on it is missed when they stop."""
        return await self._call("bot_heartbeat", {"id": id})

    async def unregister_bot(self, id: str) -> None:
        """Takes a bot from the register; its tasks are queued again."""
        await self._call("unregister_bot", {"id": id})

    async def list_bots(self, **selection: Any) -> List[Dict[str, Any]]:
        """The bots: of a `type`, in a `status`, for a `task_type`."""
        return (await self._call("list_bots", selection))["bots"]

    async def get_bot(self, id: str) -> Dict[str, Any]:
        """One bot."""
        return await self._call("get_bot", {"id": id})

    async def bot_statistics(self, id: str) -> Dict[str, Any]:
        """What a bot has done: how often what came of its tasks, and how long they took."""
        return await self._call("get_bot_stats", {"id": id})

    async def system_statistics(self) -> Dict[str, Any]:
        """How bots and what waits for them stand: `total_bots`, `online_bots`, `queue_size` ..."""
        return await self._call("get_bots_stats", {})

    async def strategy(self) -> str:
        """By what it is decided who gets a task."""
        return (await self._call("get_assignment_strategy", {}))["assignment_strategy"]

    async def set_strategy(self, name: str) -> None:
        """Chooses best_fit, load_balanced, round_robin, priority_first, or a module's MODULE/NAME."""
        await self._call("set_assignment_strategy", {"assignment_strategy": name})

    # Assignments.

    async def assign_task(self, id: str, bot: Optional[str] = None) -> Dict[str, Any]:
        """Gives a task to a bot, or to the best who has room."""
        return await self._call("assign_task", _given(task_id=id, bot_id=bot))

    async def explain_assignment(self, id: str) -> Dict[str, Any]:
        """Of every bot why it would get a task, or why not."""
        return await self._call("explain_assignment", {"id": id})

    async def list_assignments(self, **selection: Any) -> List[Dict[str, Any]]:
        """What was given to whom, the newest first: `status`, `bot`, `task`, `before`, `limit`."""
        return (await self._call("list_assignments", selection))["assignments"]

    async def offers(self, bot: str, wait: float = 0) -> List[Dict[str, Any]]:
        """What a bot is offered, each with its `task`; waits for the next where there is nothing."""
        answer = await self._call("get_bot_assignments", {"id": bot, "wait_ms": _ms(wait)})
        return answer["assignments"]

    async def accept(self, id: str, lease: Optional[float] = None) -> Dict[str, Any]:
        """The bot does it; it loses the task when it is silent for `lease` seconds."""
        return await self._call("accept_assignment", _given(id=id, lease_ms=_ms(lease)))

    async def reject(self, id: str, reason: str = "") -> None:
        """The bot doesn't want it, or gives it back: others get it."""
        await self._call("reject_assignment", {"id": id, "reason": reason})

    async def report_progress(self, id: str, progress: Any = None, logs: Iterable[str] = ()) -> bool:
        """The bot is at it; says how far it has come, and what it has to say. Returns whether somebody
        wants it to stop."""
        lines = [{"stream": "info", "text": text} for text in logs]
        answer = await self._call(
            "assignment_heartbeat", _given(id=id, progress=progress, logs=lines or None))
        return bool(answer["cancelling"])

    async def complete(self, id: str, result: Any = None) -> None:
        """It is done."""
        await self._call("complete_assignment", {"id": id, "result": result})

    async def fail(self, id: str, error: str, final: bool = False) -> None:
        """It can't be done; where that is `final`, trying again is of no use."""
        await self._call(
            "complete_assignment", {"id": id, "success": False, "error": error, "final": final})

    async def serve(
        self, name: str, capabilities: Iterable[Any], body: Callable[["BotWork"], Awaitable[Any]],
        max_concurrent_tasks: int = 1, lease: float = 60, **others: Any,
    ) -> None:
        """Is a bot until it is cancelled: registers it, takes what it is offered, as many at once as it
        says, and tells what `body` returns or raises. A sign of life goes out three times a lease; work
        that somebody cancels is cancelled here. ModuleError "invalid_argument" is final: the task isn't
        tried again.

            async def run(self):
                await self.host.tasks.serve("Painter", ["paints:paint"], self.paint)
        """
        bot = await self.register_bot(name, capabilities, max_concurrent_tasks, **others)
        running: Set["asyncio.Future[None]"] = set()
        try:
            while True:
                for offer in await self.offers(bot["id"], wait=600):
                    try:
                        await self.accept(offer["id"], lease)
                    except ModuleError:
                        continue  # It belongs to somebody else by now.
                    running.add(asyncio.ensure_future(self._perform(BotWork(self, offer), lease, body)))
                running = {work for work in running if not work.done()}
                # The host offers no more than the bot takes at once.
                if len(running) >= max_concurrent_tasks:
                    await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
        finally:
            # The end of the bot is no failure of the tasks: the host queues them again.
            for work in running:
                work.cancel()

    async def _perform(
        self, work: "BotWork", lease: float, body: Callable[["BotWork"], Awaitable[Any]]
    ) -> None:
        doing = asyncio.ensure_future(body(work))
        wanted = True

        async def signs() -> None:
            nonlocal wanted
            while True:
                await asyncio.sleep(lease / 3)
                if await self.report_progress(work.id):
                    wanted = False
                    doing.cancel()

        signing = asyncio.ensure_future(signs())
        try:
            result = await doing
        except asyncio.CancelledError:
            doing.cancel()
            if wanted:
                raise
            await self._tell(self.fail(work.id, "It was cancelled."))
        except Exception as error:  # noqa: BLE001: whatever the module's code raises is told
            reason = describe(error)
            await self._tell(self.fail(work.id, reason.message, reason.code == "invalid_argument"))
        else:
            await self._tell(self.complete(work.id, result))
        finally:
            signing.cancel()

    @staticmethod
    async def _tell(saying: Awaitable[None]) -> None:
        try:
            await saying
        except ModuleError:
            pass  # It belongs to somebody else by now.

    async def _call(self, method: str, input: Dict[str, Any]) -> Any:
        raise NotImplementedError


class BotWork:
    """A task that a bot is doing: `task` is the whole of it, `input` what it works on."""

    def __init__(self, tasks: Tasks, offer: Dict[str, Any]) -> None:
        self._tasks = tasks
        self.id: str = offer["id"]
        self.assignment = offer
        self.task: Dict[str, Any] = offer.get("task") or {}
        self.input = self.task.get("input")

    async def report(self, fraction: float, message: Optional[str] = None) -> None:
        """Says how far it has come, from 0 to 1."""
        percent = min(max(fraction, 0), 1) * 100
        await self._tasks.report_progress(self.id, _given(percent=percent, message=message))

    async def log(self, *lines: str) -> None:
        """Writes into the task's log."""
        await self._tasks.report_progress(self.id, logs=lines)


def _given(**members: Any) -> Dict[str, Any]:
    return {name: value for name, value in members.items() if value is not None}


def _ms(seconds: Optional[float]) -> Optional[int]:
    return None if seconds is None else min(max(int(seconds * 1000), 0), 3_600_000)


def _capability(entry: Any) -> Any:
    """`NAME:TYPE[,TYPE...][:BOOST]` as an object."""
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


class Metrics:
    """Figures of what a contribution does, for the people who run the agent.

        orders = self.host.metrics.counter("orders_total", "Orders taken.", kind="web")
        orders.add()

    A change is cheap: what has come together is handed to the host once a second, and at the end.
    Keep what the methods return. Labels are few and their values known; docs/module-services.md has
    the rules of names, which the host checks. Any thread.
    """

    USUAL_BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
    MOST = 1000

    def __init__(self, send: Callable[[Dict[str, Any]], None], due: Callable[[bool], None]) -> None:
        """`send` takes a report; `due` is called when there is one to come, True when at once."""
        self._send = send
        self._due = due
        self._lock = threading.Lock()
        self._figures: Dict[Tuple[Any, ...], Any] = {}
        self._health: Dict[str, Dict[str, Any]] = {}
        self._untold: Dict[str, Dict[str, Any]] = {}
        self._is_due = False

    def counter(self, name: str, help: Optional[str] = None, **labels: str) -> "Counter":
        """A figure that only grows, `…_total`; it goes on over restarts of the worker."""
        return self._figure(Counter, name, help, labels)

    def gauge(self, name: str, help: Optional[str] = None, **labels: str) -> "Gauge":
        """A figure that rises and falls; it is gone with its worker."""
        return self._figure(Gauge, name, help, labels)

    def histogram(
        self, name: str, help: Optional[str] = None, bounds: Iterable[float] = USUAL_BOUNDS,
        **labels: str,
    ) -> "Histogram":
        """How values are spread; `bounds` are the upper bounds of its buckets, rising."""
        return self._figure(Histogram, name, help, labels, tuple(bounds))

    def flush(self) -> None:
        """Hands over at once what has come together, instead of within a second."""
        with self._lock:
            self._is_due = False
            metrics = [figure._taken() for figure in self._figures.values() if figure._changed]
            health = list(self._untold.values())
            self._untold = {}
        while metrics or health:
            report = {"metrics": metrics[:500], "health": health[:500]}
            self._send({key: part for key, part in report.items() if part})
            metrics, health = metrics[500:], health[500:]

    def _figure(self, kind: type, name: str, help: Optional[str], labels: Any, *more: Any) -> Any:
        key = (kind, name, *sorted(labels.items()))
        with self._lock:
            if key in self._figures:
                return self._figures[key]
            figure = kind(self, name, help, labels, *more)
            if len(self._figures) < self.MOST:
                self._figures[key] = figure
            return figure

    def _report(self, component: str, part: Dict[str, Any]) -> None:
        with self._lock:
            if self._health.get(component) == part:
                return
            if component not in self._health and len(self._health) >= self.MOST:
                return
            self._health[component] = part
            self._untold[component] = {"component": component, **part} if component else part
        self._due(True)

    def note(self) -> None:
        """Sees to it that what has changed is handed over within a second."""
        if not self._is_due:
            self._is_due = True
            self._due(False)


class _Figure:
    def __init__(
        self, metrics: Metrics, name: str, help: Optional[str], labels: Dict[str, str]
    ) -> None:
        self._metrics = metrics
        self._lock = metrics._lock
        self._base: Dict[str, Any] = {"name": name}
        if help is not None:
            self._base["help"] = help
        if labels:
            self._base["labels"] = {key: str(value) for key, value in sorted(labels.items())}
        self._value = 0.0
        self._changed = False

    def _note(self) -> None:
        self._changed = True
        self._metrics.note()

    def _taken(self) -> Dict[str, Any]:
        raise NotImplementedError


class Counter(_Figure):
    """A figure that only grows."""

    def add(self, amount: float = 1) -> None:
        """Adds to it. A negative amount, or one that is no number, is ignored."""
        if not (amount > 0 and math.isfinite(amount)):
            return
        with self._lock:
            self._value += amount
            self._note()

    def _taken(self) -> Dict[str, Any]:
        value, self._value, self._changed = self._value, 0.0, False
        return {**self._base, "add": value}


class Gauge(_Figure):
    """A figure that rises and falls."""

    def set(self, value: float) -> None:
        """Sets it. What is no number is ignored."""
        if math.isfinite(value):
            with self._lock:
                self._value = float(value)
                self._note()

    def add(self, amount: float = 1) -> None:
        """Adds to it, or takes from it; it begins with 0."""
        if math.isfinite(amount):
            with self._lock:
                self._value += amount
                self._note()

    def _taken(self) -> Dict[str, Any]:
        self._changed = False
        return {**self._base, "set": self._value}


class Histogram(_Figure):
    """How values are spread."""

    def __init__(
        self, metrics: Metrics, name: str, help: Optional[str], labels: Dict[str, str],
        bounds: Tuple[float, ...],
    ) -> None:
        super().__init__(metrics, name, help, labels)
        self._bounds = bounds
        self._counts = [0] * (len(bounds) + 1)

    def observe(self, value: float) -> None:
        """Counts a value. What is no number is ignored."""
        if math.isfinite(value):
            with self._lock:
                self._counts[bisect.bisect_left(self._bounds, value)] += 1
                self._value += value
                self._note()

    def _taken(self) -> Dict[str, Any]:
        taken = {"bounds": list(self._bounds), "counts": self._counts, "sum": self._value}
        self._counts, self._value, self._changed = [0] * (len(self._bounds) + 1), 0.0, False
        return {**self._base, **taken}


class Health:
    """How the parts of a contribution do, for the people who run the agent. What was reported holds
    until something else is, and is gone with the worker; any thread."""

    STATES = ("ok", "degraded", "failing")

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics

    def report(
        self, state: str, reason: Optional[str] = None, component: Optional[str] = None
    ) -> None:
        """Says how a part does, or the whole: "ok", "degraded" or "failing", and why. To repeat what
        was said before costs nothing."""
        if state not in self.STATES:
            raise ValueError(f'"{state}" is not one of {", ".join(self.STATES)}')
        part = {"state": state} if reason is None else {"state": state, "reason": reason}
        self._metrics._report(component or "", part)


class _WorkerHost(Host):
    def __init__(self, worker: "Worker") -> None:
        self._worker = worker
        self.metrics = worker.metrics
        self.health = Health(worker.metrics)
        self.events = _WorkerEvents(worker)
        self.state = _WorkerState(worker)
        self.tasks = _WorkerTasks(worker)

    def log(self, message: str, level: str = "info") -> None:
        if level not in LEVELS:
            raise ValueError(f'"{level}" is not one of {", ".join(LEVELS)}')
        # Which call it is known here, and not on the loop's thread.
        self._worker.from_any_thread(self._worker.log, level, str(message), _call_id.get())

    def heartbeat(self) -> None:
        self._worker.heartbeat()


class _WorkerEvents(Events):
    def __init__(self, worker: "Worker") -> None:
        self._worker = worker

    async def publish(self, *events: Event) -> None:
        await self._worker.publish([event.to_json() for event in events])

    async def subscribe(
        self, query: str, window: Optional[float] = None, capacity: Optional[int] = None,
        overflow: Optional[str] = None,
    ) -> AsyncIterator[EventBatch]:
        request = _request(query, window, capacity=capacity, overflow=overflow)
        async for bodies, dropped in self._batches(request):
            yield EventBatch([Event.from_json(body) for body in bodies], dropped)

    async def consume(
        self, query: str, consumer: str, start: str = "newest", capacity: Optional[int] = None
    ) -> AsyncIterator[EventBatch]:
        request = _request(query, None, capacity=capacity, consumer=consumer)
        request["from"] = start
        async for bodies, dropped in self._batches(request):
            yield EventBatch([Event.from_json(body) for body in bodies], dropped)

    async def messages(self, query: str, span: str) -> AsyncIterator[Dict[str, Any]]:
        async for bodies, _ in self._batches(_request(query, None, span=span)):
            for body in bodies:
                yield body

    async def _batches(
        self, request: Dict[str, Any]
    ) -> AsyncIterator[Tuple[List[Dict[str, Any]], int]]:
        subscription = self._worker.subscribe(request)
        try:
            while True:
                batch = await subscription.take()
                if batch is None:
                    return
                yield batch
                subscription.dealt_with(len(batch[0]))
        finally:
            subscription.close()

    async def query(
        self, query: str, window: Optional[float] = None, limit: Optional[int] = None
    ) -> EventResults:
        input = _request(query, window, limit=limit)
        body = await self._worker.call("events/1", "query", input)
        events = [Event.from_json(event) for event in body.get("events", [])]
        return EventResults(events, bool(body.get("truncated")))


class _WorkerState(State):
    def __init__(self, worker: "Worker") -> None:
        self._worker = worker

    async def _call(self, method: str, input: Dict[str, Any]) -> Any:
        return await self._worker.call("state/1", method, input)


class _WorkerTasks(Tasks):
    def __init__(self, worker: "Worker") -> None:
        self._worker = worker

    async def _call(self, method: str, input: Dict[str, Any]) -> Any:
        return await self._worker.call("tasks/1", method, input)


def _request(query: str, window: Optional[float], **others: Any) -> Dict[str, Any]:
    request: Dict[str, Any] = {"query": query}
    if window is not None:
        request["window_ms"] = int(window * 1000)
    request.update({k: v for k, v in others.items() if v is not None})
    return request


# ---------------------------------------------------------------------------------- the worker


class _Subscription:
    """A subscription on the module's side: what has arrived, and how it ended."""

    def __init__(self, worker: "Worker", id: int, is_durable: bool) -> None:
        self._worker = worker
        self._id = id
        self._is_durable = is_durable
        self._queue: "asyncio.Queue[Any]" = asyncio.Queue()
        self._closing = False
        self._accepted = False

    def arrived(self, body: Dict[str, Any]) -> None:
        self._queue.put_nowait((body["events"], int(body.get("dropped", 0))))
        if body.get("ended"):
            self._worker.subscriptions.pop(self._id, None)
            self._queue.put_nowait(None)

    def answered(self, error: Optional[ModuleError]) -> None:
        """The first answer accepts or refuses; an error later, or an answer to UNSUBSCRIBE, ends."""
        if error is None and not self._accepted and not self._closing:
            self._accepted = True
            return
        self._worker.subscriptions.pop(self._id, None)
        self._queue.put_nowait(error)

    async def take(self) -> Optional[Tuple[List[Dict[str, Any]], int]]:
        """Bodies of events and how many were lost before them; none at the end."""
        item = await self._queue.get()
        if isinstance(item, ModuleError):
            raise item
        return item

    def dealt_with(self, count: int) -> None:
        if not self._closing and count > 0 and self._id in self._worker.subscriptions:
            done = {"done": count} if self._is_durable else {}
            self._worker.send(CREDIT, self._id, {"n": count, **done})

    def close(self) -> None:
        if not self._closing and self._id in self._worker.subscriptions:
            self._closing = True
            self._worker.send(UNSUBSCRIBE, self._id)


class Worker:
    """The worker's side of the protocol for one module."""

    def __init__(self, module: Module, connection: socket.socket) -> None:
        self.module = module
        self.subscriptions: Dict[int, _Subscription] = {}
        self._link = Link(connection)
        self._instances: Dict[Tuple[str, str], Any] = {}
        self._work: Dict[Tuple[str, str], "asyncio.Task[None]"] = {}
        self._calls: Dict[int, "asyncio.Task[None]"] = {}
        self._asked: Dict[int, "asyncio.Future[Any]"] = {}
        self._next_id = 0
        self._credit = 0
        self._producers: Deque[Tuple[int, "asyncio.Future[int]"]] = deque()
        self._last_heartbeat = 0.0
        self._logs_dropped = 0
        self._loaded = False
        self._stopping: Optional["asyncio.Task[None]"] = None
        self._lock = threading.Lock()
        self._refusals: Set[str] = set()
        self._last_report = -math.inf
        self.metrics = Metrics(
            lambda report: self.from_any_thread(self._report, report), self._report_due)

    async def serve(self) -> int:
        """Serves until the host asks for the end (0), is gone (0), or breaks the protocol (1)."""
        self._loop = asyncio.get_running_loop()
        self._link.attach(self._loop)
        self.send(
            HELLO, 0, {"protocol": [PROTOCOL, PROTOCOL], "abi": ABI, "toolchain": "", "pid": os.getpid()}
        )
        try:
            while True:
                frame = await self._link.receive()
                if frame is None:
                    break
                self._receive(*frame)
            if self._stopping is not None and self._stopping.done():
                self._answer_late_stops()
                await self._link.flush()
            return 0
        except ProtocolError as error:
            print(f"{self.module.name}: the host broke the protocol: {error}", file=sys.stderr)
            return 1
        finally:
            for task in [*self._work.values(), *self._calls.values()]:
                task.cancel()
            self._link.detach()

    # What arrives.

    def _receive(self, op: int, id: int, body: Any) -> None:
        if body is _TOO_DEEP:
            if op != INVOKE:
                raise ProtocolError("a body that is nested too deeply")
            self._fail(id, ModuleError("invalid_argument", "The input is nested too deeply."))
        elif op == PING:
            self.send(REPLY, id)
        elif op == STOP:
            self._stop(id, body)
        elif op == LOAD:
            self._load(id, body)
        elif op == CONFIGURE:
            self._answering(id, lambda: self._configure(body), READY)
        elif op == START:
            self._answering(id, lambda: self._start(body), REPLY)
        elif op == INVOKE:
            self._invoke(id, body)
        elif op == CANCEL:
            if id in self._calls:
                self._calls[id].cancel()
        elif op == CREDIT:
            self._grant(body)
        elif op == EVENT:
            self._event(id, body)
        elif op in (REPLY, ERROR):
            self._answered(id, _error_in(body) if op == ERROR else None, body)
        else:
            self._fail(id, ModuleError("unsupported", f"This worker doesn't know op {op}."))

    def _load(self, id: int, body: Any) -> None:
        offered = _member(body, "protocol", int)
        if offered != PROTOCOL:
            message = f"This worker speaks protocol {PROTOCOL}, the host chose {offered}."
            return self._fail(id, ModuleError("unsupported", message))
        self._loaded = True
        contributions = [{"kind": k, "name": n} for k, n in self.module.contributions]
        self.send(
            LOADED, id,
            {"abi": ABI, "name": self.module.name, "version": self.module.version,
             "contributions": contributions, "sandbox": "none"},
        )

    def _configure(self, body: Any) -> None:
        key = self._key(body)
        cls = self.module.contributions.get(key)
        if cls is None:
            raise ModuleError("unsupported", f"This module has no {key[0]} {key[1]}.")
        settings = body.get("settings") or {}
        self._instances[key] = make_contribution(cls, settings, _WorkerHost(self))

    def _start(self, body: Any) -> None:
        key = self._key(body)
        if key not in self._instances or key in self._work:
            raise ModuleError("invalid_argument", f"{key[1]} is not ready to start.")
        if key[0] in ("datasource", "monitor"):
            self._work[key] = self._loop.create_task(self._run(key))

    async def _run(self, key: Tuple[str, str]) -> None:
        ended: Dict[str, Any] = {"contribution": key[1], "kind": key[0], "status": "ok"}
        try:
            await self._instances[key].run()
        except asyncio.CancelledError:
            if self._stopping is not None:
                return
            ended["status"], ended["message"] = "cancelled", "It was cancelled."
        except Exception as error:  # noqa: BLE001: whatever the module's code throws is reported
            reason = describe(error)
            ended["status"], ended["message"] = reason.code, reason.message
        if self._stopping is None:
            self.metrics.flush()
            self.send(ENDED, 0, ended, data=True)

    def _invoke(self, id: int, body: Any) -> None:
        if id in self._calls:
            raise ProtocolError(f"INVOKE {id} is under way already")
        # What is asked of the host during the call belongs to its trace too.
        traced = contextvars.copy_context()
        parent = body.get("traceparent")
        traced.run(_traceparent.set, parent if isinstance(parent, str) else None)
        state = body.get("tracestate")
        traced.run(_tracestate.set, state if isinstance(state, str) else None)
        traced.run(_call_id.set, id)
        task = traced.run(self._loop.create_task, self._answer(id, body))
        self._calls[id] = task
        task.add_done_callback(lambda ended: self._call_ended(id, ended))

    def _call_ended(self, id: int, task: "asyncio.Task[None]") -> None:
        # Here and not in the task: one that is cancelled before its first step never runs.
        self._calls.pop(id, None)
        if task.cancelled():
            self._fail(id, ModuleError("cancelled", "It was cancelled."))

    async def _answer(self, id: int, body: Any) -> None:
        try:
            key = self._key(body)
            instance = self._instances.get(key)
            if instance is None:
                raise ModuleError("unsupported", f"{key[0]} {key[1]} is not configured.")
            deadline = body.get("deadline") or 0
            seconds = (deadline / 1000 - time.time()) if deadline > 0 else None
            work = self._dispatch(id, key[0], instance, body.get("input"))
            result = await asyncio.wait_for(work, seconds)
        except asyncio.TimeoutError:
            message = "The deadline passed before there was a result."
            self._fail(id, ModuleError("deadline_exceeded", message))
        except Exception as error:  # noqa: BLE001: whatever the module's code throws is reported
            self._fail(id, describe(error))
        else:
            self._answering(id, lambda: result, REPLY)

    async def _dispatch(self, id: int, kind: str, instance: Any, input: Any) -> Any:
        if kind == "action":
            return await instance.perform(input, Progress(
                self._parts(id), _traceparent.get(), _tracestate.get()))
        if not isinstance(input, dict):
            raise ModuleError("invalid_argument", f"The input of a {kind} is an object.")
        if kind == "logic_adapter":
            return _answer_json(await instance.respond(_statement(input)))
        if kind == "notifier":
            reference = await instance.deliver(_notice(input))
            return {} if reference is None else {"reference": reference}
        if kind == "route":
            reply = await instance.respond(Request.from_json(input))
            return (reply if isinstance(reply, Reply) else Reply(reply)).to_json()
        if kind == "strategy":
            chosen = await instance.choose(
                _member(input, "task", dict), _member(input, "candidates", list))
            return {
                "candidate": chosen.candidate,
                **_given(reason=chosen.reason, ranking=chosen.ranking or None)}
        raise ModuleError("unsupported", f"A {kind} doesn't answer calls.")

    def _parts(self, id: int) -> Callable[[Any], None]:
        sequence = 0

        def send(value: Any) -> None:
            nonlocal sequence
            if id in self._calls:
                self.send(PART, id, {"sequence": sequence, "value": value})
                sequence += 1

        return lambda value: self.from_any_thread(send, value)

    def _grant(self, body: Any) -> None:
        self._credit += max(_member(body, "n", int), 0)
        while self._producers and self._credit > 0:
            most, producer = self._producers.popleft()
            if not producer.done():
                count = min(most, self._credit)
                self._credit -= count
                producer.set_result(count)

    def _event(self, id: int, body: Any) -> None:
        _member(body, "events", list)
        subscription = self.subscriptions.get(id)
        if subscription is not None:
            subscription.arrived(body)

    def _answered(self, id: int, error: Optional[ModuleError], body: Any) -> None:
        if id in self.subscriptions:
            return self.subscriptions[id].answered(error)
        asked = self._asked.pop(id, None)
        if asked is not None and not asked.done():
            asked.set_exception(error) if error else asked.set_result(body)
        elif error is not None:
            self.log("warning", f"The host reports: {error.message}")

    def _stop(self, id: int, body: Any) -> None:
        if self._stopping is None:
            deadline = body.get("deadline_ms", 0) if isinstance(body, dict) else 0
            self._stopping = self._loop.create_task(self._end(id, deadline / 1000))
            self._stopping.add_done_callback(lambda _: self._link.end())
        else:
            self.send(REPLY, id)

    async def _end(self, id: int, seconds: float) -> None:
        under_way = [*self._work.values(), *self._calls.values()]
        for task in under_way:
            task.cancel()
        if under_way:
            await asyncio.wait(under_way, timeout=seconds or None)
        self.metrics.flush()
        # As data, so that it follows the events and log records that still wait.
        self.send(REPLY, id, data=True)

    def _answer_late_stops(self) -> None:
        """A STOP that came after the first one was done is answered too."""
        for op, id, _ in self._link.rest():
            if op == STOP:
                self.send(REPLY, id, data=True)

    # What is asked of the host.

    async def publish(self, events: List[Dict[str, Any]]) -> None:
        """Publishes, spending a credit an event; in pieces where there are many."""
        parent = _traceparent.get()
        if parent is not None:
            events = [{**event, "__traceparent": parent} for event in events]
        position = 0
        while position < len(events):
            count = await self._spend(min(len(events) - position, 64))
            self.send(PUBLISH, 0, events[position:position + count], data=True)
            position += count

    async def _spend(self, most: int) -> int:
        """Takes as much credit as there is, at least one: waits for that. Returns how much."""
        if self._credit > 0 and not self._producers:
            count = min(most, self._credit)
            self._credit -= count
            return count
        granted: "asyncio.Future[int]" = self._loop.create_future()
        self._producers.append((most, granted))
        return await granted

    def subscribe(self, request: Dict[str, Any]) -> _Subscription:
        """Subscribes and grants the first credit."""
        id = self._new_id()
        subscription = _Subscription(self, id, "consumer" in request)
        self.subscriptions[id] = subscription
        self.send(SUBSCRIBE, id, request)
        self.send(CREDIT, id, {"n": EVENT_CREDIT})
        return subscription

    async def call(self, service: str, method: str, input: Any) -> Any:
        """Asks a service of the host."""
        id = self._new_id()
        self._asked[id] = self._loop.create_future()
        try:
            asked = {"service": service, "method": method, "input": input}
            parent = _traceparent.get()
            if parent is not None:
                asked["traceparent"] = parent
            self.send(CALL, id, asked)
            return await self._asked[id]
        finally:
            self._asked.pop(id, None)

    def _report_due(self, is_urgent: bool) -> None:
        """Figures or health have changed: at most once a second the host hears of it."""
        try:
            self._loop.call_soon_threadsafe(self._plan_report, is_urgent)
        except RuntimeError:
            pass  # The worker has ended, and a thread of the module's hasn't noticed yet.

    def _plan_report(self, is_urgent: bool) -> None:
        if not is_urgent:
            self._loop.call_later(1, self.metrics.flush)
        elif time.monotonic() - self._last_report >= 1:
            self._last_report = time.monotonic()
            self.metrics.flush()
        else:
            self.metrics.note()

    def _report(self, report: Dict[str, Any]) -> None:
        """Sends at once: what follows, such as the answer to STOP, must come later."""
        id = self._new_id()
        self._asked[id] = self._loop.create_future()
        self._asked[id].add_done_callback(lambda answer: self._reported(id, answer))
        self.send(CALL, id, {"service": "metrics/1", "method": "report", "input": report})

    def _reported(self, id: int, answer: "asyncio.Future[Any]") -> None:
        """Says in the log what the host refuses, each thing once; a host without the service is no
        fault of the module's."""
        self._asked.pop(id, None)
        if answer.cancelled():
            return
        error = answer.exception()
        if error is None:
            reasons = [str(entry.get("reason")) for entry in answer.result().get("refused", [])]
        else:
            reasons = [str(error)] if getattr(error, "code", "") == "invalid_argument" else []
        for reason in reasons:
            if reason not in self._refusals and len(self._refusals) < 100:
                self._refusals.add(reason)
                self.log("warning", f"metrics/1: {reason}")

    def log(self, level: str, message: str, call: int = 0) -> None:
        """Writes a log record, of a call where that is still under way; one that doesn't fit the queue
        is counted and dropped."""
        if self._link.waiting >= QUEUED_LOGS:
            self._logs_dropped += 1
            return
        if self._logs_dropped:
            lost, self._logs_dropped = self._logs_dropped, 0
            self.send(LOG, 0, {"level": "warning", "message": f"{lost} log records were dropped."})
        call = call if call in self._calls else 0
        # The call's REPLY must not pass it.
        self.send(LOG, call, {"level": level, "message": message}, data=call == 0)

    def heartbeat(self) -> None:
        """At most one frame a second; sent even while the loop is busy with the caller."""
        with self._lock:
            if time.monotonic() - self._last_heartbeat < 1:
                return
            self._last_heartbeat = time.monotonic()
        self.send(HEARTBEAT, 0)

    def send(self, op: int, id: int, body: Any = None, data: bool = False) -> None:
        """Queues a frame; `data` may be overtaken by the others."""
        text = b"" if body is None else json.dumps(body, ensure_ascii=False, allow_nan=False).encode()
        if len(text) > MAX_BODY:
            raise ModuleError("invalid_argument", f"{len(text)} bytes are more than {MAX_BODY}.")
        self._link.send(op, id, text, data)

    def from_any_thread(self, body: Callable[..., None], *arguments: Any) -> None:
        """Calls on the loop's thread: at once when this is it."""
        if self._loop is _running_loop():
            body(*arguments)
        else:
            self._loop.call_soon_threadsafe(body, *arguments)

    def _answering(self, id: int, body: Callable[[], Any], op: int) -> None:
        try:
            result = body()
            self.send(op, id, {} if result is None and op == READY else result)
        except ProtocolError:
            raise
        except Exception as error:  # noqa: BLE001: whatever the module's code throws is reported
            self._fail(id, describe(error))

    def _fail(self, id: int, error: ModuleError) -> None:
        cause = {} if error.cause is None else {"cause": error.cause}
        self.send(ERROR, id, {"code": error.code, "message": error.message, **cause})

    def _key(self, body: Any) -> Tuple[str, str]:
        return _member(body, "kind", str), _member(body, "contribution", str)

    def _new_id(self) -> int:
        self._next_id = self._next_id % 0xFFFFFFFF + 1
        return self._next_id


def describe(error: BaseException) -> ModuleError:
    """An exception as the host reports it; the whole trace goes to standard error."""
    if isinstance(error, ModuleError):
        return error
    traceback.print_exception(type(error), error, error.__traceback__)
    place = ""
    for entry in traceback.extract_tb(error.__traceback__):
        if os.path.abspath(entry.filename) != os.path.abspath(__file__):
            place = f" ({os.path.basename(entry.filename)}:{entry.lineno})"
    return ModuleError("failed", f"{type(error).__name__}: {error}{place}")


def _running_loop() -> Optional[asyncio.AbstractEventLoop]:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def _member(body: Any, name: str, kind: type) -> Any:
    value = body.get(name) if isinstance(body, dict) else None
    if not isinstance(value, kind) or isinstance(value, bool):
        raise ProtocolError(f'a frame lacks "{name}"')
    return value


def _error_in(body: Any) -> ModuleError:
    body = body if isinstance(body, dict) else {}
    code = body.get("code")
    message = body.get("message") or "The host gave no reason."
    return ModuleError(code if code in CODES else "failed", str(message), body.get("cause"))


def _statement(input: Dict[str, Any]) -> Statement:
    if not isinstance(input.get("text"), str):
        raise ModuleError("invalid_argument", 'A statement needs a "text".')
    author = input.get("author")
    name = author.get("name") if isinstance(author, dict) else author
    return Statement(input["text"], input.get("session"), name, input.get("timestamp"))


def _answer_json(answer: Optional[Answer]) -> Dict[str, Any]:
    if answer is None:
        return {"confidence": 0}
    confidence = min(max(float(answer.confidence), 0.0), 1.0)
    data = {} if answer.data is None else {"data": answer.data}
    return {"text": answer.text, "confidence": confidence, **data}


def _notice(input: Dict[str, Any]) -> Notice:
    if not isinstance(input.get("id"), str) or not isinstance(input.get("text"), str):
        raise ModuleError("invalid_argument", 'A notification needs an "id" and a "text".')
    return Notice(
        input["id"], input["text"], input.get("title", ""), input.get("severity", "info"),
        input.get("recipient"))


# ------------------------------------------------------------------------------------ the link


class ProtocolError(Exception):
    """The host sent what the protocol doesn't allow."""


class Link:
    """Frames over the socket. Never blocks in send: two queues, control before data."""

    def __init__(self, connection: socket.socket) -> None:
        connection.setblocking(False)
        self._socket = connection
        self._buffer = bytearray()
        self._descriptors: Deque[int] = deque()
        self._arrived: "Deque[Optional[Tuple[int, int, Any]]]" = deque()
        self._wake: Optional["asyncio.Future[None]"] = None
        self._control: Deque[Tuple[bytes, Optional[int]]] = deque()
        self._data: Deque[Tuple[bytes, Optional[int]]] = deque()
        self._current: Optional[Tuple[memoryview, Optional[int]]] = None
        self._failure: Optional[ProtocolError] = None
        self._at_end = False
        self._writing = False
        self._drained: Optional["asyncio.Future[None]"] = None
        self._lock = threading.RLock()

    @property
    def waiting(self) -> int:
        """How many frames wait to be sent."""
        return len(self._data) + len(self._control)

    def attach(self, loop: asyncio.AbstractEventLoop) -> None:
        """Begins to read."""
        self._loop = loop
        loop.add_reader(self._socket, self._readable)

    def detach(self) -> None:
        """Ends reading and writing."""
        self._loop.remove_reader(self._socket)
        self._loop.remove_writer(self._socket)
        for descriptor in self._descriptors:
            os.close(descriptor)
        self._socket.close()

    async def receive(self) -> Optional[Tuple[int, int, Any]]:
        """The next frame; None when the host is gone or `end` was called."""
        while not self._arrived:
            if self._failure is not None:
                raise self._failure
            self._wake = self._loop.create_future()
            await self._wake
        return self._arrived.popleft()

    def rest(self) -> List[Tuple[int, int, Any]]:
        """Takes no more in, and returns what had arrived before: the host's sending fails now."""
        try:
            self._socket.shutdown(socket.SHUT_RD)
        except OSError:
            pass  # The host is gone: there is an end to read all the same.
        while not self._at_end and self._failure is None:
            self._readable()
        return [frame for frame in self._arrived if frame is not None]

    def end(self) -> None:
        """Lets `receive` say that there is nothing more."""
        self._offer(None)

    def send(self, op: int, id: int, body: bytes, data: bool) -> None:
        """Queues a frame and sends what the socket takes now. Any thread."""
        descriptor = None
        if len(body) > INLINE_BODY:
            descriptor = _sealed(body)
            body, op = json.dumps({"bytes": len(body)}).encode(), op | DESCRIPTOR
        frame = struct.pack("<IBI", len(body) + 5, op, id) + body
        with self._lock:
            (self._data if data else self._control).append((frame, descriptor))
            self._write()

    async def flush(self) -> None:
        """Waits until everything is sent."""
        if self._current or self._control or self._data:
            self._drained = self._loop.create_future()
            await self._drained

    def _write(self) -> None:
        try:
            while self._step():
                pass
        except (BlockingIOError, InterruptedError):
            self._want_writer(True)
            return
        except OSError:
            # The host is gone: the reader sees the end of file and ends the worker.
            self._control.clear()
            self._data.clear()
            self._current = None
        self._want_writer(False)
        if self._drained is not None and not self._drained.done():
            self._drained.set_result(None)

    def _step(self) -> bool:
        """Sends a piece; False when there is nothing to send."""
        if self._current is None:
            queue = self._control or self._data
            if not queue:
                return False
            frame, descriptor = queue.popleft()
            self._current = (memoryview(frame), descriptor)
        rest, descriptor = self._current
        if descriptor is None:
            sent = self._socket.send(rest, socket.MSG_NOSIGNAL)
        else:
            rights = (socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [descriptor]))
            sent = self._socket.sendmsg([rest], [rights], socket.MSG_NOSIGNAL)
            os.close(descriptor)
        self._current = (rest[sent:], None) if sent < len(rest) else None
        return True

    def _want_writer(self, wanted: bool) -> None:
        if wanted == self._writing:
            return
        self._writing = wanted
        if self._loop is _running_loop():
            self._watch()
        else:
            self._loop.call_soon_threadsafe(self._watch)

    def _watch(self) -> None:
        with self._lock:
            if self._writing:
                self._loop.add_writer(self._socket, self._writable)
            else:
                self._loop.remove_writer(self._socket)

    def _writable(self) -> None:
        with self._lock:
            self._write()

    def _readable(self) -> None:
        try:
            data, ancillary, _, _ = self._socket.recvmsg(1 << 18, socket.CMSG_SPACE(16 * 4))
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            data, ancillary = b"", []
        for level, kind, content in ancillary:
            if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
                received = array.array("i")
                received.frombytes(content[:len(content) - len(content) % received.itemsize])
                self._descriptors.extend(received)
        if not data:
            self._at_end = True
            self._loop.remove_reader(self._socket)
            return self._offer(None)
        self._buffer += data
        try:
            self._decode()
        except ProtocolError as error:
            self._loop.remove_reader(self._socket)
            self._failure = error
            self._awaken()

    def _decode(self) -> None:
        position = 0
        try:
            while len(self._buffer) - position >= 4:
                (length,) = struct.unpack_from("<I", self._buffer, position)
                if not 5 <= length <= MAX_FRAME:
                    raise ProtocolError(f"a frame of {length} bytes")
                if len(self._buffer) - position < 4 + length:
                    return
                op, id = struct.unpack_from("<BI", self._buffer, position + 4)
                body = bytes(self._buffer[position + 9:position + 4 + length])
                position += 4 + length
                self._offer((op & ~DESCRIPTOR, id, self._body(body, bool(op & DESCRIPTOR))))
        finally:
            del self._buffer[:position]

    def _body(self, body: bytes, beside: bool) -> Any:
        if beside:
            if not self._descriptors:
                raise ProtocolError("a frame without the descriptor that it announces")
            body = _taken(self._descriptors.popleft(), _parsed(body))
        return _parsed(body) if body else None

    def _offer(self, frame: Optional[Tuple[int, int, Any]]) -> None:
        self._arrived.append(frame)
        self._awaken()

    def _awaken(self) -> None:
        if self._wake is not None and not self._wake.done():
            self._wake.set_result(None)


_TOO_DEEP = object()


def _parsed(body: bytes) -> Any:
    try:
        return json.loads(body)
    except RecursionError:
        # What the parser can't follow may be JSON all the same: the request is refused, not the host.
        return _TOO_DEEP
    except ValueError as error:
        raise ProtocolError(f"a body that isn't JSON: {error}") from error


_SEALS = 0x1 | 0x2 | 0x4 | 0x8  # SEAL, SHRINK, GROW, WRITE
_F_ADD_SEALS, _F_GET_SEALS = 1033, 1034


def _sealed(body: bytes) -> int:
    """A sealed memfd with these bytes."""
    descriptor = os.memfd_create("agent", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    rest = memoryview(body)
    while rest:
        rest = rest[os.write(descriptor, rest):]
    fcntl.fcntl(descriptor, _F_ADD_SEALS, _SEALS)
    return descriptor


def _taken(descriptor: int, announced: Any) -> bytes:
    """The bytes of a memfd that came beside a frame."""
    try:
        size = os.fstat(descriptor).st_size
        if fcntl.fcntl(descriptor, _F_GET_SEALS) & _SEALS != _SEALS:
            raise ProtocolError("a body whose memfd isn't sealed")
        if size > MAX_BODY or not isinstance(announced, dict) or announced.get("bytes") != size:
            raise ProtocolError(f"a body of {size} bytes, announced as {announced}")
        pieces, position = [], 0
        while position < size:
            piece = os.pread(descriptor, size - position, position)
            if not piece:
                raise ProtocolError("a body that ends early")
            pieces.append(piece)
            position += len(piece)
        return b"".join(pieces)
    except OSError as error:
        raise ProtocolError(f"a body that can't be read: {error}") from error
    finally:
        os.close(descriptor)


# ------------------------------------------------------------------------------- for unit tests


class FakeHost(Host):
    """A host for unit tests: keeps logs and published events, answers queries over the events
    that the test injects, keeps state by the host's rules, and has a clock that only `sleep` and
    the test move. Another contribution that is made with it finds the state that the first left."""

    def __init__(self, now: int = 1_700_000_000_000, process: str = "test") -> None:
        self.clock = now
        self.process = process
        self.logs: List[Tuple[str, str]] = []
        self.published: List[Event] = []
        self.heartbeats = 0
        self.events = _FakeEvents(self)
        self.state = _FakeState(self)
        self.tasks = _FakeTasks()
        self._measured = _FakeMetrics()
        self.metrics = Metrics(self._take_report, lambda is_urgent: None)
        self.health = Health(self.metrics)
        self._all: List[Event] = []
        self._receivers: List[Tuple[str, "asyncio.Queue[EventBatch]"]] = []
        self.queries: List[Tuple[str, str]] = []
        self._running: List[Tuple[str, "asyncio.Queue[Any]"]] = []
        self._changed = asyncio.Event()

    def log(self, message: str, level: str = "info") -> None:
        self.logs.append((level, message))

    def now(self) -> int:
        return self.clock

    async def sleep(self, seconds: float) -> None:
        self.clock += int(seconds * 1000)
        await asyncio.sleep(0)

    def heartbeat(self) -> None:
        self.heartbeats += 1

    def inject(self, *events: Event) -> None:
        """Puts events into the host, as though another process had published them."""
        for event in events:
            if event.timestamp is None:
                event.timestamp = self.clock
            self._all.append(event)
        for query, queue in self._receivers:
            matching = [event for event in events if _matches(query, event)]
            if matching:
                queue.put_nowait(EventBatch(matching))

    def give(self, *rows: Dict[str, Any], query: Optional[str] = None) -> None:
        """Gives rows to the queries that run, or only to those of this text: a test has no engine."""
        dated = [{"timestamp": self.clock, **row} for row in rows]
        self._say({"type": "event", "timestamp": self.clock, "events": dated}, query)

    def end_queries(self, query: Optional[str] = None) -> None:
        """Ends the queries that run, as the end of a span does."""
        self._say({"type": "stop", "reason": "EndOfSpan"}, query)
        self._say({"type": "destroy"}, query)
        self._say(None, query)

    def _say(self, message: Optional[Dict[str, Any]], query: Optional[str]) -> None:
        for text, queue in self._running:
            if query is None or query == text:
                queue.put_nowait(message)

    async def run(self, contribution: Any, until_published: int) -> List[Event]:
        """Runs a datasource or monitor until it has published so many events."""
        work = asyncio.ensure_future(contribution.run())
        try:
            while len(self.published) < until_published and not work.done():
                self._changed.clear()
                changed = asyncio.ensure_future(self._changed.wait())
                await asyncio.wait([work, changed], return_when=asyncio.FIRST_COMPLETED)
                changed.cancel()
            if work.done():
                await work
        finally:
            work.cancel()
        return self.published

    def metric(self, name: str, **labels: str) -> Any:
        """What a counter has counted, or a gauge shows; of a histogram `(count, sum)`; None when there
        is none of that name and those labels."""
        self.metrics.flush()
        return self._measured.value(name, labels)

    def health_of(self, component: Optional[str] = None) -> Optional[Tuple[str, Optional[str]]]:
        """The state and the reason that were reported last of a part, None for the whole."""
        self.metrics.flush()
        return self._measured.health.get(component or "")

    def _take_report(self, report: Dict[str, Any]) -> None:
        for refused in self._measured.call("report", report)["refused"]:
            self.log(f"metrics/1: {refused['reason']}", "warning")

    def _publish(self, events: List[Event]) -> None:
        self.inject(*events)
        self.published.extend(events)
        self._changed.set()


class _FakeEvents(Events):
    def __init__(self, host: FakeHost) -> None:
        self._host = host

    async def publish(self, *events: Event) -> None:
        self._host._publish(list(events))
        await asyncio.sleep(0)

    async def subscribe(
        self, query: str, window: Optional[float] = None, capacity: Optional[int] = None,
        overflow: Optional[str] = None,
    ) -> AsyncIterator[EventBatch]:
        queue: "asyncio.Queue[EventBatch]" = asyncio.Queue()
        receiver = (query, queue)
        self._host._receivers.append(receiver)
        try:
            if window is not None:
                past = await self.query(query, window)
                if past.events:
                    queue.put_nowait(EventBatch(past.events))
            while True:
                yield await queue.get()
        finally:
            self._host._receivers.remove(receiver)

    async def consume(
        self, query: str, consumer: str, start: str = "newest", capacity: Optional[int] = None
    ) -> AsyncIterator[EventBatch]:
        async for batch in self.subscribe(query, None if start == "newest" else float("inf")):
            yield batch

    async def messages(self, query: str, span: str) -> AsyncIterator[Dict[str, Any]]:
        queue: "asyncio.Queue[Any]" = asyncio.Queue()
        running = (query, queue)
        self._host.queries.append((query, span))
        self._host._running.append(running)
        self._host._changed.set()
        try:
            while (message := await queue.get()) is not None:
                yield message
        finally:
            self._host._running.remove(running)

    async def query(
        self, query: str, window: Optional[float] = None, limit: Optional[int] = None
    ) -> EventResults:
        since = 0 if window in (None, float("inf")) else self._host.clock - int(window * 1000)
        found = [
            event for event in self._host._all
            if _matches(query, event) and (event.timestamp or 0) >= since]
        kept = found if limit is None else found[max(len(found) - limit, 0):]
        return EventResults(kept, len(kept) < len(found))


class _FakeTasks(Tasks):
    """A unit test has no tasks and no bots: the test says what the host answers.

    `asked` has what was asked: method and input. `answers` has an answer for a method, or a function of
    the input that makes one or raises; a method that isn't there is answered with its own input and an
    `id` of "1", as if all had gone well.
    """

    def __init__(self) -> None:
        self.asked: List[Tuple[str, Dict[str, Any]]] = []
        self.answers: Dict[str, Any] = {}

    async def _call(self, method: str, input: Dict[str, Any]) -> Any:
        await asyncio.sleep(0)
        input = json.loads(json.dumps(input, allow_nan=False))
        self.asked.append((method, input))
        if method not in self.answers:
            return {"id": "1", "cancelling": False, **input}
        answer = self.answers[method]
        answer = answer(input) if callable(answer) else answer
        return await answer if inspect.isawaitable(answer) else answer


def _matches(query: str, event: Event) -> bool:
    return any(_matches_all(part, event) for part in query.split("|"))


def _matches_all(query: str, event: Event) -> bool:
    body = event.to_json()
    for word in query.split():
        path, colon, wanted = word.partition(":")
        if not colon:
            path, wanted = "type", word
        value = body.get(path, event.get(path))
        text = value if isinstance(value, str) else json.dumps(value)
        if text != wanted:
            return False
    return True


class _FakeState(State):
    """The rules of the host's `state/1`, in memory."""

    KEY_BYTES, VALUE_BYTES, OWNER_KEYS, OWNER_BYTES = 512, 1 << 20, 100_000, 64 << 20
    HISTORY, HISTORY_BYTES = 10, 64 << 20
    COUNT, ANSWER_BYTES = 1000, 16 << 20
    MEMBERS: Dict[str, Tuple[str, ...]] = {
        "get": ("keys",), "list": ("prefix", "after", "limit", "values"), "write": ("changes",),
        "history": ("key",), "limits": (),
    }

    def __init__(self, host: FakeHost) -> None:
        self._host = host
        self._version = 0
        # Each value is its compact JSON, with its version and time.
        self._values: Dict[str, Tuple[str, int, int]] = {}
        self._history: Dict[str, Deque[Tuple[Optional[str], int, int]]] = {}

    async def _call(self, method: str, input: Any) -> Any:
        await asyncio.sleep(0)
        if method not in self.MEMBERS:
            raise ModuleError(
                "unsupported",
                f'state/1 has no "{method}"; it has get, list, write, history and limits.')
        size = _size(json.dumps(input, ensure_ascii=False, separators=(",", ":")))
        if size > self.ANSWER_BYTES:
            raise self._wrong(f"it has {size} bytes; {self.ANSWER_BYTES} is the most")
        self._known(input, self.MEMBERS[method])
        return getattr(self, f"_on_{method}")(input)

    # The methods.

    def _on_get(self, input: Dict[str, Any]) -> Any:
        keys = input.get("keys")
        if not isinstance(keys, list) or not all(isinstance(k, str) and k for k in keys):
            raise self._wrong('"keys" needs a list of keys')
        if len(keys) > self.COUNT:
            raise self._wrong(f"{len(keys)} keys are more than {self.COUNT}")
        entries = [self._entry(key) for key in dict.fromkeys(keys) if key in self._values]
        if sum(_size(self._values[entry["key"]][0]) for entry in entries) > self.ANSWER_BYTES:
            raise ModuleError(
                "invalid_argument", f"These values have more than {self.ANSWER_BYTES} bytes together.")
        return {"entries": entries}

    def _on_list(self, input: Dict[str, Any]) -> Any:
        prefix, after = input.get("prefix", ""), input.get("after")
        limit, values = input.get("limit", 100), input.get("values", True)
        if not isinstance(prefix, str) or not isinstance(after, (str, type(None))):
            raise self._wrong('"prefix" and "after" need texts')
        if type(limit) is not int or not 1 <= limit <= self.COUNT or type(values) is not bool:
            raise self._wrong(f'"limit" needs a number from 1 to {self.COUNT}, "values" a bool')
        found = sorted(
            (key for key in self._values
             if key.startswith(prefix) and (after is None or key.encode() > after.encode())),
            key=str.encode)
        entries, size = [], 0
        for key in found[:limit]:
            if values and entries and size >= self.ANSWER_BYTES:
                break
            entries.append(self._entry(key) if values else self._summary(key))
            size += _size(self._values[key][0])
        return {"entries": entries, "truncated": len(found) > len(entries)}

    def _on_write(self, input: Dict[str, Any]) -> Any:
        changes = input.get("changes")
        if not isinstance(changes, list) or not 1 <= len(changes) <= self.COUNT:
            raise self._wrong(f'"changes" needs 1 to {self.COUNT} changes')
        for change in changes:
            self._check(change)
        texts = [
            json.dumps(change["value"], ensure_ascii=False, allow_nan=False, separators=(",", ":"))
            if "value" in change else None for change in changes]
        self._fits(changes, texts)
        effective = [
            (change["key"], text) for change, text in zip(changes, texts)
            if text is not None or ("remove" in change and change["key"] in self._values)]
        if effective:
            self._version += 1
        for key, text in effective:
            self._apply(key, text)
        return {"version": self._version}

    def _on_history(self, input: Dict[str, Any]) -> Any:
        key = self._key(input)
        present = [self._values[key]] if key in self._values else []
        versions = []
        for text, version, updated in [*present, *reversed(self._history.get(key, ()))]:
            what = {"removed": True} if text is None else {"value": json.loads(text)}
            versions.append({"version": version, "updated": updated, **what})
        return {"versions": versions}

    def _on_limits(self, input: Dict[str, Any]) -> Any:
        return {
            "key_bytes": self.KEY_BYTES, "value_bytes": self.VALUE_BYTES,
            "owner_keys": self.OWNER_KEYS, "owner_bytes": self.OWNER_BYTES,
            "history": self.HISTORY, "history_bytes": self.HISTORY_BYTES,
            "used": {"keys": len(self._values), "bytes": self._bytes()},
        }

    # What they need.

    def _entry(self, key: str) -> Dict[str, Any]:
        text, version, updated = self._values[key]
        return {"key": key, "value": json.loads(text), "version": version, "updated": updated}

    def _summary(self, key: str) -> Dict[str, Any]:
        text, version, updated = self._values[key]
        return {"key": key, "bytes": _size(text), "version": version, "updated": updated}

    def _bytes(self) -> int:
        return sum(_size(key) + _size(value[0]) for key, value in self._values.items())

    def _check(self, change: Any) -> None:
        self._known(change, ("key", "value", "remove", "expected"))
        key, expected = self._key(change), change.get("expected")
        if "expected" in change and (type(expected) is not int or expected < 0):
            raise self._wrong('"expected" needs a version, or 0')
        if "remove" in change and change["remove"] is not True:
            raise self._wrong('"remove" needs true')
        if "value" in change and "remove" in change:
            raise ModuleError(
                "invalid_argument", f'The change of "{key}" has a "value" and "remove": choose one.')
        if not {"value", "remove", "expected"} & set(change):
            raise ModuleError(
                "invalid_argument", f'The change of "{key}" says nothing: give it a "value", '
                '"remove": true, or the "expected" version of a key that stays as it is.')

    def _fits(self, changes: List[Dict[str, Any]], texts: List[Optional[str]]) -> None:
        owner, seen = f"{self._host.process}'s state", set()
        size, count = self._bytes(), len(self._values)
        size_before, count_before = size, count
        for change, text in zip(changes, texts):
            key, expected = change["key"], change.get("expected")
            present = self._values.get(key)
            if _size(key) > self.KEY_BYTES:
                raise ModuleError(
                    "invalid_argument",
                    f"A key of {owner} has {_size(key)} bytes; it needs 1 to {self.KEY_BYTES}.")
            if key in seen:
                raise ModuleError(
                    "invalid_argument", f'The key "{key}" of {owner} is changed twice at once.')
            seen.add(key)
            if expected is not None and expected != (present[1] if present else 0):
                there = f"has version {present[1]}, not {expected}" if present else (
                    f"isn't there; version {expected} was expected")
                raise ModuleError("conflict", f'"{key}" of {owner} {there}. Read it again.')
            if text is not None and _size(text) > self.VALUE_BYTES:
                raise ModuleError(
                    "invalid_argument",
                    f'The value of "{key}" of {owner} has {_size(text)} bytes; {self.VALUE_BYTES} is '
                    "the most. Split it, or keep it in a file.")
            if text is None and "remove" not in change:
                continue
            size += 0 if text is None else _size(key) + _size(text)
            size -= _size(key) + _size(present[0]) if present else 0
            count += (text is not None) - (present is not None)
        for used, before, most, what in (
            (size, size_before, self.OWNER_BYTES, "bytes"),
            (count, count_before, self.OWNER_KEYS, "keys"),
        ):
            if used > before and used > most:
                raise ModuleError(
                    "invalid_argument", f"{owner} would have {used} {what}; {most} is the most. "
                    "Remove keys that nobody needs.")

    def _apply(self, key: str, text: Optional[str]) -> None:
        history = self._history.setdefault(key, deque(maxlen=self.HISTORY))
        if key in self._values:
            history.append(self._values.pop(key))
        if text is None:
            history.append((None, self._version, self._host.clock))
        else:
            self._values[key] = (text, self._version, self._host.clock)

    def _key(self, input: Dict[str, Any]) -> str:
        key = input.get("key")
        if not isinstance(key, str) or not key:
            raise self._wrong('"key" needs a text that isn\'t empty')
        return key

    def _known(self, input: Any, members: Tuple[str, ...]) -> None:
        if not isinstance(input, dict):
            raise self._wrong("expected an object")
        for member in input:
            if member not in members:
                raise self._wrong(f'"{member}" isn\'t known')

    @staticmethod
    def _wrong(what: str) -> ModuleError:
        return ModuleError("invalid_argument", f"The input is wrong: {what}.")


class _FakeMetrics:
    """The rules of the host's `metrics/1`, in memory."""

    FAMILIES, SERIES, COMPONENTS, MOST = 100, 1000, 50, 1000
    METRIC = ("name", "help", "labels", "add", "set", "observe", "bounds", "counts", "sum")
    KINDS = {"add": "counter", "set": "gauge", "observe": "histogram", "counts": "histogram"}

    def __init__(self) -> None:
        self.health: Dict[str, Tuple[str, Optional[str]]] = {}
        self._families: Dict[str, Tuple[str, List[float]]] = {}
        self._series: Dict[Tuple[str, Tuple[Tuple[str, str], ...]], Any] = {}

    def value(self, name: str, labels: Dict[str, str]) -> Any:
        value = self._series.get((name, tuple(sorted(labels.items()))))
        return (sum(value[0]), value[1]) if isinstance(value, tuple) else value

    def call(self, method: str, input: Any) -> Any:
        if method != "report":
            raise ModuleError("unsupported", f'metrics/1 has no "{method}"; it has report.')
        self._known(input, ("metrics", "health"))
        metrics = self._list(input.get("metrics", []))
        parts = self._list(input.get("health", []))
        for metric in metrics:
            self._check_metric(metric)
        for part in parts:
            self._known(part, ("component", "state", "reason"))
            if part.get("state") not in Health.STATES:
                raise self._wrong('"state" is ok, degraded or failing')
        refused = []
        for metric in metrics:
            reason = self._problem(metric) or self._take(metric)
            if reason:
                refused.append({"name": metric["name"], "reason": reason})
        for part in parts:
            reason = self._take_part(part)
            if reason:
                refused.append({"component": part.get("component", ""), "reason": reason})
        return {"refused": refused}

    # Shapes.

    def _check_metric(self, metric: Any) -> None:
        self._known(metric, self.METRIC)
        kinds = [key for key in self.KINDS if key in metric]
        if len(kinds) != 1:
            raise self._wrong('a metric has one of "add", "set", "observe" and "counts"')
        if not isinstance(metric.get("name"), str):
            raise self._wrong('a metric needs a "name"')
        labels = metric.get("labels", {})
        if not isinstance(labels, dict) or not all(isinstance(v, str) for v in labels.values()):
            raise self._wrong('"labels" are texts')
        for key in ("add", "set", "sum"):
            if key in metric and not self._is_number(metric[key]):
                raise self._wrong(f'"{key}" needs a number')
        for key in ("observe", "bounds", "counts"):
            if key in metric and not all(map(self._is_number, self._list(metric[key]))):
                raise self._wrong(f'"{key}" needs numbers')
        if metric.get("add", 0) < 0 or any(count < 0 for count in metric.get("counts", [])):
            raise self._wrong('"add" and "counts" aren\'t negative')
        if "counts" in metric and not ("bounds" in metric and "sum" in metric):
            raise self._wrong('"counts" come with "bounds" and a "sum"')

    @staticmethod
    def _is_number(value: Any) -> bool:
        return isinstance(value, (int, float)) and not isinstance(value, bool)

    def _list(self, value: Any) -> List[Any]:
        if not isinstance(value, list) or len(value) > self.MOST:
            raise self._wrong(f"expected a list of at most {self.MOST}")
        return value

    def _known(self, input: Any, members: Tuple[str, ...]) -> None:
        if not isinstance(input, dict):
            raise self._wrong("expected an object")
        for member in input:
            if member not in members:
                raise self._wrong(f'"{member}" isn\'t known')

    @staticmethod
    def _wrong(what: str) -> ModuleError:
        return ModuleError("invalid_argument", f"The input of report is wrong: {what}.")

    # Rules.

    @staticmethod
    def _problem(metric: Dict[str, Any]) -> Optional[str]:
        name, kind = metric["name"], _FakeMetrics._kind(metric)
        if not _is_metric_name(name, 100):
            return (
                f'"{name}" isn\'t a name for a metric: a lower-case letter, then lower-case letters, '
                "digits and _, at most 100.")
        for suffix in ("_bucket", "_count", "_sum"):
            if name.endswith(suffix):
                return f'"{name}" ends in {suffix}, which belongs to histograms. Choose another name.'
        if kind == "counter" and not name.endswith("_total"):
            return f'The counter "{name}" must end in _total.'
        if kind != "counter" and name.endswith("_total"):
            return f'"{name}" ends in _total, which only counters do.'
        labels = metric.get("labels", {})
        if len(labels) > 10:
            return f'"{name}" has {len(labels)} labels; 10 is the most.'
        for label, value in sorted(labels.items()):
            problem = _label_problem(label, value)
            if problem:
                return f'A label of "{name}": {problem}'
        bounds = metric.get("bounds", [0])
        if not 1 <= len(bounds) <= 50 or any(a >= b for a, b in zip(bounds, bounds[1:])):
            return f'The bounds of "{name}" are 1 to 50 numbers, each greater than the one before.'
        return None

    @staticmethod
    def _kind(metric: Dict[str, Any]) -> str:
        return next(kind for key, kind in _FakeMetrics.KINDS.items() if key in metric)

    def _take(self, metric: Dict[str, Any]) -> Optional[str]:
        name, kind = metric["name"], self._kind(metric)
        usual = list(Metrics.USUAL_BOUNDS)
        known, bounds = self._families.get(name, (kind, metric.get("bounds", usual)))
        if known != kind:
            return f'"{name}" is a {known} already, and can\'t be a {kind}.'
        if metric.get("bounds", bounds) != bounds:
            return f'The histogram "{name}" has other bounds already.'
        if "counts" in metric and len(metric["counts"]) != len(bounds) + 1:
            return f'"counts" of "{name}" needs {len(bounds) + 1} numbers, one more than bounds.'
        if name not in self._families and len(self._families) >= self.FAMILIES:
            return f'The process has {self.FAMILIES} metrics, which is the most; "{name}" is one more.'
        key = (name, tuple(sorted(metric.get("labels", {}).items())))
        if key not in self._series and len(self._series) >= self.SERIES:
            return (
                f"The process has {self.SERIES} combinations of labels, which is the most; "
                f'"{name}" would add one.')
        self._families[name] = (kind, bounds)
        self._series[key] = self._changed(self._series.get(key), metric, bounds)
        return None

    @staticmethod
    def _changed(old: Any, metric: Dict[str, Any], bounds: List[float]) -> Any:
        if "set" in metric:
            return metric["set"]
        if "add" in metric:
            return (old or 0) + metric["add"]
        counts, total = old or ([0] * (len(bounds) + 1), 0)
        if "counts" in metric:
            return [a + b for a, b in zip(counts, metric["counts"])], total + metric["sum"]
        counts = list(counts)
        for value in metric["observe"]:
            counts[bisect.bisect_left(bounds, value)] += 1
        return counts, total + sum(metric["observe"])

    def _take_part(self, part: Dict[str, Any]) -> Optional[str]:
        component = part.get("component", "")
        plain = all(c.isascii() and (c.isalnum() or c in " _-./:") for c in component)
        if not plain or len(component) > 64:
            return (
                f'"{component[:64]}" isn\'t a name for a component: letters, digits, spaces and '
                "_ - . / :, at most 64.")
        if component not in self.health and len(self.health) >= self.COMPONENTS:
            return f"The process has told of {self.COMPONENTS} components, which is the most."
        reason = part.get("reason")
        self.health[component] = (part["state"], None if reason is None else reason[:500])
        return None


def _is_metric_name(text: str, most: int) -> bool:
    letters = "abcdefghijklmnopqrstuvwxyz"
    return (
        0 < len(text) <= most and text[0] in letters
        and all(c in letters + "0123456789_" for c in text))


def _label_problem(label: str, value: str) -> Optional[str]:
    if label in ("le", "module", "process"):
        return f'"{label}" belongs to the host. Choose another name.'
    if not _is_metric_name(label, 64):
        return (
            f'"{label}" isn\'t a name: a lower-case letter, then lower-case letters, digits and _, '
            "at most 64.")
    if _size(value) > 128:
        return f'the value of "{label}" has {_size(value)} bytes; 128 is the most.'
    return None


def _size(text: str) -> int:
    return len(text.encode())
