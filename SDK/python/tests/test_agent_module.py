"""Plays the host against a module in Python: python3 -m unittest discover SDK/python/tests"""

import array
import fcntl
import json
import os
import select
import socket
import struct
import subprocess
import sys
import textwrap
import unittest

PYTHON = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
HELLO, LOAD, LOADED, CONFIGURE, READY, START, STOP, PING, REPLY, ERROR, PART = range(1, 12)
INVOKE, CANCEL, PUBLISH, SUBSCRIBE, UNSUBSCRIBE, EVENT, CREDIT, LOG, HEARTBEAT = range(12, 21)
CALL, ENDED = 21, 22
DESCRIPTOR = 0x80

MODULE = """
    import asyncio
    from dataclasses import dataclass
    from agent_module import *

    module = Module("fixture", "1.0.0")

    @module.datasource("counter")
    class Counter(Datasource):
        @dataclass
        class Settings:
            to: int = 3

        async def run(self):
            for n in range(self.settings.to):
                await self.host.events.publish(Event("count", {"n": n}))
            self.host.log("done")

    @module.monitor("watcher")
    class Watcher(Monitor):
        async def run(self):
            async for batch in self.host.events.subscribe("count", window=60, capacity=9):
                self.host.log(f"{len(batch.events)} events, {batch.dropped} dropped")

    @module.monitor("rows")
    class Rows(Monitor):
        async def run(self):
            async for row in self.host.events.rows("count => sum(n) as total", "last hour"):
                self.host.log(f"{row['total']} at {row.timestamp}")

    @module.monitor("reader")
    class Reader(Monitor):
        async def run(self):
            async for batch in self.host.events.consume("count", "mine", start="oldest"):
                self.host.log(str(len(batch.events)))

    @module.logic_adapter("greeter")
    class Greeter(LogicAdapter):
        async def respond(self, statement):
            if "fail" in statement.words:
                raise ValueError("no greetings left")
            if "wait" in statement.words:
                await asyncio.sleep(3600)
            if "count" in statement.words:
                found = await self.host.events.query("count", window=300)
                return Answer(str(len(found.events)), 1)
            return Answer(f"Hello, {statement.author}.", 0.75) if "hello" in statement.words else None

    @module.action("echo")
    class Echo(Action):
        async def perform(self, input, progress):
            progress.report(0.5, "half")
            if input == "print":
                print("printed")
            if input == "trace":
                await self.host.events.publish(Event("acted", {}))
                await self.host.state.get("key")
                return [progress.traceparent, progress.tracestate]
            return input

    module.run()
"""


class Host:
    def __init__(self, module: str = MODULE, path: str = PYTHON) -> None:
        mine, theirs = socket.socketpair()
        mine.settimeout(10)
        self.socket = mine
        self.buffer = b""
        self.descriptors = []
        inherited = {k: v for k, v in os.environ.items() if k != "PYTHONUNBUFFERED"}
        self.process = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(module)],
            env={**inherited, "PYTHONPATH": path, "AGENT_WORKER_FD": str(theirs.fileno())},
            pass_fds=[theirs.fileno()], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        theirs.close()

    def close(self) -> None:
        self.socket.close()
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()

    def send(self, op, id=0, body=None) -> None:
        text = b"" if body is None else json.dumps(body).encode()
        self.socket.sendall(struct.pack("<IBI", len(text) + 5, op, id) + text)

    def receive(self):
        while len(self.buffer) < 4 or len(self.buffer) < 4 + struct.unpack("<I", self.buffer[:4])[0]:
            data, ancillary, _, _ = self.socket.recvmsg(1 << 16, socket.CMSG_SPACE(4))
            for _, _, content in ancillary:
                self.descriptors.extend(array.array("i", content))
            if not data:
                return None
            self.buffer += data
        length, op, id = struct.unpack("<IBI", self.buffer[:9])
        body, self.buffer = self.buffer[9:4 + length], self.buffer[4 + length:]
        if op & DESCRIPTOR:
            descriptor = self.descriptors.pop(0)
            assert fcntl.fcntl(descriptor, 1034) == 15, "not sealed"
            body = os.pread(descriptor, json.loads(body)["bytes"], 0)
            os.close(descriptor)
        return op & 0x7F, id, json.loads(body) if body else None

    def ready(self, kind, name, settings=None):
        self.handshake()
        key = {"contribution": name, "kind": kind}
        self.send(CONFIGURE, 2, {**key, "process": "p", "settings": settings or {}})
        answer = self.receive()
        if answer[0] == READY:
            self.send(START, 3, key)
            assert self.receive()[:2] == (REPLY, 3)
        return answer

    def handshake(self):
        hello = self.receive()
        self.send(LOAD, 1, {"protocol": 1, "module": "fixture", "version": "1.0.0", "directory": "/"})
        return hello, self.receive()

    def invoke(self, id, kind, name, input, deadline=0, **more):
        body = {"contribution": name, "kind": kind, "input": input, "deadline": deadline, **more}
        self.send(INVOKE, id, body)


