"""What a thousand clients that send ahead can make the host hold."""

import contextlib
import http.client
import re
import resource
import socket
import time
import unittest

from test_requests import Listening, free_port

CLIENTS = 1000
# A little less than the largest body that a client may send.
BODY = (2 << 20) - 1024


class SendingAhead:
    """Clients that send as much as the host takes, and read nothing."""

    def __init__(self, port, text):
        self.clients = []
        for _ in range(CLIENTS):
            client = socket.socket()
            self.clients.append(client)
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.connect(("127.0.0.1", port))
            client.setblocking(False)
        self.left = dict.fromkeys(self.clients, memoryview(text))

    def send(self):
        """Sends what the host takes now."""
        for client, left in list(self.left.items()):
            with contextlib.suppress(BlockingIOError):
                try:
                    while left:
                        left = left[client.send(left[:1 << 16]):]
                except (ConnectionResetError, BrokenPipeError):
                    left = left[:0]
            self.left[client] = left

    def half_close(self):
        for client in self.clients:
            with contextlib.suppress(OSError):
                client.shutdown(socket.SHUT_WR)

    def close(self):
        for client in self.clients:
            client.close()


class ReadAhead(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard if hard > 0 else soft, hard))

    def memory(self, agent):
        with open(f"/proc/{agent.host.pid}/status") as status:
            return int(re.search(r"VmRSS:\s+(\d+)", status.read()).group(1)) >> 10

    def grows(self, make_text, seconds=15, half_closes=False):
        """The megabytes by which the host grows while the clients send."""
        limits = {"connections_per_address": 4000, "requests_per_second": 1000000, "burst": 1000000}
        agent = Listening(limits=limits)
        agent.settings["events"] = {"tcp": {
            "listen": f"127.0.0.1:{(events := free_port())}", "type": "t", "max_connections": CLIENTS}}
        with agent:
            text = make_text(agent)
            before, most, self.held = self.memory(agent), 0, 0
            port = events if make_text == self.line else agent.port
            with contextlib.closing(SendingAhead(port, text)) as clients:
                end = time.monotonic() + seconds
                while time.monotonic() < end:
                    clients.send()
                    if half_closes:
                        clients.half_close()
                    most = max(most, self.memory(agent))
                    held = agent.ask("GET", "status", seconds=60)[1]["held"]["request_read_ahead"]
                    self.assertLessEqual(held["bytes"], held["max_bytes"])
                    self.held = max(self.held, held["bytes"])
            self.assertEqual(self.health(agent), 200)
            return most - before

    def health(self, agent):
        """The status that another client of the port gets afterwards."""
        with contextlib.closing(
                http.client.HTTPConnection("127.0.0.1", agent.port, timeout=60)) as client:
            client.request("GET", "/api/v1/health/live")
            return client.getresponse().status

    def body(self, agent):
        head = (f"POST /api/v1/events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json"
                f"\r\nAuthorization: Bearer {agent.token('operate')}\r\nContent-Length: {BODY}\r\n\r\n")
        return head.encode() + b" " * BODY

    def pipelined(self, agent):
        return b"GET /api/v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 30_000

    def line(self, agent):
        return b'{"text":"' + b"x" * (1000 << 10)

    def test_bodies_that_wait_have_one_budget(self):
        # The bodies themselves have a budget of their own.
        self.assertLess(self.grows(self.body), 300)

    def test_pipelined_requests_have_the_same_budget(self):
        self.assertLess(self.grows(self.pipelined), 300)

    def test_lines_without_an_end_have_it_too(self):
        self.assertLess(self.grows(self.line), 300)
        self.assertGreater(self.held, 16 << 20)

    def test_clients_that_close_their_side_have_it_too(self):
        self.assertLess(self.grows(self.pipelined, half_closes=True), 300)


if __name__ == "__main__":
    unittest.main()
