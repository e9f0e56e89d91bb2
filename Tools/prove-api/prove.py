"""prove.py AGENT : holds the API of a running agent to its OpenAPI document.

The document is checked by openapi-spec-validator; schemathesis makes requests from it, right ones
and wrong ones, and compares the answers with it. `schemathesis.toml` says how many, and what is
left out; that is tried here, by hand."""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request

import openapi_spec_validator

import scripted
from agent import HERE, Agent
from scripted import fits


# They end the agent and write files anywhere: schemathesis.toml leaves them out.
BY_HAND = ("stop_agent", "backup")


def check(what, is_so, *details):
    if not is_so:
        raise SystemExit(f"prove-api: {what} {' '.join(map(str, details))}")


def fuzz(url, folder):
    command = [
        os.path.join(os.path.dirname(sys.executable), "st"),
        "--config-file", str(HERE / "schemathesis.toml"),
        "run", f"{url}/api/openapi.json", "--no-color", *sys.argv[2:],
    ]
    return subprocess.run(
        command, cwd=folder, env=os.environ | {"PYTHONPATH": str(HERE)}).returncode


def operations(document):
    return [
        (method.upper(), path, operation["operationId"])
        for path, item in document["paths"].items() for method, operation in item.items()]


def look(document, requests):
    """No answer may say that the host failed; each operation must have worked at least once."""
    broken = [request for request in requests if request["status"] >= 500]
    check("the host failed:", not broken, *(json.dumps(one) for one in broken[:5]))
    worked = {
        (one["method"], one["path"]) for one in requests if 200 <= one["status"] < 300}
    idle = [
        name for method, path, name in operations(document)
        if name not in BY_HAND and not any(method == done and fits(path, where) for done, where in worked)]
    check("these operations never succeed:", not idle, ", ".join(idle))
    print(f"prove-api: {len(requests)} requests; each operation succeeds at least once")


def closed(document, shape):
    """Whether a schema takes no member but its own."""
    while "$ref" in shape:
        shape = document["components"]["schemas"][shape["$ref"].rpartition("/")[2]]
    return shape.get("additionalProperties") is False


def misfits(document, url):
    """A body with a member that the document doesn't know is refused by every operation that takes no
    others. Without randomness, so that nothing hides it."""
    tried = 0
    for path, item in document["paths"].items():
        for method, operation in item.items():
            content = operation.get("requestBody", {}).get("content", {})
            shape = content.get("application/json", {}).get("schema")
            if shape is None or not closed(document, shape):
                continue
            # Parts of the path stand for numbers where they must be such.
            place = re.sub(r"{[^}]*}", "1", path)
            request = urllib.request.Request(
                f"{url}{place}", method=method.upper(), data=b'{"no_such_member": 1}',
                headers={"Content-Type": "application/json"})
            try:
                with urllib.request.urlopen(request) as reply:
                    status = reply.status
            except urllib.error.HTTPError as error:
                status = error.code
            check(f"{operation['operationId']} takes what its schema refuses:", status == 400, status)
            tried += 1
    check("hardly any operation has a closed body:", tried >= 30, tried)


def by_hand(agent):
    """The operations of BY_HAND."""
    copy = agent.folder / "copy.sqlite"
    status, body = agent.ask("POST", "backup", {"file": str(copy)})
    check("backup:", status == 201 and body == {"file": str(copy)} and copy.exists(), status, body)
    status, body = agent.ask("POST", "backup", {"file": str(copy)})
    check("backup again:", status == 400, status, body)
    status, body = agent.ask("POST", "stop")
    check("stop:", status == 202 and body == {"stopping": True}, status, body)
    check("the agent's end:", agent.process.wait(60) == 0, agent.said())


def main():
    # A signal that ends this process ends the agent too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with tempfile.TemporaryDirectory(prefix="prove-api.") as folder:
        agent = Agent(sys.argv[1], pathlib.Path(folder) / "agent")
        try:
            url = agent.url()
            with urllib.request.urlopen(f"{url}/api/openapi.json") as reply:
                document = json.load(reply)
            openapi_spec_validator.validate(document)
            try:
                scripted.Script(url, document, secret=scripted.secret(agent)).run(
                    scripted.FIRST_USER, scripted.PROCESSES, scripted.TASKS, scripted.TASKBOT,
                    scripted.SCHEDULES)
            except scripted.Mismatch as error:
                raise SystemExit(f"prove-api: {error}")
            misfits(document, url)
            result = fuzz(url, folder)
            check("the agent ended:", agent.process.poll() is None, agent.said())
            by_hand(agent)
            look(document, agent.requests())
        finally:
            agent.end()
        check("schemathesis found something, see above", result == 0)
        print(f"prove-api: ok, {len(operations(document))} operations")


if __name__ == "__main__":
    main()
