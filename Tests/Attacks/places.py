"""An agent with modules that want to get out, in a folder of its own, as a user of its own."""

import contextlib
import ctypes
import json
import os
import pathlib
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
sys.path.insert(0, os.path.join(ROOT, "Tools"))
from agent_socket import Connection  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
AGENT = os.environ.get("AGENT", os.path.join(ROOT, ".build-debug/debug/agent"))
SANDBOX = os.path.join(ROOT, "Sources/CSandbox")
SECRET = "an-administrator's-secret"


def users():
    """Whom the host runs as: this user, and an ordinary one where this is root."""
    own = pwd.getpwuid(os.getuid()).pw_name
    return [own] if os.getuid() else [own, "nobody"]


class Programs:
    """The attempts, compiled once."""

    folder = None

    @classmethod
    def library(cls):
        if cls.folder is None:
            cls.folder = tempfile.TemporaryDirectory(prefix="attack-build-")
            os.chmod(cls.folder.name, 0o755)
            sources = sorted(name for name in os.listdir(HERE) if name.endswith(".c"))
            subprocess.run(
                ["cc", "-O1", "-shared", "-fPIC", "-pthread", "-Wall", "-Wextra", "-I",
                 f"{ROOT}/SDK/Sources/CAgentModule/include", "-I", f"{SANDBOX}", "-I",
                 f"{SANDBOX}/include", *sources, f"{SANDBOX}/calls.c", "-lrt", "-o",
                 f"{cls.folder.name}/libattempts.so"], cwd=HERE, check=True)
        return f"{cls.folder.name}/libattempts.so"


