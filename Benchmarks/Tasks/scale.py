"""scale.py AGENT TASKS_BENCH FOLDER: what each kind of request costs an agent that has much, beside
one that has hardly anything. Two hosts, asked in turn; a ratio is the median of the rounds' own.

SCALE is tasks,keys,types,bots of the large one; SCALE_ROUNDS and SCALE_REQUESTS say how often. Each has
a fifth as many assignments that have ended, lines of the audit log and events as tasks; the events have as
many types. A short run has little of all that, and gives no verdict. A full run ends with 1 if a request
misses the target.
"""

import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "Tools"))

from agent_socket import Connection

SHORT = "BENCH_SHORT" in os.environ
LARGE = [int(n) for n in os.environ.get(
    "SCALE", "2000,400,10,200" if SHORT else "1000000,100000,1000,10000").split(",")]
# As many as make a page of each kind as long as the large one's.
SMALL = [1_000, 200, 5, 100] if SHORT else [50_000, 200, 100, 100]
ROUNDS = int(os.environ.get("SCALE_ROUNDS", "1" if SHORT else "5"))
REQUESTS = int(os.environ.get("SCALE_REQUESTS", "2" if SHORT else "60"))
# How many tasks of each kind a host gets before it is measured, and how many schedules and events.
TASKS, SCHEDULES = (5, 5) if SHORT else (150, 120)
TARGET = 1.5
# How long a host is watched until it counts as idle, in seconds.
WATCHED = 0.03 if SHORT else 0.3
# The measurement registers bots beside those that are there.
SETTINGS = {"enabled_modules": [], "processes": {}, "bots": {"max": 20_000}}


class Host:
    def __init__(self, agent, bench, folder, size):
        self.folder = pathlib.Path(folder)
        (self.folder / ".agent").mkdir(parents=True, mode=0o700)
        (self.folder / "modules").mkdir()
        (self.folder / "settings.json").write_text(json.dumps(SETTINGS))
        store = self.folder / ".agent" / "store.db"
        subprocess.run([bench, "fill", store, *map(str, size)], check=True)
        self.output = open(self.folder / "bench.log", "wb")
        self.process = subprocess.Popen(
            [agent, "run"], cwd=folder, stdin=subprocess.DEVNULL, stdout=self.output,
            stderr=subprocess.STDOUT, env=os.environ | {"LLVM_PROFILE_FILE": "/dev/null"})
        self.api = Connection(str(self.folder / ".agent" / "agent.sock"), timeout=120)
        self.ids = []
        end = time.monotonic() + 120
        while True:
            time.sleep(0.1)
            try:
                if self.api.ask("GET", "health/ready")[0] == 200:
                    break
            except OSError:
                self.api.close()
            if self.process.poll() is not None or time.monotonic() > end:
                raise SystemExit(f"scale: the agent doesn't start; see {self.folder}/bench.log")

    def ask(self, method, path, body=None):
        status, answer = self.api.ask(method, path, body)
        if status >= 400:
            raise SystemExit(f"scale: {method} {path}: {status} {answer.decode()}")
        return json.loads(answer)

    def processor(self):
        """Nanoseconds of processor time that its threads have had."""
        total = 0
        for task in pathlib.Path(f"/proc/{self.process.pid}/task").iterdir():
            try:
                total += int((task / "schedstat").read_text().split()[0])
            except OSError:
                pass
        return total

    def settle(self):
        """Waits until it has nothing to do."""
        before = self.processor()
        while True:
            time.sleep(WATCHED)
            now = self.processor()
            if now - before < 15_000_000:
                return
            before = now

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def task(**more):
    return {"name": "bench task", "type": "bench-idle", "tags": ["bench"]} | more


def made(host, count, **more):
    return [host.ask("POST", "tasks", task(**more))["id"] for _ in range(count)]


