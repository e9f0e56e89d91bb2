"""Inputs of logic adapters and notifiers, and answers of logic adapters and strategies."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, List, Optional

from .errors import ModuleError
from .wire import JSONObject, without_none


@dataclass
class Statement:
    """A person's message in a chat. `timestamp` is in Unix milliseconds."""

    text: str
    session: Optional[str] = None
    author: Optional[str] = None
    timestamp: Optional[int] = None

    @property
    def words(self) -> List[str]:
        """The words in lower case, without punctuation other than apostrophes."""
        spaced = "".join(c if c.isalnum() or c == "'" else " " for c in self.text.lower())
        return spaced.split()

    @staticmethod
    def from_json(input: JSONObject) -> Statement:
        """Reads a statement from its JSON form. Raises ModuleError "invalid_argument" for one without
        a text."""
        if not isinstance(input.get("text"), str):
            raise ModuleError("invalid_argument", 'A statement needs a "text".')
        author = input.get("author")
        name = author.get("name") if isinstance(author, dict) else author
        return Statement(input["text"], input.get("session"), name, input.get("timestamp"))


@dataclass
class Answer:
    """An adapter's answer. `confidence` is from 0 to 1. An answer with 0 is never used. `data` is any
    JSON value."""

    text: str
    confidence: float
    data: Any = None

    def to_json(self) -> JSONObject:
        """Returns the answer as JSON. A confidence below 0 or above 1 becomes 0 or 1."""
        confidence = min(max(float(self.confidence), 0.0), 1.0)
        return without_none(text=self.text, confidence=confidence, data=self.data)


@dataclass
class Notice:
    """A notification that a notifier delivers. `id` stays the same when the host repeats a delivery. A
    notifier uses it to deliver each notice only once."""

    id: str
    text: str
    title: str = ""
    severity: str = "info"
    recipient: Optional[str] = None

    @staticmethod
    def from_json(input: JSONObject) -> Notice:
        """Reads a notice from its JSON form. Raises ModuleError "invalid_argument" for one without an
        id or a text."""
        if not isinstance(input.get("id"), str) or not isinstance(input.get("text"), str):
            raise ModuleError("invalid_argument", 'A notification needs an "id" and a "text".')
        return Notice(
            input["id"], input["text"], input.get("title", ""), input.get("severity", "info"),
            input.get("recipient"))


@dataclass
class Assignment:
    """A strategy's choice. `candidate` is the id of a bot. None leaves the task in its queue. People see
    `reason`. `ranking` has the ids to try next if the candidate has no free slot any more."""

    candidate: Optional[str]
    reason: Optional[str] = None
    ranking: List[str] = field(default_factory=list)

    def to_json(self) -> JSONObject:
        """Returns the choice as JSON. A null `candidate` is included. It means that none is chosen."""
        return {
            "candidate": self.candidate,
            **without_none(reason=self.reason, ranking=self.ranking or None)}
