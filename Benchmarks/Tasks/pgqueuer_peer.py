"""pgqueuer_peer.py DSN COUNT: pgqueuer on PostgreSQL, as lines of `name number`.

256 enqueues are outstanding on ten connections; then a queue manager drains what there is, in batches
of 256.
"""

import asyncio
import logging
import sys
import time
from datetime import timedelta

import asyncpg
from pgqueuer import PgQueuer
from pgqueuer.db import AsyncpgPoolDriver
from pgqueuer.queries import Queries
from pgqueuer.types import QueueExecutionMode

logging.disable(logging.CRITICAL)


async def main(dsn: str, count: int) -> None:
    async with asyncpg.create_pool(dsn, min_size=10, max_size=10) as pool:
        driver = AsyncpgPoolDriver(pool)
        queries = Queries(driver)
        await queries.install()
        left = iter(range(count))

        async def enqueue() -> None:
            for _ in left:
                await queries.enqueue("nothing", b"1")

        start = time.perf_counter()
        await asyncio.gather(*(enqueue() for _ in range(256)))
        print("enqueue", int(count / (time.perf_counter() - start)))

        queuer = PgQueuer(driver)

        @queuer.entrypoint("nothing")
        async def nothing(job) -> None:
            return None

        start = time.perf_counter()
        await queuer.qm.run(
            batch_size=256,
            mode=QueueExecutionMode.drain,
            dequeue_timeout=timedelta(seconds=1),
        )
        print("drain", int(count / (time.perf_counter() - start)))


asyncio.run(main(sys.argv[1], int(sys.argv[2])))
