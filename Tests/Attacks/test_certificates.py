"""What wrong files for TLS can't do to the port and the host."""

import os
import signal
import ssl
import socket
import subprocess
import time
import unittest

from test_requests import Listening


def make_certificate(folder, name):
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
         "-nodes", "-days", "60", "-subj", "/CN=localhost", "-addext",
         "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", f"{folder}/{name}.key", "-out",
         f"{folder}/{name}.pem"], check=True, capture_output=True)


class Secured(Listening):
    """An agent whose port speaks TLS."""

    def __init__(self):
        super().__init__()
        for name in ("a", "b"):
            make_certificate(self.folder, name)
        self.settings["http"]["tls"] = {"certificate": "a.pem", "key": "a.key"}

    def is_open(self):
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=5) as plain:
                with context.wrap_socket(plain) as secure:
                    secure.sendall(b"GET /api/v1/health/live HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    return secure.recv(12) == b"HTTP/1.1 200"
        except OSError:
            return False

    def listener(self):
        return next(port for port in self.ask("GET", "status")[1]["listeners"] if port["name"] == "http")


class Certificates(unittest.TestCase):
    def test_a_key_that_does_not_fit_is_refused_and_the_port_stays(self):
        with Secured() as agent:
            agent.until("the port is open", agent.is_open)
            wrong = {"http": {"tls": {"certificate": "a.pem", "key": "b.key"}}}
            status, answer = agent.ask("PATCH", "settings", wrong)
            self.assertEqual(status, 422, answer)
            self.assertIn("doesn't match", answer["detail"])
            self.assertTrue(agent.is_open())

            os.replace(f"{agent.folder}/b.key", f"{agent.folder}/a.key")
            status, answer = agent.ask("POST", "reload")
            self.assertEqual(status, 200)
            [change] = [change for change in answer["changes"] if change["process"] == "http"]
            self.assertIn("doesn't match", change["problem"])
            agent.until("the trouble is shown", lambda: agent.listener()["problem"])
            self.assertTrue(agent.is_open())

            os.replace(f"{agent.folder}/b.pem", f"{agent.folder}/a.pem")
            self.assertEqual(agent.ask("POST", "reload")[0], 200)
            agent.until("the port has the new pair", lambda: agent.listener()["problem"] is None)
            agent.until("the port is open", agent.is_open)

    def test_a_pipe_as_a_certificate_holds_nothing_up(self):
        agent = Secured()
        os.unlink(f"{agent.folder}/a.pem")
        os.mkfifo(f"{agent.folder}/a.pem")
        agent.settings["notifications"] = {"notifiers": {"hook": {
            "type": "webhook", "url": f"https://localhost:{agent.port}/", "allow_private": True,
            "ca_file": "a.pem", "timeout": "2s"}}}
        # `give` reads no content, so that the pipe is left alone.
        with agent:
            agent.until("the port has failed", lambda: agent.listener()["state"] == "FAILED")
            begin = time.monotonic()
            self.assertEqual(agent.verb("doctor", seconds=30).returncode, 1)
            status, _ = agent.ask("POST", "notifiers/hook/test", seconds=30)
            self.assertEqual(status, 200)
            agent.host.send_signal(signal.SIGTERM)
            agent.host.wait(timeout=15)
            self.assertEqual(agent.host.returncode, 0)
            self.assertLess(time.monotonic() - begin, 40)


if __name__ == "__main__":
    unittest.main()
