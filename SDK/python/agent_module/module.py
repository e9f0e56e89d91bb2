"""A module: its contributions, and the program that the host starts."""

from __future__ import annotations

import asyncio
import inspect
import io
import os
import signal
import socket
import sys
from typing import Any, Callable, Dict, Tuple, Type, TypeVar

from .worker.worker import serve

Offered = TypeVar("Offered", bound=Type[Any])


class Module:
    """A module: its name, its version and its contributions.

    Name, version and contributions are those of `module.json`. The host ends a worker that differs. Each
    decorator raises ValueError for a name that is taken, and TypeError for a class that lacks the kind's
    `async def` method.
    """

    def __init__(self, name: str, version: str) -> None:
        """Makes a module without contributions."""
        self.name = name
        self.version = version
        #: The classes by kind and name.
        self.contributions: Dict[Tuple[str, str], Type[Any]] = {}

    def datasource(self, name: str) -> Callable[[Offered], Offered]:
        """Offers a class as a datasource of this name."""
        return self._offer("datasource", name, "run")

    def monitor(self, name: str) -> Callable[[Offered], Offered]:
        """Offers a class as a monitor of this name."""
        return self._offer("monitor", name, "run")

    def logic_adapter(self, name: str) -> Callable[[Offered], Offered]:
        """Offers a class as a logic adapter of this name."""
        return self._offer("logic_adapter", name, "respond")

    def action(self, name: str) -> Callable[[Offered], Offered]:
        """Offers a class as an action of this name."""
        return self._offer("action", name, "perform")

    def notifier(self, name: str) -> Callable[[Offered], Offered]:
        """Offers a class as a notifier of this name."""
        return self._offer("notifier", name, "deliver")

    def strategy(self, name: str) -> Callable[[Offered], Offered]:
        """Offers a class as a strategy of this name."""
        return self._offer("strategy", name, "choose")

    def route(self, name: str) -> Callable[[Offered], Offered]:
        """Offers a class as a route of this name."""
        return self._offer("route", name, "respond")

    def run(self) -> None:
        """Serves the host that started this program, and exits the process.

        It is the program's last statement, on its main thread. The exit status is 0 if the host ends the
        worker or has ended itself, and 1 if the host breaks the protocol. Without a host it exits with a
        message about the start of one.
        """
        connection = self._connection()
        # Ctrl-C on a terminal reaches the whole process group. Only the host decides when workers
        # end.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        for stream in (sys.stdout, sys.stderr):
            # A pipe is buffered by blocks, which would delay printed lines in the log.
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(line_buffering=True)
        status = asyncio.run(serve(self, connection))
        sys.stdout.flush()
        sys.exit(status)

    def _connection(self) -> socket.socket:
        """Returns the socket that the host has passed to this process."""
        text = os.environ.get("AGENT_WORKER_FD", "")
        if not text.isdigit():
            sys.exit(
                f"This is the module {self.name}; an agent's host starts it. "
                "Enable it in settings.json and use: agent run")
        try:
            connection = socket.socket(fileno=int(text))
        except OSError as error:
            sys.exit(f"AGENT_WORKER_FD={text} is not a socket: {error}")
        # A program of the module would keep the connection open after the module's end.
        connection.set_inheritable(False)
        return connection

    def _offer(self, kind: str, name: str, method: str) -> Callable[[Offered], Offered]:
        def register(cls: Offered) -> Offered:
            if (kind, name) in self.contributions:
                raise ValueError(f"The module {self.name} offers the {kind} {name} twice.")
            if not inspect.iscoroutinefunction(getattr(cls, method, None)):
                raise TypeError(f"{cls.__name__} needs `async def {method}` to be a {kind}.")
            self.contributions[(kind, name)] = cls
            return cls

        return register
