"""fuzz.py AGENT STEPS SEED : sends requests made at random from an agent's OpenAPI document."""

import collections
import http.client
import json
import pathlib
import random
import shutil
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "prove-api"))

from agent import SETTINGS, Agent
from document import operations
from values import Values

# A host that is killed oftener than thrice a minute is right to come up in safe mode.
SECONDS_BETWEEN_KILLS = 70
MAX_ANSWER_SECONDS = 20
MAX_ANSWER_BYTES = 32 << 20

OWN = SETTINGS | {
    "tasks": {
        "max_open": 2000,
        "types": {
            "quick": {"executor": "command", "run_command": "true", "max_concurrent": 2},
            "never": {"executor": "command", "run_command": "sleep 5", "max_concurrent": 1},
        },
    },
}


class Found(Exception):
    pass


class Run:
    def __init__(self, program, folder, seed):
        self.program = program
        self.folder = pathlib.Path(folder)
        self.rng = random.Random(seed)
        self.agent = None
        self.known = collections.defaultdict(list, type=["quick", "never", "outside"], bot_type=["worker"])
        self.statuses = collections.Counter()
        self.recent = collections.deque(maxlen=25)
        self.kills = 0
        self.start()
        document = json.loads(self.fetch("GET", "/api/openapi.json", None)[1])
        self.values = Values(self.rng, document["components"]["schemas"])
        self.operations = operations(document)
        self.weights = [operation.weight for operation in self.operations]

    def start(self):
        """A new host in the same folder, or the first."""
        if self.agent is None:
            self.agent = Agent(self.program, self.folder / "agent", settings=OWN)
        else:
            self.agent.again()
        self.url = self.agent.url()
        self.began = time.monotonic()
        self.connection = None

    def fetch(self, method, target, body):
        """Status and bytes of the answer. A request that a kept connection doesn't answer is sent
        once more on a new one: the host may have closed it meanwhile."""
        if self.connection is not None:
            try:
                return self.send(method, target, body)
            except Found:
                pass
        return self.send(method, target, body)

    def send(self, method, target, body):
        if self.connection is None:
            host = self.url.split("//", 1)[1].rstrip("/")
            self.connection = http.client.HTTPConnection(host, timeout=MAX_ANSWER_SECONDS)
        headers = {} if body is None else {"Content-Type": "application/json"}
        content = None if body is None else body.encode("utf-8", "surrogatepass")
        try:
            self.connection.request(method, target, content, headers)
            answer = self.connection.getresponse()
            return answer.status, answer.read(MAX_ANSWER_BYTES)
        except (OSError, http.client.HTTPException) as error:
            self.connection.close()
            self.connection = None
            raise Found(f"no answer: {error!r}") from error

    def step(self):
        operation = self.rng.choices(self.operations, self.weights)[0]
        method, target, body, refused = operation.request(self.values, self.known)
        self.recent.append((method, target[:300], (body or "")[:2000]))
        status, answer = self.fetch(method, target, body)
        self.statuses[status] += 1
        if status >= 500 and status != 503:
            raise Found(f"{operation.name} was answered with {status}: {answer[:500]!r}")
        if refused and status < 300:
            raise Found(f"{operation.name} took a key that its document doesn't have: {status}")
        if status >= 400 and not self.reason(answer):
            raise Found(f"{operation.name} was refused with {status} and no reason: {answer[:500]!r}")
        if status < 300 and answer[:1] == b"{":
            self.remember(operation, answer)

    @staticmethod
    def reason(answer):
        try:
            return json.loads(answer).get("detail")
        except ValueError:
            return None

    def remember(self, operation, answer):
        """What the answer names, for later requests."""
        try:
            value = json.loads(answer)
        except ValueError:
            return
        collection = [part for part in operation.path.split("/") if not part.startswith("{")][-1]
        for key in ("id", "name", "version", "assignment_id", "task_id", "bot_id"):
            if isinstance(value.get(key), (str, int)):
                for pool in (f"{collection}/{key}", key):
                    self.known[pool].append(value[key])
                    del self.known[pool][:-200]

    def go(self, steps):
        for number in range(1, steps + 1):
            try:
                self.step()
            except Found as error:
                raise SystemExit(self.report(number, error)) from error
            if time.monotonic() - self.began > SECONDS_BETWEEN_KILLS:
                self.kill()
            if number % 50_000 == 0:
                print(f"fuzz-api: {number} requests, {self.kills} kills", flush=True)
        # A short run kills it as well: it must come up with whatever the requests have left.
        self.kill()

    def kill(self):
        """Ends the host in the midst of its work; another comes up in its folder."""
        self.agent.process.kill()
        self.agent.process.wait()
        self.kills += 1
        self.start()

    def report(self, number, error):
        lines = [f"fuzz-api: request {number}: {error}"]
        ended = self.agent.process.poll()
        if ended is not None:
            lines.append(f"The host ended with {ended}:\n{self.agent.said()}")
        lines += [f"  {method} {target} {body}" for method, target, body in self.recent]
        return "\n".join(lines)


def main():
    program, steps, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    print(f"fuzz-api: {steps} requests, seed {seed}", flush=True)
    folder = tempfile.mkdtemp(prefix="fuzz-api.")
    run = Run(program, folder, seed)
    try:
        run.go(steps)
    finally:
        run.agent.end()
        shutil.rmtree(folder, ignore_errors=True)
    answers = ", ".join(f"{count} x {status}" for status, count in sorted(run.statuses.items()))
    print(f"fuzz-api: {steps} requests, seed {seed}, {run.kills} kills of the host: {answers}")
    print("fuzz-api: ok")


main()
