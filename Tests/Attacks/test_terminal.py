"""A terminal that is stopped holds up nothing but what is written to it."""

import fcntl
import os
import subprocess
import unittest

from places import AGENT, Agent, users


class Stopped(Agent):
    """An agent whose output nobody reads once it runs."""

    def __init__(self):
        super().__init__(users()[-1])
        self.settings["notifications"] = {
            "rules": [{"name": "alarm", "when": {"event": "alarm"}, "group": ["key"], "to": ["console"]}]}
        self.text = b""

    def start(self):
        self.reader, writer = os.pipe()
        fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
        self.host = subprocess.Popen(
            [AGENT, "run"], stdout=writer, stderr=writer, **self.options())
        # Another description of the same pipe: the host's own one must block.
        self.filler = os.open(f"/proc/self/fd/{writer}", os.O_WRONLY | os.O_NONBLOCK)
        os.close(writer)

    def said(self):
        if b"runs in" not in self.text:
            self.text += os.read(self.reader, 4096)
        return self.text.decode()

    def fill(self):
        """Fills the pipe, as a terminal that is stopped does."""
        for size in (4096, 1):
            try:
                while True:
                    os.write(self.filler, b"x" * size)
            except BlockingIOError:
                pass

    def __exit__(self, *exception):
        os.close(self.filler)
        os.close(self.reader)
        super().__exit__(*exception)


class Terminal(unittest.TestCase):
    def test_a_terminal_that_is_stopped_holds_up_no_other_file_work(self):
        with Stopped() as agent:
            agent.fill()
            for key in range(4):
                status, _ = agent.ask("POST", "events", {"type": "alarm", "key": f"k{key}"})
                self.assertEqual(status, 201)

            def is_under_way():
                alerts = agent.ask("GET", "alerts?limit=10")[1]["alerts"]
                deliveries = agent.ask("GET", "deliveries?limit=10")[1]["deliveries"]
                return len(alerts) == 4 and any(
                    one["state"] in ("sending", "delivered") for one in deliveries)

            agent.until("a notice is on its way to the terminal", is_under_way)
            for target in ("health", "metrics", "diagnostics"):
                with self.subTest(target):
                    self.assertEqual(agent.ask("GET", target, seconds=60)[0], 200)
            status, answer = agent.ask("POST", "schedules", {
                "name": "s", "cron": "0 2 * * *", "zone": "Europe/Berlin",
                "task": {"type": "command", "run_command": "/bin/true"}})
            self.assertEqual(status, 201, answer)


if __name__ == "__main__":
    unittest.main()
