"""The contributions that the host has configured, and the work of those that run by themselves."""

from __future__ import annotations

import asyncio
from typing import Any, Callable, Dict, List, Mapping, Set, Tuple, Type

from ..contributions import make_contribution
from ..errors import ModuleError, describe
from ..host import Host
from ..wire import JSONObject
from .protocol import member

Key = Tuple[str, str]
"""Kind and name of a contribution."""

RUNNING_KINDS = ("datasource", "monitor")
"""The kinds whose `run` is called. The others only answer calls."""


def contribution_key(body: Any) -> Key:
    """Returns the contribution that a frame names. Raises ProtocolError when it names none."""
    return member(body, "kind", str), member(body, "contribution", str)


class Instances:
    """The contributions of this worker, each made once. The loop's thread."""

    def __init__(
        self, classes: Mapping[Key, Type[Any]], make_host: Callable[[], Host],
        ended: Callable[[JSONObject], None],
    ) -> None:
        """Begins without contributions. `make_host` makes the host of each. `ended` takes the body of
        ENDED when the work of one ends by itself."""
        self._classes = classes
        self._make_host = make_host
        self._ended = ended
        self._instances: Dict[Key, Any] = {}
        self._work: Dict[Key, asyncio.Task[None]] = {}
        self._is_stopping = False

    @property
    def kinds(self) -> Set[str]:
        """The kinds of contributions that the module offers."""
        return {kind for kind, _ in self._classes}

    @property
    def work(self) -> List[asyncio.Task[None]]:
        """The tasks of datasources and monitors, also of those that have ended."""
        return list(self._work.values())

    def configure(self, body: Any) -> JSONObject:
        """Makes a contribution and returns the body of READY. Raises ModuleError "unsupported" for one
        that the module lacks, and whatever its `__init__` raises."""
        key = contribution_key(body)
        cls = self._classes.get(key)
        if cls is None:
            raise ModuleError("unsupported", f"This module has no {key[0]} {key[1]}.")
        settings = body.get("settings") or {}
        self._instances[key] = make_contribution(cls, settings, self._make_host())
        return {}

    def start(self, body: Any) -> None:
        """Starts the work of a contribution. Raises ModuleError "invalid_argument" for one that isn't
        configured or is at work already."""
        key = contribution_key(body)
        if key not in self._instances or key in self._work:
            raise ModuleError("invalid_argument", f"{key[1]} is not ready to start.")
        if key[0] in RUNNING_KINDS:
            self._work[key] = asyncio.get_running_loop().create_task(self._run(key))

    def find(self, key: Key) -> Any:
        """Returns a contribution for a call. Raises ModuleError "unsupported" for one that isn't
        configured."""
        instance = self._instances.get(key)
        if instance is None:
            raise ModuleError("unsupported", f"{key[0]} {key[1]} is not configured.")
        return instance

    def stop(self) -> None:
        """Cancels all work. Its end isn't reported: the host has asked for it."""
        self._is_stopping = True
        for task in self._work.values():
            task.cancel()

    async def _run(self, key: Key) -> None:
        ended: JSONObject = {"contribution": key[1], "kind": key[0], "status": "ok"}
        try:
            await self._instances[key].run()
        except asyncio.CancelledError:
            if self._is_stopping:
                return
            ended["status"], ended["message"] = "cancelled", "It was cancelled."
        except Exception as error:  # noqa: BLE001: whatever the module's code raises is reported
            reason = describe(error)
            ended["status"], ended["message"] = reason.code, reason.message
        if not self._is_stopping:
            self._ended(ended)
