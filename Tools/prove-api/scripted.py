"""Requests that fit each other, for what chance doesn't find: each operation succeeds at least once, and
each answer is compared with the document.

A step is (method, path, body, status) or has a fifth part with names of captured values, each with the
members that lead to it. "{name}" in a path or a text stands for a captured value."""

import json
import re
import time
import urllib.error
import urllib.request

import jsonschema

BOT = {
    "name": "Painter", "bot_type": "worker", "max_concurrent_tasks": 5,
    "capabilities": [{"name": "paints", "task_types": ["paint"]}]}
ECHO = {"type": "prober/echo", "input": {"word": "back"}}
PAINT = {"name": "paint it", "type": "paint", "status": "queued"}

FIRST_USER = [
    ("POST", "setup", {"secret": "{secret}", "name": "ada", "password": "correct horse"}, 201),
    ("POST", "users", {"name": "bob", "role": "viewer", "password": "correct horse"}, 201),
    ("POST", "sessions", {"user": "bob", "password": "correct horse"}, 201, {"token": ["token"]}),
    ("GET", "sessions/current", None, 200),
    ("DELETE", "sessions/current", None, 204),
    ("DELETE", "users/bob", None, 200),
]

PROCESSES = [
    ("POST", "processes", {"name": "late", "type": "ticks"}, 200),
    ("DELETE", "processes/late", None, 200),
    ("POST", "modules/prober/actions/echo", {"word": "back"}, 200),
    ("POST", "modules/prober/disable", None, 422),
    ("POST", "modules/spare/enable", None, 200),
    ("POST", "modules/spare/disable", None, 200),
    ("POST", "import/state", '{"owner":"former","key":"a","value":1}\n', 200),
    ("PUT", "state/former/key", {"a": 1}, 200),
    ("DELETE", "state/former/key", None, 200),
    ("POST", "processes/reader/stop", None, 200),
    ("DELETE", "events/consumers/reader%2Ftally", None, 200),
    ("POST", "notifiers/nowhere/test", None, 200),
    ("GET", "deliveries?notifier=nowhere", None, 200, {"delivery": ["deliveries", 0, "id"]}),
    ("POST", "deliveries/{delivery}/retry", None, 200),
]

TASKS = [
    ("POST", "bots", BOT, 201, {"bot": ["id"]}),
    ("POST", "bots/{bot}/heartbeat", None, 200),
    ("POST", "task-batches", {"name": "walls", "tasks": [PAINT, PAINT]}, 201, {"batch": ["batch"]}),
    ("GET", "task-batches/{batch}", None, 200),
    ("GET", "bots/{bot}/assignments?wait_ms=10000", None, 200,
     {"first": ["assignments", 0, "id"], "painted": ["assignments", 0, "task_id"]}),
    ("GET", "assignments/{first}", None, 200),
    ("POST", "assignments/{first}/accept", {"lease_ms": 60000}, 200),
    ("POST", "assignments/{first}/heartbeat", {"progress": {"percent": 50}}, 200),
    ("PUT", "assignments/{first}/artifacts/photo.txt", b"a wall", 200),
    ("POST", "assignments/{first}/complete", {"result": 1}, 200),
    ("GET", "tasks/{painted}/artifacts/photo.txt", None, 200),
    ("GET", "bots/{bot}/assignments?wait_ms=10000", None, 200,
     {"next": ["assignments", 0, "id"], "spoiled": ["assignments", 0, "task_id"]}),
    ("POST", "assignments/{next}/accept", {}, 200),
    ("POST", "assignments/{next}/complete", {"success": False, "error": "It rains.", "final": True}, 200),
    ("POST", "tasks/{spoiled}/retry", None, 200),
    ("POST", "tasks/{painted}/rerun", None, 200),
    ("DELETE", "tasks/{painted}/artifacts/photo.txt", None, 200),
    ("POST", "tasks", PAINT | {"status": "waiting"}, 201, {"task": ["id"]}),
    ("POST", "assignments", {"task_id": "{task}", "bot_id": "{bot}"}, 201, {"second": ["id"]}),
    ("POST", "assignments/{second}/reject", {"reason": "no paint"}, 200),
    ("PUT", "assignment-strategy", {"assignment_strategy": "round_robin"}, 200),
    ("DELETE", "bots/{bot}", None, 200),
]

