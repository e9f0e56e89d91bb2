"""A headless browser, driven through the DevTools protocol on a pair of pipes."""

import base64
import json
import os
import select
import shutil
import signal
import tempfile
import time

PROGRAMS = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]


def program():
    """The path of a browser, or None."""
    for name in PROGRAMS:
        found = shutil.which(name) or next(
            (path for path in [f"/usr/lib/chromium/{name}"] if os.access(path, os.X_OK)), None)
        if found:
            return found
    return None


class Browser:
    """One browser with one page."""

    def __init__(self, width=1280, height=900):
        self.folder = tempfile.mkdtemp(prefix="page-test-")
        their_input, self.output = os.pipe()
        self.input, their_output = os.pipe()
        options = [
            "--headless", "--remote-debugging-pipe", "--disable-gpu", "--no-first-run",
            "--disable-background-networking", "--disable-dev-shm-usage", "--hide-scrollbars",
            f"--user-data-dir={self.folder}", f"--window-size={width},{height}",
        ]
        if os.geteuid() == 0:
            # Chromium refuses its own sandbox to root.
            options.append("--no-sandbox")
        null = os.open(os.devnull, os.O_RDWR)
        self.pid = os.posix_spawn(
            program(), ["chromium"] + options + ["about:blank"],
            dict(os.environ, HOME=self.folder),
            # Far away first: one of the pipes' own numbers may be 3 or 4.
            file_actions=[
                (os.POSIX_SPAWN_DUP2, their_input, 100), (os.POSIX_SPAWN_DUP2, their_output, 101),
                (os.POSIX_SPAWN_DUP2, null, 1), (os.POSIX_SPAWN_DUP2, null, 2),
                (os.POSIX_SPAWN_DUP2, 100, 3), (os.POSIX_SPAWN_DUP2, 101, 4),
            ],
            setpgroup=0)
        for descriptor in (their_input, their_output, null):
            os.close(descriptor)
        self.rest = b""
        self.number = 0
        self.complaints = []
        target = self.call("Target.createTarget", {"url": "about:blank"})["targetId"]
        self.session = self.call(
            "Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.send(f"{domain}.enable")

    def close(self):
        os.close(self.output)
        try:
            os.killpg(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        os.waitpid(self.pid, 0)
        os.close(self.input)
        shutil.rmtree(self.folder, ignore_errors=True)

    # The protocol: JSON messages, each with a zero byte behind it.

    def call(self, method, parameters=None, session=None, patience=60):
        self.number += 1
        number = self.number
        message = {"id": number, "method": method, "params": parameters or {}}
        if session:
            message["sessionId"] = session
        os.write(self.output, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read(patience)
            if answer.get("id") != number:
                self.note(answer)
                continue
            if "error" in answer:
                raise RuntimeError(f"{method}: {answer['error']['message']}")
            return answer["result"]

    def send(self, method, parameters=None):
        return self.call(method, parameters, self.session)

    def read(self, patience):
        end = time.monotonic() + patience
        while b"\0" not in self.rest:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.input], [], [], left)[0]:
                raise TimeoutError("The browser doesn't answer.")
            piece = os.read(self.input, 1 << 16)
            if not piece:
                raise RuntimeError("The browser has ended.")
            self.rest += piece
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def note(self, event):
        """Remembers what a page complains of: errors, and what its policy has refused."""
        parameters = event.get("params", {})
        if event.get("method") == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.complaints.append(
                details.get("exception", {}).get("description") or details["text"])
        elif event.get("method") == "Log.entryAdded" and parameters["entry"]["level"] == "error":
            entry = parameters["entry"]
            self.complaints.append(f"{entry['text']} {entry.get('url', '')}")
        elif event.get("method") == "Runtime.consoleAPICalled" and parameters["type"] == "error":
            self.complaints.append(str(parameters["args"]))

    # Pages

    def open(self, address):
        self.send("Page.navigate", {"url": address})
        self.wait("document.readyState === 'complete'")

    def run(self, script):
        """The value of an expression in the page."""
        result = self.send("Runtime.evaluate", {
            "expression": script, "returnByValue": True, "awaitPromise": True,
            "userGesture": True})
        if "exceptionDetails" in result:
            raise RuntimeError(f"{script}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def wait(self, condition, patience=30):
        """Waits until an expression is true."""
        end = time.monotonic() + patience
        while True:
            try:
                if self.run(f"Boolean({condition})"):
                    return
            except RuntimeError:
                pass  # The page is on its way to another.
            if time.monotonic() > end:
                text = self.run("document.body && document.body.innerText")
                raise AssertionError(f"Waited in vain for: {condition}\n{text}")
            time.sleep(0.02)

    def type(self, selector, text):
        """Types into a field, as a person does."""
        self.run(f"document.querySelector({json.dumps(selector)}).focus()")
        self.send("Input.insertText", {"text": text})

    def click(self, selector):
        self.run(f"document.querySelector({json.dumps(selector)}).click()")

    def key(self, key, code=0):
        for kind in ("keyDown", "keyUp"):
            self.send("Input.dispatchKeyEvent", {
                "type": kind, "key": key, "text": key if len(key) == 1 else "",
                "windowsVirtualKeyCode": code})

    def size(self, width, height, dark=False):
        self.send("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        self.send("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})

    def picture(self, file):
        data = self.send("Page.captureScreenshot", {"format": "png"})["data"]
        with open(file, "wb") as output:
            output.write(base64.b64decode(data))
