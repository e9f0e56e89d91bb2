"""The package as a module gets it: copied as a folder that can't be written, or packed as one archive."""

import os
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest
import zipfile

from test_agent_module import ERROR, LOADED, PYTHON, REPLY, Host

sys.path.insert(0, PYTHON)

import pack  # noqa: E402

PACKAGE = os.path.join(PYTHON, "agent_module")


class FormTests(unittest.TestCase):
    def setUp(self) -> None:
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = temporary.name

    def copied(self) -> str:
        """A folder with a copy that nobody may write, as the sandbox has it."""
        copy = os.path.join(self.folder, "agent_module")
        shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
        for folder, _, _ in os.walk(copy):
            os.chmod(folder, stat.S_IRUSR | stat.S_IXUSR)
            self.addCleanup(os.chmod, folder, stat.S_IRWXU)
        return self.folder

    def packed(self, name: str = "agent_module.zip") -> str:
        archive = os.path.join(self.folder, name)
        pack.pack(archive)
        return archive

    def serves(self, path: str) -> None:
        """A module with the SDK at this path says what it offers, answers, and names its own lines."""
        host = Host(path=path)
        self.addCleanup(host.close)
        op, _, answer = host.ready("logic_adapter", "greeter")
        self.assertEqual(answer, {})
        host.invoke(4, "logic_adapter", "greeter", {"text": "Hello!", "author": "Ada"})
        self.assertEqual(host.receive(), (REPLY, 4, {"text": "Hello, Ada.", "confidence": 0.75}))
        host.invoke(5, "logic_adapter", "greeter", {"text": "fail"})
        op, _, body = host.receive()
        self.assertEqual(op, ERROR)
        self.assertIn("ValueError: no greetings left (<string>:", body["message"])

    def test_a_module_works_with_a_copy_of_the_folder(self) -> None:
        self.serves(self.copied())

    def test_a_module_works_with_the_archive(self) -> None:
        self.serves(self.packed())

    def test_each_form_is_used_alone_and_has_all_names(self) -> None:
        program = (
            "import sys, agent_module; from agent_module import *; FakeHost(); "
            "from agent_module import make_contribution, QueryRow; print(agent_module.__file__)")
        for path in (self.copied(), self.packed()):
            with self.subTest(path):
                said = subprocess.run(
                    [sys.executable, "-c", program], env={**os.environ, "PYTHONPATH": path},
                    cwd="/", stdout=subprocess.PIPE, check=True, timeout=60)
                self.assertTrue(said.stdout.decode().startswith(path + os.sep), said.stdout)

    def test_the_same_package_makes_the_same_archive(self) -> None:
        archives = []
        for name, zone in (("a.zip", "UTC"), ("b.zip", "Asia/Tokyo")):
            path = os.path.join(self.folder, name)
            subprocess.run(
                [sys.executable, os.path.join(PYTHON, "pack.py"), path], check=True, timeout=60,
                env={**os.environ, "TZ": zone}, umask=0o077 if zone == "UTC" else 0o022)
            with open(path, "rb") as file:
                archives.append(file.read())
        self.assertEqual(*archives)

    def test_the_archive_has_each_source_and_nothing_else(self) -> None:
        sources = set()
        for folder, _, files in os.walk(PACKAGE):
            sources |= {
                os.path.relpath(os.path.join(folder, file), PYTHON) for file in files
                if file.endswith(".py") or file == "py.typed"}
        with zipfile.ZipFile(self.packed()) as archive:
            self.assertIsNone(archive.testzip())
            self.assertEqual(archive.namelist(), sorted(archive.namelist()))
            self.assertEqual(set(archive.namelist()), sources)

    def test_an_archive_that_cannot_be_written_is_said(self) -> None:
        said = subprocess.run(
            [sys.executable, os.path.join(PYTHON, "pack.py"), f"{self.folder}/none/a.zip"],
            stderr=subprocess.PIPE, timeout=60)
        self.assertEqual(said.returncode, 1)
        self.assertIn(b"none/a.zip can't be written: ", said.stderr)


class StartTests(unittest.TestCase):
    def test_a_module_loads_only_what_it_imports(self) -> None:
        program = (
            "import sys; from agent_module import Datasource, Event, Module\n"
            "print([name for name in sys.modules if name.startswith('agent_module.')])")
        said = subprocess.run(
            [sys.executable, "-c", program], env={**os.environ, "PYTHONPATH": PYTHON},
            stdout=subprocess.PIPE, check=True, timeout=60)
        loaded = said.stdout.decode()
        for late in ("testing", "outputs", "routes", "calls", "log_follower", "sliding_window"):
            self.assertNotIn(f"'agent_module.{late}", loaded)

    def test_what_a_call_needs_is_there_before_the_first_one(self) -> None:
        program = """
            import sys
            from agent_module import Module, Route

            module = Module("fixture", "1.0.0")

            @module.route("loaded")
            class Loaded(Route):
                async def respond(self, request):
                    return [name for name in sys.modules if name.startswith("agent_module.")]

            module.run()
        """
        host = Host(program)
        self.addCleanup(host.close)
        _, loaded = host.handshake()
        self.assertEqual(loaded[0], LOADED)
        host.send(4, 2, {"contribution": "loaded", "kind": "route", "process": "p", "settings": {}})
        host.receive()
        host.invoke(3, "route", "loaded", {"method": "GET", "path": "x"})
        op, _, reply = host.receive()
        self.assertEqual(op, REPLY)
        self.assertIn("agent_module.routes", reply["json"])
        self.assertNotIn("agent_module.calls", reply["json"])


if __name__ == "__main__":
    unittest.main()
