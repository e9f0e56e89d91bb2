"""kills.py AGENT FOLDER KILLS SEED : kills the host at random moments while eight producers publish over
HTTP and a module through its worker, and another module's process consumes.

The folder has the benchmark's modules.
"""

import json
import os
import random
import time

from agent import Agent, Failure, run
from check import check, check_modules, stored
from consumer import Keeper
from producers import Crowd


def settings(folder):
    return {
        "enabled_modules": ["bench_swift"],
        "logging": {"level": "warning"},
        "supervision": {"safe_mode_after": 0},
        "events": {"retention": {"max_bytes": "100GB"}},
        "processes": {
            "keeper": {"type": "event_keeper", "file": os.path.join(folder, "pages", "kept")},
            "publisher": {"type": "event_publisher"},
        },
    }


def main(binary, folder, kills, seed):
    with open(os.path.join(folder, "settings.json"), "w", encoding="utf-8") as file:
        json.dump(settings(folder), file)
    with Agent(binary, folder) as agent:
        crowd = Crowd(agent, seed)
        keeper = Keeper(agent)
        agent.start()
        agent.wait_up()
        crowd.start()
        begin = time.monotonic()
        kill_often(agent, crowd, keeper, kills, random.Random(seed))
        took = time.monotonic() - begin
        agent.wait_up()
        time.sleep(0.5)
        crowd.stop()
        agent.run("process", "stop", "publisher")
        keeper.wait_idle()
        numbers = stored(agent)
        check(crowd, numbers)
        said = [check_modules(numbers), keeper.check(numbers)]
        agent.stop()
        agent.check_file()
    if crowd.total("acknowledged") == 0:
        raise Failure("nothing was acknowledged")
    print(f"torture-host: {kills} kills in {took:.0f} s; {crowd.summary()}; {'; '.join(said)}")


def kill_often(agent, crowd, keeper, kills, rng):
    for kill in range(1, kills + 1):
        if rng.random() < 0.8:
            agent.wait_up()
        # The others are killed while they start.
        time.sleep(rng.uniform(0.05, 0.3))
        if kill % 5 == 0:
            keeper.look()
        agent.kill()
        if kill % max(1, kills // 10) == 0:
            agent.check_file()
            print(f"torture-host: {kill} kills; {crowd.summary()}", flush=True)
        agent.start()


if __name__ == "__main__":
    run("torture-host", main, str, str, int, str)
