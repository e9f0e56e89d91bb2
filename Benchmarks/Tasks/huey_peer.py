"""huey_peer.py FILE COUNT: SqliteHuey at its defaults, as lines of `name number`.

Tasks that do nothing are enqueued one by one, and taken and executed in one thread without a pause
between them: what its consumer does at best. Then one alone, through a consumer with its defaults.
"""

import logging
import sys
import threading
import time

from huey import SqliteHuey
from huey.consumer import Consumer

logging.disable(logging.CRITICAL)
path, count = sys.argv[1], int(sys.argv[2])
huey = SqliteHuey("bench", filename=path)


@huey.task()
def nothing(n):
    return None


start = time.perf_counter()
for _ in range(count):
    nothing(1)
print("enqueue", int(count / (time.perf_counter() - start)))

start = time.perf_counter()
while (task := huey.dequeue()) is not None:
    huey.execute(task)
print("drain", int(count / (time.perf_counter() - start)))

consumer = Consumer(huey)
# Signals are for the main program; here nobody sends any.
consumer._set_signal_handlers = lambda: None
thread = threading.Thread(target=consumer.run, daemon=True)
thread.start()
time.sleep(1)


@huey.task()
def something():
    return 1


times = []
for _ in range(20):
    start = time.perf_counter()
    something().get(blocking=True, backoff=1, max_delay=0.001)
    times.append(time.perf_counter() - start)
print("idle_us", int(sorted(times)[len(times) // 2] * 1e6))