def prepare(host):
    for name, status, slots in (("idle", "draining", 1), ("hand", "online", 100_000),
                               ("auto", "online", 100_000)):
        bot = host.ask("POST", "bots", {
            "name": name, "max_concurrent_tasks": slots,
            "capabilities": [{"name": "work", "task_types": [f"bench-{name}"]}]})
        setattr(host, name, bot["id"])
        if status != "online":
            host.ask("PUT", f"bots/{bot['id']}/status", {"status": status})
    made(host, TASKS)
    host.ids = [host.ask("POST", "tasks", task(
        status="queued", concurrency_key=f"bench-{n}"))["id"] for n in range(TASKS)]
    host.ask("POST", "task-batches", {"name": "bench", "tasks": [task() for _ in range(5)]})
    for n in range(SCHEDULES):
        host.ask("POST", "schedules", {
            "name": f"bench-{n}", "every": "7d", "task": {"type": "bench-idle"}})
        host.ask("POST", "events", {"type": "bench", "n": n})


def get(path):
    return lambda host, count: [("GET", path, None)] * count


def each(prepared, request):
    """A request on each of as many things as are prepared before the time counts."""
    return lambda host, count: [request(host, thing) for thing in prepared(host, count)]


def waiting(host, count):
    return made(host, count)


def queued(host, count):
    return made(host, count, status="queued")


def ended(host, count):
    ids = queued(host, count)
    for number in ids:
        host.ask("POST", f"tasks/{number}/cancel", {})
    return ids


def offered(host, count):
    """Assignments that the bot "auto" was offered."""
    made(host, count, type="bench-auto", status="queued")
    found = []
    while len(found) < count:
        found = host.ask("GET", f"bots/{host.auto}/assignments?wait_ms=1000")["assignments"]
    return [row["id"] for row in found[:count]]


def accepted(host, count):
    ids = offered(host, count)
    for number in ids:
        host.ask("POST", f"assignments/{number}/accept", {})
    return ids


def post(path, body=None):
    return lambda host, number: ("POST", path.format(number), {} if body is None else body)


KINDS = [
    ("create a task", lambda host, count: [("POST", "tasks", task())] * count),
    ("create and queue one with a key of its own", lambda host, count: [
        ("POST", "tasks", task(status="queued", concurrency_key=f"k{time.monotonic_ns()}-{n}"))
        for n in range(count)]),
    ("create and queue one for a bot with room", lambda host, count: [
        ("POST", "tasks", task(type="bench-auto", status="queued"))] * count),
    ("get a task", each(waiting, lambda host, number: ("GET", f"tasks/{number}", None))),
    ("explain a task", each(queued, lambda host, number: ("GET", f"tasks/{number}/explain", None))),
    ("list tasks", get("tasks")),
    ("list tasks, one", get("tasks?limit=1")),
    ("list tasks, queued", get("tasks?status=queued")),
    ("list tasks, failed", get("tasks?status=failed,dead")),
    ("list tasks, cancelled", get("tasks?status=cancelled")),
    ("list tasks, of a type", get("tasks?type=bench-idle")),
    ("list tasks, of an old type", get("tasks?type=type-1")),
    ("list tasks, of a type that none has", get("tasks?type=bench-none")),
    ("list tasks, with a tag", get("tasks?tag=bench")),
    ("list tasks, with a tag that none has", get("tasks?tag=bench-none")),
    ("list tasks, with a text", get("tasks?q=bench")),
    ("list tasks, with a text that none has", get("tasks?q=bench-none")),
    ("list tasks, the oldest", get("tasks?order=asc&limit=10")),
    # More than 10,000 chosen tasks aren't sorted, and the large host has more that failed.
    ("list tasks, of a type, by priority", get("tasks?type=bench-idle&sort=priority&limit=10")),
    ("execute a task", each(waiting, post("tasks/{}/execute"))),
    ("cancel a task", each(queued, post("tasks/{}/cancel"))),
    ("delete a task", each(ended, lambda host, number: ("DELETE", f"tasks/{number}", None))),
    ("assign a task to a bot", each(
        lambda host, count: made(host, count, type="bench-hand"),
        lambda host, number: (
            "POST", "assignments", {"task_id": number, "bot_id": host.hand}))),
    ("a bot asks for work", lambda host, count: [
        ("GET", f"bots/{host.hand}/assignments", None)] * count),
    ("a bot accepts", each(offered, post("assignments/{}/accept"))),
    ("a bot sends a heartbeat for a task", each(accepted, post("assignments/{}/heartbeat"))),
    ("a bot completes", each(accepted, post("assignments/{}/complete"))),
    ("a bot sends a heartbeat", lambda host, count: [
        ("POST", f"bots/{host.idle}/heartbeat", None)] * count),
    ("get a bot", lambda host, count: [("GET", f"bots/{host.idle}", None)] * count),
    ("list bots, a page", get("bots?limit=100")),
    ("list assignments", get("assignments?limit=20")),
    ("list assignments, failed", get("assignments?status=failed&limit=20")),
    ("list assignments, in a state that none has", get("assignments?status=timed_out&limit=20")),
    ("list assignments, of a bot in a state that none has", lambda host, count: [
        ("GET", f"assignments?bot={host.idle}&status=rejected", None)] * count),
    ("statistics of bots", get("bot-stats")),
    ("numbers of tasks, of a type", get("task-counts?type=bench-idle")),
    ("numbers of tasks, all types", get("task-counts")),
    ("list schedules", get("schedules")),
    ("list schedules, with a text that none has", get("schedules?q=bench-none")),
    ("list batches", get("task-batches")),
    ("publish an event", lambda host, count: [
        ("POST", "events", {"type": "bench", "n": n}) for n in range(count)]),
    ("list events", get("events?limit=100")),
    ("list events, of an old type", get("events?query=kind-1&limit=100")),
    ("list the audit log", get("audit")),
    ("list the audit log, of an action", get("audit?action=create_task")),
    ("list the audit log, of an actor that none has", get("audit?actor=person:none")),
    ("list alerts", get("alerts")),
    ("list deliveries", get("deliveries")),
    ("health", get("health")),
]


