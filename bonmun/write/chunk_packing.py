"""Which pieces of a document share a chunk: ranges of pieces, by heading or by size."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, chain, pairwise

from bonmun.write.chunk_pieces import Piece

Range = tuple[int, int]
"""The index of a chunk's first piece, and the index after its last."""


class Packing:
    """Distributes pieces over chunks; `size` measures a text, `limit` is `None` for chunks of any size."""

    def __init__(self, whole: str, pieces: Sequence[Piece], limit: int | None, size: Callable[[str], int]) -> None:
        self._whole, self._pieces, self._limit, self._size = whole, pieces, limit, size
        if limit is not None:
            starts = [piece.start for piece in pieces]
            self._own = [size(whole[piece.start : piece.end]) for piece in pieces]
            self._before = [0, *accumulate(size(whole[start:stop]) for start, stop in pairwise(starts))]
            """The size of all text before a piece."""
            self._section_end = _section_ends(pieces)

    def by_size(self) -> list[Range]:
        """Pack the document block by block."""
        return self._checked(self._packed(0, len(self._pieces)))

    def by_heading(self) -> list[Range]:
        """Divide the document into sections, and merge small ones."""
        if self._limit is None:
            starts = [index for index in range(1, len(self._pieces)) if self._starts_section(index)]
            return list(pairwise([0, *starts, len(self._pieces)])) if self._pieces else []
        return self._checked(self._merged(0, self._sections(0, len(self._pieces))))

    def _starts_section(self, index: int) -> bool:
        """Whether a piece is a heading after text; a heading right after another belongs to the same chunk."""
        return self._pieces[index].level > 0 and self._pieces[index - 1].level == 0

    def _fits(self, start: int, stop: int) -> bool:
        """Whether pieces fit into a chunk, by the sum of their sizes."""
        last = stop - 1
        return self._limit is None or self._before[last] - self._before[start] + self._own[last] <= self._limit

    def _merged(self, start: int, parts: Iterable[Range]) -> Iterator[Range]:
        """Merge neighbouring parts while they fit, and divide those that do not; the first begins at `start`."""
        end = start
        for part, stop in parts:
            if not self._fits(start, stop):
                if any(not piece.level for piece in self._pieces[start:part]):
                    yield start, part
                    start = part
                if not self._fits(start, stop):
                    yield from self._divided(start, part, stop)
                    start = stop
            end = stop
        if start < end:
            yield start, end

    def _divided(self, start: int, section: int, stop: int) -> Iterator[Range]:
        """The chunks of a section that does not fit, with the headings above it from `start` on."""
        text = section + 1
        while text < stop and not self._pieces[text].level:
            text += 1
        if text == stop:
            return self._packed(start, stop)
        return self._merged(start, chain([(section, text)], self._sections(text, stop)))

    def _sections(self, start: int, stop: int) -> Iterator[Range]:
        """The text before the first heading, then one section after the other."""
        while start < stop:
            end = self._section_end[start] or start + 1
            while not self._pieces[start].level and end < stop and not self._pieces[end].level:
                end += 1
            yield start, end
            start = end

    def _packed(self, start: int, stop: int) -> Iterator[Range]:
        """Fill chunks piece by piece; headings at the end of a chunk move to the next."""
        for index in range(start, stop):
            if index == start or self._fits(start, index + 1):
                continue
            cut = index
            while cut > start and self._pieces[cut - 1].level:
                cut -= 1
            oversized = not self._fits(index, index + 1)
            if cut > start:
                yield start, cut
                start = cut
            if start < index and not oversized and not self._fits(start, index + 1):
                yield start, index
                start = index
        if start < stop:
            yield start, stop

    def _checked(self, ranges: Iterator[Range]) -> list[Range]:
        """The ranges, halved where the size of a text is more than the sum over its pieces."""
        checked = []
        waiting = list(ranges)[::-1]
        while waiting:
            start, stop = waiting.pop()
            if stop - start > 1 and self.exceeds(start, stop) and all(map(self._fits_alone, range(start, stop))):
                middle = (start + stop) // 2
                waiting += [(middle, stop), (start, middle)]
            else:
                checked.append((start, stop))
        return checked

    def _fits_alone(self, index: int) -> bool:
        return self._fits(index, index + 1)

    def exceeds(self, start: int, stop: int) -> bool:
        """Whether the text of some pieces exceeds the limit."""
        text = self._whole[self._pieces[start].start : self._pieces[stop - 1].end]
        return self._limit is not None and self._size(text) > self._limit


def _section_ends(pieces: Sequence[Piece]) -> list[int]:
    """For every heading the index after its section: of the next heading of its level or above; 0 for other pieces."""
    ends = [0] * len(pieces)
    opened: list[int] = []
    for index, piece in enumerate(pieces):
        while piece.level and opened and pieces[opened[-1]].level >= piece.level:
            ends[opened.pop()] = index
        opened += [index] * (piece.level > 0)
    for index in opened:
        ends[index] = len(pieces)
    return ends
