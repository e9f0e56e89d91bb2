"""slow.py AGENT FOLDER : slowhttptest holds thousands of connections on which next to nothing comes
or is read, while a probe asks for the status every 20 ms, on a connection of its own each time."""

import http.client
import os
import subprocess
import sys
import threading
import time

from host import SHORT, Host, head, row, percentile

CLIENTS = int(os.environ.get("BENCH_CLIENTS", 20 if SHORT else 2000))
SECONDS = int(os.environ.get("BENCH_SLOW_SECONDS", 1 if SHORT else 20))
PAUSE = 0.02

ATTACKS = {
    "heads that drip (slowhttptest -H)":
        ["-H", "-i", "3", "-u", "{url}/api/v1/health/live"],
    "bodies that drip (-B)":
        ["-B", "-i", "3", "-s", "8192", "-f", "application/json", "-u", "{url}/api/v1/sessions"],
    "answers that are hardly read (-X)":
        ["-X", "-w", "16", "-y", "64", "-n", "3", "-z", "16", "-k", "8",
         "-u", "{url}/api/page.css"],
}


class Probe(threading.Thread):
    """Asks every 20 ms, counted from when it should have asked."""

    def __init__(self, host):
        super().__init__()
        self.host = host
        self.isOver = threading.Event()
        self.times = []
        self.failures = 0

    def run(self):
        due = time.monotonic()
        while not self.isOver.wait(max(0, due - time.monotonic())):
            try:
                connection = http.client.HTTPConnection("127.0.0.1", self.host.port, timeout=10)
                connection.request(
                    "GET", "/api/v1/status",
                    headers={"Authorization": f"Bearer {self.host.token}"})
                answer = connection.getresponse()
                answer.read()
                self.failures += answer.status != 200
                connection.close()
            except OSError:
                self.failures += 1
            self.times.append((time.monotonic() - due) * 1000)
            due = max(due + PAUSE, time.monotonic())


def probed(host, command):
    """The probe's times in milliseconds while a command runs; and how many of them failed."""
    probe = Probe(host)
    probe.start()
    try:
        said = subprocess.run(command, capture_output=True, text=True)
    finally:
        probe.isOver.set()
        probe.join()
    if said.returncode not in (0, 1):  # 1: its target was never out of reach.
        raise SystemExit(f"slow: {command}: {said.stdout[-500:]}{said.stderr[-500:]}")
    return probe.times, probe.failures


def main():
    with Host(sys.argv[1], sys.argv[2]) as host:
        quiet, _ = probed(host, ["sleep", "0.5" if SHORT else "5"])
        head("alone")
        for what, options in ATTACKS.items():
            command = [
                "slowhttptest", "-c", str(CLIENTS), "-r", str(max(1, CLIENTS // 4)), "-l",
                str(SECONDS), "-v", "1", "-p", "5",
                *(option.format(url=host.url) for option in options)]
            times, failures = probed(host, command)
            slow, alone = percentile(times, 0.99), percentile(quiet, 0.99)
            row(f"{CLIENTS:,} clients with {what}: a probe's p99", f"{slow:.1f} ms",
                   f"{alone:.1f} ms", f"{slow / alone:.1f} ×", "100 ms",
                   slow < 100 and failures == 0)
            if failures:
                print(f"{failures} of {len(times)} probes had no answer", flush=True)


if __name__ == "__main__":
    main()
