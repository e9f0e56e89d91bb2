"""TLS of the port, and of webhooks: 1.2 and later, with suites that encrypt and authenticate at once."""

import contextlib
import socket
import ssl
import subprocess
import threading
import unittest
import warnings

from test_certificates import Secured, make_certificate

# Suites of TLS 1.2 for a key on a curve, as OpenSSL names them. The library of the agent knows the weak one.
STRONG = ("ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-GCM-SHA384", "ECDHE-ECDSA-CHACHA20-POLY1305")
WEAK = ("ECDHE-ECDSA-AES128-SHA", "ECDHE-ECDSA-AES256-SHA", "ECDHE-ECDSA-AES128-SHA256")
VERSIONS = {"-tls1": ssl.TLSVersion.TLSv1, "-tls1_1": ssl.TLSVersion.TLSv1_1,
            "-tls1_2": ssl.TLSVersion.TLSv1_2, "-tls1_3": ssl.TLSVersion.TLSv1_3}
OLD = ("-tls1", "-tls1_1")


def handshake(port, version, cipher="DEFAULT"):
    """What `openssl` says of a handshake. The security level is that of a client which takes anything."""
    ended = subprocess.run(
        ["openssl", "s_client", "-connect", f"127.0.0.1:{port}", version, "-cipher",
         f"{cipher}:@SECLEVEL=0"],
        input="", capture_output=True, text=True, timeout=60)
    return ended.returncode == 0, ended.stdout + ended.stderr


class Server:
    """A server that speaks one version of TLS, and answers a request with 200."""

    def __init__(self, folder, version, cipher="ALL"):
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(f"{folder}/a.pem", f"{folder}/a.key")
        self.context.set_ciphers(f"{cipher}:@SECLEVEL=0")
        with warnings.catch_warnings():
            # Old versions are what this is about.
            warnings.simplefilter("ignore", DeprecationWarning)
            self.context.minimum_version = self.context.maximum_version = VERSIONS[version]
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.requests = 0
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        with contextlib.suppress(OSError):
            while True:
                plain, _ = self.listener.accept()
                with plain, contextlib.suppress(OSError):
                    plain.settimeout(20)
                    with self.context.wrap_socket(plain, server_side=True) as client:
                        if client.recv(1 << 16).startswith(b"POST "):
                            self.requests += 1
                            client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")

    def close(self):
        self.listener.close()


class Versions(unittest.TestCase):
    def test_the_port_speaks_no_old_version_and_no_weak_suite(self):
        with Secured() as agent:
            agent.until("the port is open", agent.is_open)
            for version in OLD:
                with contextlib.closing(Server(agent.folder, version)) as server:
                    is_open, said = handshake(server.port, version)
                    self.assertTrue(is_open, f"OpenSSL itself can't: {said}")
                is_open, said = handshake(agent.port, version)
                self.assertFalse(is_open, said)
                # For its version, and not for want of a common suite.
                self.assertIn("alert protocol version", said)
            for cipher in STRONG:
                is_open, said = handshake(agent.port, "-tls1_2", cipher)
                self.assertTrue(is_open and f"Cipher    : {cipher}" in said, said)
            for cipher in WEAK:
                with contextlib.closing(Server(agent.folder, "-tls1_2", cipher)) as server:
                    self.assertTrue(handshake(server.port, "-tls1_2", cipher)[0])
                is_open, said = handshake(agent.port, "-tls1_2", cipher)
                self.assertFalse(is_open, said)
                self.assertIn("handshake failure", said)
            is_open, said = handshake(agent.port, "-tls1_3")
            self.assertTrue(is_open and "TLSv1.3" in said, said)

    def test_a_webhook_speaks_no_old_version_and_no_weak_suite(self):
        agent = Secured()
        make_certificate(agent.folder, "a")
        with contextlib.ExitStack() as stack:
            servers = {}
            for version, cipher in [(version, "ALL") for version in VERSIONS] + [("-tls1_2", WEAK[0])]:
                server = Server(agent.folder, version, cipher)
                stack.callback(server.close)
                servers[f"hook{len(servers)}"] = (server, version not in OLD and cipher == "ALL")
            agent.settings["notifications"] = {"notifiers": {
                name: {"type": "webhook", "url": f"https://localhost:{server.port}/", "allow_private": True,
                       "ca_file": "a.pem", "timeout": "20s"}
                for name, (server, _) in servers.items()}}
            stack.enter_context(agent)
            for name, (server, is_taken) in servers.items():
                with self.subTest(name):
                    status, answer = agent.ask("POST", f"notifiers/{name}/test")
                    self.assertEqual(status, 200, answer)
                    self.assertEqual(server.requests, 1 if is_taken else 0, answer)
                    if not is_taken:
                        self.assertIn("can't agree on TLS", str(answer))


if __name__ == "__main__":
    unittest.main()
