"""The page batches of all shards as one stream, so that no worker waits at the end of a shard."""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bonmun.errors import BonmunError
from bonmun.scale.reading import Damage, read_shard
from bonmun.workers.failure import Failure

if TYPE_CHECKING:
    import pyarrow as pa

    from bonmun.inputs.members import Reading
    from bonmun.scale.shards import Shard


@dataclass(frozen=True, slots=True)
class Begin:
    """A shard begins."""

    number: int
    shard: "Shard"


@dataclass(frozen=True, slots=True)
class Taken:
    """A batch was read."""

    rows: int


@dataclass(frozen=True, slots=True)
class End:
    """A shard has no more pages, or cannot be read at all."""

    failure: Failure | None = None


Step = Begin | Taken | Damage | End


class Intake:
    """Iterates over batches, and remembers the steps that the answers are told apart by."""

    def __init__(self, shards: "Iterable[tuple[int, Shard]]", reading: "Reading") -> None:
        self._shards, self._reading = shards, reading
        self._steps: deque[Step] = deque()

    def __iter__(self) -> "Iterator[pa.RecordBatch]":
        for number, shard in self._shards:
            self._steps.append(Begin(number, shard))
            failure = None
            try:
                for item in read_shard(shard, self._reading):
                    if isinstance(item, Damage):
                        self._steps.append(item)
                    else:
                        self._steps.append(Taken(item.num_rows))
                        yield item
            except (BonmunError, OSError) as error:
                failure = Failure.of(error)
            self._steps.append(End(failure))

    def next_batch(self) -> Taken:
        """Return the batch of the next answer."""
        step = self._steps.popleft()
        assert isinstance(step, Taken), step
        return step

    def settled(self) -> Iterator[Begin | Damage | End]:
        """Yield the steps before the next batch."""
        while self._steps and not isinstance(self._steps[0], Taken):
            step = self._steps.popleft()
            assert not isinstance(step, Taken)
            yield step
