"""Events from the host to this worker."""

from __future__ import annotations

import asyncio
from typing import Any, Dict, List, Optional, Tuple, Union

from ..errors import ModuleError
from ..wire import JSONObject
from .channel import Channel
from .protocol import CREDIT, EVENT_CREDIT, SUBSCRIBE, UNSUBSCRIBE, member

Batch = Tuple[List[JSONObject], int]
"""Bodies of events, and how many were lost before them."""


class Subscriptions:
    """The open subscriptions of this worker. The loop's thread."""

    def __init__(self, channel: Channel) -> None:
        """Begins without subscriptions."""
        self._channel = channel
        self._open: Dict[int, Subscription] = {}

    def subscribe(self, request: JSONObject) -> Subscription:
        """Asks for a subscription and grants its first credit. `request` is the body of SUBSCRIBE. A
        refusal is raised by the subscription's `take`."""
        id = self._channel.new_id()
        subscription = Subscription(self._channel, self._open, id, "consumer" in request)
        self._open[id] = subscription
        self._channel.send(SUBSCRIBE, id, request)
        self._channel.send(CREDIT, id, {"n": EVENT_CREDIT})
        return subscription

    def deliver(self, id: int, body: Any) -> None:
        """Takes an EVENT of the host. Events of a subscription that was closed are dropped: they may have
        been on their way."""
        member(body, "events", list)
        subscription = self._open.get(id)
        if subscription is not None:
            subscription.deliver(body)

    def answered(self, id: int, error: Optional[ModuleError]) -> bool:
        """Takes a REPLY or an ERROR of the host; False when the id isn't a subscription's."""
        subscription = self._open.get(id)
        if subscription is None:
            return False
        subscription.answered(error)
        return True


class Subscription:
    """One subscription: the events that have arrived, and how it ended. The loop's thread."""

    def __init__(
        self, channel: Channel, others: Dict[int, Subscription], id: int, is_durable: bool
    ) -> None:
        """Makes a subscription that removes itself from `others` when it ends."""
        self._channel = channel
        self._others = others
        self._id = id
        self._is_durable = is_durable
        self._queue: asyncio.Queue[Union[Batch, ModuleError, None]] = asyncio.Queue()
        self._is_closing = False
        self._is_accepted = False

    def deliver(self, body: JSONObject) -> None:
        """Takes the body of an EVENT."""
        self._queue.put_nowait((body["events"], int(body.get("dropped", 0))))
        if body.get("ended"):
            self._end(None)

    def answered(self, error: Optional[ModuleError]) -> None:
        """Takes an answer. The first one accepts or refuses the subscription. An error later on, or the
        answer to UNSUBSCRIBE, ends it."""
        if error is None and not self._is_accepted and not self._is_closing:
            self._is_accepted = True
        else:
            self._end(error)

    async def take(self) -> Optional[Batch]:
        """Waits for a batch; None at the end. Raises the host's ModuleError. One reader only."""
        item = await self._queue.get()
        if isinstance(item, ModuleError):
            raise item
        return item

    def done(self, count: int) -> None:
        """Returns the credit of events that the reader is done with. For a durable consumer the host moves
        its position."""
        if not self._is_closing and count > 0 and self._id in self._others:
            position = {"done": count} if self._is_durable else {}
            self._channel.send(CREDIT, self._id, {"n": count, **position})

    def close(self) -> None:
        """Ends the subscription, if it is open."""
        if not self._is_closing and self._id in self._others:
            self._is_closing = True
            self._channel.send(UNSUBSCRIBE, self._id)

    def _end(self, error: Optional[ModuleError]) -> None:
        self._others.pop(self._id, None)
        self._queue.put_nowait(error)