def measure(host, kind, count):
    """Processor time of the host, and time on the clock, in microseconds a request."""
    requests = kind(host, count)
    host.settle()
    cpu, start = host.processor(), time.monotonic_ns()
    for method, path, body in requests:
        host.ask(method, path, body)
    clock = time.monotonic_ns() - start
    # What it still does because of them counts, too.
    host.settle()
    return (host.processor() - cpu) / count / 1000, clock / count / 1000


def idle(host):
    """Processor time of a host that is asked nothing, in microseconds a second."""
    cpu, start = host.processor(), time.monotonic()
    time.sleep(0.2 if SHORT else 3)
    return (host.processor() - cpu) / 1000 / (time.monotonic() - start)


def main():
    agent, bench, folder = sys.argv[1:4]
    only = os.environ.get("SCALE_ONLY", "")
    hosts, missed = [], []
    try:
        for name, size in (("small", SMALL), ("large", LARGE)):
            hosts.append(Host(agent, bench, f"{folder}/{name}", size))
        for host in hosts:
            prepare(host)
            host.settle()
        print("| request | little there | much there | ratio, CPU | ratio, clock |"
              + ("" if SHORT else " met |"))
        print("|---|---|---|---|---|" + ("" if SHORT else "---|"), flush=True)
        for name, kind in KINDS:
            if only not in name:
                continue
            rounds = []
            for _ in range(ROUNDS):
                rounds.append([measure(host, kind, REQUESTS) for host in hosts])
            small, large = (statistics.median(r[n][0] for r in rounds) for n in (0, 1))
            cpu, clock = (
                statistics.median(r[1][n] / max(1, r[0][n]) for r in rounds) for n in (0, 1))
            met = "yes" if cpu <= TARGET else "**no**"
            if cpu > TARGET:
                missed.append(name)
            print(f"| {name} | {small:.0f} µs | {large:.0f} µs | {cpu:.2f} × | {clock:.2f} × "
                  + ("|" if SHORT else f"| {met} |"), flush=True)
        print(f"\nidle, µs of processor time a second: "
              + ", ".join(f"{idle(host):.0f}" for host in hosts))
    finally:
        for host in hosts:
            host.stop()
    if missed and not SHORT:
        raise SystemExit(f"scale: more than {TARGET} × as much: {'; '.join(missed)}")


main()