TASKBOT = [
    ("POST", "/api/taskbot/bots/register", BOT, 200, {"bot": ["bot_id"]}),
    ("GET", "/api/taskbot/bots/{bot}", None, 200),
    ("POST", "bots/{bot}/heartbeat", None, 200),
    ("POST", "/api/taskbot/tasks", {"name": "fence", "task_type": "paint"}, 200, {"task": ["task_id"]}),
    ("POST", "/api/taskbot/assignments", {"task_id": "{task}", "bot_id": "{bot}"}, 200,
     {"assignment": ["assignment_id"]}),
    ("GET", "/api/taskbot/assignments/{assignment}", None, 200),
    ("POST", "/api/taskbot/assignments/{assignment}/complete", {"success": True, "result": 1}, 200),
    ("POST", "/api/taskbot/system/config", {"assignment_strategy": "best_fit"}, 200),
    ("DELETE", "/api/taskbot/bots/{bot}", None, 200),
]

SCHEDULES = [
    ("GET", "schedule-preview?cron=0+9+*+*+1-5&zone=Europe/Berlin", None, 200),
    ("POST", "schedules", {"name": "nightly", "cron": "@daily", "task": ECHO}, 201),
    ("GET", "schedules/nightly", None, 200),
    ("PATCH", "schedules/nightly", {"cron": "0 3 * * *"}, 200),
    ("GET", "schedules/nightly/upcoming", None, 200),
    ("POST", "schedules/nightly/pause", None, 200),
    ("POST", "schedules/nightly/resume", None, 200),
    ("POST", "schedules/nightly/trigger", None, 200),
    ("GET", "schedules/nightly/fires", None, 200),
    ("DELETE", "schedules/nightly", None, 200),
    ("POST", "tasks", ECHO | {"name": "echo", "status": "waiting"}, 201, {"task": ["id"]}),
    ("POST", "tasks/{task}/schedule", {"every": "1h"}, 201),
]


class Mismatch(Exception):
    """An answer that isn't as it must be."""


class Script:
    """Makes the steps' requests to an agent, and compares the answers with its document."""

    def __init__(self, url, document, **values):
        self.url, self.document, self.values = url, document, values

    def run(self, *scripts):
        for script in scripts:
            for step in script:
                self.take(*step)

    def take(self, method, path, body, wanted, captures=None):
        path = self.filled(path)
        if not path.startswith("/"):
            path = f"/api/v1/{path}"
        status, said = self.ask(method, path, body)
        if status != wanted:
            raise Mismatch(f"{method} {path}: {status}, not {wanted}: {said[:1000]}")
        operation = self.operation(method, path)
        content = operation["responses"][str(status)].get("content", {})
        answer = json.loads(said) if said[:1] in (b"{", b"[") else None
        for kind in ("application/json", "application/problem+json"):
            if kind in content:
                self.compare(answer, content[kind]["schema"], f"{method} {path}")
        for name, members in (captures or {}).items():
            value = answer
            for member in members:
                value = value[member]
            self.values[name] = value

    def filled(self, text):
        return re.sub(r"{(\w+)}", lambda found: str(self.values[found[1]]), text)

    def ask(self, method, path, body):
        headers = {}
        if isinstance(body, dict):
            body, headers["Content-Type"] = self.filled_members(body), "application/json"
        elif isinstance(body, str):
            body, headers["Content-Type"] = body.encode(), "application/x-ndjson"
        elif isinstance(body, bytes):
            headers["Content-Type"] = "text/plain"
        if "sessions/current" in path:
            headers["Authorization"] = f"Bearer {self.values['token']}"
        request = urllib.request.Request(self.url + path, method=method, headers=headers, data=body)
        try:
            with urllib.request.urlopen(request, timeout=60) as reply:
                return reply.status, reply.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()

    def filled_members(self, body):
        return json.dumps({
            name: self.filled(value) if isinstance(value, str) else value
            for name, value in body.items()}).encode()

    def operation(self, method, path):
        path = path.partition("?")[0]
        for template, item in self.document["paths"].items():
            if method.lower() in item and fits(template, path):
                return item[method.lower()]
        raise Mismatch(f"{method} {path} isn't in the document")

    def compare(self, answer, schema, place):
        whole = schema | {"components": self.document["components"]}
        for error in jsonschema.Draft202012Validator(whole).iter_errors(answer):
            raise Mismatch(f"{place}: the answer doesn't fit the document: {error.json_path}: {error.message}")


def fits(template, path):
    parts, others = template.split("/"), path.split("/")
    return len(parts) == len(others) and all(
        part == other or part.startswith("{") for part, other in zip(parts, others))


def secret(agent):
    """The setup secret, once it is there."""
    file = agent.folder / ".agent" / "setup-secret"
    end = time.monotonic() + 60
    while not file.exists():
        if time.monotonic() > end:
            raise Mismatch("there is no setup secret")
        time.sleep(0.05)
    return file.read_text().strip()
