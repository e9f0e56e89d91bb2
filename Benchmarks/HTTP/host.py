"""The agent that is measured, and a client for what isn't."""

import json
import os
import pathlib
import subprocess
import sys
import time
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "Tools"))

from agent_socket import Connection

# A short run shows that a benchmark runs: it takes about a second and gives no verdict.
SHORT = "BENCH_SHORT" in os.environ

SETTINGS = {
    "enabled_modules": ["bench_command"],
    "processes": {
        f"process_{n}": {
            "type": "command_sleeper", "enabled": False, "page": "/", "slot": n}
        for n in range(3)
    },
    "http": {
        "listen": "127.0.0.1:0",
        # Looked at for each request as always, and never reached.
        "limits": {
            "requests_per_second": 10_000_000, "burst": 10_000_000,
            "connections": 20_000, "streams": 20_000,
        },
    },
}


class Host:
    def __init__(self, agent, folder):
        self.folder = pathlib.Path(folder)
        (self.folder / "settings.json").write_text(json.dumps(SETTINGS))
        self.output = open(self.folder / "bench.log", "wb")
        self.process = subprocess.Popen(
            [agent, "run"], cwd=folder, stdin=subprocess.DEVNULL, stdout=self.output,
            stderr=subprocess.STDOUT, env=os.environ | {"LLVM_PROFILE_FILE": "/dev/null"})
        end = time.monotonic() + 60
        self.url = None
        while not self.url:
            if self.process.poll() is not None or time.monotonic() > end:
                raise SystemExit(f"http: the agent doesn't start; see {self.folder}/bench.log")
            time.sleep(0.05)
            try:
                self.url = self.ask("GET", "status")["url"]
            except OSError:
                pass
        self.port = urllib.parse.urlparse(self.url).port
        self.token = self.ask(
            "POST", "tokens", {"name": "bench", "scopes": ["read", "execute"]})["token"]

    def ask(self, method, path, body=None):
        """A request over the socket; the JSON of its answer."""
        connection = Connection(str(self.folder / ".agent" / "agent.sock"), timeout=60)
        return json.loads(connection.ask(method, path, body)[1])

    def memory(self):
        """Its resident memory, in bytes."""
        for line in pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) * 1024
        return 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def row(what, measured, peer="", ratio="", target="", met=None):
    """A row of the table."""
    word = "" if met is None else "yes" if met else "no"
    cells = (what, measured, peer, ratio) if SHORT else (what, measured, peer, ratio, target, word)
    print(f"| {' | '.join(cells)} |", flush=True)


def head(second):
    titles = ["measurement", "measured", second, "ratio", *([] if SHORT else ["target", "met"])]
    print(f"\n| {' | '.join(titles)} |")
    print("|---" * len(titles) + "|", flush=True)


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * share))]
