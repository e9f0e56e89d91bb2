"""disk.py AGENT FOLDER SEED : the host on a disk that gets full, is killed there, and recovers by itself.

FOLDER/.agent is a small disk of its own.
"""

import http.client
import json
import os
import random
import time

from agent import Agent, Connection, Failure, run, within
from check import check, stored
from producers import Crowd

BALLAST = 6 << 20


def main(binary, folder, seed):
    ballast = os.path.join(folder, ".agent", "ballast")
    with open(ballast, "wb") as file:
        file.write(bytes(BALLAST))
    with open(os.path.join(folder, "settings.json"), "w", encoding="utf-8") as file:
        json.dump({"events": {"retention": {"max_bytes": "100GB"}}}, file)
    with Agent(binary, folder) as agent:
        crowd = Crowd(agent, seed, pause=0.002, padding=2000)
        agent.start()
        agent.wait_up()
        crowd.start()
        within(120, "the disk isn't full", lambda: state(agent) == "FULL")
        look_while_full(agent, crowd)
        agent.kill()
        agent.start()
        agent.wait_up()
        time.sleep(1)
        look_while_full(agent, crowd)
        before = crowd.total("acknowledged")
        os.unlink(ballast)
        # Not by the status: the producers soon fill the disk again.
        within(30, "there is room, and the host doesn't store",
               lambda: crowd.total("acknowledged") > before + 100)
        crowd.stop()
        check(crowd, stored(agent))
        agent.stop()
        agent.check_file()
    for sentence, times in crowd.sentences().most_common():
        print(f"torture-host: {times} times: {sentence}")
        if not sentence.startswith("503 "):
            raise Failure("a full disk isn't a 503")
    print(f"torture-host: a full disk; {crowd.summary()}")


def state(agent):
    return agent.ask("status")["database"]["state"]


def look_while_full(agent, crowd):
    """Publishers are refused, reads go on, and the status says what stands in the way."""
    refused = crowd.total("refused")
    within(10, "nobody is refused", lambda: crowd.total("refused") > refused + 20)
    database = agent.ask("status")["database"]
    if database["state"] != "FULL" or not database["problem"]:
        raise Failure(f"the disk is full, and the database is {database}")
    said = agent.run("status")
    if said.returncode != 1 or b"FULL" not in said.stdout:
        raise Failure(f"agent status: {said.returncode} {said.stdout}")
    if not agent.ask("events?query=torture&limit=10")["events"]:
        raise Failure("nothing can be read")


if __name__ == "__main__":
    run("torture-host", main, str, str, str)
