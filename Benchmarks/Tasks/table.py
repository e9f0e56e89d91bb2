"""table.py FOLDER ROUNDS SCHEDULES: the medians of the rounds, and of their ratios round by round.
In brackets is what they should be, which a short run leaves out together with the peers."""

import os
import statistics
import sys
from pathlib import Path

folder, rounds, schedules = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
SHORT = "BENCH_SHORT" in os.environ


def read(name):
    lines = [line.split() for line in (folder / name).read_text().splitlines()]
    # The output has lines of the engine's log, too.
    return {line[0]: float(line[1]) for line in lines if len(line) == 2}


def column(who, what):
    return [read(f"{who}-{n}")[what] for n in range(1, rounds + 1)]


def middle(values):
    return statistics.median(values)


def ratio(what, who, other=None):
    return middle([a / b for a, b in zip(column("own", what), column(who, other or what))])


def say(text, target):
    print(text if SHORT else f"{text} ({target})")


for what in ("enqueue", "drain"):
    print(f"{what}: {middle(column('own', what)):.0f}/s in groups of {middle(column('own', what + '_group')):.0f}")
    if not SHORT:
        say(f"  huey {middle(column('huey', what)):.0f}/s: {ratio(what, 'huey'):.1f} x", 8)
        say(f"  pgqueuer {middle(column('pgqueuer', what)):.0f}/s: {ratio(what, 'pgqueuer'):.1f} x", 1.5)
    say(f"  SQLite alone {middle(column('probe', 'cycles')):.0f} cycles/s: {ratio(what, 'probe', 'cycles'):.2f} x", 0.4)
print(f"idle: {middle(column('own', 'idle_us')):.0f} us")
say(f"  a lone durable commit {middle(column('own', 'commit_us')):.0f} us: {ratio('idle_us', 'own', 'commit_us'):.2f} x", 4)
if not SHORT:
    say(f"  huey {middle(column('huey', 'idle_us')):.0f} us: 1/{1 / ratio('idle_us', 'huey'):.0f} of it", "1/5")
say(f"assigned to 100 bots, all waiting: {middle(column('assign', 'assign')):.0f}/s in groups of {middle(column('assign', 'assign_group')):.0f}", 1500)
say(f"from creation to assigned, 256 at once: {middle(column('assign', 'assign_flow')):.0f}/s", 1500)
if (folder / "full-1").exists():
    print("with a million finished tasks, beside few, in turns (0.8 to 1.2 x):")
    for what in ("enqueue", "drain", "idle_us"):
        full, few = (middle([read(f"{who}-{n}")[what] for n in (1, 2, 3)]) for who in ("full", "few"))
        print(f"  {what} {full:.0f}: {full / few:.2f} x")
    full = read("full-assign")
    for what in ("assign", "assign_flow"):
        print(f"  {what} {full[what]:.0f}: {full[what] / middle(column('assign', what)):.2f} x")
many, one = read(f"hold-{schedules}"), read("hold-1")
say(f"{many['held']:.0f} schedules: {(many['resident_kb'] - one['resident_kb']) / 1024:.1f} MiB more than one", 30)
seconds = "0.2" if SHORT else "10"
print(f"  in {seconds} s of idling {many['idle_cpu_us'] / 1000:.1f} ms of CPU time (one: {one['idle_cpu_us'] / 1000:.1f}), {many['idle_commits']:.0f} commits")
