"""Creates tasks that fail for good while hosts are killed."""

import http.client
import json
import threading

from agent import Connection


class FailingTasks(threading.Thread):
    """Creates tasks that fail for good, and remembers the acknowledged ones."""

    def __init__(self, agent, stopped):
        super().__init__(daemon=True)
        self.agent = agent
        self.stopped = stopped
        self.acknowledged = set()

    def run(self):
        connection = Connection(self.agent.socket)
        number = 0
        while not self.stopped.wait(0.1):
            # One whose answer was lost is asked for again.
            task = {"name": f"u{number}", "type": "fails", "status": "queued", "unique": {"key": f"u{number}"}}
            try:
                status, body = connection.ask("POST", "tasks", task)
            except (OSError, http.client.HTTPException):
                connection.close()
                continue
            if status in (200, 201):
                self.acknowledged.add(str(json.loads(body)["id"]))
                number += 1
        connection.close()
