"""The state of the fake host: the rules of the host's `state/1`, in memory.

SDK/conformance/state.json has what every implementation answers.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from typing import TYPE_CHECKING, Any, Deque, Dict, List, Optional, Set, Tuple

from ..errors import ModuleError
from ..state import State
from ..wire import JSONObject
from .shapes import byte_size, check_members, wrong_input

if TYPE_CHECKING:
    from .host import FakeHost

METHODS: Dict[str, Tuple[str, ...]] = {
    "get": ("keys",), "list": ("prefix", "after", "limit", "values"), "write": ("changes",),
    "history": ("key",), "limits": (),
}
"""The members of each method's input."""


class FakeState(State):
    """State in memory. It goes with its fake host."""

    KEY_BYTES, VALUE_BYTES, OWNER_KEYS, OWNER_BYTES = 512, 1 << 20, 100_000, 64 << 20
    HISTORY, HISTORY_BYTES = 10, 64 << 20
    COUNT, ANSWER_BYTES = 1000, 16 << 20

    def __init__(self, host: FakeHost) -> None:
        """Makes an empty state."""
        self._host = host
        self._version = 0
        # Each value is its compact JSON, with its version and time.
        self._values: Dict[str, Tuple[str, int, int]] = {}
        self._history: Dict[str, Deque[Tuple[Optional[str], int, int]]] = {}

    async def _call(self, method: str, input: Any) -> JSONObject:
        await asyncio.sleep(0)
        if method not in METHODS:
            raise ModuleError(
                "unsupported",
                f'state/1 has no "{method}"; it has get, list, write, history and limits.')
        size = byte_size(json.dumps(input, ensure_ascii=False, separators=(",", ":")))
        if size > self.ANSWER_BYTES:
            raise _wrong(f"it has {size} bytes; {self.ANSWER_BYTES} is the most")
        check_members(input, METHODS[method], _wrong)
        answer: JSONObject = getattr(self, f"_on_{method}")(input)
        return answer

    # The methods.

    def _on_get(self, input: JSONObject) -> JSONObject:
        keys = input.get("keys")
        if not isinstance(keys, list) or not all(isinstance(k, str) and k for k in keys):
            raise _wrong('"keys" needs a list of keys')
        if len(keys) > self.COUNT:
            raise _wrong(f"{len(keys)} keys are more than {self.COUNT}")
        entries = [self._entry(key) for key in dict.fromkeys(keys) if key in self._values]
        if sum(byte_size(self._values[entry["key"]][0]) for entry in entries) > self.ANSWER_BYTES:
            raise ModuleError(
                "invalid_argument", f"These values have more than {self.ANSWER_BYTES} bytes together.")
        return {"entries": entries}

    def _on_list(self, input: JSONObject) -> JSONObject:
        prefix, after = input.get("prefix", ""), input.get("after")
        limit, values = input.get("limit", 100), input.get("values", True)
        if not isinstance(prefix, str) or not isinstance(after, (str, type(None))):
            raise _wrong('"prefix" and "after" need texts')
        if type(limit) is not int or not 1 <= limit <= self.COUNT or type(values) is not bool:
            raise _wrong(f'"limit" needs a number from 1 to {self.COUNT}, "values" a bool')
        found = sorted(
            (key for key in self._values
             if key.startswith(prefix) and (after is None or key.encode() > after.encode())),
            key=str.encode)
        entries: List[JSONObject] = []
        size = 0
        for key in found[:limit]:
            if values and entries and size >= self.ANSWER_BYTES:
                break
            entries.append(self._entry(key) if values else self._summary(key))
            size += byte_size(self._values[key][0])
        return {"entries": entries, "truncated": len(found) > len(entries)}

    def _on_write(self, input: JSONObject) -> JSONObject:
        changes = input.get("changes")
        if not isinstance(changes, list) or not 1 <= len(changes) <= self.COUNT:
            raise _wrong(f'"changes" needs 1 to {self.COUNT} changes')
        for change in changes:
            _check_change(change)
        texts = [
            json.dumps(change["value"], ensure_ascii=False, allow_nan=False, separators=(",", ":"))
            if "value" in change else None for change in changes]
        self._check_versions_and_sizes(changes, texts)
        effective = [
            (change["key"], text) for change, text in zip(changes, texts)
            if text is not None or ("remove" in change and change["key"] in self._values)]
        if effective:
            self._version += 1
        for key, text in effective:
            self._apply(key, text)
        return {"version": self._version}

    def _on_history(self, input: JSONObject) -> JSONObject:
        key = _key(input)
        versions: List[JSONObject] = []
        present: List[Tuple[Optional[str], int, int]] = (
            [self._values[key]] if key in self._values else [])
        for text, version, updated in [*present, *reversed(self._history.get(key, deque()))]:
            what = {"removed": True} if text is None else {"value": json.loads(text)}
            versions.append({"version": version, "updated": updated, **what})
        return {"versions": versions}

    def _on_limits(self, input: JSONObject) -> JSONObject:
        return {
            "key_bytes": self.KEY_BYTES, "value_bytes": self.VALUE_BYTES,
            "owner_keys": self.OWNER_KEYS, "owner_bytes": self.OWNER_BYTES,
            "history": self.HISTORY, "history_bytes": self.HISTORY_BYTES,
            "used": {"keys": len(self._values), "bytes": self._bytes()},
        }

    # Parts of the methods.

    def _entry(self, key: str) -> JSONObject:
        text, version, updated = self._values[key]
        return {"key": key, "value": json.loads(text), "version": version, "updated": updated}

    def _summary(self, key: str) -> JSONObject:
        text, version, updated = self._values[key]
        return {"key": key, "bytes": byte_size(text), "version": version, "updated": updated}

    def _bytes(self) -> int:
        return sum(byte_size(key) + byte_size(value[0]) for key, value in self._values.items())

    def _check_versions_and_sizes(
        self, changes: List[JSONObject], texts: List[Optional[str]]
    ) -> None:
        """Refuses the changes as a whole before the first is made."""
        owner, seen = f"{self._host.process}'s state", set[str]()
        size, count = self._bytes(), len(self._values)
        size_before, count_before = size, count
        for change, text in zip(changes, texts):
            key = change["key"]
            present = self._values.get(key)
            self._check_key(owner, key, seen)
            self._check_version(owner, key, change.get("expected"))
            if text is not None and byte_size(text) > self.VALUE_BYTES:
                raise ModuleError(
                    "invalid_argument",
                    f'The value of "{key}" of {owner} has {byte_size(text)} bytes; {self.VALUE_BYTES} is '
                    "the most. Split it, or keep it in a file.")
            if text is None and "remove" not in change:
                continue
            size += 0 if text is None else byte_size(key) + byte_size(text)
            size -= byte_size(key) + byte_size(present[0]) if present else 0
            count += (text is not None) - (present is not None)
        for used, before, most, what in (
            (size, size_before, self.OWNER_BYTES, "bytes"),
            (count, count_before, self.OWNER_KEYS, "keys"),
        ):
            # A change that makes an owner smaller is allowed even when the owner is too large.
            if used > before and used > most:
                raise ModuleError(
                    "invalid_argument", f"{owner} would have {used} {what}; {most} is the most. "
                    "Remove keys that nobody needs.")

    def _check_key(self, owner: str, key: str, seen: Set[str]) -> None:
        if byte_size(key) > self.KEY_BYTES:
            raise ModuleError(
                "invalid_argument",
                f"A key of {owner} has {byte_size(key)} bytes; it needs 1 to {self.KEY_BYTES}.")
        if key in seen:
            raise ModuleError(
                "invalid_argument", f'The key "{key}" of {owner} is changed twice at once.')
        seen.add(key)

    def _check_version(self, owner: str, key: str, expected: Optional[int]) -> None:
        present = self._values.get(key)
        if expected is not None and expected != (present[1] if present else 0):
            there = f"has version {present[1]}, not {expected}" if present else (
                f"isn't there; version {expected} was expected")
            raise ModuleError("conflict", f'"{key}" of {owner} {there}. Read it again.')

    def _apply(self, key: str, text: Optional[str]) -> None:
        history = self._history.setdefault(key, deque(maxlen=self.HISTORY))
        if key in self._values:
            history.append(self._values.pop(key))
        if text is None:
            history.append((None, self._version, self._host.clock))
        else:
            self._values[key] = (text, self._version, self._host.clock)


def _check_change(change: Any) -> None:
    """Refuses a change of another shape."""
    check_members(change, ("key", "value", "remove", "expected"), _wrong)
    key, expected = _key(change), change.get("expected")
    if "expected" in change and (type(expected) is not int or expected < 0):
        raise _wrong('"expected" needs a version, or 0')
    if "remove" in change and change["remove"] is not True:
        raise _wrong('"remove" needs true')
    if "value" in change and "remove" in change:
        raise ModuleError(
            "invalid_argument", f'The change of "{key}" has a "value" and "remove": choose one.')
    if not {"value", "remove", "expected"} & set(change):
        raise ModuleError(
            "invalid_argument", f'The change of "{key}" says nothing: give it a "value", '
            '"remove": true, or the "expected" version of a key that stays as it is.')


def _key(input: JSONObject) -> str:
    key = input.get("key")
    if not isinstance(key, str) or not key:
        raise _wrong('"key" needs a text that isn\'t empty')
    return key


def _wrong(what: str) -> ModuleError:
    return wrong_input("The input", what)
