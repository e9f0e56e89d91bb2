"""lasting.py AGENT FOLDER FAULTS SEED : writes or syncs fail from some moment on, over several lives of the host,
which is killed in each of them. Then the disk is whole again.

`strace` starts each of these hosts, so that the calls fail while it opens the database, too. Afterwards every
acknowledged event is there, and the database is sound.
"""

import http.client
import json
import os
import random
import time

from agent import Agent, Failure, run, within
from check import check, stored
from producers import Crowd

CALLS = ["pwrite64", "fdatasync"]


def main(binary, folder, faults, seed):
    rng = random.Random(seed)
    with open(os.path.join(folder, "settings.json"), "w", encoding="utf-8") as file:
        json.dump({"logging": {"level": "warning"}, "supervision": {"safe_mode_after": 0}}, file)
    states, lives = set(), 0
    with Agent(binary, folder) as agent:
        crowd = Crowd(agent, seed)
        begin(agent)
        crowd.start()
        for call in CALLS * faults:
            agent.kill()
            for _ in range(rng.randint(2, 4)):
                live(agent, call, rng, states)
                lives += 1
            agent.command = [binary, "run"]
            begin(agent)
            before = crowd.total("acknowledged")
            within(30, "nothing is acknowledged again", lambda: crowd.total("acknowledged") > before + 20)
        crowd.stop()
        check(crowd, stored(agent), faulty=True)
        agent.stop()
        agent.check_file()
    for sentence in sorted(crowd.sentences()):
        print(f"torture-host: {sentence}")
        if not sentence.startswith("503 "):
            raise Failure("a broken disk isn't a 503")
    if crowd.total("refused") == 0:
        raise Failure("no write has failed")
    if "FAULTY" not in states:
        raise Failure(f"of the database was said: {sorted(states)}")
    print(f"torture-host: a disk that is broken over {lives} lives; {crowd.summary()}")


def begin(agent):
    """Starts a host on a whole disk."""
    agent.start()
    agent.wait_up()
    within(60, "the database isn't open", lambda: agent.ask("status")["database"]["state"] == "READY")


def live(agent, call, rng, states):
    """A host whose calls fail from some moment on, until it is killed or ends by itself."""
    agent.command = [
        "strace", "-D", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={call}",
        "-e", f"inject={call}:error=EIO:when={rng.choice([1, rng.randint(2, 60)])}+", agent.binary, "run"]
    agent.start()
    end = time.monotonic() + rng.uniform(0.5, 4)
    # What fails while the host opens the database ends the host, as a person who starts it wants.
    while time.monotonic() < end and agent.process.poll() is None:
        try:
            states.add(agent.ask("status")["database"]["state"])
        except (OSError, http.client.HTTPException, Failure):
            pass
        time.sleep(0.05)
    if agent.process.poll() is None:
        agent.kill()


if __name__ == "__main__":
    run("torture-host", main, str, str, int, str)
