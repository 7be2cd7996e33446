"""Worker processes that can be killed: one pool with time and memory limits, a bounded queue and typed failures.

A worker holds one item at a time. One that crashes, hangs or runs out of memory loses its own item and is replaced;
`concurrent.futures` fails every pending item when a process dies, and cannot stop one that hangs. ::

    from bonmun.workers.pool import WorkerPool

    with WorkerPool(task, jobs=4, seconds=30, memory=2 << 30) as pool:
        for result in pool.map(items):         # in order, lazily; a `Failure` for an item that failed
            ...
        future = pool.submit(item, timeout=0)  # from any thread; `await asyncio.wrap_future(future)` in a coroutine

A task is a picklable function, called in spawned Python processes, or a `Command` that speaks JSON lines.
"""
