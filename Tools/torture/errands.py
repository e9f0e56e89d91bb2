"""Creates tasks over the API, and remembers what was acknowledged."""

import collections
import http.client
import json
import os
import random
import threading
import time

from agent import Connection

RETRY = {"attempts": 1000, "initial_ms": 10, "max_ms": 200}


class Errands(threading.Thread):
    """Creates tasks of several types. One whose answer was lost is asked for again with the same key."""

    def __init__(self, name, agent, program, seed, stopped):
        super().__init__(daemon=True)
        self.producer = name
        self.agent = agent
        self.program = program
        self.random = random.Random(f"{seed} {name}")
        self.stopped = stopped
        self.acknowledged = {}
        self.sentences = collections.Counter()

    def run(self):
        connection = Connection(self.agent.socket)
        number = 0
        while not self.stopped.is_set():
            key = f"{self.producer}-{number}"
            answer = self.create(connection, self.task(key))
            if answer is not None:
                self.acknowledged[key] = answer
                number += 1
            time.sleep(self.random.random() * 0.2)
        connection.close()

    def task(self, key):
        task = {"name": key, "status": "queued", "retry": RETRY, "unique": {"key": key},
                "priority": self.random.choice(["low", "normal", "high", "critical"])}
        kind = self.random.random()
        if kind < 0.45:
            task |= {"type": "command", "run_command": f"{self.program} 0.{self.random.randrange(30):02}",
                     "timeouts": {"run_ms": 20000}}
        elif kind < 0.75:
            task |= {"type": "bench_copy", "input": {"key": key}, "timeouts": {"run_ms": 2000}}
        else:
            task |= {"type": "errand", "input": {"key": key}}
        if self.random.random() < 0.2:
            task |= {"concurrency_key": "few", "concurrency_limit": 2}
        return task

    def create(self, connection, task):
        """The task's number once it is acknowledged; nothing while nobody knows."""
        try:
            status, body = connection.ask("POST", "tasks", task)
        except (OSError, http.client.HTTPException):
            connection.close()
            time.sleep(0.05)
            return None
        if status in (200, 201):
            return int(json.loads(body)["id"])
        if status == 503:
            time.sleep(0.05)
        else:
            self.sentences[f"{status} {json.loads(body).get('detail')}"] += 1
        return None


PROGRAM = """#!/bin/sh
exec 9>"locks/$AGENT_TASK_ID"
# 1: somebody else has it; anything else: flock itself was killed.
flock -n 9
[ $? = 1 ] && echo "overlap $AGENT_TASK_ID $AGENT_TASK_ATTEMPT" >>said
echo "begin $AGENT_TASK_ID $AGENT_TASK_ATTEMPT" >>said
sleep "$1"
echo "end $AGENT_TASK_ID $AGENT_TASK_ATTEMPT" >>said
"""


def program(folder):
    """A program that says when it begins and ends, and whether another does the same task."""
    os.mkdir(os.path.join(folder, "locks"))
    path = os.path.join(folder, "work.sh")
    with open(path, "w", encoding="utf-8") as file:
        file.write(PROGRAM)
    os.chmod(path, 0o755)
    return path


def schedules(path):
    """Schedules that fire each second or two."""
    def one(name, timing, task, **more):
        return {"name": name, "misfire": "all", "overlap": "parallel", **timing, **more,
                "task": {"retry": RETRY, **task}}
    command = {"type": "command", "run_command": f"{path} 0.05"}
    copy = {"type": "bench_copy", "input": {}, "timeouts": {"run_ms": 2000}}
    return [
        one("interval", {"every": "1s"}, command),
        one("cron", {"cron": "* * * * * *"}, copy),
        one("skipping", {"cron": "*/2 * * * * *"}, command, overlap="skip", misfire="once"),
        one("errands", {"every": "2s"}, {"type": "errand", "input": {}}),
    ]
