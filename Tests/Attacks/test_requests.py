"""What a token of small scope, or a server that a task asks, can't do to the host."""

import contextlib
import http.client
import json
import re
import signal
import socket
import threading
import time
import unittest
import urllib.parse

from places import Agent, Connection, users

# A text of a million letters that costs two thousand in the request.
LONG = f'replace("{"a" * 1000}", "a", "{"b" * 1000}")'


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Listening(Agent):
    """An agent with a port and a token."""

    def __init__(self, **http_settings):
        super().__init__(users()[-1])
        self.port = free_port()
        self.settings["http"] = {"listen": f"127.0.0.1:{self.port}", **http_settings}

    def token(self, scope):
        words = self.verb("token", "create", scope, "--scope", scope).stdout
        return re.search(r"bulkhead_\S+", words).group(0)

    def query(self, text, token, most=1 << 30, seconds=20):
        """The status and how many bytes of the answer came, `most` at most; None for no answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=seconds)
        target = urllib.parse.urlencode({"query": text, "span": "from 10 minutes ago to now"})
        count = 0
        try:
            connection.request(
                "GET", f"/api/v1/query?{target}", headers={"Authorization": f"Bearer {token}"})
            answer = connection.getresponse()
            while count < most and (piece := answer.read(1 << 16)):
                count += len(piece)
            return answer.status, count
        except TimeoutError:
            return None, count
        finally:
            connection.close()


def maps(start, stages, width):
    """A query whose value grows by `width` with each stage."""
    members = ",".join(f'"k{index}",x' for index in range(width))
    return f"t => {start} as x" + f" => newmap({members}) as x" * stages


def lists(start, stages, width):
    return f"t => {start} as x" + f" => ({','.join('x' * width)}) as x" * stages


def quotes(start, stages):
    """A text in quotes in quotes: each pair doubles the marks of the one before."""
    return f"t => concat({start}, \"\\\"\") as x" + " => json(x) as x" * stages


class Requests(unittest.TestCase):
    def test_a_row_of_a_query_has_a_bound_of_bytes(self):
        queries = {
            "maps": maps(LONG, 2, 8), "lists": lists(LONG, 2, 8), "quotes": quotes('"x"', 26)}
        with Listening() as agent:
            reading = agent.token("read")
            agent.ask("POST", "events", {"type": "t"})
            for name, text in queries.items():
                with self.subTest(name):
                    status, count = agent.query(text, reading, most=16 << 20)
                    self.assertEqual(status, 200)
                    self.assertLess(count, 16 << 20)

    def test_an_import_of_short_lines_needs_no_list_of_them(self):
        with Agent(users()[-1]) as agent:
            text = b"\n" * (24 << 20)
            connection = Connection(f"{agent.folder}/.agent/agent.sock", timeout=120)
            with contextlib.closing(connection):
                connection.request(
                    "POST", "/api/v1/import/state", text, {"Content-Type": "application/x-ndjson"})
                answer = connection.getresponse()
                self.assertIn(b"nothing to import", answer.read())
            with open(f"/proc/{agent.host.pid}/status") as status:
                most = int(re.search(r"VmHWM:\s+(\d+)", status.read()).group(1)) >> 10
            # The text itself is kept, and a copy while it grows.
            self.assertLess(most, 300)

    def test_a_text_in_many_columns_has_the_same_bound(self):
        with Listening() as agent:
            reading = agent.token("read")
            agent.ask("POST", "events", {"type": "t"})
            columns = ", ".join(f"x as c{index}" for index in range(64))
            _, count = agent.query(f"t => {LONG} as x => {columns}", reading, most=16 << 20)
            self.assertLess(count, 16 << 20)

    def stalls(self, text):
        """Whether the host, and its end, wait for queries whose clients have gone."""
        agent = Listening()
        with agent:
            reading = agent.token("read")
            agent.ask("POST", "events", [{"type": "t"}] * 100)
            clients = [
                threading.Thread(target=agent.query, args=(text, reading), kwargs={"seconds": 3})
                for _ in range(8)]
            for client in clients:
                client.start()
            for client in clients:
                client.join()
            try:
                self.assertEqual(agent.ask("GET", "status", seconds=5)[0], 200)
                agent.host.send_signal(signal.SIGTERM)
                agent.host.wait(timeout=10)
            finally:
                agent.host.kill()

    def test_values_that_hold_themselves_cant_stall_the_host(self):
        self.stalls(maps('"x"', 24, 2) + " => x == x as same")

    def test_much_work_for_each_row_cant_stall_the_host(self):
        work = ", ".join(f'length(split(x, "b")) as c{index}' for index in range(40))
        self.stalls(f"t => {LONG} as x => {work}")

    def rest(self, answer, seconds=15):
        """What comes until the answer ends. A stream that goes on sends heartbeats."""
        rest, end = b"", time.monotonic() + seconds
        with contextlib.suppress(http.client.IncompleteRead, ConnectionResetError):
            while (piece := answer.read1(1 << 16)):
                rest += piece
                self.assertLess(time.monotonic(), end, "The stream goes on.")
        return rest

    def test_a_revoked_token_keeps_no_stream(self):
        streams = ("events/stream", "query?query=*", "logs")
        with Listening() as agent:
            token = agent.token("read")
            clients = [
                http.client.HTTPConnection("127.0.0.1", agent.port, timeout=20) for _ in streams]
            answers = []
            for client, path in zip(clients, streams):
                client.request(
                    "GET", f"/api/v1/{path}", headers={"Authorization": f"Bearer {token}"})
                answers.append(client.getresponse())
            self.assertEqual([answer.status for answer in answers], [200] * len(streams))
            agent.verb("token", "revoke", token.split("_")[1])
            agent.ask("POST", "events", {"type": "secret_after_the_end"})
            for path, answer in zip(streams, answers):
                with self.subTest(path):
                    self.assertNotIn(b"secret_after_the_end", self.rest(answer))
            for client in clients:
                client.close()

    def memory(self, agent):
        """The megabytes that the host has in memory."""
        with open(f"/proc/{agent.host.pid}/status") as status:
            return int(re.search(r"VmRSS:\s+(\d+)", status.read()).group(1)) >> 10

    def test_streams_that_nobody_reads_have_one_budget(self):
        """Each would hold some 100 MB of these events."""
        with contextlib.ExitStack() as stack, Listening() as agent:
            token = agent.token("read")
            line = json.dumps({"type": "bulk", "text": "x" * (8 << 20)}) + "\n"
            for _ in range(8):
                with contextlib.closing(
                        Connection(f"{agent.folder}/.agent/agent.sock", timeout=60)) as connection:
                    connection.request(
                        "POST", "/api/v1/events", line, {"Content-Type": "application/x-ndjson"})
                    self.assertEqual(connection.getresponse().status, 201)
            before = self.memory(agent)
            span = urllib.parse.urlencode({"span": "from 10 minutes ago to now"})
            for path in ("events/stream?after=0", f"query?{span}") * 15:
                client = stack.enter_context(socket.socket())
                client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                client.connect(("127.0.0.1", agent.port))
                client.sendall(
                    f"GET /api/v1/{path} HTTP/1.1\r\nHost: localhost\r\n"
                    f"Authorization: Bearer {token}\r\n\r\n".encode())
            end = time.monotonic() + 10
            while time.monotonic() < end:
                self.assertLess(self.memory(agent) - before, 900)
                time.sleep(0.2)
            self.assertEqual(agent.ask("GET", "health/live", seconds=5)[0], 200)

    def test_answers_that_nobody_reads_have_the_same_budget(self):
        """Each has 8 MB, and was made while the others waited for their clients."""
        with contextlib.ExitStack() as stack, Listening() as agent:
            tokens = [agent.token("read"), agent.token("operate")]
            line = json.dumps({"type": "bulk", "text": "x" * (8 << 20)}) + "\n"
            with contextlib.closing(
                    Connection(f"{agent.folder}/.agent/agent.sock", timeout=60)) as connection:
                connection.request(
                    "POST", "/api/v1/events", line, {"Content-Type": "application/x-ndjson"})
                self.assertEqual(connection.getresponse().status, 201)
            before = self.memory(agent)
            for _ in range(60):
                client = stack.enter_context(socket.socket())
                client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                client.connect(("127.0.0.1", agent.port))
                client.sendall(
                    f"GET /api/v1/events?limit=100 HTTP/1.1\r\nHost: localhost\r\n"
                    f"Authorization: Bearer {tokens[0]}\r\n\r\n".encode())
            end = time.monotonic() + 10
            while time.monotonic() < end:
                self.assertLess(self.memory(agent) - before, 400)
                time.sleep(0.2)
            # A client that reads gets the whole answer.
            connection = stack.enter_context(contextlib.closing(
                http.client.HTTPConnection("127.0.0.1", agent.port, timeout=120)))
            connection.request(
                "GET", "/api/v1/events?limit=100", headers={"Authorization": f"Bearer {tokens[1]}"})
            self.assertGreater(len(connection.getresponse().read()), 8 << 20)

    def test_a_server_that_never_ends_its_answer_holds_no_task(self):
        """One letter each half second, of 65,536 that are kept."""
        def drip(server):
            connected, _ = server.accept()
            with connected:
                connected.recv(1 << 16)
                connected.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n")
                while not ended.wait(0.5):
                    connected.sendall(b"x")

        ended = threading.Event()
        agent = Listening()
        agent.settings["tasks"] = {"allow_private": True}
        with socket.create_server(("127.0.0.1", 0)) as server, agent:
            thread = threading.Thread(target=drip, args=(server,), daemon=True)
            thread.start()
            task = {"name": "drip", "type": "http", "status": "queued",
                    "input": {"url": f"http://127.0.0.1:{server.getsockname()[1]}/"}}
            number = agent.ask("POST", "tasks", task)[1]["id"]
            # A request may take 30 seconds.
            try:
                agent.until(
                    "it has ended", seconds=45,
                    is_so=lambda: agent.ask("GET", f"tasks/{number}")[1]["status"] != "running")
            finally:
                ended.set()

    def test_the_clients_of_a_proxy_are_no_programs_of_this_machine(self):
        agent = Listening(allow_local_without_token=True, trusted_proxies=["127.0.0.1"])
        agent.give()
        result = agent.verb("validate")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("trusted proxy", result.stdout)
        agent.temporary.cleanup()


if __name__ == "__main__":
    unittest.main()
