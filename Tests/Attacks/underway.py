"""Work that a host has under way while somebody attacks it: a schedule that makes a task each second, a live
query, a client of the event stream, and a publisher. Afterwards nothing of it may be lost, by counts."""

import contextlib
import http.client
import json
import threading

from places import Connection

SCHEDULE = {
    "every": "1s", "misfire": "all", "overlap": "parallel",
    "task": {"type": "command", "run_command": "true"},
}
# How many events are published a second, and by how many a reader may be behind at the end before it is lost.
RATE = 20
PATIENCE = 30


class Reader(threading.Thread):
    """Reads an endless answer line by line, and remembers the numbers of the events in it."""

    def __init__(self, agent, target, accept):
        super().__init__(daemon=True)
        self.connection = Connection(f"{agent.folder}/.agent/agent.sock", timeout=120)
        self.connection.request("GET", f"/api/v1/{target}", headers={"Accept": accept})
        self.answer = self.connection.getresponse()
        assert self.answer.status == 200, self.answer.read()
        self.numbers = []
        self.begun = threading.Event()

    def run(self):
        with contextlib.suppress(OSError, http.client.HTTPException, ValueError, AttributeError):
            while line := self.answer.readline():
                self.begun.set()
                with contextlib.suppress(json.JSONDecodeError):
                    self.take(json.loads(line))

    def take(self, message):
        rows = message.get("events", [message]) if isinstance(message, dict) else []
        self.numbers += [row["number"] for row in rows if "number" in row]

    def end(self):
        if self.connection.sock is not None:
            self.connection.sock.close()


class Publisher(threading.Thread):
    """Publishes numbered events, and counts what was acknowledged."""

    def __init__(self, agent):
        super().__init__(daemon=True)
        self.agent = agent
        self.stopped = threading.Event()
        self.acknowledged = 0
        self.refused = []

    def run(self):
        while not self.stopped.wait(1 / RATE):
            status, answer = self.agent.ask(
                "POST", "events", {"type": "underway", "number": self.acknowledged})
            if status != 201:
                self.refused.append((status, answer))
                return
            self.acknowledged += 1


class Underway:
    """`with Underway(agent, name):` has the work under way, and looks at it at the end."""

    def __init__(self, agent, name):
        self.agent = agent
        self.schedule = f"beside-{name}"

    def __enter__(self):
        status, answer = self.agent.ask("POST", "schedules", {"name": self.schedule, **SCHEDULE})
        assert status == 201, answer
        self.created = answer["created"]
        lines = "application/x-ndjson"
        self.readers = {
            "stream": Reader(self.agent, "events/stream?query=underway", lines),
            "query": Reader(self.agent, "query?query=underway", lines),
        }
        for reader in self.readers.values():
            reader.start()
        # A query says that it has begun; a stream's answer has a head then.
        self.readers["query"].begun.wait(PATIENCE)
        self.publisher = Publisher(self.agent)
        self.publisher.start()
        return self

    def __exit__(self, kind, *_):
        try:
            if kind is None:
                # The attempts take less than that.
                self.agent.until(
                    "events are published", lambda: self.publisher.acknowledged >= RATE, PATIENCE)
                self.publisher.stopped.set()
                self.publisher.join(PATIENCE)
                self.check()
        finally:
            self.publisher.stopped.set()
            for reader in self.readers.values():
                reader.end()

    def check(self):
        assert not self.publisher.refused, self.publisher.refused
        expected = list(range(self.publisher.acknowledged))
        for name, reader in self.readers.items():
            self.agent.until(
                f"the {name} has all events", lambda: len(reader.numbers) >= len(expected), PATIENCE)
            assert reader.numbers == expected, f"the {name} has lost or repeated events"
        self.check_schedule()

    def fires(self):
        return self.agent.ask("GET", f"schedules/{self.schedule}/fires?limit=1000")[1]["fires"]

    def check_schedule(self):
        """Each second has its run, and each run its task, which has succeeded."""
        self.agent.until("it has fired", lambda: len(self.fires()) >= 2, PATIENCE)
        self.agent.ask("POST", f"schedules/{self.schedule}/pause")
        fires = self.fires()
        seconds = sorted((fire["fire_time"] - self.created) // 1000 for fire in fires)
        assert seconds == list(range(1, len(seconds) + 1)), seconds
        assert all(fire.get("task_id") for fire in fires), fires

        def have_ended():
            tasks = [self.agent.ask("GET", f"tasks/{fire['task_id']}")[1] for fire in fires]
            return all(task["status"] == "succeeded" for task in tasks)

        self.agent.until("each task has succeeded", have_ended, PATIENCE)
