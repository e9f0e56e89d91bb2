"""Nothing that a module tries gets it out of its sandbox: every attempt is a row, in a library and in
a command, as every user that can be had, with each kind of permission."""

import os
import signal
import socket
import tempfile
import threading
import unittest

from places import Agent, users
from underway import Underway

KINDS = ["library", "command"]
# A command may become another program: it stays in its sandbox, and is executed once by it.
BY_KIND = {"library": set(), "command": {"execve"}}
# Without a sandbox these work for everybody, so it is the sandbox that refuses them.
CONTROL = [
    "read the settings", "read .env", "list the agent's folder", "read /etc/passwd",
    "read the host's arguments", "write the settings", "write into the agent's folder",
    "write into its own folder", "write into /tmp", "write into /dev/shm", "make a folder",
    "make a symbolic link", "make a named pipe", "chmod", "fchmodat", "fchmod", "chown", "fchown",
    "utimensat", "utime", "lease a file", "watch names (inotify)", "watch names (dnotify)",
    "fork", "clone", "execve", "a thread with descriptors of its own",
    "close_range of descriptors of one's own", "signal the host", "signal a sibling", "tgkill the host",
    "pidfd_send_signal", "F_SETOWN", "F_SETSIG", "FIOSETOWN", "setpriority of the host",
    "sched_setaffinity", "sched_setscheduler", "prlimit64 of the host", "make a group",
    "untie from the host", "become a subreaper", "socket AF_INET", "socket AF_UNIX",
    "socket NETLINK_ROUTE", "socketpair of datagrams", "socketpair of packets",
    "bind a pair to an abstract name", "make a close wait (SO_LINGER)",
    "hold a descriptor in flight", "put a socket in the place of the host's",
    "shmget", "semget", "msgget", "a memfd of 257 MB", "shared memory without a file",
    "shared memory of /dev/zero",
]
# Programs of one's own and the network's libraries need messages that may hold descriptors.
MESSAGES = ["hold a descriptor in flight", "put a socket in the place of the host's"]
# Programs of one's own share memory with those that started them.
SHARED = ["shared memory without a file", "shared memory of /dev/zero"]
# What may write may name a device: these then go to the driver of the file, here none.
DEVICES = [
    "TIOCCONS", "TIOCSCTTY", "TIOCSPGRP", "TIOCSWINSZ", "TCSETS", "SIOCSIFFLAGS", "SIOCBRADDBR",
    "FICLONE", "BLKROSET", "LOOP_SET_FD", "TUNSETIFF",
]
CONTROL_OF_ROOT = ["read /etc/shadow", "have capabilities", "open the host's memory"]


