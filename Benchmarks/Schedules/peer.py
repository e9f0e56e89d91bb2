"""cronsim's part: for each expression the next times after a start, and how long that took.

Reads lines "expression<TAB>zone<TAB>start<TAB>count" (seconds since 1970) and writes lines
"nanoseconds per time<TAB>time,time,…".
"""

import sys
import time
from datetime import datetime, timezone
from zoneinfo import ZoneInfo

from cronsim import CronSim


def measure(expression, zone, start, count):
    began = time.process_time_ns()
    times = CronSim(expression, start.astimezone(zone))
    found = [next(times) for _ in range(count)]
    took = time.process_time_ns() - began
    return took / count, [int(moment.timestamp()) for moment in found]


for line in sys.stdin:
    expression, zone, start, count = line.rstrip("\n").split("\t")
    zone = timezone.utc if zone == "UTC" else ZoneInfo(zone)
    start = datetime.fromtimestamp(int(start), timezone.utc)
    took, found = measure(expression, zone, start, int(count))
    print(f"{took}\t{','.join(map(str, found))}", flush=True)
