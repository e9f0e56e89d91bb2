"""A small disk that something else fills, again and again: what is stored there fails meanwhile."""

import errno
import os
import random
import threading


class Crowding(threading.Thread):
    """Fills the disk of a folder to the last byte, frees it a moment later, and counts how often."""

    CHUNK = 1 << 16

    def __init__(self, folder, seed):
        super().__init__(daemon=True)
        self.ballast = os.path.join(folder, "ballast")
        self.random = random.Random(f"{seed} crowding")
        self.stopped = threading.Event()
        self.filled = 0

    def run(self):
        while not self.stopped.wait(self.random.uniform(0.3, 2)):
            self.fill()
            self.stopped.wait(self.random.uniform(0.05, 1))
            os.unlink(self.ballast)

    def fill(self):
        with open(self.ballast, "wb", buffering=0) as file:
            for size in (self.CHUNK, 1):
                try:
                    while True:
                        file.write(bytes(size))
                except OSError as error:
                    if error.errno != errno.ENOSPC:
                        raise
        self.filled += 1

    @classmethod
    def beside(cls, agent, seed):
        """One that has begun, where the agent's files have a disk of their own."""
        disk = os.path.join(agent.folder, ".agent")
        if not os.path.ismount(disk):
            return None
        crowding = cls(disk, seed)
        crowding.start()
        return crowding

    def end(self):
        """There is room from now on."""
        self.stopped.set()
        self.join(60)
