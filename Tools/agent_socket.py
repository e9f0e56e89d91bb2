"""The API on an agent's Unix socket, for scripts that try or measure agents."""

import http.client
import json
import socket


class Connection(http.client.HTTPConnection):
    """HTTP on the agent's Unix socket; kept alive."""

    def __init__(self, path, timeout=20):
        super().__init__("agent", timeout=timeout)
        self.path = path

    def connect(self):
        connected = socket.socket(socket.AF_UNIX)
        connected.settimeout(self.timeout)
        connected.connect(self.path)
        self.sock = connected

    def ask(self, method, target, body=None):
        """Status and body of an answer; OSError or HTTPException when there is none."""
        if body is None:
            self.request(method, "/api/v1/" + target)
        else:
            self.request(method, "/api/v1/" + target, json.dumps(body),
                         {"Content-Type": "application/json"})
        answer = self.getresponse()
        return answer.status, answer.read()
