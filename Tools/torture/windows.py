"""windows.py AGENT FOLDER KILLS SEED : kills the host at random moments while rules count events in windows.

A rule with windows of a second has one row for each event in the log, and a rule that looks back three
seconds has three. Each row counts once, whatever was killed between the event and its alert.
"""

import http.client
import json
import os
import random
import threading
import time

from agent import Agent, Connection, Failure, run, within

# Keys take turns. An event of each comes much less often than a window ends.
KEYS = 400
PAUSE = 0.02
# The rows that each event gives, by rule.
ROWS = {"second": 1, "three": 3}


class Ticks(threading.Thread):
    """Publishes events with a key each, and knows of each whether it is stored."""

    def __init__(self, agent):
        super().__init__(daemon=True)
        self.agent = agent
        self.stopped = threading.Event()
        self.acknowledged = 0

    def run(self):
        connection = Connection(self.agent.socket)
        number = 0
        while not self.stopped.wait(PAUSE):
            key = f"k{number % KEYS}"
            # Also after an error. The event may be stored, and another one with its key in the same
            # window would share its row.
            number += 1
            try:
                status, _ = connection.ask("POST", "events", {"type": "tick", "key": key})
            except (OSError, http.client.HTTPException):
                connection.close()
                continue
            self.acknowledged += status == 201
        connection.close()


def settings():
    rules = {"second": "every 1 second", "three": "every 1 second over last 3 seconds"}
    return {
        "enabled_modules": [],
        "logging": {"level": "warning"},
        "events": {"retention": {"max_bytes": "100GB"}},
        "supervision": {"safe_mode_after": 0},
        "notifications": {
            "rules": [{"name": name, "when": {"query": f"tick => count() as n by key {window}"},
                       "group": ["key"], "to": ["log"], "severity": "info"}
                      for name, window in rules.items()],
        },
    }


def main(binary, folder, kills, seed):
    with open(os.path.join(folder, "settings.json"), "w", encoding="utf-8") as file:
        json.dump(settings(), file)
    rng = random.Random(seed)
    with Agent(binary, folder) as agent:
        ticks = Ticks(agent)
        agent.start()
        agent.wait_up()
        ticks.start()
        begin = time.monotonic()
        for kill in range(1, kills + 1):
            if rng.random() < 0.8:
                agent.wait_up()
            time.sleep(rng.uniform(0.05, 2.5))
            agent.kill()
            agent.start()
            if kill % max(1, kills // 5) == 0:
                print(f"torture-host: {kill} kills; {ticks.acknowledged} events", flush=True)
        took = time.monotonic() - begin
        agent.wait_up()
        ticks.stopped.set()
        ticks.join(30)
        stored = len(all_ticks(agent))
        if stored < ticks.acknowledged or stored == 0:
            raise Failure(f"{ticks.acknowledged} events were acknowledged and {stored} are stored")
        expected = {name: stored * rows for name, rows in ROWS.items()}
        within(60, "rules don't count all rows", lambda: counts(agent) == expected,
               lambda: f"{counts(agent)} in place of {expected}")
        # Nothing more comes when the windows after the last event have ended.
        time.sleep(6)
        if counts(agent) != expected:
            raise Failure(f"rows were counted again: {counts(agent)} in place of {expected}")
        agent.stop()
        agent.check_file()
    print(f"torture-host: {kills} kills in {took:.0f} s; each of {stored} events has its rows in windows, once")


def all_ticks(agent):
    answer = agent.run("query", "tick", "--span", "from 2020-01-01 to now")
    if answer.returncode != 0:
        raise Failure(f"agent query: {answer.stderr.decode()}")
    return answer.stdout.splitlines()


def counts(agent):
    """The findings of each rule."""
    found = dict.fromkeys(ROWS, 0)
    for alert in agent.alerts():
        found[alert["rule"]] += alert["count"]
    return found


if __name__ == "__main__":
    run("torture-host", main, str, str, int, str)
