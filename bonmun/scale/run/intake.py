"""The page batches of all shards as one stream, so that no worker waits at the end of a shard."""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import pyarrow as pa

from bonmun.inputs.member import Damage, Reading
from bonmun.scale.reading import ShardPages, read_shard
from bonmun.scale.shards import Shard


@dataclass(frozen=True, slots=True)
class Begin:
    """A shard begins."""

    number: int
    shard: Shard


@dataclass(frozen=True, slots=True)
class Taken:
    """A batch was read."""

    rows: int
    position: int
    """Bytes of the shard so far."""


@dataclass(frozen=True, slots=True)
class End:
    """A shard has no more pages."""

    pages: ShardPages
    """What was counted."""


class Intake:
    """Iterates over batches, and remembers what was read between them: batches are read ahead of their answers."""

    def __init__(self, shards: Iterable[tuple[int, Shard]], reading: Reading) -> None:
        self._shards, self._reading = shards, reading
        self._steps: deque[Begin | Taken | Damage | End] = deque()

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        for number, shard in self._shards:
            self._steps.append(Begin(number, shard))
            pages = read_shard(shard, self._reading)
            for item in pages:
                if isinstance(item, Damage):
                    self._steps.append(item)
                else:
                    self._steps.append(Taken(item.num_rows, pages.position))
                    yield item
            self._steps.append(End(pages))

    def next_batch(self) -> Taken:
        """Return the batch of the next answer."""
        step = self._steps.popleft()
        assert isinstance(step, Taken), step
        return step

    def settled(self) -> Iterator[Begin | Damage | End]:
        """Yield what was read before the next batch."""
        while self._steps and not isinstance(step := self._steps[0], Taken):
            self._steps.popleft()
            yield step
