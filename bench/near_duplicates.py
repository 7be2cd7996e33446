"""Memory, speed and quality of the index of near-duplicates of `bonmun batch`.

python bench/near_duplicates.py                        1,000,000 random signatures, and 3,000 pairs
python bench/near_duplicates.py --documents 100000

Memory is the growth of the resident set, after the signatures were made one by one. Quality is measured on made-up
pairs of 400 words whose exact Jaccard similarities are spread evenly over 0.3 to 1: a pair is to be found from the
threshold on.
"""

import argparse
import os
import random
import statistics
from collections.abc import Sequence
from time import process_time

from bonmun import minhash
from bonmun.scale.sieve.band_index import BandIndex
from bonmun.scale.sieve.filters import Filters, Traits
from bonmun.scale.sieve.seen import Seen

THRESHOLDS = (0.5, 0.7, 0.8, 0.9)
WORDS = 400


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=1_000_000)
    parser.add_argument("--pairs", type=int, default=3000)
    wanted = parser.parse_args()
    quality(wanted.pairs)
    for threshold in (0.8, 0.9):
        memory(wanted.documents, threshold)


def memory(documents: int, threshold: float) -> None:
    """Print the memory and time for each of so many different documents, with exact and near-duplicates."""
    seen = Seen(Filters(unique=True, near_duplicates=threshold))
    before, start = resident(), process_time()
    for _ in range(documents):
        decided = seen.decide(Traits(digest=os.urandom(16), signature=os.urandom(minhash.HASHES)))
        assert decided is None
    seconds, grown = process_time() - start, resident() - before
    rows = minhash.rows_for(threshold)
    print(
        f"threshold {threshold}: {minhash.HASHES // rows} bands of {rows}; {documents:,} documents: "
        f"{grown / documents:.0f} bytes each (index {seen.size / documents:.0f}), "
        f"{seconds / documents * 1e6:.0f} µs each; 10^8 documents would need {grown / documents / 10:.0f} GB"
    )


def quality(pairs: int) -> None:
    """Print precision and recall at each threshold, and the share of pairs found by their distance from it."""
    generator = random.Random(1)
    made = [pair(generator, 0.3 + 0.7 * number / pairs) for number in range(pairs)]
    errors = [minhash.similarity(one, other) - exact for exact, one, other in made]
    print(f"{len(made):,} pairs; estimate: bias {statistics.mean(errors):+.4f}, error {rms(errors):.4f}")
    print("threshold  precision  recall  found at −0.10…−0.05  −0.05…0  0…+0.05  +0.05…+0.10  further off, wrong")
    for threshold in THRESHOLDS:
        found = [(exact - threshold, is_found(one, other, threshold)) for exact, one, other in made]
        precision = statistics.mean(distance >= 0 for distance, hit in found if hit)
        recall = statistics.mean(hit for distance, hit in found if distance >= 0)
        shares = [share(found, start / 100, start / 100 + 0.05) for start in (-10, -5, 0, 5)]
        wrong = sum(hit != (distance >= 0) for distance, hit in found if abs(distance) >= 0.1)
        print(f"{threshold:9}  {precision:.3f}  {recall:.3f}  " + "  ".join(f"{one:.3f}" for one in shares), wrong)


def share(found: Sequence[tuple[float, bool]], start: float, stop: float) -> float:
    return statistics.mean(hit for distance, hit in found if start <= distance < stop)


def pair(generator: random.Random, similarity: float) -> tuple[float, bytes, bytes]:
    """Return the exact similarity of two texts, near a wanted one, and their signatures."""
    one = [f"w{generator.randrange(50_000)}" for _ in range(WORDS)]
    other = list(one)
    while (exact := jaccard(one, other)) > similarity:
        other[generator.randrange(WORDS)] = f"w{generator.randrange(50_000)}"
    return exact, signed(one), signed(other)


def signed(words: Sequence[str]) -> bytes:
    return minhash.short(minhash.signature(minhash.words(" ".join(words))))


def jaccard(one: Sequence[str], other: Sequence[str]) -> float:
    first, second = (
        {tuple(words[start : start + minhash.SHINGLE]) for start in range(len(words) - minhash.SHINGLE + 1)}
        for words in (one, other)
    )
    return len(first & second) / len(first | second)


def is_found(one: bytes, other: bytes, threshold: float) -> bool:
    index = BandIndex(minhash.HASHES, minhash.rows_for(threshold))
    index.add(one)
    return bool(index.candidates(other)) and minhash.similarity(one, other) >= threshold


def rms(errors: Sequence[float]) -> float:
    return statistics.mean(error * error for error in errors) ** 0.5


def resident() -> int:
    """Return the resident set of this process in bytes."""
    with open("/proc/self/statm") as file:  # noqa: PTH123
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    main()