def sleepers():
    """The numbers of the programs that `outlive` has left."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline") as file:
                if file.read() == "sleep\x00604.25\x00":
                    found.append(int(pid))
        except OSError:
            continue
    return found


def in_flight(pid):
    """How many descriptors wait in the sockets of a process."""
    found = 0
    for number in os.listdir(f"/proc/{pid}/fdinfo"):
        with open(f"/proc/{pid}/fdinfo/{number}") as file:
            found += sum(int(line.split()[1]) for line in file if line.startswith("scm_fds:"))
    return found


class Sandbox(unittest.TestCase):
    def attempts(self, opened=(), **arguments):
        """Makes all attempts in all ways; those of `opened` are permitted, and none else."""
        for user in users():
            with Agent(user, **arguments) as agent:
                agent.attempt("library", ["honest: sleep"])
                before = agent.state()
                for kind in KINDS:
                    with Underway(agent, kind):
                        results = agent.attempt(kind)
                    self.assertGreater(len(results), 400)
                    for name, error in results.items():
                        with self.subTest(user=user, kind=kind, attempt=name):
                            self.judge(name, error, set(opened) | BY_KIND[kind])
                    process = agent.process(f"module:{kind}")
                    self.assertEqual((process["state"], process["sandbox"]), ("RUNNING", "full"))
                self.assertEqual(agent.state(), before)

    def judge(self, name, error, opened):
        if name.startswith("honest:"):
            self.assertEqual(error, 0)
        elif name not in opened:
            self.assertNotEqual(error, 0, "it got out")

    def test_a_module_without_permission_gets_nowhere(self):
        self.attempts()

    def test_a_network_is_the_internet_and_nothing_else(self):
        self.attempts(
            # A name that nobody can connect to: a pair is connected already.
            ["socket AF_INET", "socket AF_INET6", "socket NETLINK_ROUTE",
             "bind a pair to an abstract name", *MESSAGES],
            permissions={"network": "any"})

    def test_programs_are_those_that_were_named_and_below_the_worker(self):
        self.attempts(
            ["fork", "clone", "execve", "make a group", "make a session", "become a subreaper",
             *MESSAGES, *SHARED],
            permissions={"run": ["/bin/true"]})

    def test_what_may_write_may_write_there_and_change_no_attribute(self):
        self.attempts(
            ["a memfd of 257 MB", "watch names (inotify)", *DEVICES], permissions={"write": ["/var/empty"]})

    def test_a_pipe_among_the_permissions_switches_nothing_off(self):
        self.attempts(
            ["a memfd of 257 MB", "watch names (inotify)", *DEVICES],
            permissions={"read": ["/dev/stdout"], "write": ["/dev/stderr"]})

    def test_without_a_sandbox_the_attempts_succeed(self):
        """Else they would prove nothing."""
        for user in users():
            with Agent(user, sandbox="off") as agent:
                wanted = CONTROL + (CONTROL_OF_ROOT if user == "root" else [])
                for kind in KINDS:
                    results = agent.attempt(kind, wanted)
                    for name in wanted:
                        with self.subTest(user=user, kind=kind, attempt=name):
                            self.assertEqual(results[name], 0)
                    self.assertEqual(agent.process(f"module:{kind}")["sandbox"], "none")

    def test_a_worker_isnt_let_in_by_the_management_socket_without_a_sandbox_either(self):
        for user in users():
            with Agent(user, sandbox="off") as agent:
                for kind in KINDS:
                    results = agent.attempt(kind, ["socket AF_UNIX", "ask the management socket"])
                    self.assertEqual(results["socket AF_UNIX"], 0)
                    self.assertNotEqual(results["ask the management socket"], 0)

    def test_a_link_that_a_module_makes_widens_no_permission(self):
        """Its next worker gets the permission anew, and may find something else at its path."""
        for user in users():
            for key in ("read", "write"):
                with self.subTest(user=user, key=key), tempfile.TemporaryDirectory() as folder:
                    place = f"{folder}/inner"
                    os.mkdir(place)
                    permissions = {"write": [folder]}
                    permissions[key] = [*permissions.get(key, []), place]
                    agent = Agent(user, permissions=permissions)
                    for path in (folder, place):
                        os.chown(path, agent.user.pw_uid, agent.user.pw_gid)
                    agent.settings["processes"]["redirects"] = {
                        "type": "idle", "does": "redirect", "place": place, "target": agent.folder}
                    with agent:
                        agent.until("there is a link", lambda: os.path.islink(place))
                        self.assertNotEqual(agent.read("command", f"{agent.folder}/.env"), 0)

    def test_what_a_module_has_started_ends_with_the_host(self):
        """At once, or when the next host starts."""
        outlives = {"outlives": {"type": "idle", "does": "outlive"}}
        permissions = {"run": ["/bin/sleep"]}
        with Agent(users()[-1], permissions=permissions, processes=outlives) as agent:
            left = agent.until("it has started one", sleepers)
            try:
                agent.host.kill()
                agent.host.wait()
                # The settings of the next one start none.
                agent.settings["processes"].pop("outlives")
                agent.give()
                agent.start()
                agent.until("the next host runs", lambda: agent.said().count("runs in") == 2)
                agent.until("it has ended", lambda: not sleepers(), seconds=5)
            finally:
                for pid in left:
                    if pid in sleepers():
                        os.kill(pid, signal.SIGKILL)

    def test_a_socket_that_closes_slowly_doesnt_hold_up_supervision(self):
        for user in users():
            with socket.socket() as peer:
                peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                peer.bind(("127.0.0.1", 0))
                peer.listen()
                lingers = {"type": "idle", "does": "linger", "port": peer.getsockname()[1],
                           "restart": "temporary"}
                with Agent(user, permissions={"network": "any"},
                           processes={"lingers": lingers}) as agent:
                    agent.until(
                        "it has ended",
                        lambda: agent.process("lingers")["state"] in ("FAILED", "FINISHED"))
                    self.assertEqual(agent.process("sibling")["state"], "RUNNING")
                    self.assertNotIn("Not ready", agent.said())

    def test_no_descriptor_waits_where_nobody_counts_it(self):
        """Also where a worker has closed the socket to its host, to have its number for another."""
        for sandbox, expected in (("required", 0), ("off", 1)):
            processes = {name: {"type": "idle", "does": name, "sandbox": sandbox}
                         for name in ("hide", "replace")}
            # Without a sandbox the second one has cut itself off.
            processes = processes if expected == 0 else {"hide": processes["hide"]}
            with Agent(users()[-1], processes=processes) as agent:
                for name in processes:
                    agent.until(f"{name} has tried", lambda: f"{name} is through" in agent.said())
                    process = agent.process(name)
                    self.assertEqual(process["state"], "RUNNING")
                    self.assertEqual(in_flight(process["pid"]), expected)

    def test_descriptors_in_flight_leave_siblings_and_host_theirs(self):
        """The kernel counts them for each user, and all workers have one."""
        for user in users():
            processes = {"crowds": {"type": "idle", "does": "crowd"}}
            with self.subTest(user=user), Agent(
                    user, permissions={"network": "any"}, processes=processes) as agent:
                agent.until("it has tried", lambda: "crowd is through" in agent.said())
                self.assertGreater(in_flight(agent.process("crowds")["pid"]), 200)
                # A result of this length goes beside its frame.
                self.assertEqual(len(agent.read("good", "large")), 2 << 20)
                for name in ("sibling", "crowds", "module:good"):
                    self.assertEqual(agent.process(name)["state"], "RUNNING", agent.said())

    def test_memory_that_is_mapped_and_touched_nowhere_is_counted(self):
        """A host of root sees how much it is; another one takes the most that it can be."""
        processes = {name: {"type": "idle", "does": name, "limits": {"memory": "64MB"},
                            "restart": "temporary"} for name in ("drop", "bury")}
        for user in users():
            with self.subTest(user=user), Agent(user, processes=processes) as agent:
                for name in processes:
                    agent.until("it is ended", lambda: agent.process(name)["state"] == "FAILED")
                    self.assertIn("limits.memory allows 64 MB", agent.process(name)["reason"])
                self.assertEqual(agent.process("sibling")["state"], "RUNNING")

    def test_a_library_that_claims_a_sandbox_isnt_believed(self):
        """Its code sends the frame by which the worker says that it is loaded."""
        for user in users():
            agent = Agent(user, sandbox="off")
            agent.write("modules/library/claim", "")
            with self.subTest(user=user), agent:
                caller = threading.Thread(target=agent.call_in_vain, args=("library",), daemon=True)
                caller.start()
                reached = agent.until(
                    "it has claimed it", lambda: agent.process("module:library")["sandbox"])
                self.assertEqual(reached, "none")

    def test_memory_that_is_mapped_nowhere_and_threads_are_counted(self):
        processes = {
            "hoards": {"type": "idle", "does": "hoard", "limits": {"memory": "64MB"},
                       "restart": "temporary"},
            "multiplies": {"type": "idle", "does": "multiply", "restart": "temporary"},
        }
        words = {"hoards": "limits.memory allows 64 MB", "multiplies": "threads"}
        with Agent(users()[-1], processes=processes) as agent:
            for name, word in words.items():
                agent.until(
                    f"{name} is ended", lambda: agent.process(name)["state"] == "FAILED")
                self.assertIn(word, agent.process(name)["reason"])
            self.assertEqual(agent.process("sibling")["state"], "RUNNING")


if __name__ == "__main__":
    unittest.main()
