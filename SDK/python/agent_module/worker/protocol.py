"""Versions, operations and bounds of the worker protocol, and the shapes of its frames."""

from __future__ import annotations

from typing import Any, NamedTuple, Type

PROTOCOL = 1
ABI = 1

HELLO, LOAD, LOADED, CONFIGURE, READY, START, STOP, PING, REPLY, ERROR, PART = range(1, 12)
INVOKE, CANCEL, PUBLISH, SUBSCRIBE, UNSUBSCRIBE, EVENT, CREDIT, LOG, HEARTBEAT = range(12, 21)
CALL, ENDED = 21, 22

DESCRIPTOR = 0x80
"""The bit of an operation whose body is in a memfd. The memfd is sent with the frame."""

# These are bytes, except where a comment has another unit.
MAX_FRAME = 16 * 1024 * 1024
INLINE_BODY = 1024 * 1024
MAX_BODY = 256 * 1024 * 1024
MAX_EVENT = 1024 * 1024
MAX_BATCH = 512 * 1024
MAX_BATCH_EVENTS = 64
MAX_TEXT = 64 * 1024
MAX_WAITING_FRAMES = 1024
EVENT_CREDIT = 512
"""The number of events of a subscription that the host may send before the module finishes one."""

TOO_DEEP = object()
"""The body of a frame that is nested more deeply than Python's parser follows."""


class ProtocolError(Exception):
    """The host has broken the protocol. The error ends the worker."""


class Frame(NamedTuple):
    """A received frame. `body` is its JSON value, None without a body, or `TOO_DEEP`."""

    op: int
    id: int
    body: Any


def member(body: Any, name: str, kind: Type[Any]) -> Any:
    """Returns a member of a frame's body. Raises ProtocolError when it is missing or of another type."""
    value = body.get(name) if isinstance(body, dict) else None
    # In Python a bool is an int, but in JSON it is no number.
    if not isinstance(value, kind) or isinstance(value, bool):
        raise ProtocolError(f'a frame lacks "{name}"')
    return value


def limited(text: Any) -> str:
    """Returns a text that the host takes as a message: at most 64 KiB, and without lone surrogates, which
    names of files may have."""
    data = str(text).encode("utf-8", "backslashreplace")
    return data[:MAX_TEXT].decode("utf-8", "ignore")
