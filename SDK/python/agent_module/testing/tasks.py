"""The tasks of the fake host."""

from __future__ import annotations

import asyncio
import inspect
import json
from typing import Any, Dict, List, Tuple

from ..events import Events
from ..tasks import Tasks
from ..wire import JSONObject


class FakeTasks(Tasks):
    """Tasks and bots that don't exist: the test says what the host answers.

    An answer in `answers` is a value, or a function of the input that returns one, may be async, and may
    raise. A method without an answer is answered with its own input and an `id` of "1", as if all had gone
    well.
    """

    def __init__(self, events: Events) -> None:
        """Makes tasks without answers."""
        self._events = events
        #: Method and input of each call.
        self.asked: List[Tuple[str, JSONObject]] = []
        #: Answers by method.
        self.answers: Dict[str, Any] = {}

    async def _call(self, method: str, input: JSONObject) -> JSONObject:
        await asyncio.sleep(0)
        # A copy, as it would travel: later changes by the caller don't change `asked`.
        input = json.loads(json.dumps(input, allow_nan=False))
        self.asked.append((method, input))
        if method not in self.answers:
            return {"id": "1", "cancelling": False, **input}
        answer = self.answers[method]
        answer = answer(input) if callable(answer) else answer
        result: JSONObject = await answer if inspect.isawaitable(answer) else answer
        return result