class ProtocolTests(unittest.TestCase):
    def setUp(self) -> None:
        self.host = Host()
        self.addCleanup(self.host.close)

    def test_handshake_says_what_the_module_offers(self) -> None:
        hello, loaded = self.host.handshake()
        self.assertEqual(hello[:2], (HELLO, 0))
        self.assertEqual(hello[2]["protocol"], [1, 1])
        self.assertEqual(loaded[:2], (LOADED, 1))
        names = [c["name"] for c in loaded[2]["contributions"]]
        self.assertEqual(names, ["counter", "watcher", "rows", "reader", "greeter", "echo"])

    def test_another_protocol_is_refused(self) -> None:
        self.host.receive()
        self.host.send(LOAD, 1, {"protocol": 9})
        op, id, body = self.host.receive()
        self.assertEqual((op, id, body["code"]), (ERROR, 1, "unsupported"))

    def test_unknown_op_unknown_contribution_and_ping(self) -> None:
        self.host.handshake()
        self.host.send(99, 7)
        self.assertEqual(self.host.receive()[2]["code"], "unsupported")
        self.host.send(CONFIGURE, 8, {"contribution": "x", "kind": "monitor", "settings": {}})
        self.assertEqual(self.host.receive()[2]["code"], "unsupported")
        self.host.send(PING, 9)
        self.assertEqual(self.host.receive(), (REPLY, 9, None))

    def test_settings_that_do_not_fit_are_refused(self) -> None:
        op, id, body = self.host.ready("datasource", "counter", {"too": 1})
        self.assertEqual((op, id, body["code"]), (ERROR, 2, "invalid_settings"))
        self.assertIn("too", body["message"])

    def test_a_producer_spends_credit_and_says_when_it_is_done(self) -> None:
        self.host.ready("datasource", "counter", {"to": 2})
        self.host.send(PING, 9)
        self.assertEqual(self.host.receive(), (REPLY, 9, None), "nothing comes without credit")
        self.host.send(CREDIT, 0, {"n": 1})
        self.assertEqual(self.host.receive(), (PUBLISH, 0, [{"n": 0, "type": "count"}]))
        self.host.send(CREDIT, 0, {"n": 5})
        self.assertEqual(self.host.receive(), (PUBLISH, 0, [{"n": 1, "type": "count"}]))
        self.assertEqual(self.host.receive(), (LOG, 0, {"level": "info", "message": "done"}))
        op, _, body = self.host.receive()
        self.assertEqual((op, body["status"]), (ENDED, "ok"))

    def test_a_subscriber_grants_credit_and_returns_it(self) -> None:
        self.host.ready("monitor", "watcher")
        op, id, body = self.host.receive()
        self.assertEqual((op, body), (SUBSCRIBE, {"query": "count", "window_ms": 60000, "capacity": 9}))
        self.assertEqual(self.host.receive(), (CREDIT, id, {"n": 512}))
        self.host.send(REPLY, id)
        self.host.send(EVENT, id, {"events": [{"type": "count"}] * 2, "dropped": 3})
        answers = [self.host.receive(), self.host.receive()]
        self.assertIn((LOG, 0, {"level": "info", "message": "2 events, 3 dropped"}), answers)
        self.assertIn((CREDIT, id, {"n": 2}), answers)
        self.host.send(ERROR, id, {"code": "closed", "message": "No more."})
        op, _, body = self.host.receive()
        self.assertEqual((op, body["status"], body["message"]), (ENDED, "closed", "No more."))

    def test_rows_of_a_query_come_one_by_one_until_it_ends(self) -> None:
        self.host.ready("monitor", "rows")
        op, id, body = self.host.receive()
        self.assertEqual((op, body["query"], body["span"]), (SUBSCRIBE, "count => sum(n) as total", "last hour"))
        self.host.receive()
        self.host.send(REPLY, id)
        rows = [{"total": 1, "timestamp": 5}, {"total": 2}]
        messages = [{"type": "start"}, {"type": "event", "timestamp": 6, "events": rows}]
        self.host.send(EVENT, id, {"events": messages})
        self.host.send(EVENT, id, {"events": [{"type": "destroy"}], "ended": True})
        answers = [self.host.receive()]
        while answers[-1][0] != ENDED:
            answers.append(self.host.receive())
        said = [body["message"] for op, _, body in answers if op == LOG]
        self.assertEqual(said, ["1 at 5", "2 at 6"])
        self.assertEqual(answers[-1][2]["status"], "ok")
        self.assertEqual([op for op, _, _ in answers if op == UNSUBSCRIBE], [])

    def test_a_durable_consumer_says_what_it_has_dealt_with(self) -> None:
        self.host.ready("monitor", "reader")
        op, id, body = self.host.receive()
        self.assertEqual(body, {"query": "count", "consumer": "mine", "from": "oldest"})
        self.host.receive()
        self.host.send(REPLY, id)
        self.host.send(EVENT, id, {"events": [{"type": "count"}] * 2})
        answers = [self.host.receive(), self.host.receive()]
        self.assertIn((CREDIT, id, {"n": 2, "done": 2}), answers)

    def test_calls_are_answered_refused_cancelled_and_time_out(self) -> None:
        self.host.ready("logic_adapter", "greeter")
        statement = {"text": "Hello!", "author": "Ada"}
        self.host.invoke(4, "logic_adapter", "greeter", statement)
        self.assertEqual(self.host.receive(), (REPLY, 4, {"text": "Hello, Ada.", "confidence": 0.75}))
        self.host.invoke(5, "logic_adapter", "greeter", {"text": "what"})
        self.assertEqual(self.host.receive(), (REPLY, 5, {"confidence": 0}))
        self.host.invoke(6, "logic_adapter", "greeter", {"text": "fail"})
        op, _, body = self.host.receive()
        self.assertEqual((op, body["code"]), (ERROR, "failed"))
        self.assertIn("ValueError: no greetings left (<string>:", body["message"])
        for bad in ({}, [], None, 5):
            self.host.invoke(7, "logic_adapter", "greeter", bad)
            self.assertEqual(self.host.receive()[2]["code"], "invalid_argument")
        self.host.invoke(8, "logic_adapter", "greeter", {"text": "wait"})
        self.host.send(CANCEL, 8)
        self.assertEqual(self.host.receive()[2]["code"], "cancelled")
        self.host.invoke(9, "logic_adapter", "greeter", {"text": "wait"}, deadline=1)
        self.assertEqual(self.host.receive()[2]["code"], "deadline_exceeded")

    def test_an_input_nested_too_deeply_is_refused_and_the_next_one_answered(self) -> None:
        self.host.ready("logic_adapter", "greeter")
        deep = b"[" * 100_000 + b"]" * 100_000
        body = b'{"contribution":"greeter","kind":"logic_adapter","deadline":0,"input":' + deep + b"}"
        self.host.socket.sendall(struct.pack("<IBI", len(body) + 5, INVOKE, 4) + body)
        op, id, error = self.host.receive()
        self.assertEqual((op, id, error["code"]), (ERROR, 4, "invalid_argument"))
        self.host.invoke(5, "logic_adapter", "greeter", {"text": "Hello!", "author": "Ada"})
        self.assertEqual(self.host.receive()[:2], (REPLY, 5))

    def test_an_action_knows_its_trace_and_asks_and_publishes_within_it(self) -> None:
        self.host.ready("action", "echo")
        self.host.send(CREDIT, 0, {"n": 8})
        told = {"traceparent": f"00-{'4b' * 16}-{'f0' * 8}-01", "tracestate": "v=1"}
        for id, more, known in ((4, told, [*told.values()]), (5, {}, [None, None])):
            self.host.invoke(id, "action", "echo", "trace", **more)
            _, (op, _, events), (asked, number, call) = [self.host.receive() for _ in range(3)]
            parents = [events[0].get("__traceparent"), call.get("traceparent")]
            self.assertEqual((op, asked, parents), (PUBLISH, CALL, known[:1] * 2))
            self.host.send(REPLY, number, {"entries": []})
            self.assertEqual(self.host.receive(), (REPLY, id, known))

    def test_a_query_is_asked_of_the_host(self) -> None:
        self.host.ready("logic_adapter", "greeter")
        self.host.invoke(4, "logic_adapter", "greeter", {"text": "count"})
        op, id, body = self.host.receive()
        self.assertEqual((op, body["service"], body["method"]), (CALL, "events/1", "query"))
        self.assertEqual(body["input"], {"query": "count", "window_ms": 300000})
        self.host.send(REPLY, id, {"events": [{"type": "count"}], "truncated": False})
        self.assertEqual(self.host.receive()[2]["text"], "1")

    def test_parts_come_first_and_large_bodies_travel_beside_the_frame(self) -> None:
        self.host.ready("action", "echo")
        call = {"contribution": "echo", "kind": "action", "input": "x" * 2_000_000, "deadline": 0}
        body = json.dumps(call).encode()
        descriptor = os.memfd_create("t", os.MFD_ALLOW_SEALING)
        self.addCleanup(os.close, descriptor)
        os.write(descriptor, body)
        fcntl.fcntl(descriptor, 1033, 15)
        announced = json.dumps({"bytes": len(body)}).encode()
        frame = struct.pack("<IBI", len(announced) + 5, INVOKE | DESCRIPTOR, 4) + announced
        rights = (socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [descriptor]))
        self.host.socket.sendmsg([frame], [rights])
        part = self.host.receive()
        self.assertEqual(part, (PART, 4, {"sequence": 0, "value": {"progress": 0.5, "message": "half"}}))
        self.assertEqual(self.host.receive(), (REPLY, 4, call["input"]))

    def test_stop_is_answered_twice_and_the_worker_exits(self) -> None:
        self.host.ready("monitor", "watcher")
        self.host.send(STOP, 8, {"deadline_ms": 1000})
        self.host.send(STOP, 9, {"deadline_ms": 1000})
        answers = set()
        while (frame := self.host.receive()) is not None:
            answers.add(frame[:2])
        self.assertLessEqual({(REPLY, 8), (REPLY, 9)}, answers)
        self.assertEqual(self.host.process.wait(10), 0)

    def test_every_stop_that_reaches_the_worker_is_answered(self) -> None:
        for _ in range(5):
            host = Host()
            self.addCleanup(host.close)
            host.handshake()
            sent = []
            try:
                for id in range(8, 1000):
                    host.send(STOP, id, {"deadline_ms": 1000})
                    sent.append((REPLY, id))
            except BrokenPipeError:
                pass
            answers = []
            while (frame := host.receive()) is not None:
                answers.append(frame[:2])
            self.assertEqual(sorted(answers), sent)
            self.assertEqual(host.process.wait(10), 0)

    def test_what_is_printed_arrives_at_once(self) -> None:
        self.host.ready("action", "echo")
        self.host.invoke(4, "action", "echo", "print")
        self.assertEqual(self.host.receive()[0], PART)
        self.assertEqual(self.host.receive()[:2], (REPLY, 4))
        readable, _, _ = select.select([self.host.process.stdout], [], [], 5)
        self.assertTrue(readable, "the line stayed in a buffer")
        self.assertEqual(self.host.process.stdout.readline(), b"printed\n")

    def test_end_of_file_ends_the_worker(self) -> None:
        self.host.ready("monitor", "watcher")
        self.host.socket.shutdown(socket.SHUT_RDWR)
        self.assertEqual(self.host.process.wait(10), 0)

    def test_garbage_ends_the_worker_with_a_sentence(self) -> None:
        self.host.socket.sendall(b"\xff" * 16)
        self.assertEqual(self.host.process.wait(10), 1)
        self.assertIn(b"broke the protocol: a frame of 4294967295 bytes", self.host.process.stderr.read())


if __name__ == "__main__":
    unittest.main()