class Agent:
    """A folder with the modules `library`, `command` and `good`; `run` starts it."""

    def __init__(self, user, permissions=None, sandbox="required", processes=None):
        self.user = pwd.getpwnam(user)
        self.host = None
        self.temporary = tempfile.TemporaryDirectory(prefix="attack-", ignore_cleanup_errors=True)
        os.chmod(self.temporary.name, 0o755)
        self.folder = f"{self.temporary.name}/agent"
        os.mkdir(self.folder)
        self.modules = ["library", "command", "good"]
        self.permissions = permissions or {}
        self.settings = {
            "agent": {"name": "attacked"}, "http": {"enabled": False},
            "enabled_modules": self.modules,
            "modules": {name: {"sandbox": sandbox} for name in ("library", "command")},
            "supervision": {"max_restarts": 0},
            "processes": {"sibling": {"type": "idle_good"}, **(processes or {})},
        }
        self.write(".env", f"SECRET={SECRET}\n", 0o600)
        self.library()
        self.command("command", "idle", self.permissions)
        self.command("good", "idle_good", {})

    # What is in the folder

    def write(self, name, text, mode=0o644):
        path = f"{self.folder}/{name}"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)
        os.chmod(path, mode)
        return path

    def manifest(self, name, **members):
        manifest = {"name": name, "version": "1.0.0", **members}
        self.write(f"modules/{name}/module.json", json.dumps(manifest))

    def library(self):
        self.manifest(
            "library", abi=1, library="liblibrary.so", permissions=self.permissions,
            actions={"attempt": {"title": "Tries to get out"}})
        shutil.copy(Programs.library(), f"{self.folder}/modules/library/liblibrary.so")

    def command(self, name, process, permissions, program="python3"):
        self.manifest(
            name, command=[program, "main.py"], permissions=permissions,
            processes={process: {"kind": "datasource", "settings": {
                "type": "object", "properties": {
                    "does": {"type": "string"}, "port": {"type": "integer"},
                    "place": {"type": "string"}, "target": {"type": "string"}}}}},
            actions={"attempt": {"title": "Tries to get out"}, "read": {"title": "Reads a file"}})
        folder = f"{self.folder}/modules/{name}"
        shutil.copytree(
            f"{ROOT}/SDK/python/agent_module", f"{folder}/agent_module",
            ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(Programs.library(), f"{folder}/libattempts.so")
        with open(f"{HERE}/main.py") as file:
            text = file.read().replace('"command", "1.0.0"', f'"{name}", "1.0.0"')
        self.write(f"modules/{name}/main.py", text.replace('"idle"', f'"{process}"'))

    # Running it

    def environment(self):
        return {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": self.folder, "LANG": "C.UTF-8",
                "LLVM_PROFILE_FILE": "/dev/null"}

    def options(self):
        options = {"cwd": self.folder, "env": self.environment(), "text": True}
        if os.getuid() == 0 and self.user.pw_uid != 0:
            options |= {"user": self.user.pw_uid, "group": self.user.pw_gid, "extra_groups": []}
        return options

    def give(self):
        """Makes the folder the user's."""
        self.write("settings.json", json.dumps(self.settings))
        for folder, names, files in os.walk(self.folder):
            for name in [".", *names, *files]:
                os.chown(f"{folder}/{name}", self.user.pw_uid, self.user.pw_gid,
                         follow_symlinks=False)

    def __enter__(self):
        self.give()
        self.output = open(f"{self.temporary.name}/output", "w+")
        self.start()
        self.until("the host runs", lambda: "runs in" in self.said())
        return self

    def start(self):
        self.host = subprocess.Popen(
            [AGENT, "run"], stdout=self.output, stderr=subprocess.STDOUT, **self.options())

    def __exit__(self, *_):
        self.host.send_signal(signal.SIGTERM)
        try:
            self.host.wait(timeout=30)
        finally:
            self.host.kill()
            self.output.close()
            self.temporary.cleanup()

    def said(self):
        with open(f"{self.temporary.name}/output", errors="replace") as file:
            return file.read()

    def until(self, what, is_so, seconds=60):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if (found := is_so()):
                return found
            if self.host.poll() is not None:
                break
            time.sleep(0.05)
        raise AssertionError(f"{what}: not so.\n{self.said()[-4000:]}")

    def ask(self, method, target, body=None, seconds=60):
        connection = Connection(f"{self.folder}/.agent/agent.sock", timeout=seconds)
        try:
            status, answer = connection.ask(method, target, body)
            return status, json.loads(answer)
        finally:
            connection.close()

    def process(self, name):
        processes = self.ask("GET", "status")[1]["processes"]
        return next(process for process in processes if process["name"] == name)

    def attempt(self, module, only=()):
        """The errno of every attempt, as a module's worker got it."""
        sibling = self.until("the sibling runs", lambda: self.process("sibling")["pid"])
        status, answer = self.ask(
            "POST", f"modules/{module}/actions/attempt",
            {"agent": self.folder, "sibling": str(sibling), "only": ",".join(only)})
        assert status == 200, (status, answer, self.said()[-4000:])
        return answer

    def call_in_vain(self, module):
        """Starts a module's worker by a call that it never answers."""
        with contextlib.suppress(OSError, ConnectionError):
            self.ask("POST", f"modules/{module}/actions/attempt", {}, seconds=120)

    def read(self, module, path):
        """The errno by which a module's worker reads a file; 0 when it can."""
        status, answer = self.ask("POST", f"modules/{module}/actions/read", {"path": path})
        assert status == 200, (status, answer, self.said()[-4000:])
        return answer

    def verb(self, *words, seconds=120):
        return subprocess.run(
            [AGENT, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=seconds,
            **self.options())

    # What must not have changed

    def state(self):
        """Everything about the host, its sibling worker and its files that a module could change."""
        files = {}
        for folder, names, entries in os.walk(self.folder):
            if "/.agent" in folder:
                continue
            # The host's own folder, in which tasks have theirs; its mode is below.
            for name in {*names, *entries} - {".agent"}:
                path = os.path.join(folder, name)
                about = os.lstat(path)
                content = pathlib.Path(path).read_bytes() if os.path.isfile(path) else b""
                files[path] = (about.st_mode, about.st_uid, about.st_gid, about.st_mtime_ns,
                               hash(content), os.listxattr(path, follow_symlinks=False))
        host = self.host.pid
        limits = (ctypes.c_ulong * 2)()
        ctypes.CDLL(None).prlimit(host, 7, None, limits)
        sibling = self.process("sibling")
        return {
            "files": files, "sibling": (sibling["pid"], sibling["state"], sibling["restarts"]),
            "nice": os.getpriority(os.PRIO_PROCESS, host), "limits": list(limits),
            "affinity": os.sched_getaffinity(host), "scheduler": os.sched_getscheduler(host),
            "folder": oct(os.stat(f"{self.folder}/.agent").st_mode),
            "outside": [os.path.exists(f"{place}/agent-attack") for place in ("/tmp", "/dev/shm")],
        }
