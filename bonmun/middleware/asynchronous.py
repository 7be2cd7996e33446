"""A synchronous generator as an asynchronous one."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


async def aiterate(items: Generator[T, None, None], stop: Callable[[], object]) -> AsyncGenerator[T, None]:
    """Yield the items of a generator that runs in a thread of its own.

    At the end, also of a cancelled or abandoned iteration, `stop` lets a waiting generator return, and it is closed.

    >>> async def tea() -> list[str]:
    ...     return [item async for item in aiterate((word for word in ["green", "black"]), print)]
    >>> asyncio.run(tea())
    <BLANKLINE>
    ['green', 'black']
    """
    loop, thread = asyncio.get_running_loop(), ThreadPoolExecutor(1, "bonmun-stream")
    finished = object()
    try:
        while (item := await loop.run_in_executor(thread, next, items, finished)) is not finished:
            yield item  # type: ignore[misc]  # The sentinel was excluded.
    finally:
        stop()
        closing = loop.run_in_executor(thread, items.close)
        thread.shutdown(wait=False)
        await asyncio.shield(closing)
