"""Alerts, chat messages and annotations, and the events that publish them by an `agent:output`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional, Union

from .events import Event
from .wire import JSONObject

ANNOTATION_LENGTH = 30_000
"""The length of an annotation without an end, in milliseconds."""


@dataclass
class Alert:
    """A condition that people should know about, or its end.

    `severity` is "info", "warning" or "critical"; `state` is "raised" or "resolved". `key` names the
    condition: an alert that resolves another has the same key. `since` is when the condition began, and
    `timestamp` when it was found, both in Unix milliseconds; without a timestamp it is now. `fields` are
    further fields of the event.
    """

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
        """The alert in a chat: its title in front of its text."""
        return ": ".join(part for part in (self.title, self.text) if part)

    def event(self, output: Optional[JSONObject], now: int) -> Event:
        """Returns the alert as an event in the name of the output's author. `now` is in Unix
        milliseconds."""
        own = {
            "state": self.state, "severity": self.severity, "title": self.title, "text": self.text,
            "key": self.key, "since": self.since, **_parties(output, "author", "room"),
        }
        type = (output or {}).get("event_type") or "alert"
        return _event(type, self.fields, own, self.timestamp, now)


@dataclass
class Message:
    """A message in a chat room: an event `__message`, with the fields that Intelie LIVE's messenger has.

    Without an author or a room it has those of the output. `timestamp` is in Unix milliseconds.
    """

    text: str
    author: Optional[Dict[str, Any]] = None
    room: Optional[Dict[str, Any]] = None
    uid: str = field(default_factory=lambda: _uid())
    timestamp: Optional[int] = None

    def event(self, output: Optional[JSONObject], now: int) -> Event:
        """Returns the message as an event. `now` is in Unix milliseconds."""
        people = _parties(output, "author", "room")
        time = now if self.timestamp is None else self.timestamp
        own = {
            "uid": self.uid, "createdAt": time, "message": self.text,
            "author": self.author or people.get("author"), "room": self.room or people.get("room"),
        }
        return _event("__message", {}, own, time, now)


@dataclass
class Annotation:
    """A note on an interval: an event `__annotations`, with the fields that Intelie LIVE has.

    `begin` and `end` are Unix milliseconds. Without them it begins now and ends 30 seconds later. A later
    annotation with the same `uid` replaces it.
    """

    text: str
    begin: Optional[int] = None
    end: Optional[int] = None
    uid: str = field(default_factory=lambda: _uid())
    color: Optional[str] = None
    timestamp: Optional[int] = None
    fields: Dict[str, Any] = field(default_factory=dict)

    def event(self, output: Optional[JSONObject], now: int) -> Event:
        """Returns the annotation as an event, with the author, room and dashboard of the output. `now` is
        in Unix milliseconds."""
        people = _parties(output, "author", "room", "dashboard")
        dashboard = people.get("dashboard", {})
        time = now if self.timestamp is None else self.timestamp
        begin = time if self.begin is None else self.begin
        own = {
            "uid": self.uid, "createdAt": time, "begin": begin,
            "end": begin + ANNOTATION_LENGTH if self.end is None or self.end < begin else self.end,
            "message": self.text, "author": people.get("author", {}).get("name"),
            "room": people.get("room"), "dashboardId": dashboard.get("id"),
            "dashboard": dashboard.get("name"), "searchable": True, "__color": self.color,
            "__overwrite": ["uid"],
        }
        return _event("__annotations", self.fields, own, time, now)


def output_events(
    output: Optional[JSONObject], said: Union[Alert, Message, Annotation], now: int
) -> List[Event]:
    """Returns the events to publish for an alert, a message or an annotation.

    `output` is the settings object `agent:output` (docs/outputs.md), None for a process without one; `now`
    is in Unix milliseconds. An alert is its own event and a chat message with its sentence. A message is
    an event only if it has a room. When `message_event` of the output names a channel, a value of that
    channel is added.
    """
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


def _uid() -> str:
    import uuid  # The import takes milliseconds, and most workers never need it.

    return str(uuid.uuid4())


def _parties(output: Optional[JSONObject], *keys: str) -> Dict[str, JSONObject]:
    """Returns members of an output as objects. A text becomes the name of an author, or the id of any
    other member."""
    found = {key: (output or {})[key] for key in keys if key in (output or {})}
    bare = {"author": "name"}
    return {k: {bare.get(k, "id"): v} if isinstance(v, str) else v for k, v in found.items()}


def _event(
    type: str, fields: JSONObject, own: JSONObject, timestamp: Optional[int], now: int
) -> Event:
    """Returns an event. Its own fields win over the further ones."""
    own = {key: value for key, value in own.items() if value is not None}
    return Event(type, {**fields, **own}, now if timestamp is None else timestamp)
