"""pauses.py AGENT FOLDER KILLS SEED : kills the host at random moments while readers of the event stream and of
queries are stopped and continued.

Afterwards each reader has every acknowledged event, unless the host said that it is behind. A stream has none twice
and all in order, and a query none twice.
"""

import collections
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import threading
import time

from agent import Agent, Failure, run, within
from check import check, stored
from producers import Crowd

KINDS = ["stream", "stream", "stream", "query", "query", "query"]
PROGRAM = str(pathlib.Path(__file__).with_name("reading.py"))


class Reader:
    """A reader in a process of its own."""

    def __init__(self, agent, place, kind):
        self.name = f"{kind} {place}"
        self.kind = kind
        self.path = os.path.join(agent.folder, f"reader{place}")
        self.process = subprocess.Popen([sys.executable, PROGRAM, agent.socket, self.path, kind])
        self.pauses = 0

    def pause(self):
        self.process.send_signal(signal.SIGSTOP)
        self.pauses += 1

    def go_on(self):
        self.process.send_signal(signal.SIGCONT)

    def end(self):
        self.process.kill()
        self.process.wait()

    def sessions(self):
        """What came in each connection."""
        sessions = [[]]
        with open(self.path, encoding="utf-8") as file:
            text = file.read()
        # The last line may be on its way.
        for line in text[:text.rfind("\n") + 1].splitlines():
            words = line.split()
            if words[0] == "begin":
                sessions.append([])
            else:
                sessions[-1].append(words)
        return sessions

    def is_behind(self):
        return any(words[0] == "behind" for session in self.sessions() for words in session)

    def misses(self, acknowledged):
        if self.process.poll() is not None:
            raise Failure(f"the reader {self.name} has ended by itself")
        seen = {(words[1], int(words[2]))
                for session in self.sessions() for words in session if words[0] == "row"}
        return acknowledged - seen

    def check(self):
        for session in self.sessions():
            self.check_rows(words for words in session if words[0] == "row")
        if self.kind == "stream" and not self.is_behind():
            rows = [words for session in self.sessions() for words in session]
            self.check_rows(rows)
            positions = [int(words[3]) for words in rows]
            if any(next <= one for one, next in zip(positions, positions[1:])):
                raise Failure(f"the reader {self.name} got events out of order")

    def check_rows(self, rows):
        twice = [row for row, count in collections.Counter(map(tuple, rows)).items() if count > 1]
        if twice:
            raise Failure(f"the reader {self.name} got {len(twice)} events twice, such as {twice[0]}")


class Pauses(threading.Thread):
    """Stops readers at random moments, for less and for longer than the host waits for them."""

    def __init__(self, readers, seed):
        super().__init__(daemon=True)
        self.readers = readers
        self.random = random.Random(f"{seed} pauses")
        self.stopped = threading.Event()
        # When each stopped reader goes on.
        self.ends = {}

    def run(self):
        while not self.stopped.wait(0.02):
            for reader in self.readers:
                self.look(reader, time.monotonic())
        for reader in self.ends:
            reader.go_on()

    def look(self, reader, now):
        end = self.ends.get(reader)
        if end is None:
            if self.random.random() < 0.02:
                reader.pause()
                self.ends[reader] = now + self.random.choice([0.2, 1, 3, 6])
        elif now >= end:
            reader.go_on()
            del self.ends[reader]

    def end(self):
        self.stopped.set()
        self.join(30)


def main(binary, folder, kills, seed):
    with open(os.path.join(folder, "settings.json"), "w", encoding="utf-8") as file:
        json.dump({"logging": {"level": "warning"}, "supervision": {"safe_mode_after": 0},
                   "events": {"retention": {"max_bytes": "100GB"}}}, file)
    rng = random.Random(seed)
    with Agent(binary, folder) as agent:
        # More than a socket and the queue of a stream take while a reader is stopped.
        crowd = Crowd(agent, seed, padding=2000)
        readers = [Reader(agent, place, kind) for place, kind in enumerate(KINDS)]
        try:
            agent.start()
            agent.wait_up()
            crowd.start()
            pauses = Pauses(readers, seed)
            pauses.start()
            for _ in range(kills):
                if rng.random() < 0.8:
                    agent.wait_up()
                time.sleep(rng.uniform(0.05, 1))
                agent.kill()
                agent.start()
            agent.wait_up()
            time.sleep(0.5)
            crowd.stop()
            pauses.end()
            look(agent, crowd, readers)
        finally:
            for reader in readers:
                reader.end()
        agent.stop()
        agent.check_file()
    behind = sum(reader.is_behind() for reader in readers)
    print(f"torture-host: {kills} kills while {len(readers)} readers are stopped "
          f"{sum(reader.pauses for reader in readers)} times; {crowd.summary()}; "
          f"{len(readers) - behind} readers got all of them, {behind} were told that they are behind")


def look(agent, crowd, readers):
    """Waits until the readers have what they must have, and checks what they got."""
    numbers = stored(agent)
    check(crowd, numbers)
    acknowledged = {
        (producer.producer, number) for producer in crowd.producers for batch in producer.batches
        if batch.outcome == "acknowledged" for number in range(batch.first, batch.first + batch.count)}
    if not acknowledged:
        raise Failure("nothing was acknowledged")
    for reader in readers:
        within(60, f"the reader {reader.name} misses events and wasn't told",
               lambda: not reader.misses(acknowledged) or reader.is_behind())
        reader.check()


if __name__ == "__main__":
    run("torture-host", main, str, str, int, str)
