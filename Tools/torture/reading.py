"""reading.py SOCKET FILE stream|query : reads events as a process of its own, which can be stopped and continued,
and writes down what it gets. It connects again whenever its connection ends.

A stream goes on after the last id. A query begins again a little before the newest row, because rows of several
publishers don't come in the order of their timestamps.
"""

import http.client
import json
import pathlib
import sys
import time
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))

from agent_socket import Connection

# How far a query looks back, in milliseconds.
OVERLAP = 5000


class Reading:
    def __init__(self, socket, file):
        self.socket = socket
        self.file = file
        self.last = "0"
        self.newest = 0

    def go(self, read):
        while True:
            connection = Connection(self.socket, timeout=30)
            try:
                read(connection)
            except (OSError, http.client.HTTPException, ValueError):
                time.sleep(0.05)
            finally:
                connection.close()

    def note(self, *words):
        print(*words, file=self.file, flush=True)

    def lines(self, connection, target, headers):
        connection.request("GET", "/api/v1/" + target, headers=headers)
        answer = connection.getresponse()
        if answer.status != 200:
            raise ValueError(answer.status)
        self.note("begin")
        # A line without its end was cut off.
        while (line := answer.readline()).endswith(b"\n"):
            yield line.decode().rstrip("\r\n")

    def stream(self, connection):
        fields = {}
        headers = {"Accept": "text/event-stream", "Last-Event-ID": self.last}
        for line in self.lines(connection, "events/stream?query=torture", headers):
            if line:
                name, _, value = line.partition(":")
                fields[name] = value.strip()
                continue
            if fields.get("event") == "stream_restarted":
                self.note("behind")
            elif "data" in fields:
                event = json.loads(fields["data"])
                self.note("row", event["producer"], event["number"], fields["id"])
            self.last = fields.get("id", self.last)
            fields = {}

    def query(self, connection):
        target = urllib.parse.urlencode(
            {"query": "type:torture", "span": f"since ts {max(0, self.newest - OVERLAP)}"})
        for line in self.lines(connection, f"query?{target}", {}):
            message = json.loads(line) if line else {}
            if message.get("type") == "warning":
                self.note("behind")
            for event in message.get("events", []):
                self.newest = max(self.newest, event["timestamp"])
                self.note("row", event["producer"], event["number"])


if __name__ == "__main__":
    with open(sys.argv[2], "w", encoding="utf-8") as output:
        reading = Reading(sys.argv[1], output)
        reading.go(getattr(reading, sys.argv[3]))
