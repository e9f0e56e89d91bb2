"""Lets processes fail while hosts are killed, and knows which failures must have an event."""

import collections
import http.client
import os
import signal
import threading
import time

from agent import Connection, Failure, within


class FailingProcesses(threading.Thread):
    """Kills the worker of a process until it has FAILED, and starts it again. A failure that was seen must be in
    the log, unless its host was killed right after it."""

    def __init__(self, agent, name, stopped):
        super().__init__(daemon=True)
        self.agent = agent
        self.name = name
        self.stopped = stopped
        # Failures whose host lived on, and those whose event was missed.
        self.seen = 0
        self.missed = 0
        # Why the thread has ended although nobody told it to.
        self.fault = None

    def run(self):
        while not self.stopped.wait(0.02):
            try:
                self.step()
            except (OSError, http.client.HTTPException, Failure):
                # There is no host just now, or it hasn't planned its processes yet.
                continue
            except Exception as error:  # pylint: disable=broad-except
                # A thread that ended in silence would look like processes that never fail.
                self.fault = error
                return

    def step(self):
        process = self.process()
        if process["state"] == "RUNNING" and process.get("pid"):
            os.kill(process["pid"], signal.SIGKILL)
        elif process["state"] == "FAILED":
            if self.is_told():
                self.seen += 1
            self.start_process()

    def process(self):
        found = [one for one in self.agent.ask("status")["processes"] if one["name"] == self.name]
        if not found:
            raise Failure(f"the status lists no process {self.name}")
        return found[0]

    def is_told(self):
        """Whether the newest event of the process is its failure. One host has ten seconds to say so."""
        host = self.agent.process.pid
        deadline = time.monotonic() + 10
        while self.agent.process.pid == host:
            if self.kinds()[-1:] == ["process_failed"]:
                return True
            if time.monotonic() > deadline:
                self.missed += 1
                return False
            time.sleep(0.02)
        return False

    def kinds(self):
        """What the log says of the process, one kind after the other."""
        events = self.agent.ask("events?query=process_failed%20%7C%20process_recovered&limit=10000")["events"]
        return [event["type"] for event in events if event["process"] == self.name]

    def start_process(self):
        connection = Connection(self.agent.socket)
        try:
            status, body = connection.ask("POST", f"processes/{self.name}/start")
            if status >= 300:
                raise Failure(f"{self.name} can't be started: {status} {body.decode()}")
        finally:
            connection.close()

    def check(self):
        """Starts the process for good. What failed has recovered then, and nothing recovers twice. Returns the
        number of failures."""
        if self.fault is not None:
            raise Failure(f"the thread that lets {self.name} fail has ended: {self.fault!r}")
        self.start_process()
        within(60, f"{self.name} runs without an event of that", lambda: self.process()["state"] == "RUNNING"
               and self.kinds()[-1:] != ["process_failed"],
               lambda: f"{self.process()} {self.kinds()[-3:]}")
        kinds = self.kinds()
        counted = collections.Counter(kinds)
        if self.missed:
            raise Failure(f"{self.missed} failures of {self.name} have no event")
        if counted["process_failed"] < self.seen:
            raise Failure(f"{self.seen} failures of {self.name} were seen, {dict(counted)} are stored")
        # A failure may follow a failure: the recovery between them was that of a host that was killed.
        if any(pair == ("process_recovered",) * 2 for pair in zip(["process_recovered", *kinds], kinds)):
            raise Failure(f"{self.name} has recovered twice: {kinds[-6:]}")
        return counted["process_failed"]
