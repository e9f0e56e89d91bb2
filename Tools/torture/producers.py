"""Producers that publish over HTTP, and remember the answer to each batch."""

import collections
import http.client
import json
import random
import threading
import time

from agent import Connection

# `outcome`: what the host has said. "acknowledged": it is durable; "refused": it isn't stored; "unknown":
# there was no answer.
Batch = collections.namedtuple("Batch", "first count outcome")


class Producer(threading.Thread):
    """Events of one producer are numbered from 0; a number is published once."""

    def __init__(self, name, socket, seed, stopped, pause=0.01, padding=0):
        super().__init__(daemon=True)
        self.producer = name
        self.socket = socket
        self.random = random.Random(f"{seed} {name}")
        self.stopped = stopped
        self.pause = pause
        self.padding = "x" * padding
        self.batches = []
        self.sentences = collections.Counter()

    def run(self):
        connection = Connection(self.socket)
        number = 0
        while not self.stopped.is_set():
            count = self.random.choice([1, 1, 1, 3, 20])
            outcome = self.publish(connection, number, count)
            if outcome != "unsent":
                self.batches.append(Batch(number, count, outcome))
                number += count
            time.sleep(self.random.random() * 2 * self.pause)
        connection.close()

    def publish(self, connection, first, count):
        events = [self.event(number) for number in range(first, first + count)]
        try:
            if connection.sock is None:
                connection.connect()
        except OSError:
            return "unsent"
        try:
            status, body = connection.ask("POST", "events", events[0] if count == 1 else events)
        except (OSError, http.client.HTTPException):
            connection.close()
            return "unknown"
        if status == 201:
            return "acknowledged"
        # Without the number of the request, or each would be another.
        self.sentences[f"{status} {json.loads(body).get('detail')}"] += 1
        return "refused"

    def event(self, number):
        event = {"type": "torture", "producer": self.producer, "number": number}
        if self.padding:
            event["padding"] = self.padding
        return event

    def total(self, outcome):
        return sum(batch.count for batch in self.batches if batch.outcome == outcome)


class Crowd:
    """Several producers at once."""

    def __init__(self, agent, seed, count=8, **options):
        self.stopped = threading.Event()
        self.producers = [
            Producer(f"p{place}", agent.socket, seed, self.stopped, **options) for place in range(count)]

    def start(self):
        for producer in self.producers:
            producer.start()

    def stop(self):
        self.stopped.set()
        for producer in self.producers:
            producer.join(60)

    def total(self, outcome):
        return sum(producer.total(outcome) for producer in self.producers)

    def sentences(self):
        return sum((producer.sentences for producer in self.producers), collections.Counter())

    def summary(self):
        return (
            f"of the events {self.total('acknowledged')} were acknowledged, {self.total('refused')} refused, "
            f"{self.total('unknown')} have no answer")
