"""Outside bots: they take what they are offered, and remember what the host has said of it."""

import collections
import http.client
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time

from agent import Connection, Failure


def definition(name, most=4):
    return {"name": name, "max_concurrent_tasks": most,
            "capabilities": [{"name": "errands", "task_types": ["errand"]}]}


class Bot(threading.Thread):
    """The patient one does all that it is given; others reject, or forget, some of it."""

    def __init__(self, name, agent, seed, stopped, is_patient):
        super().__init__(daemon=True)
        self.bot = name
        self.agent = agent
        self.random = random.Random(f"{seed} {name}")
        self.stopped = stopped
        self.is_patient = is_patient
        self.done = set()
        self.refusals = collections.Counter()

    def run(self):
        connection = Connection(self.agent.socket)
        while not self.stopped.is_set():
            try:
                status, body = connection.ask("GET", f"bots/{self.bot}/assignments?wait_ms=1000")
                if status != 200:
                    time.sleep(0.05)
                    continue
                for assignment in json.loads(body)["assignments"]:
                    self.take(connection, int(assignment["id"]))
            except (OSError, http.client.HTTPException):
                connection.close()
                time.sleep(0.05)
        connection.close()

    def take(self, connection, number):
        if not self.is_patient and self.random.random() < 0.1:
            connection.ask("POST", f"assignments/{number}/reject", {"reason": "no"})
            return
        lease = 10000 if self.is_patient else 1500
        status, _ = connection.ask("POST", f"assignments/{number}/accept", {"lease_ms": lease})
        if status != 200 or not self.is_patient and self.random.random() < 0.05:
            return
        time.sleep(self.random.random() * 0.05)
        # Asked again where the answer was lost: it is done once.
        while not self.stopped.is_set():
            try:
                status, _ = connection.ask("POST", f"assignments/{number}/complete", {"result": self.bot})
            except (OSError, http.client.HTTPException):
                connection.close()
                time.sleep(0.05)
                continue
            if status == 200:
                self.done.add(number)
            else:
                self.refusals[status] += 1
            if status != 503:
                return
            time.sleep(0.05)


class Sleepers:
    """A bot's process that is stopped with SIGSTOP until its lease is over, and then goes on as if nothing were."""

    def __init__(self, agent, bot):
        self.agent = agent
        self.bot = bot
        self.process = None
        self.refused = 0

    def look(self):
        """Goes on with what is stopped, once its lease is over; stops the next. Doesn't wait."""
        if self.process is None:
            self.process = self.start()
        if self.process.poll() is not None:
            said = self.process.stdout.read().split()
            if self.process.returncode != 0 or any(code != "409" for code in said):
                raise Failure(f"a bot that was stopped past its lease was answered {said}")
            self.refused += len(said)
            self.process = None
        elif self.is_stopped() and time.monotonic() - self.seen > 3:
            self.process.send_signal(signal.SIGCONT)

    def start(self):
        self.seen = time.monotonic()
        return subprocess.Popen([sys.executable, __file__, self.agent.socket, self.bot], stdout=subprocess.PIPE, text=True)

    def is_stopped(self):
        with open(f"/proc/{self.process.pid}/stat", encoding="utf-8") as file:
            is_stopped = file.read().rsplit(")", 1)[1].split()[0] == "T"
        if not is_stopped:
            self.seen = time.monotonic()
        return is_stopped

    def end(self):
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait()


def ask(socket, method, target, body=None):
    """The answer of a host that is there, however often it is killed meanwhile."""
    while True:
        connection = Connection(socket)
        try:
            status, answer = connection.ask(method, target, body)
            if status != 503:
                return status, json.loads(answer)
        except (OSError, http.client.HTTPException, ValueError):
            pass
        finally:
            connection.close()
        time.sleep(0.05)


def sleep_through(socket, bot):
    """What the sleeping bot's process does; it prints what it is answered after its sleep."""
    while True:
        _, body = ask(socket, "GET", f"bots/{bot}/assignments?wait_ms=1000")
        for assignment in body.get("assignments", []):
            number = assignment["id"]
            status, _ = ask(socket, "POST", f"assignments/{number}/accept", {"lease_ms": 500})
            if status != 200:
                continue
            os.kill(os.getpid(), signal.SIGSTOP)
            # The host may have been away, and expires leases in a moment.
            while ask(socket, "GET", f"assignments/{number}")[1]["status"] == "accepted":
                time.sleep(0.05)
            for what, words in [("heartbeat", {"progress": 1, "logs": [{"text": "late"}]}),
                                ("complete", {"result": "late"}), ("reject", {"reason": "late"})]:
                print(ask(socket, "POST", f"assignments/{number}/{what}", words)[0])
            return


if __name__ == "__main__":
    sleep_through(sys.argv[1], sys.argv[2])
