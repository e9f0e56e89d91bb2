"""The durable consumer of the module's process `keeper`, which writes down what it gets."""

import http.client
import os
import time

from agent import Failure, within


class Keeper:
    def __init__(self, agent):
        self.agent = agent
        self.file = os.path.join(agent.folder, "pages", "kept")
        self.acknowledged = 0

    def look(self):
        """Asks for the acknowledged position, which never goes back; nothing while the host can't say."""
        try:
            consumers = self.agent.ask("events/consumers")["consumers"]
        except (OSError, http.client.HTTPException):
            return
        for consumer in consumers:
            position = int(consumer["position"])
            if position < self.acknowledged:
                raise Failure(f"the consumer went back from {self.acknowledged} to {position}")
            self.acknowledged = position

    def sessions(self):
        """What each worker of the process got, in order."""
        with open(self.file, encoding="utf-8") as file:
            lines = file.read().split("\n")
        sessions = []
        # A line without its end was being written when the worker was killed.
        for line in lines:
            if line == "begin .":
                sessions.append([])
            elif line.endswith(" ."):
                producer, number, _ = line.rsplit(" ", 2)
                sessions[-1].append((producer, int(number)))
        return sessions

    def wait_idle(self):
        """Waits until it gets nothing any more."""
        size = -1

        def is_idle():
            nonlocal size
            before, size = size, os.path.getsize(self.file)
            time.sleep(2)
            return before == size

        within(120, "the consumer doesn't come to an end", is_idle)

    def check(self, numbers):
        """Everything came, and to each worker once."""
        sessions = self.sessions()
        seen = set()
        for session in sessions:
            if len(set(session)) < len(session):
                raise Failure("a worker got an event twice")
            seen.update(session)
        for producer, stored in numbers.items():
            missing = [number for number in stored if (producer, number) not in seen]
            if missing:
                raise Failure(f"the consumer missed {len(missing)} events of {producer}, such as {missing[0]}")
        again = sum(map(len, sessions)) - len(seen)
        return f"the consumer got {len(seen)} events in {len(sessions)} workers, {again} of them again"
