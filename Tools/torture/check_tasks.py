"""What must hold of tasks after torture, whatever happened; looked up in the database of a host that has ended."""

import collections
import json
import os
import sqlite3

from agent import Failure

ENDED = ("succeeded", "failed", "cancelled", "dead")


def check(folder, producers, bots):
    database = sqlite3.connect(f"file:{os.path.join(folder, '.agent', 'store.db')}?mode=ro", uri=True)
    database.row_factory = sqlite3.Row
    tasks = {row["id"]: row for row in database.execute("SELECT * FROM tasks")}
    assignments = list(database.execute("SELECT * FROM assignments"))
    fires = list(database.execute("SELECT * FROM schedule_fires"))
    claimed = [row["task"] for row in database.execute("SELECT task FROM task_claims")]
    database.close()
    if claimed:
        raise Failure(f"nothing runs, and there are claims of the tasks {claimed}")
    check_acknowledged(tasks, producers)
    dead = check_ended(tasks)
    check_bots(tasks, assignments, bots)
    fired = check_schedules(tasks, fires)
    attempts = check_programs(folder, tasks)
    acknowledged = sum(len(producer.acknowledged) for producer in producers)
    if acknowledged == 0 or fired == 0 or not any(bot.done for bot in bots):
        raise Failure("nothing was done")
    sentences = sum((producer.sentences for producer in producers), collections.Counter())
    for sentence, times in sentences.most_common(3):
        print(f"torture-tasks: refused {times} times: {sentence}")
    return (f"{acknowledged} acknowledged tasks and {fired} of schedules have ended, none twice; {dead} are dead, "
            f"since they were lost ten times, or running when a host ended twice; {sum(row['attempt'] for row in tasks.values())} leases, "
            f"{attempts} attempts of programs, {sum(len(bot.done) for bot in bots)} ends told by bots")


def check_acknowledged(tasks, producers):
    for producer in producers:
        for key, number in producer.acknowledged.items():
            if number not in tasks or tasks[number]["unique_key"] != f"key:{key}":
                raise Failure(f"the acknowledged task {key} ({number}) is missing")


def check_ended(tasks):
    """Every task has ended, once, and what is dead was lost too often."""
    dead = 0
    for number, task in tasks.items():
        if task["state"] not in ENDED:
            raise Failure(f"task {number} is {task['state']}")
        states = [json.loads(line)["state"] for line in task["history"].decode().splitlines()]
        ends = [state for state in states if state in ENDED]
        if ends != [task["state"]] or states[-1] != ends[0]:
            raise Failure(f"task {number} has ended as {ends}")
        if task["owner"] is not None or task["wake"] is not None:
            raise Failure(f"task {number} has ended and is still {task['owner']}'s")
        if task["state"] == "dead" and (task["lost"] >= 10 or task["host_ends"] >= 2):
            dead += 1
        elif task["state"] != "succeeded":
            raise Failure(f"task {number} is {task['state']}: {states[-3:]}, {task['result']}")
    return dead


def check_bots(tasks, assignments, bots):
    rows = {row["id"]: row for row in assignments}
    for row in assignments:
        if row["state"] in ("pending", "accepted"):
            raise Failure(f"assignment {row['id']} is {row['state']}, and its task has ended")
    completed = collections.Counter(row["task"] for row in assignments if row["state"] == "completed")
    twice = [task for task, times in completed.items() if times > 1]
    if twice:
        raise Failure(f"task {twice[0]} was completed {completed[twice[0]]} times")
    for bot in bots:
        for number in bot.done:
            row = rows.get(number)
            if row is None or row["state"] != "completed" or tasks[row["task"]]["attempt"] != row["attempt"]:
                raise Failure(f"the end of assignment {number} was acknowledged, and isn't there")


def check_schedules(tasks, fires):
    """One task at most for a schedule and a time; each that was made is there."""
    made = collections.Counter()
    for task in tasks.values():
        if task["schedule"] is not None:
            metadata = json.loads(task["definition"])["metadata"]
            made[task["schedule"], metadata["fire_time"]] += 1
    for (schedule, time), times in made.items():
        if times > 1:
            raise Failure(f"schedule {schedule} has made {times} tasks for {time}")
    for fire in fires:
        if fire["task"] is not None and fire["task"] not in tasks:
            raise Failure(f"schedule {fire['schedule']} has fired for {fire['time']}, and the task is missing")
    return len(made)


def check_programs(folder, tasks):
    """Each attempt ran once, none beside another; what succeeded has ended."""
    said = collections.Counter()
    path = os.path.join(folder, "said")
    with open(path, encoding="utf-8") as file:
        said.update(file.read().splitlines())
    for line, times in said.items():
        if line.startswith("overlap"):
            raise Failure(f"a task was done by two at once: {line}")
        if times > 1:
            raise Failure(f"an attempt was made {times} times: {line}")
    for number, task in tasks.items():
        if task["type"] == "command" and task["state"] == "succeeded":
            if f"end {number} {task['attempt']}" not in said:
                raise Failure(f"task {number} has succeeded, and its attempt {task['attempt']} hasn't ended")
    return sum(line.startswith("begin") for line in said)
