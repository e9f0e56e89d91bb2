"""An agent's host under torture: started, killed, asked over its socket."""

import http.client
import json
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))

from agent_socket import Connection


class Agent:
    def __init__(self, binary, folder, wrapper=()):
        self.command = [*wrapper, binary, "run"]
        self.binary = binary
        self.folder = folder
        self.socket = os.path.join(folder, ".agent", "agent.sock")
        self.log = open(os.path.join(folder, "host.log"), "ab")
        self.process = None

    def start(self):
        self.process = subprocess.Popen(
            self.command, cwd=self.folder, stdout=self.log, stderr=self.log, start_new_session=True)

    def is_up(self):
        if self.process.poll() is not None:
            raise Failure(f"the host has ended by itself, with {self.process.returncode}")
        connection = Connection(self.socket)
        try:
            return connection.ask("GET", "health/live")[0] == 200
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()

    def wait_up(self, seconds=60):
        within(seconds, "the host isn't up", self.is_up)

    def ask(self, target):
        """An answer's JSON."""
        connection = Connection(self.socket)
        try:
            status, body = connection.ask("GET", target)
        finally:
            connection.close()
        if status != 200:
            raise Failure(f"GET {target}: {status} {body.decode()}")
        return json.loads(body)

    def alerts(self):
        """All alerts, the newest first."""
        found, before = [], ""
        while True:
            page = self.ask(f"alerts?limit=500{before}")
            found += page["alerts"]
            if "next" not in page:
                return found
            before = f"&before={page['next']}"

    def kill(self):
        self.process.kill()
        self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process is not None and self.process.poll() is None:
            self.kill()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(60)
        if status != 0:
            raise Failure(f"the host ended with {status}")

    def run(self, *arguments):
        """What a verb of the command line prints."""
        return subprocess.run(
            [self.binary, *arguments], cwd=self.folder, capture_output=True, timeout=600)

    def check_file(self):
        """Looks at a copy of the database, of a host that doesn't run: the file itself is left as the
        kill has left it, for the next host to deal with."""
        copy = os.path.join(self.folder, "copy.db")
        store = os.path.join(self.folder, ".agent", "store.db")
        for end in ["", "-wal"]:
            if os.path.exists(store + end):
                shutil.copyfile(store + end, copy + end)
        database = sqlite3.connect(copy)
        found = database.execute("PRAGMA integrity_check").fetchall()
        database.close()
        for end in ["", "-wal", "-shm"]:
            if os.path.exists(copy + end):
                os.unlink(copy + end)
        if found != [("ok",)]:
            raise Failure(f"integrity_check: {found[:3]}")


class Failure(Exception):
    """What must never happen has happened."""


def within(seconds, what, condition, state=None):
    """Waits for a condition. A failure says what `state` returns."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise Failure(f"{what}, after {seconds} s" + (f": {state()}" if state else ""))
        time.sleep(0.01)


def run(name, main, *kinds):
    """Runs a program with the arguments of the command line, each read by its kind. A failure is printed with the
    name, and ends the program with 1."""
    # The exception ends the host, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    try:
        main(*(kind(word) for kind, word in zip(kinds, sys.argv[1:], strict=True)))
    except Failure as failure:
        print(f"{name}: {failure}", file=sys.stderr)
        sys.exit(1)
