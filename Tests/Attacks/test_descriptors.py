"""What clients that hold connections and say nothing can't do to the host."""

import resource
import socket
import threading
import time
import unittest

from test_requests import Listening

SECONDS = 8


class Flood:
    """Connections of one address to a port, renewed as they are closed."""

    def __init__(self, port, most):
        self.port, self.most = port, most
        self.ended = threading.Event()
        self.opened = 0
        self.thread = threading.Thread(target=self.run)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.thread.join()

    @staticmethod
    def is_held(connection):
        connection.setblocking(False)
        try:
            if connection.recv(1):
                return True
        except BlockingIOError:
            return True
        except OSError:
            pass
        connection.close()
        return False

    def run(self):
        # This process holds as many connections as the host.
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        held = []
        while not self.ended.is_set():
            held = [one for one in held if self.is_held(one)]
            while len(held) < self.most and not self.ended.is_set():
                one = socket.socket()
                one.settimeout(0.3)
                try:
                    one.connect(("127.0.0.1", self.port))
                except OSError:
                    one.close()
                    break
                held.append(one)
                self.opened += 1
            time.sleep(0.05)
        for one in held:
            one.close()


class Few(Listening):
    """A host that the system lets open only 1,024 files, also where it asks for more."""

    def options(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_NOFILE, (1024, 1024))
        return super().options() | {"preexec_fn": limit}


class Descriptors(unittest.TestCase):
    def test_connections_of_one_client_leave_descriptors_for_the_host(self):
        with Few() as agent:
            with Flood(agent.port, 1_200) as flood:
                end = time.monotonic() + SECONDS
                while time.monotonic() < end:
                    status, _ = agent.ask("GET", "health/live", seconds=10)
                    self.assertEqual(status, 200)
                    self.assertIsNone(agent.host.poll())
                    time.sleep(0.2)
            self.assertGreater(flood.opened, 300)

    def test_a_host_raises_the_usual_limit_of_descriptors(self):
        class Usual(Listening):
            def options(self):
                def limit():
                    resource.setrlimit(resource.RLIMIT_NOFILE, (1024, 20_000))
                return super().options() | {"preexec_fn": limit}

        with Usual() as agent:
            with open(f"/proc/{agent.host.pid}/limits") as limits:
                [line] = [line for line in limits if line.startswith("Max open files")]
            self.assertEqual(line.split()[3], "20000")


if __name__ == "__main__":
    unittest.main()
