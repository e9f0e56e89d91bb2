"""An agent in a folder of its own, with a module, whose API is tried."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from agent_socket import Connection

SDK = HERE.parent.parent / "SDK"

SETTINGS = {
    "enabled_modules": ["prober"],
    "processes": {name: {"type": "ticks"} for name in ("ticks", "spare", "third")}
    | {"reader": {"type": "reader"}},
    # The routes are tried here; Tests/IntegrationTests/Web/RefusalTests tries the permissions.
    "http": {
        "listen": "127.0.0.1:0",
        "allow_local_without_token": True,
        "limits": {
            "requests_per_second": 1_000_000,
            "burst": 1_000_000,
            # Streams end by themselves, so that they can be waited for.
            "stream_seconds": 0.1,
            "heartbeat_seconds": 0.05,
        },
    },
    "notifications": {
        "rules": [{"name": "ticks", "when": {"event": "tick"}, "to": ["log"], "severity": "info"}],
        # Nobody listens there: what it is to deliver can be tried again.
        "notifiers": {
            "nowhere": {"type": "webhook", "url": "http://127.0.0.1:9/", "allow_private": True}},
    },
    "supervision": {"backoff": {"initial_ms": 5, "max_ms": 20}},
}

SPARE = {
    "name": "spare", "version": "1.0.0", "title": "A module for later", "command": ["python3", "main.py"],
    "logic_adapters": {"later": {"title": "Later", "example": "later"}},
}


class Agent:
    def __init__(self, program, folder, source=HERE / "module", settings=SETTINGS):
        self.folder = pathlib.Path(folder)
        module = self.folder / "modules" / "prober"
        self.folder.mkdir(parents=True)
        shutil.copytree(source, module)
        shutil.copytree(
            SDK / "python" / "agent_module", module / "agent_module",
            ignore=shutil.ignore_patterns("__pycache__"))
        # A second one, which the settings don't enable.
        spare = self.folder / "modules" / "spare"
        spare.mkdir()
        (spare / "main.py").touch()
        (spare / "module.json").write_text(json.dumps(SPARE))
        (self.folder / "settings.json").write_text(json.dumps(settings, indent=2))
        self.program = program
        self.output = open(self.folder / "output", "wb")
        self.again()

    def again(self):
        """Starts a host, the first or one that follows another in the same folder."""
        self.process = subprocess.Popen(
            [self.program, "run"], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=self.output,
            stderr=subprocess.STDOUT, env=os.environ | {"AGENT_SDK": str(SDK)})

    def ask(self, method, path, body=None):
        """A request over the socket: status and JSON."""
        connection = Connection(str(self.folder / ".agent" / "agent.sock"), timeout=60)
        status, body = connection.ask(method, path, body)
        return status, json.loads(body)

    def url(self):
        """The address of the port, once it is open and all processes run."""
        end = time.monotonic() + 60
        while time.monotonic() < end and self.process.poll() is None:
            try:
                status = self.ask("GET", "status")[1]
                states = [process["state"] for process in status["processes"]]
                if status["url"] and "RUNNING" in states and "STARTING" not in states:
                    return status["url"]
            except OSError:
                pass
            time.sleep(0.05)
        raise SystemExit(f"{pathlib.Path(sys.argv[0]).parent.name}: the agent doesn't start:\n{self.said()}")

    def said(self):
        return (self.folder / "output").read_text(errors="replace")[-6000:]

    def requests(self):
        """What the access log has."""
        lines = (self.folder / ".agent" / "logs" / "access.jsonl").read_text().splitlines()
        return [json.loads(line) for line in lines]

    def end(self):
        """Ends it, if it hasn't ended; its exit status."""
        if self.process.poll() is None:
            self.process.terminate()
        try:
            return self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()
