"""Answers "how many errors in the last 5 minutes?"."""

from __future__ import annotations

from typing import List, Optional

from agent_module import Answer, LogicAdapter, Statement

UNITS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400}
A_MONTH = 2592000


class ErrorCount(LogicAdapter):
    async def respond(self, statement: Statement) -> Optional[Answer]:
        question = Question.read(statement.words)
        if question is None:
            return None
        query = self.settings.get("query", "type:log_line level:error")
        found = await self.host.events.query(query, window=question.seconds, limit=1000)
        count = len(found.events)
        number = f"More than {count}" if found.truncated else str(count)
        text = f"{number} {'error' if count == 1 else 'errors'} in the last {question.period}."
        if found.events:
            text += f" The latest: {found.events[-1].get('line')}"
        return Answer(text, question.confidence, {"count": count})


class Question:
    """A question for the number of errors."""

    def __init__(self, seconds: int, confidence: float) -> None:
        self.seconds = seconds
        self.confidence = confidence

    @staticmethod
    def read(words: List[str]) -> Optional["Question"]:
        """Reads the words of a statement; None when it isn't about errors. Most sure when both
        their number and a time are named."""
        if not {"error", "errors", "failures"} & set(words):
            return None
        counts = bool({"many", "count", "number"} & set(words))
        seconds = _period(words)
        if not counts and seconds is None and "any" not in words:
            return None
        confidence = (0.95 if seconds is not None else 0.8) if counts else 0.6
        return Question(300 if seconds is None else seconds, confidence)

    @property
    def period(self) -> str:
        """The period in words."""
        for unit in ("hour", "minute", "second"):
            if self.seconds % UNITS[unit] == 0:
                count = self.seconds // UNITS[unit]
                return unit if count == 1 else f"{count} {unit}s"
        return f"{self.seconds} seconds"


def _period(words: List[str]) -> Optional[int]:
    """ "5 minutes" or "hour" in seconds, a month at most."""
    for index, word in enumerate(words):
        unit = UNITS.get(word[:-1] if word.endswith("s") else word)
        if unit is not None:
            before = words[index - 1] if index > 0 else ""
            count = int(before) if before.isascii() and before.isdigit() else 1
            return min(max(count, 1), A_MONTH // unit) * unit
    return None
