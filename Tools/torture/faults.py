"""faults.py AGENT FOLDER FAULTS SEED : writes and syncs of the running host fail, each at another moment.

`strace` lets three calls fail, from the Nth on. Publishers are refused meanwhile; the host opens the
database anew, checks it and goes on.
"""

import json
import os
import random
import signal
import subprocess
import time

from agent import Agent, Failure, run, within
from check import check, stored
from producers import Crowd

KINDS = [("pwrite64", "EIO"), ("pwrite64", "ENOSPC"), ("fdatasync", "EIO")]


def main(binary, folder, faults, seed):
    rng = random.Random(seed)
    with open(os.path.join(folder, "settings.json"), "w", encoding="utf-8") as file:
        json.dump({"logging": {"level": "warning"}}, file)
    states = set()
    with Agent(binary, folder) as agent:
        crowd = Crowd(agent, seed)
        agent.start()
        agent.wait_up()
        # What fails while the host opens the database ends the host, as a person who starts it wants.
        within(30, "the database isn't open", lambda: agent.ask("status")["database"]["state"] == "READY")
        crowd.start()
        for _ in range(faults):
            for call, error in KINDS:
                inject(agent, crowd, call, error, rng.randint(1, 40), states)
        crowd.stop()
        check(crowd, stored(agent))
        agent.stop()
        agent.check_file()
    for sentence in sorted(crowd.sentences()):
        print(f"torture-host: {sentence}")
        if not sentence.startswith("503 "):
            raise Failure("a broken disk isn't a 503")
    if not {"FAULTY", "FULL"} <= states:
        raise Failure(f"of the database was said: {sorted(states)}")
    print(f"torture-host: {faults} times each of {len(KINDS)} faults; {crowd.summary()}")


def inject(agent, crowd, call, error, first, states):
    """Lets three such calls fail, and waits until the host has recovered."""
    refused = crowd.total("refused")
    tracer = subprocess.Popen(
        ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={call}",
         "-e", f"inject={call}:error={error}:when={first}..{first + 2}", "-p", str(agent.process.pid)])

    def is_felt():
        states.add(agent.ask("status")["database"]["state"])
        return crowd.total("refused") > refused

    try:
        within(30, f"{call} fails with {error}, and nobody is refused", is_felt)
        # The others fail too.
        end = time.monotonic() + 0.5
        while time.monotonic() < end:
            is_felt()
    finally:
        tracer.send_signal(signal.SIGINT)
        tracer.wait(10)
    within(60, f"after {call} {error} the host doesn't store again",
           lambda: agent.ask("status")["database"]["state"] == "READY")
    before = crowd.total("acknowledged")
    within(30, "nothing is acknowledged again", lambda: crowd.total("acknowledged") > before + 20)


if __name__ == "__main__":
    run("torture-host", main, str, str, int, str)
