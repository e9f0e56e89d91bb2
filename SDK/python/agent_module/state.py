"""The state of a process, which is kept over restarts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Awaitable, Callable, Dict, List, Optional, TypeVar

from .errors import ModuleError
from .wire import JSONObject, encode

Result = TypeVar("Result")


@dataclass
class StateEntry:
    """A value that the process keeps. `version` grows with each change of the process's state; `updated`
    is the time of the change in Unix milliseconds."""

    key: str
    value: Any
    version: int
    updated: int


@dataclass
class StateVersion:
    """A former or the present value of a key, or its removal. `updated` is the time of the change in Unix
    milliseconds."""

    version: int
    updated: int
    value: Any = None
    removed: bool = False


class State:
    """JSON values by key that outlive the worker, the host and the machine.

    A contribution finds it as `self.host.state`. A change is durable once its call returns. The keys
    belong to the process of that name in the settings. All contributions of a module other than processes
    share the keys of the module. Only the worker that was started last may write. During `__init__` the
    predecessor may still work.

    All methods are called on the loop's thread, and raise ModuleError for what the host refuses:
    "invalid_argument" for keys and values that it can't keep, "conflict" for a version that isn't the
    expected one. docs/state.md has limits and errors.
    """

    ATTEMPTS = 100
    """The number of attempts of a transaction before a conflict is raised."""

    async def get(self, key: str, default: Any = None) -> Any:
        """Returns the value of a key, or `default` if there is none."""
        entry = await self.entry(key)
        return default if entry is None else entry.value

    async def entry(self, key: str) -> Optional[StateEntry]:
        """Returns the value of a key with its version, or None if there is none."""
        entries = await self.entries(key)
        return entries[0] if entries else None

    async def entries(self, *keys: str) -> List[StateEntry]:
        """Returns the values of several keys as they were at one moment. Keys without a value are left
        out."""
        answer = await self._call("get", {"keys": list(keys)})
        return [
            StateEntry(entry["key"], entry["value"], entry["version"], entry["updated"])
            for entry in answer["entries"]]

    async def set(self, key: str, value: Any, expected: Optional[int] = None) -> int:
        """Sets a key and returns its version. With `expected` the key must have that version, 0 for a key
        without a value. Raises ModuleError "conflict" for another version."""
        return await self._write([_change(key, expected, value=value)])

    async def remove(self, key: str, expected: Optional[int] = None) -> None:
        """Removes a key, if it has a value. With `expected` the key must have that version. Raises
        ModuleError "conflict" for another one."""
        await self._write([_change(key, expected, remove=True)])

    async def keys(self, prefix: str = "") -> List[str]:
        """Returns all keys that start with `prefix`, sorted by their bytes."""
        keys: List[str] = []
        while True:
            request: JSONObject = {"prefix": prefix, "values": False, "limit": 1000}
            if keys:
                request["after"] = keys[-1]
            page = await self._call("list", request)
            keys += [entry["key"] for entry in page["entries"]]
            if not page["truncated"]:
                return keys

    async def history(self, key: str) -> List[StateVersion]:
        """Returns the versions of a key, the present one first."""
        answer = await self._call("history", {"key": key})
        return [
            StateVersion(v["version"], v["updated"], v.get("value"), bool(v.get("removed")))
            for v in answer["versions"]]

    async def limits(self) -> Dict[str, Any]:
        """Returns the limits and the present use: `key_bytes`, `value_bytes`, `owner_keys`,
        `owner_bytes`, `history`, `history_bytes`, `used`."""
        return await self._call("limits", {})

    async def update(
        self, key: str, change: Callable[[Any], Result], default: Any = None
    ) -> Result:
        """Sets a key to the result of `change`, which gets its value, and returns that result. When
        another write comes between, `change` is called again with the new value."""

        async def body(state: StateTransaction) -> Result:
            value = change(await state.get(key, default))
            state.set(key, value)
            return value

        return await self.transaction(body)

    async def transaction(
        self, body: Callable[[StateTransaction], Awaitable[Result]]
    ) -> Result:
        """Changes several keys, all or none, and returns the result of `body`.

        If another write changes a key that `body` has read, nothing is written and `body` is called again,
        at most 100 times. It should therefore only read and change state. After the last attempt
        ModuleError "conflict" is raised. An exception of `body` is raised, and nothing is written.
        """
        for attempt in range(1, self.ATTEMPTS + 1):
            transaction = StateTransaction(self)
            result = await body(transaction)
            changes = transaction.changes()
            try:
                if changes:
                    await self._write(changes)
                return result
            except ModuleError as error:
                if error.code != "conflict":
                    raise
                conflict = error
        message = (
            f"A change of the state failed {self.ATTEMPTS} times because of concurrent changes."
        )
        raise ModuleError("conflict", message, conflict.message) from conflict

    async def _write(self, changes: List[JSONObject]) -> int:
        try:
            # The check comes before the request, so that the error names the value and not the
            # frame.
            encode(changes)
        except (TypeError, ValueError, RecursionError) as error:
            raise ModuleError("invalid_argument", f"The value can't be kept as JSON: {error}") from error
        version: int = (await self._call("write", {"changes": changes}))["version"]
        return version

    async def _call(self, method: str, input: JSONObject) -> JSONObject:
        """Calls a method of the service `state/1`."""
        raise NotImplementedError


class StateTransaction:
    """The state in one transaction. `State.transaction` makes one for each attempt."""

    def __init__(self, state: State) -> None:
        """Makes a transaction without reads and changes."""
        self._state = state
        self._read: Dict[str, Optional[StateEntry]] = {}
        self._written: Dict[str, JSONObject] = {}

    async def get(self, key: str, default: Any = None) -> Any:
        """Returns the value of a key with this transaction's changes, or `default` if there is none."""
        if key in self._written:
            return self._written[key].get("value", default)
        if key not in self._read:
            self._read[key] = await self._state.entry(key)
        entry = self._read[key]
        return default if entry is None else entry.value

    def set(self, key: str, value: Any) -> None:
        """Sets a key when the transaction ends."""
        self._written[key] = {"value": value}

    def remove(self, key: str) -> None:
        """Removes a key when the transaction ends."""
        self._written[key] = {"remove": True}

    def changes(self) -> List[JSONObject]:
        """Returns the changes to write. They include each key that was only read, with its version,
        because it must not have changed. `State` calls it."""
        if not self._written:
            return []
        expected = {k: 0 if entry is None else entry.version for k, entry in self._read.items()}
        keys = [*self._read, *(key for key in self._written if key not in self._read)]
        return [_change(key, expected.get(key), **self._written.get(key, {})) for key in keys]


def _change(key: str, expected: Optional[int], **what: Any) -> JSONObject:
    return {"key": key, **what, **({} if expected is None else {"expected": expected})}
