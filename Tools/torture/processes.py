"""The processes that work in an agent's folder: the host, its workers, the programs of tasks."""

import os
import signal
import time

from agent import within


class Family:
    def __init__(self, folder):
        self.folder = os.path.realpath(folder)
        self.old = set()
        self.stopped = {}

    def members(self, but=None):
        """Pid and time of start of each that runs."""
        found = []
        for entry in os.listdir("/proc"):
            if not entry.isdigit() or int(entry) == but:
                continue
            try:
                if not os.readlink(f"/proc/{entry}/cwd").startswith(self.folder):
                    continue
                with open(f"/proc/{entry}/stat", encoding="utf-8") as file:
                    fields = file.read().rsplit(")", 1)[1].split()
            except OSError:
                continue
            if fields[0] not in "ZX":
                found.append((int(entry), fields[19]))
        return found

    def kill(self, member):
        self.signal(member, signal.SIGKILL)

    def signal(self, member, what):
        try:
            os.kill(member[0], what)
        except ProcessLookupError:
            pass

    def stop(self, member, seconds):
        """Stops one for some time."""
        self.signal(member, signal.SIGSTOP)
        self.stopped[member] = time.monotonic() + seconds

    def wake(self, all_of_them=False):
        """Continues the processes whose time is over."""
        for member, until in list(self.stopped.items()):
            if all_of_them or time.monotonic() > until:
                del self.stopped[member]
                if member in self.members():
                    self.signal(member, signal.SIGCONT)

    def remember(self, host):
        """These belong to a host that is about to be killed."""
        self.old = set(self.members(but=host))

    def check_gone(self, agent):
        """Nothing of the host before is left once the next one is up."""
        if not self.old:
            return
        agent.wait_up()
        within(30, "processes of a killed host are left", lambda: not self.old & set(self.members()))
        self.old = set()
