"""streams.py AGENT FOLDER : thousands of event streams on which nothing happens, and then one event
for all of them."""

import os
import selectors
import socket
import statistics
import sys
import time

from host import SHORT, Host, head, row

STREAMS = int(os.environ.get("BENCH_STREAMS", 50 if SHORT else 5000))
LIMIT = 120


class Readers:
    """The clients: what each has got so far, counted by a mark in it."""

    def __init__(self, host, count):
        self.selector = selectors.DefaultSelector()
        request = (
            "GET /api/v1/query?query=ping HTTP/1.1\r\nHost: localhost\r\n"
            f"Authorization: Bearer {host.token}\r\nAccept: text/event-stream\r\n\r\n").encode()
        for _ in range(count):
            reader = socket.create_connection(("127.0.0.1", host.port))
            reader.sendall(request)
            reader.setblocking(False)
            self.selector.register(reader, selectors.EVENT_READ, bytearray())

    def wait(self, mark):
        """Until each has got a text; after how long the last did."""
        began = time.monotonic()
        missing = {key.fd for key in self.selector.get_map().values()}
        while missing:
            if time.monotonic() - began > LIMIT:
                raise SystemExit(f"streams: {len(missing)} never got {mark!r}")
            for key, _ in self.selector.select(1):
                self.read(key)
                if mark in key.data:
                    missing.discard(key.fd)
                    key.data.clear()
        return time.monotonic() - began

    def idle(self, seconds):
        """Reads what comes meanwhile: that the stream is still there."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for key, _ in self.selector.select(max(0, end - time.monotonic())):
                self.read(key)

    def read(self, key):
        piece = key.fileobj.recv(65536)
        if not piece:
            raise SystemExit(f"streams: the agent ended one: {bytes(key.data[:300])}")
        key.data.extend(piece)

    def close(self):
        for key in list(self.selector.get_map().values()):
            key.fileobj.close()


def main():
    with Host(sys.argv[1], sys.argv[2]) as host:
        # What the first ones need that the others don't need again.
        first = Readers(host, 50)
        first.wait(b"startRealTime")
        before = host.memory()
        readers = Readers(host, STREAMS)
        readers.wait(b"startRealTime")
        readers.idle(0.2 if SHORT else 6)
        samples = []
        for _ in range(1 if SHORT else 5):
            readers.idle(0.1 if SHORT else 1)
            samples.append(host.memory())
        each = (statistics.median(samples) - before) / STREAMS / 1024
        began = time.monotonic()
        host.ask("POST", "events", {"type": "ping"})
        readers.wait(b'"ping"')
        taken = time.monotonic() - began
        head("")
        row(f"{STREAMS:,} idle event streams, resident memory of each", f"{each:.1f} KB",
               target="60 KB", met=each <= 60)
        row("one event reaches all of them", f"{taken * 1000:,.0f} ms")
        first.close()
        readers.close()


if __name__ == "__main__":
    main()
