"""The calls of each kind of contribution: the method, and the JSON of input and result."""

from __future__ import annotations

from typing import Any, Awaitable, Callable, Dict

from ..contributions import Progress
from ..errors import ModuleError
from .protocol import member

Caller = Callable[[Any, Any, Progress], Awaitable[Any]]
"""Calls a contribution with an input from JSON, and returns its result as JSON."""


def caller(kind: str) -> Caller:
    """Returns the caller of a kind. It raises ModuleError "invalid_argument" for an input of another
    shape, and whatever the contribution raises.

    The values of a kind are loaded here, when a worker that offers it begins: other workers don't take the
    time, and no call waits for it.
    """
    return _MAKERS.get(kind, lambda: _refused(kind))()


def _action() -> Caller:
    async def call(instance: Any, input: Any, progress: Progress) -> Any:
        return await instance.perform(input, progress)

    return call


def _logic_adapter() -> Caller:
    from ..calls import Statement

    async def call(instance: Any, input: Any, progress: Progress) -> Any:
        statement = Statement.from_json(_object(input, "logic_adapter"))
        answer = await instance.respond(statement)
        return {"confidence": 0} if answer is None else answer.to_json()

    return call


def _notifier() -> Caller:
    from ..calls import Notice

    async def call(instance: Any, input: Any, progress: Progress) -> Any:
        reference = await instance.deliver(Notice.from_json(_object(input, "notifier")))
        return {} if reference is None else {"reference": reference}

    return call


def _strategy() -> Caller:
    async def call(instance: Any, input: Any, progress: Progress) -> Any:
        input = _object(input, "strategy")
        chosen = await instance.choose(
            member(input, "task", dict), member(input, "candidates", list))
        return chosen.to_json()

    return call


def _route() -> Caller:
    from ..routes import Reply, Request

    async def call(instance: Any, input: Any, progress: Progress) -> Any:
        reply = await instance.respond(Request.from_json(_object(input, "route")))
        return (reply if isinstance(reply, Reply) else Reply(reply)).to_json()

    return call


def _refused(kind: str) -> Caller:
    async def call(instance: Any, input: Any, progress: Progress) -> Any:
        raise ModuleError("unsupported", f"A {kind} doesn't answer calls.")

    return call


def _object(input: Any, kind: str) -> Any:
    if not isinstance(input, dict):
        raise ModuleError("invalid_argument", f"The input of a {kind} is an object.")
    return input


_MAKERS: Dict[str, Callable[[], Caller]] = {
    "action": _action, "logic_adapter": _logic_adapter, "notifier": _notifier, "strategy": _strategy,
    "route": _route,
}
