"""What a manifest or a module's files say can't make the host do what the module may not, nor show
something else than what is put into force."""

import json
import os
import shutil
import tempfile
import unittest

from places import Agent, users

MARK = "escaped"


class Manifests(unittest.TestCase):
    def agent(self, user):
        agent = Agent(user)
        agent.modules.append("evil")
        agent.settings["processes"]["bad"] = {"type": "evil", "restart": "temporary"}
        return agent

    def evil(self, agent, command, **members):
        agent.manifest(
            "evil", command=command,
            processes={"evil": {"kind": "datasource", "settings": {"type": "object"}}}, **members)

    def refuses(self, agent, *words):
        """The agent runs, the module's worker doesn't go on, and the log says why."""
        with agent:
            agent.until(
                "it has ended", lambda: agent.process("bad")["state"] in ("FAILED", "FINISHED"))
            for word in words:
                self.assertIn(word, agent.said())
            self.assertFalse(os.path.exists(f"{agent.folder}/{MARK}"))

    def test_a_first_line_with_an_assignment_permits_no_folder(self):
        for user in users():
            agent = self.agent(user)
            self.evil(agent, ["./run"])
            os.makedirs(f"{agent.folder}/modules/evil/A=")
            agent.write(
                "modules/evil/run",
                "#!/usr/bin/env -S A=/../../../../../../../../.. /usr/bin/python3 main.py\n", 0o755)
            self.refuses(agent, "without options and assignments")

    def test_a_first_line_names_no_folder(self):
        agent = self.agent(users()[-1])
        self.evil(agent, ["./run"])
        agent.write("modules/evil/run", "#!/\n", 0o755)
        self.refuses(agent, "can't be started")

    def test_a_program_elsewhere_needs_a_permission(self):
        for command in (["./link"], ["./script"]):
            for user in users():
                agent = self.agent(user)
                self.evil(agent, command)
                secret = agent.write("secret-program", "#!/bin/sh\necho secret\n", 0o755)
                os.symlink(secret, f"{agent.folder}/modules/evil/link")
                agent.write("modules/evil/script", f"#!{secret}\n", 0o755)
                self.refuses(agent, "lies neither in the module's folder")

    def test_nothing_of_a_module_is_run_to_plan_or_to_show_it(self):
        for user in users():
            for name in ("python-3", "node"):
                agent = self.agent(user)
                agent.write(
                    f"modules/evil/{name}",
                    f"#!/bin/sh\necho out > {agent.folder}/{MARK}\necho /\necho /\necho /\n", 0o755)
                self.evil(agent, [f"{agent.folder}/modules/evil/{name}", "main.py"])
                agent.give()
                for words in (["validate"], ["features"], ["module", "list"],
                              ["module", "show", "evil"], ["module", "check", "evil"]):
                    agent.verb(*words)
                    self.assertFalse(os.path.exists(f"{agent.folder}/{MARK}"), words)
                self.refuses(agent)

    def test_a_folder_that_may_be_run_permits_no_program(self):
        agent = Agent(users()[-1], permissions={"run": ["/usr/bin"]})
        with agent:
            self.assertNotEqual(agent.attempt("command", ["execute /bin/ls"])["execute /bin/ls"], 0)

    def test_a_permission_is_absolute_plain_and_outside_of_proc(self):
        agent = self.agent(users()[0])
        cases = {
            "/\0var/lib/tides": "U+0000", "/usr\x1b[8m": "U+001B", "/usr/\u202etxt": "U+202E",
            "../..": "isn't absolute", "/srv/../etc": "..", "/proc/self/root": "/proc",
            "/proc/1": "/proc",
        }
        for path, words in cases.items():
            with self.subTest(path=path):
                self.evil(agent, ["python3"], permissions={"read": [path]})
                agent.give()
                result = agent.verb("validate")
                self.assertNotEqual(result.returncode, 0)
                self.assertIn(words, result.stdout)
                self.assertNotIn("\x1b[8m", result.stdout)
        for key in ("write", "run"):
            self.evil(agent, ["python3"], permissions={key: ["/proc"]})
            agent.give()
            self.assertIn("/proc", agent.verb("validate").stdout)
            self.assertNotEqual(agent.verb("validate").returncode, 0)
        agent.temporary.cleanup()

    def test_permissions_are_shown_as_they_are_enforced(self):
        agent = self.agent(users()[0])
        place = agent.temporary.name
        # One link leads to the agent's private files, the other lies where another module may write.
        os.symlink(f"{agent.folder}/.agent", f"{place}/private")
        os.mkdir(f"{place}/shared")
        os.symlink("/etc", f"{place}/shared/other")
        os.symlink("/etc", f"{place}/right")
        agent.manifest(
            "good", command=["python3"], permissions={"write": [f"{place}/shared"]},
            processes={"idle_good": {"kind": "datasource", "settings": {"type": "object"}}})
        self.evil(agent, ["python3"], permissions={
            "read": [f"{place}/private", f"{place}/shared/other", f"{place}/right"]})
        package = shutil.copytree(f"{agent.folder}/modules/evil", f"{place}/evil")
        agent.give()
        for words in (["module", "list"], ["module", "show", "evil"], ["module", "show", "evil", "--json"],
                      ["module", "enable", "evil"], ["features"], ["module", "install", package]):
            with self.subTest(words):
                said = agent.verb(*words).stdout
                for name in ("private", "shared/other"):
                    self.assertIn(f"{place}/{name} (which permits nothing)", said)
                self.assertIn(f"{place}/right (that is /etc)", said)
        agent.temporary.cleanup()

    def test_texts_hide_nothing(self):
        agent = self.agent(users()[0])
        for members in ({"title": "Tides\x1b[8m"}, {"description": "a\u202eb"}, {"title": "a\u009bb"}):
            self.evil(agent, ["python3"], **members)
            agent.give()
            self.assertIn("hidden_character", agent.verb("validate", "--json").stdout)
        self.evil(agent, ["python\0"])
        agent.give()
        self.assertIn("hidden_character", agent.verb("validate", "--json").stdout)
        agent.temporary.cleanup()

    def test_no_text_writes_a_line_of_its_own(self):
        forged = "x\r\nFORGED\x1b[2J\u0085\u202e"
        manifests = [
            {"title": forged, forged: 1}, {"name": forged}, {"version": forged},
            {"permissions": {"read": [f"/{forged}"], forged: []}}, {"requires": {forged: forged}},
            {"processes": {forged: {"kind": forged}}}, {"actions": {"a": {"title": 1, forged: 2}}},
        ]
        agent = self.agent(users()[0])
        folder = f"{agent.folder}/modules/evil"
        marks = ("\nFORGED", "\rFORGED", "\x1b", "\u0085", "\u202e")
        verbs = (
            ["validate"], ["features"], ["doctor"], ["module", "list"], ["module", "show", "evil"],
            ["module", "check", "evil"], ["module", "enable", "evil"], ["module", "pack", "evil"],
            ["module", "install", folder], ["build", "evil"], ["process", "enable", "bad"])
        os.makedirs(f"{folder}/sub")
        os.symlink("/", f"{folder}/sub/{forged}")
        for manifest in manifests:
            agent.write("modules/evil/module.json", json.dumps(
                {"name": "evil", "version": "1.0.0", "command": ["python3"], **manifest}))
            agent.give()
            for words in verbs:
                with self.subTest(manifest=str(manifest)[:60], words=words):
                    said = agent.verb(*words).stdout
                    for mark in marks:
                        self.assertNotIn(mark, said)
        agent.write("modules/evil/module.json", json.dumps(
            {"name": "evil", "version": "1.0.0", "command": ["python3"]}))
        said = agent.verb("module", "pack", "evil").stdout
        self.assertIn("is a link", said)
        for mark in marks:
            self.assertNotIn(mark, said)
        agent.temporary.cleanup()

    def refuses_to_read(self, folder, program):
        """A module whose program lies in `folder` can't read what lies beside it."""
        secret = f"{folder}/secret"
        with open(secret, "w") as file:
            file.write("secret")
        for user in users():
            for name in (f"{folder}/{program}", f"./elsewhere/{program}"):
                agent = Agent(user)
                agent.command("evil", "idle_evil", {}, name)
                agent.modules.append("evil")
                os.symlink(folder, f"{agent.folder}/modules/evil/elsewhere")
                with self.subTest(user=user, program=name), agent:
                    status, answer = agent.ask(
                        "POST", "modules/evil/actions/read", {"path": secret})
                    # It isn't started, or it is refused.
                    self.assertNotEqual((status, answer), (200, 0))

    def test_a_virtual_environment_elsewhere_needs_a_permission(self):
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)
            os.mkdir(f"{folder}/bin")
            with open(f"{folder}/pyvenv.cfg", "w") as file:
                file.write("home = /usr/bin\n")
            python = shutil.which("python3", path="/usr/bin:/bin")
            os.symlink(os.path.realpath(python), f"{folder}/bin/python3")
            self.refuses_to_read(folder, "bin/python3")

    @unittest.skipUnless(os.access("/opt", os.W_OK), "only root may write into /opt")
    def test_a_program_in_opt_opens_no_folder(self):
        with tempfile.TemporaryDirectory(prefix="attack-", dir="/opt") as folder:
            os.chmod(folder, 0o755)
            os.mkdir(f"{folder}/bin")
            with open(f"{folder}/bin/program", "w") as file:
                file.write("#!/usr/bin/python3\nimport runpy, sys\nsys.path.insert(0, '.')\n"
                           "runpy.run_path('main.py', run_name='__main__')\n")
            os.chmod(f"{folder}/bin/program", 0o755)
            self.refuses_to_read(folder, "bin/program")

    def test_a_pipe_in_place_of_a_library_stops_no_verb(self):
        agent = Agent(users()[-1])
        library = f"{agent.folder}/modules/library/liblibrary.so"
        os.remove(library)
        os.mkfifo(library)
        agent.give()
        for words in (["validate"], ["doctor"], ["features"], ["module", "list"],
                      ["module", "show", "library"], ["module", "pack", "library"]):
            with self.subTest(words=words):
                agent.verb(*words, seconds=20)
        agent.temporary.cleanup()

    def test_a_link_is_shown_as_it_is_enforced(self):
        agent = self.agent(users()[0])
        os.makedirs(f"{agent.folder}/modules/evil", exist_ok=True)
        os.symlink("/etc", f"{agent.folder}/modules/evil/harmless")
        path = f"{agent.folder}/modules/evil/harmless"
        self.evil(agent, ["python3"], permissions={"read": [path]})
        agent.give()
        shown = json.loads(agent.verb("module", "list", "--json").stdout)
        self.assertIn(f"{path} (that is /etc)", json.dumps(shown))
        agent.temporary.cleanup()


if __name__ == "__main__":
    unittest.main()
