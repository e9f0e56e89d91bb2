"""alerts.py AGENT FOLDER KILLS SEED : kills the host at random moments while alarms are raised and ended,
processes fail and run again, and tasks fail. Where FOLDER/.agent is a disk of its own, it gets full again and again
meanwhile.

Afterwards each acknowledged alarm is an alert, what a receiver took of an alert came in order and ends with
its end, and of each process that has failed and each task that is dead there is an event. A reader of the
event stream that pauses for seconds and reconnects gets each acknowledged alarm.
"""

import collections
import http.client
import json
import os
import random
import signal
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from agent import Agent, Connection, Failure, run, within
from crowding import Crowding
from failing_processes import FailingProcesses
from failing_tasks import FailingTasks

KEYS = 40


class Receiver(ThreadingHTTPServer):
    """Takes notices, and refuses some of them."""

    daemon_threads = True

    def __init__(self, seed):
        super().__init__(("127.0.0.1", 0), Handler)
        self.random = random.Random(f"{seed} receiver")
        self.lock = threading.Lock()
        self.refuses = True
        # What was taken, by alert: the kinds in order, each notice once.
        self.taken = collections.defaultdict(list)
        self.seen = set()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def accepts(self, notice):
        with self.lock:
            if self.refuses and self.random.random() < 0.3:
                return False
            if notice["id"] not in self.seen:
                self.seen.add(notice["id"])
                self.taken[notice["alert"]["id"]].append(notice["kind"])
            return True


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        notice = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["data"]
        self.send_response(200 if self.server.accepts(notice) else 503)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


class Alarms(threading.Thread):
    """Raises and ends alarms of a few keys, each with a number of its own."""

    def __init__(self, agent, seed):
        super().__init__(daemon=True)
        self.agent = agent
        self.random = random.Random(f"{seed} alarms")
        self.stopped = threading.Event()
        self.acknowledged = []
        # Keys of which nobody knows whether what was said last has arrived.
        self.unknown = set()
        self.state = {}

    def run(self):
        connection = Connection(self.agent.socket)
        number = 0
        while not self.stopped.is_set():
            key = f"k{self.random.randrange(KEYS)}"
            raised = self.state.get(key) != "raised"
            event = {"type": "alarm", "key": key, "number": number,
                     "state": "raised" if raised else "resolved"}
            number += 1
            outcome = self.publish(connection, event)
            if outcome == "acknowledged":
                self.acknowledged.append(event)
                self.state[key] = event["state"]
                self.unknown.discard(key)
            elif outcome == "unknown":
                self.unknown.add(key)
            time.sleep(self.random.random() * 0.02)
        connection.close()

    def publish(self, connection, event):
        try:
            if connection.sock is None:
                connection.connect()
        except OSError:
            return "unsent"
        try:
            status, _ = connection.ask("POST", "events", event)
        except (OSError, http.client.HTTPException):
            connection.close()
            return "unknown"
        return "acknowledged" if status == 201 else "refused"

    def end_all(self):
        """Says of every key that it is over."""
        connection = Connection(self.agent.socket)
        for number in range(KEYS):
            status, body = connection.ask(
                "POST", "events", {"type": "alarm", "key": f"k{number}", "state": "resolved", "number": -1})
            if status != 201:
                raise Failure(f"an alarm can't be ended: {status} {body}")
        connection.close()


class Reader(threading.Thread):
    """Reads alarms from the event stream, pauses for seconds, and goes on where it was."""

    def __init__(self, agent, seed):
        super().__init__(daemon=True)
        self.agent = agent
        self.random = random.Random(f"{seed} reader")
        self.stopped = threading.Event()
        self.last = "0"
        self.numbers = collections.Counter()

    def run(self):
        while not self.stopped.is_set():
            connection = Connection(self.agent.socket, timeout=10)
            try:
                self.read(connection)
            except (OSError, http.client.HTTPException, ValueError):
                time.sleep(0.05)
            finally:
                connection.close()

    def read(self, connection):
        headers = {"Accept": "text/event-stream"}
        if self.last is not None:
            headers["Last-Event-ID"] = self.last
        connection.request("GET", "/api/v1/events/stream?query=alarm", headers=headers)
        answer = connection.getresponse()
        if answer.status != 200:
            raise ValueError(answer.status)
        position = None
        while not self.stopped.is_set():
            line = answer.readline()
            if not line:
                return
            line = line.decode().rstrip("\r\n")
            if line.startswith("id:"):
                position = line[3:].strip()
            elif line.startswith("data:"):
                event = json.loads(line[5:])
                if event.get("type") == "alarm":
                    self.numbers[event["number"]] += 1
            elif not line and position is not None:
                self.last, position = position, None
                if self.random.random() < 0.01:
                    # Longer than anything waits for a reader.
                    time.sleep(self.random.uniform(0.5, 3))


def settings(receiver, folder):
    return {
        "enabled_modules": ["bench_command"],
        "logging": {"level": "warning"},
        "events": {"retention": {"max_bytes": "100GB"}},
        "supervision": {"safe_mode_after": 0, "max_restarts": 1, "within": 60,
                        "backoff": {"initial_ms": 1, "max_ms": 5}},
        "tasks": {"types": {"fails": {"executor": "command", "run_command": "/bin/false"}}},
        "notifications": {
            "rules": [{"name": "alarm", "when": {"event": "alarm"}, "group": ["key"], "to": ["hook"]}],
            "notifiers": {"hook": {
                "type": "webhook", "url": f"http://127.0.0.1:{receiver.server_port}/", "allow_private": True,
                "attempts": 100, "backoff": {"initial": "20ms", "max": "200ms"}, "concurrency": 4}},
        },
        "processes": {
            name: {"type": "command_sleeper", "page": os.path.join(folder, "pages", "starts"), "slot": slot}
            for slot, name in enumerate(["p0", "p1"])
        },
    }


