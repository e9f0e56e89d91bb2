"""What must hold after torture, whatever happened."""

import collections
import json

from agent import Failure


def stored(agent):
    """The numbers of the stored events, by producer, as often as they are there."""
    answer = agent.run("query", "type:torture", "--span", "from 2020-01-01 to now")
    if answer.returncode != 0:
        raise Failure(f"agent query: {answer.stderr.decode()}")
    numbers = collections.defaultdict(collections.Counter)
    for line in answer.stdout.splitlines():
        event = json.loads(line)
        numbers[event["producer"]][event["number"]] += 1
    return numbers


def check(crowd, numbers, faulty=False):
    """No acknowledged event is missing, none is there twice, no batch is there in part, and none that was
    refused is there at all. Where a host was killed on a disk that is faulty, what it has refused may be
    there: it had written the event, and could neither sync nor remove it."""
    for producer in crowd.producers:
        mine = numbers.get(producer.producer, collections.Counter())
        name = producer.producer
        twice = [number for number, times in mine.items() if times > 1]
        if twice:
            raise Failure(f"{name}: {len(twice)} events are there twice, such as {twice[0]}")
        sent = 0
        for batch in producer.batches:
            there = sum(number in mine for number in range(batch.first, batch.first + batch.count))
            sent += there
            if batch.outcome == "acknowledged" and there < batch.count:
                raise Failure(f"{name}: of {batch} {there} are there")
            if batch.outcome == "refused" and there > 0 and not faulty:
                raise Failure(f"{name}: of {batch}, which was refused, {there} are there")
            if there not in (0, batch.count):
                raise Failure(f"{name}: of {batch} only {there} are there")
        if sent != len(mine):
            raise Failure(f"{name}: {len(mine) - sent} events are there that nobody sent")


def check_modules(numbers):
    """A module gets no answer when its events are durable. They are stored in order: of each run the events up to
    some number are there, once each."""
    runs = {producer: mine for producer, mine in numbers.items() if producer.startswith("module ")}
    for run, mine in runs.items():
        if sorted(mine.elements()) != list(range(len(mine))):
            raise Failure(f"{run}: {len(mine)} events are there, not one after the other")
    return f"{sum(map(len, runs.values()))} of {len(runs)} runs of a module"
