"""load.py AGENT FOLDER : the agent and a FastAPI app on two uvicorn workers get the same requests
from wrk, in turn. A short run is of the agent alone."""

import http.client
import json
import os
import pathlib
import re
import socket
import statistics
import subprocess
import sys
import time

from host import SHORT, Host, head, row

HERE = pathlib.Path(__file__).parent
SECONDS = float(os.environ.get("BENCH_SECONDS", 1 if SHORT else 10))
ROUNDS = int(os.environ.get("BENCH_ROUNDS", 3))
CONNECTIONS = 64

POST = """
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.body = '{"type": "trade", "symbol": "AAPL", "price": 189.25, "size": 100, "venue": "XNAS"}'
"""


class Peer:
    def __init__(self, host):
        folder = host.folder / "peer"
        folder.mkdir()
        status = host.ask("GET", "status")
        (folder / "status.json").write_text(json.dumps(status))
        (folder / "token").write_text(host.token)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = open(folder / "access.log", "wb")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "uvicorn", "peer:app", "--workers", "2", "--port", str(self.port),
             "--loop", "uvloop", "--http", "httptools", "--access-log"],
            cwd=HERE, stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.STDOUT,
            env=os.environ | {"PEER_FOLDER": str(folder), "PYTHONDONTWRITEBYTECODE": "1"})
        end = time.monotonic() + 60
        while True:
            try:
                connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
                connection.request("GET", "/api/v1/status",
                                   headers={"Authorization": f"Bearer {host.token}"})
                if connection.getresponse().status == 200:
                    return
            except OSError:
                pass
            if self.process.poll() is not None or time.monotonic() > end:
                raise SystemExit(f"http: the peer doesn't start; see {folder}/access.log")
            time.sleep(0.1)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(30)


def milliseconds(text):
    number, unit = re.fullmatch(r"([\d.]+)(us|ms|s|m)", text).groups()
    return float(number) * {"us": 0.001, "ms": 1, "s": 1000, "m": 60_000}[unit]


def load(url, token, script):
    """Requests a second, p50 and p99 in milliseconds."""
    command = [
        "wrk", "-t2", f"-c{CONNECTIONS}", f"-d{SECONDS:g}s", "--latency", "--timeout", "30s",
        "-H", f"Authorization: Bearer {token}", *(["-s", script] if script else []), url]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    wrong = [line for line in said.splitlines() if "Non-2xx" in line or "Socket errors" in line]
    if wrong:
        raise SystemExit(f"http: {url}: {wrong}")
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", said).group(1))
    return rate, *(
        milliseconds(re.search(rf"^ +{share}% +(\S+)$", said, re.M).group(1)) for share in (50, 99))


def compare(what, path, script, target, host, peer):
    rounds = []
    for one in (host, peer):
        load(one.url + path, host.token, script)  # Warm.
    for _ in range(ROUNDS):
        rounds.append([load(one.url + path, host.token, script) for one in (host, peer)])
    ours, theirs = ([statistics.median(one[side][n] for one in rounds) for n in range(3)]
                    for side in (0, 1))
    ratio = statistics.median(mine[0] / other[0] for mine, other in rounds)
    row(f"{what}, requests a second", f"{ours[0]:,.0f}", f"{theirs[0]:,.0f}",
           f"{ratio:.2f} ×", f"{target} ×", ratio >= target)
    for name, n in (("p50", 1), ("p99", 2)):
        row(f"{what}, {name}", f"{ours[n]:.2f} ms", f"{theirs[n]:.2f} ms",
               f"{ours[n] / theirs[n]:.2f} ×", "below theirs" if n == 2 else "",
               ours[n] < theirs[n] if n == 2 else None)


def alone(what, path, script, host):
    rate, p50, p99 = load(host.url + path, host.token, script)
    row(f"{what}, requests a second", f"{rate:,.0f}")
    row(f"{what}, p50", f"{p50:.2f} ms")
    row(f"{what}, p99", f"{p99:.2f} ms")


def main():
    with Host(sys.argv[1], sys.argv[2]) as host:
        script = host.folder / "post.lua"
        script.write_text(POST)
        status = ("status", "/api/v1/status", None)
        event = ("an event, durable here", "/api/v1/events", str(script))
        if SHORT:
            head("")
            alone(*status, host)
            alone(*event, host)
        else:
            with Peer(host) as peer:
                head("FastAPI")
                compare(*status, 3, host, peer)
                compare(*event, 2, host, peer)
        stored = host.ask("GET", "events/types")["types"]
        if not any(one["type"] == "trade" and one["count"] for one in stored):
            raise SystemExit("http: no event was stored")


if __name__ == "__main__":
    main()
