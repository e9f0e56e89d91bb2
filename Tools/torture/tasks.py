"""tasks.py AGENT FOLDER KILLS SEED : kills the host, its workers and the programs of tasks at random moments,
while tasks are created, schedules fire each second and outside bots work; stops workers for longer than their
leases. Afterwards every acknowledged task must have ended, none twice.

The folder has the benchmark's modules. Where FOLDER/.agent is a disk of its own, it gets full again and again
meanwhile.
"""

import json
import os
import random
import threading
import time

from agent import Agent, Failure, run, within
from check_tasks import check
from crowding import Crowding
from errand_bots import Bot, Sleepers, ask, definition
from errands import Errands, program, schedules
from processes import Family

# How many tasks each has at once.
BOTS = {"patient": 4, "hasty": 4, "forgetful": 4, "sleeper": 1}


def settings(folder):
    return {
        "enabled_modules": ["bench_swift"],
        "logging": {"level": "warning"},
        "supervision": {"safe_mode_after": 0, "max_restarts": 1000000, "backoff": {"initial_ms": 1, "max_ms": 50}},
        "tasks": {"kill_after": "1s"},
    }


def main(binary, folder, kills, seed):
    with open(os.path.join(folder, "settings.json"), "w", encoding="utf-8") as file:
        json.dump(settings(folder), file)
    path = program(folder)
    stopped = threading.Event()
    with Agent(binary, folder) as agent:
        agent.start()
        agent.wait_up()
        ids = {name: post(agent, "bots", definition(name, most=most))["id"] for name, most in BOTS.items()}
        for schedule in schedules(path):
            post(agent, "schedules", schedule)
        producers = [Errands(f"e{place}", agent, path, seed, stopped) for place in range(8)]
        bots = [Bot(ids[name], agent, f"{seed} {name}", stopped, name == "patient")
                for name in BOTS if name != "sleeper"]
        sleepers = Sleepers(agent, ids["sleeper"])
        for thread in [*producers, *bots]:
            thread.start()
        within(60, "nothing is done", lambda: is_under_way(agent, producers, bots))
        crowding = Crowding.beside(agent, seed)
        begin = time.monotonic()
        counts = kill_often(agent, sleepers, kills, random.Random(seed))
        took = time.monotonic() - begin
        if crowding is not None:
            within(60, "the disk hasn't been full twice", lambda: crowding.filled >= 2)
            crowding.end()
        agent.wait_up()
        come_to_rest(agent, producers, sleepers, ids)
        stopped.set()
        for thread in [*producers, *bots]:
            thread.join(60)
        agent.stop()
        within(30, "processes are left behind", lambda: not Family(folder).members())
        agent.check_file()
    said = check(folder, producers, bots)
    if crowding is not None:
        print(f"torture-tasks: the disk was full {crowding.filled} times meanwhile")
    print(f"torture-tasks: {counts['host']} hosts, {counts['other']} workers and programs killed and "
          f"{counts['stopped']} stopped in {took:.0f} s; {sleepers.refused} late words of stopped bots "
          f"refused; {said}")


def post(agent, target, body=None):
    status, answer = ask(agent.socket, "POST", target, body)
    if status not in (200, 201):
        raise Failure(f"POST {target}: {status} {answer}")
    return answer


def is_under_way(agent, producers, bots):
    """Tasks of producers and schedules are there, and bots have ended some: a kill meets work, however few kills."""
    fires = ask(agent.socket, "GET", "schedules/interval/fires")[1]["fires"]
    return (any("task_id" in fire for fire in fires) and any(producer.acknowledged for producer in producers)
            and any(bot.done for bot in bots))


def kill_often(agent, sleepers, kills, rng):
    counts = {"host": 0, "other": 0, "stopped": 0}
    family = Family(agent.folder)
    for kill in range(1, kills + 1):
        sleepers.look()
        family.wake()
        if rng.random() < 0.3:
            if rng.random() < 0.8:
                agent.wait_up()
            # The others are killed while they start.
            time.sleep(rng.uniform(0.02, 0.4))
            family.remember(agent.process.pid)
            agent.kill()
            agent.start()
            counts["host"] += 1
            family.check_gone(agent)
        else:
            time.sleep(rng.uniform(0.02, 0.15))
            members = family.members(but=agent.process.pid)
            if members and rng.random() < 0.05:
                family.stop(rng.choice(members), seconds=3)
                counts["stopped"] += 1
            if members:
                family.kill(rng.choice(members))
            counts["other"] += 1
        if kill % max(1, kills // 10) == 0:
            print(f"torture-tasks: {kill} kills", flush=True)
    family.wake(all_of_them=True)
    return counts


def come_to_rest(agent, producers, sleepers, ids):
    """Nothing new comes, and what is there ends."""
    for schedule in ["interval", "cron", "skipping", "errands"]:
        post(agent, f"schedules/{schedule}/pause")
    for producer in producers:
        producer.stopped = threading.Event()
        producer.stopped.set()
        producer.join(60)
    sleepers.end()
    ask(agent.socket, "DELETE", f"bots/{ids['sleeper']}")
    seen = 0

    def has_ended():
        nonlocal seen
        seen += 1
        # Bots that forgot something get it once more when they have come back.
        if seen % 100 == 0:
            for status in ["offline", "online"]:
                ask(agent.socket, "PUT", f"bots/{ids['patient']}/status", {"status": status})
        counts = agent.ask("task-counts")["counts"]
        return not any(count["count"] for count in counts
                       if count["status"] in ("scheduled", "queued", "assigned", "running"))

    within(300, "tasks don't end", has_ended)


if __name__ == "__main__":
    run("torture-tasks", main, str, str, int, str)
