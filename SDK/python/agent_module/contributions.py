"""The kinds of contributions that a module may offer, and how an action reports while it works."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, Callable, List, Optional

from .errors import ModuleError
from .wire import JSONObject

if TYPE_CHECKING:
    from .calls import Answer, Assignment, Notice, Statement
    from .host import Host
    from .routes import Request


class Contribution:
    """The base of all contributions. It has `self.settings` and `self.host`.

    The host has checked the settings against the manifest's schema and filled in its defaults. They are a
    dict, or an instance of the class's dataclass `Settings` if it has one. All methods are called on the
    loop's thread.
    """

    def __init__(self, settings: Any, host: Host) -> None:
        """Called once by the SDK, before `run` and before any call.

        It must not take anything exclusive, such as a port or a lock, because the predecessor may still
        run at a reload. Raises ModuleError "invalid_settings" for settings that the schema can't refuse.
        """
        self.settings = settings
        self.host = host


class Datasource(Contribution):
    """A process that produces events."""

    async def run(self) -> None:
        """Works until it is cancelled. Called once. A return means that the work is done. An exception
        means that the process has failed."""
        raise NotImplementedError


class Monitor(Contribution):
    """A process that reacts to the results of queries over events."""

    async def run(self) -> None:
        """Works until it is cancelled. Called once. A return means that the work is done. An exception
        means that the process has failed."""
        raise NotImplementedError


class LogicAdapter(Contribution):
    """Answers chat messages. The host asks every adapter and uses the answer with the highest
    confidence."""

    async def respond(self, statement: Statement) -> Optional[Answer]:
        """Answers a statement. Returns None for one that isn't for this adapter. Called for each
        statement. Calls may overlap."""
        raise NotImplementedError


class Action(Contribution):
    """Executes tasks."""

    async def perform(self, input: Any, progress: Progress) -> Any:
        """Does the work and returns its result, any JSON value. Calls may overlap. The call is cancelled
        when the host cancels it or the deadline passes."""
        raise NotImplementedError


class Notifier(Contribution):
    """Delivers notifications."""

    async def deliver(self, notice: Notice) -> Optional[str]:
        """Delivers a notice and returns the other system's id for it, if it has one. An exception means
        that it wasn't delivered."""
        raise NotImplementedError


class Strategy(Contribution):
    """Chooses the bot for a task."""

    async def choose(self, task: JSONObject, candidates: List[JSONObject]) -> Assignment:
        """Chooses one of the candidates, each of which has an `id`, or none for now."""
        raise NotImplementedError


class Route(Contribution):
    """Answers requests to the agent's HTTP port below `/modules/NAME/`. The manifest names method and
    path. The host has checked the caller's rights, and the body against the manifest's schema."""

    async def respond(self, request: Request) -> Any:
        """Responds with a `Reply`, a text (text/plain), bytes, or any other value as JSON. Calls may
        overlap. A ModuleError becomes the status: 400 for "invalid_argument", 409 for "conflict", 503 for
        "overloaded"."""
        raise NotImplementedError


class Progress:
    """Reports of one call of an action. The host makes one for each call. Any thread may use it. Reports
    after the end of the call are ignored."""

    def __init__(
        self, send: Callable[[Any], None], traceparent: Optional[str] = None,
        tracestate: Optional[str] = None,
    ) -> None:
        """Makes one. `send` takes each report, on the caller's thread."""
        self._send = send
        #: The trace of the call as W3C Trace Context writes it; None when the call isn't traced.
        #: Pass it on with requests to other systems that serve this call.
        self.traceparent = traceparent
        #: Other vendors' part of that trace, to be passed on with it; None when there is none.
        self.tracestate = tracestate

    def report(self, fraction: float, message: Optional[str] = None) -> None:
        """Reports how much is done, from 0 to 1, and what is being done."""
        value: JSONObject = {"progress": min(max(fraction, 0), 1)}
        if message is not None:
            value["message"] = message
        self._send(value)

    def partial(self, value: Any) -> None:
        """Sends a part of the result before the rest is done. `value` is any JSON value."""
        self._send(value)


def make_contribution(cls: type, settings: JSONObject, host: Host) -> Any:
    """Makes a contribution as a worker does. Unit tests call it too.

    Raises ModuleError "invalid_settings" when the class has a dataclass `Settings` that the settings don't
    fit, and whatever `__init__` raises.
    """
    wanted: Any = getattr(cls, "Settings", None)
    if isinstance(wanted, type) and dataclasses.is_dataclass(wanted):
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
