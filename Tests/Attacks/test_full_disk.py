"""A host that is started where its files can't grow, as on a full disk."""

import os
import resource
import signal
import subprocess
import unittest

from places import AGENT, Agent, users

# Less than the index beside the database, which is 32 KB and made anew by each start.
FULL = 4096


class Crowded(Agent):
    """An agent whose later starts begin on a full disk."""

    is_full = False
    # How long a file may become there, in bytes.
    room = FULL

    def start(self):
        if not self.is_full:
            return super().start()
        # A write beyond the limit fails with EFBIG, where a full disk says ENOSPC. The signal of
        # the limit is ignored here, as by the host.
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        self.host = subprocess.Popen(
            [AGENT, "run"], stdout=self.output, stderr=subprocess.STDOUT, restore_signals=False,
            preexec_fn=lambda: self.limit(0, self.room), **self.options())

    @staticmethod
    def limit(pid, soft):
        _, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (soft, hard))

    def database(self):
        return self.ask("GET", "status")[1]["database"]

    def state(self):
        # The socket comes a moment after the start.
        return os.path.exists(f"{self.folder}/.agent/agent.sock") and self.database()["state"]


class FullDisk(unittest.TestCase):
    def test_a_host_that_was_stopped_starts_on_a_full_disk_and_recovers(self):
        with Crowded(users()[0]) as agent:
            agent.ask("POST", "events", {"type": "kept"})
            # A clean stop removes the index beside the database.
            agent.host.send_signal(signal.SIGTERM)
            agent.host.wait(timeout=60)
            agent.output.seek(0)
            agent.output.truncate()
            agent.is_full = True
            agent.start()
            agent.until("the database is full", lambda: agent.state() == "FULL")
            self.assertIn("room", agent.database()["problem"])
            agent.limit(agent.host.pid, resource.RLIM_INFINITY)
            agent.until("it recovers", lambda: agent.state() == "READY")
            self.assertEqual(agent.ask("POST", "events", {"type": "new"})[0], 201)

    def test_users_of_the_settings_are_added_once_there_is_room(self):
        with Crowded(users()[0]) as agent:
            hashed = subprocess.run(
                [AGENT, "user", "hash", "--password-stdin"], input="correct horse\n",
                capture_output=True, check=True, **agent.options()).stdout.strip()
            agent.host.send_signal(signal.SIGTERM)
            agent.host.wait(timeout=60)
            agent.output.seek(0)
            agent.output.truncate()
            # The index fits, and the log of recent changes has a few pages.
            agent.is_full, agent.room = True, 34_000
            agent.settings["access"] = {"users": {
                f"user{number}": {"role": "administrator", "password": hashed} for number in range(30)}}
            agent.give()
            agent.start()
            agent.until("there is no room for them", lambda: "can't be added" in agent.said())
            self.assertLess(len(agent.ask("GET", "users")[1]["users"]), 30)
            agent.limit(agent.host.pid, resource.RLIM_INFINITY)
            agent.until("it recovers", lambda: agent.state() == "READY")
            agent.until("the users are there", lambda: len(agent.ask("GET", "users")[1]["users"]) == 30)


if __name__ == "__main__":
    unittest.main()
