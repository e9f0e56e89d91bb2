"""A host that answers with extremes ends no command."""

import contextlib
import fcntl
import http.server
import json
import os
import socketserver
import subprocess
import tempfile
import threading
import unittest

from places import AGENT

EXTREMES = (-2**63, 2**63 - 1, 1e300, -1e300)


def answer(number):
    """An answer with something for each listing. All its numbers are extreme."""
    whole = number if isinstance(number, int) else 2**63 - 1
    usage = {"cpu_seconds": number, "memory_bytes": whole, "descriptors": whole, "threads": whole}
    process = {"name": "p", "state": "RUNNING", "enabled": True, "pid": whole, "started_at": whole,
               "restarts": whole, "uses": usage}
    series = {"labels": {}, "value": number, "count": whole, "p50": number, "p95": number, "p99": number}
    return {
        "pid": whole, "processes": [process], "change": {"what": "a change", "since": whole},
        "database": {"state": "FULL", "problem": "No.", "since": whole},
        "store": {"pages": whole, "page_bytes": whole, "log_bytes": whole, "tables": whole,
                  "latest_tables": whole, "integrity": []},
        "machine": {"memory_bytes": whole, "memory_available_bytes": whole, "processors": whole},
        "host": usage, "disk": {"free_bytes": whole}, "log": {"dropped": whole},
        "queries": {"slowest": [{"past_ms": whole, "query": "*"}]},
        "events": {"types": [{"type": "t", "count": whole, "bytes": whole, "first": whole}],
                   "consumers": [{"name": "c", "behind": whole}]},
        "types": [{"type": "t", "count": whole, "bytes": whole, "last": whole}],
        "alerts": [{"id": whole, "state": "open", "count": whole, "opened": whole}],
        "deliveries": [{"id": whole, "attempts": whole, "updated": whole}],
        "notifiers": [{"name": "n", "deliveries": {"queued": whole, "sending": whole}}],
        "consumers": [{"name": "c", "position": whole, "behind": whole, "updated": whole}],
        "metrics": [{"name": name, "series": [series]} for name in (
            "a_time_seconds", "a_seconds", "a_bytes", "a_total")],
        "owners": [{"owner": "o", "keys": whole, "bytes": whole, "version": whole}],
        "entries": [{"key": "k", "version": whole, "updated": whole, "number": whole,
                     "timestamp": whole, "value": 1}],
        "tokens": [{"name": "t", "created": whole, "expires": whole, "last_used": whole}],
        "users": [{"name": "u", "created": whole, "updated": whole}],
        "tasks": [{"id": whole, "name": "t", "created": whole, "updated": whole, "run_at": whole,
                   "duration_ms": whole, "progress": {"percent": number}}],
        "bots": [{"id": "b", "name": "b", "current_tasks": whole, "max_concurrent_tasks": whole,
                  "last_heartbeat": whole, "last_seen": whole}],
        "schedules": [{"id": whole, "name": "s", "next": whole, "last": whole}],
        "assignments": [{"id": whole, "created": whole, "lease_until": whole}],
        "released_bytes": whole, "accepted": whole, "lines": whole, "cut": whole, "head": "a",
        "ok": True,
    }


class Answers(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        text = json.dumps(self.server.value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_POST = answer

    def log_message(self, *_):
        pass


class Server(socketserver.ThreadingUnixStreamServer):
    daemon_threads = True

    def get_request(self):
        connection, _ = super().get_request()
        return connection, ("unix", 0)


@contextlib.contextmanager
def host(value):
    """A folder whose host gives this answer to every request."""
    with tempfile.TemporaryDirectory(prefix="answers-") as folder:
        os.makedirs(f"{folder}/.agent", mode=0o700)
        with open(f"{folder}/settings.json", "w") as file:
            json.dump({"agent": {"name": "shop"}, "http": {"enabled": False}}, file)
        with open(f"{folder}/.agent/lock", "w") as lock:
            lock.write(f"{os.getpid()}\n")
            lock.flush()
            fcntl.flock(lock, fcntl.LOCK_EX)
            with Server(f"{folder}/.agent/agent.sock", Answers) as server:
                server.value = value
                threading.Thread(target=server.serve_forever, daemon=True).start()
                yield folder
                server.shutdown()


class ExtremeAnswers(unittest.TestCase):
    VERBS = (
        "status", "doctor", "diagnostics show", "metrics", "alerts list", "notify list",
        "notify deliveries", "events types", "events consumers", "state show", "state show o",
        "token list", "user list", "audit show", "audit verify", "task list", "task show 1", "bot list",
        "bot show b", "bot stats", "bot pools", "schedule list", "schedule show 1", "process list",
        "store compact", "taskbot status", "taskbot list-bots",
    )

    def test_no_number_of_an_answer_ends_a_command(self):
        for number in EXTREMES:
            with host(answer(number)) as folder:
                for verb in self.VERBS:
                    with self.subTest(number=number, verb=verb):
                        ended = subprocess.run(
                            [AGENT, *verb.split()], cwd=folder, capture_output=True, timeout=120,
                            env={"PATH": "/usr/bin:/bin", "HOME": folder, "LLVM_PROFILE_FILE": "/dev/null"})
                        self.assertGreaterEqual(ended.returncode, 0, ended.stderr[-2000:])


if __name__ == "__main__":
    unittest.main()
