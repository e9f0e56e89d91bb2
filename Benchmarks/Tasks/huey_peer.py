"""huey_peer.py FILE COUNT: SqliteHuey at its defaults, as lines of `name number`.

Tasks that do nothing are enqueued one by one, and taken and executed in one thread without a pause
between them: what its consumer does at best. Then one alone, which its consumer does, a process of its
own with the defaults; HUEY_FILE names the database then.
"""

import logging
import os
import subprocess
import sys
import time

from huey import SqliteHuey

logging.disable(logging.CRITICAL)
huey = SqliteHuey("bench", filename=os.environ.get("HUEY_FILE", ":memory:"))


@huey.task()
def nothing(n):
    return n


def rates(count):
    start = time.perf_counter()
    for _ in range(count):
        nothing(1)
    print("enqueue", int(count / (time.perf_counter() - start)))
    start = time.perf_counter()
    while (task := huey.dequeue()) is not None:
        huey.execute(task)
    print("drain", int(count / (time.perf_counter() - start)))


def idle():
    consumer = subprocess.Popen(
        [sys.executable, "-m", "huey.bin.huey_consumer", "huey_peer.huey", "-q"],
        cwd=os.path.dirname(os.path.abspath(__file__)),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        nothing(0).get(blocking=True, timeout=30)
        times = []
        for n in range(1, 21):
            # A consumer that has had nothing to do for a while looks less often.
            time.sleep(0.3)
            start = time.perf_counter()
            nothing(n).get(blocking=True, backoff=1, max_delay=0.001)
            times.append(time.perf_counter() - start)
    finally:
        consumer.terminate()
        consumer.wait()
    print("idle_us", int(sorted(times)[len(times) // 2] * 1e6))


if __name__ == "__main__":
    # By its name, which is what the consumer knows its tasks by.
    os.environ["HUEY_FILE"] = sys.argv[1]
    import huey_peer

    huey_peer.rates(int(sys.argv[2]))
    huey_peer.idle()
