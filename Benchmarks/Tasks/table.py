"""table.py FOLDER ROUNDS: the medians of the rounds, and of their ratios round by round."""

import statistics
import sys
from pathlib import Path

folder, rounds = Path(sys.argv[1]), int(sys.argv[2])


def read(name):
    lines = (line.split() for line in (folder / name).read_text().splitlines())
    return {key: float(value) for key, value in lines}


def column(who, what):
    return [read(f"{who}-{n}")[what] for n in range(1, rounds + 1)]


def middle(values):
    return statistics.median(values)


def ratio(what, who, other=None):
    return middle([a / b for a, b in zip(column("own", what), column(who, other or what))])


for what in ("enqueue", "drain"):
    print(f"{what}: {middle(column('own', what)):.0f}/s in groups of {middle(column('own', what + '_group')):.0f}")
    print(f"  huey {middle(column('huey', what)):.0f}/s: {ratio(what, 'huey'):.1f} x (8)")
    print(f"  pgqueuer {middle(column('pgqueuer', what)):.0f}/s: {ratio(what, 'pgqueuer'):.1f} x (1.5)")
    print(f"  SQLite alone {middle(column('probe', 'cycles')):.0f} cycles/s: {ratio(what, 'probe', 'cycles'):.2f} x (0.4)")
print(f"idle: {middle(column('own', 'idle_us')):.0f} us")
print(f"  a lone durable commit {middle(column('own', 'commit_us')):.0f} us: {ratio('idle_us', 'own', 'commit_us'):.2f} x (4)")
print(f"  huey {middle(column('huey', 'idle_us')):.0f} us: 1/{1 / ratio('idle_us', 'huey'):.0f} of it (1/5)")
full = folder / "full-1"
if full.exists():
    full = read("full-1")
    for what in ("enqueue", "drain", "idle_us"):
        print(f"{what} with a million finished tasks: {full[what]:.0f}, {full[what] / middle(column('own', what)):.2f} x")