def main(binary, folder, kills, seed):
    receiver = Receiver(seed)
    with open(os.path.join(folder, "settings.json"), "w", encoding="utf-8") as file:
        json.dump(settings(receiver, folder), file)
    rng = random.Random(seed)
    with Agent(binary, folder) as agent:
        alarms, reader = Alarms(agent, seed), Reader(agent, seed)
        failing = FailingTasks(agent, alarms.stopped)
        processes = FailingProcesses(agent, "p1", alarms.stopped)
        agent.start()
        agent.wait_up()
        alarms.start()
        reader.start()
        failing.start()
        processes.start()
        crowding = Crowding.beside(agent, seed)
        begin = time.monotonic()
        for kill in range(1, kills + 1):
            if rng.random() < 0.8:
                agent.wait_up()
            time.sleep(rng.uniform(0.05, 0.5))
            agent.kill()
            agent.start()
            if kill % max(1, kills // 5) == 0:
                print(f"torture-host: {kill} kills; {len(alarms.acknowledged)} alarms", flush=True)
        took = time.monotonic() - begin
        if crowding is not None:
            crowding.end()
            print(f"torture-host: the disk was full {crowding.filled} times meanwhile")
        agent.wait_up()
        within(60, "the database isn't open", lambda: agent.ask("status")["database"]["state"] == "READY")
        failed = fail_process(agent)
        dead = fail_tasks(agent)
        alarms.stopped.set()
        alarms.join(30)
        failing.join(30)
        processes.join(30)
        within(60, "tasks that failed meanwhile aren't over", lambda: are_over(agent, failing.acknowledged))
        dead += sorted(failing.acknowledged)
        alarms.end_all()
        receiver.refuses = False
        within(120, "notices are on their way for ever", lambda: is_told(agent))
        check_alerts(agent, alarms, receiver)
        within(60, "the reader misses alarms", lambda: misses(alarms, reader) == 0)
        reader.stopped.set()
        check_stored(agent, failed, dead)
        failed += processes.check()
        agent.stop()
        agent.check_file()
    print(f"torture-host: {kills} kills in {took:.0f} s; {len(alarms.acknowledged)} alarms, "
          f"{len(receiver.taken)} alerts told in order; {len(dead)} dead tasks and {failed} failed processes "
          "have their events; a reader that pauses got every alarm")


def fail_process(agent):
    """Kills the worker until its process has FAILED, lets it run again, and counts the failures."""
    def state():
        return next(p for p in agent.ask("status")["processes"] if p["name"] == "p0")

    def is_failed():
        process = state()
        if process["state"] == "RUNNING" and process.get("pid"):
            try:
                os.kill(process["pid"], signal.SIGKILL)
            except ProcessLookupError:
                pass
        return process["state"] == "FAILED"

    within(60, "the process doesn't fail", is_failed)
    agent.run("process", "start", "p0")
    within(60, "the process doesn't run again", lambda: state()["state"] == "RUNNING")
    return 1


def fail_tasks(agent):
    """Creates tasks that fail for good, and returns their numbers."""
    connection = Connection(agent.socket)
    numbers = []
    for number in range(20):
        status, body = connection.ask(
            "POST", "tasks", {"name": f"t{number}", "type": "fails", "status": "queued"})
        if status != 201:
            raise Failure(f"a task can't be created: {status} {body.decode()}")
        numbers.append(str(json.loads(body)["id"]))
    connection.close()

    within(60, "tasks that fail aren't over", lambda: are_over(agent, numbers))
    return numbers


def are_over(agent, numbers):
    return all(agent.ask(f"tasks/{number}")["status"] in ("failed", "dead") for number in numbers)


def is_told(agent):
    waiting = sum(
        len(agent.ask(f"deliveries?state={state}&limit=10")["deliveries"])
        for state in ("queued", "sending", "failed"))
    is_read = all(
        consumer["behind"] == 0 for consumer in agent.ask("events/consumers")["consumers"]
        if consumer["name"] == "agent/notifications")
    return waiting == 0 and is_read


def check_alerts(agent, alarms, receiver):
    """Each raised alarm opened an alert or was counted by one; what was taken is in order."""
    alerts = agent.alerts()
    if any(alert["state"] != "resolved" for alert in alerts):
        raise Failure("an alert is open whose end was acknowledged")
    counted = sum(alert["count"] for alert in alerts)
    raised = sum(event["state"] == "raised" for event in alarms.acknowledged)
    if counted < raised:
        raise Failure(f"{raised} alarms were acknowledged and {counted} counted")
    for alert, kinds in receiver.taken.items():
        if kinds not in (["opened", "resolved"], ["resolved"]):
            raise Failure(f"of the alert {alert} was told: {kinds}")


def misses(alarms, reader):
    return sum(reader.numbers[event["number"]] == 0 for event in alarms.acknowledged)


def check_stored(agent, failed, dead):
    """The events behind alerts are in the log."""
    def events(query):
        answer = agent.run("query", query, "--span", "from 2020-01-01 to now")
        if answer.returncode != 0:
            raise Failure(f"agent query: {answer.stderr.decode()}")
        return [json.loads(line) for line in answer.stdout.splitlines()]

    within(10, "a process that has failed has no event",
           lambda: len(events("process_failed")) >= failed and events("process_recovered"))
    told = {event["task_id"] for event in events("task_failed | task_dead")}
    missing = [number for number in dead if number not in told]
    if missing:
        raise Failure(f"{len(missing)} tasks that failed have no event, such as {missing[0]}")


if __name__ == "__main__":
    run("torture-host", main, str, str, int, str)
