"""The host's call that the current task works for. asyncio.to_thread passes it to other threads."""

from __future__ import annotations

from contextvars import Context, ContextVar, copy_context
from typing import Any, Optional

traceparent: ContextVar[Optional[str]] = ContextVar("traceparent", default=None)
"""The trace of the call in the form of W3C Trace Context."""
tracestate: ContextVar[Optional[str]] = ContextVar("tracestate", default=None)
"""Other vendors' part of that trace."""
call_id: ContextVar[int] = ContextVar("call_id", default=0)
"""The id of the call's INVOKE, or 0 outside of calls."""


def context_of(id: int, body: Any) -> Context:
    """Returns the context for a call with this id and body of INVOKE."""
    context = copy_context()
    for variable in (traceparent, tracestate):
        value = body.get(variable.name)
        context.run(variable.set, value if isinstance(value, str) else None)
    context.run(call_id.set, id)
    return context
