"""Features of a block's own words."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import groupby

from bonmun.features.hashing import terms
from bonmun.features.measured_page import MeasuredPage, log, share

_NUMBER = re.compile(rb"[0-9]+")


def wording(m: MeasuredPage) -> dict[str, list[float]]:
    """Counts over the text of each block."""
    s = m.stats
    return {
        "size": [log(x.size) for x in s],
        "word_length": [share(x.size, x.words) for x in s],
        "sentences": [log(x.sentences) for x in s],
        "commas": [log(x.commas) for x in s],
        "colons": [float(x.colons) for x in s],
        "digit_share": [share(x.digits, x.size) for x in s],
        "currencies": [float(x.currencies) for x in s],
        "quotes": [float(x.quotes) for x in s],
        "brackets": [float(x.brackets) for x in s],
        "dates": [float(x.dates) for x in s],
        "upper_share": [share(x.upper, x.letters) if x.letters else -1.0 for x in s],
        "capitalised_share": [share(x.capitalised, x.words) if x.letters else -1.0 for x in s],
        "ends_sentence": [float(x.ends_sentence) for x in s],
    }


def repetition(m: MeasuredPage, words: list[list[bytes]]) -> dict[str, list[float]]:
    """Words shared with the title and the page's running text, and copies of whole blocks."""
    titles = m.nodes.rows_of("title")[:1]
    title = set(terms(m.nodes.content(titles[0]))) if titles else set[bytes]()
    running = Counter(term for index in range(m.count) if m.long[index] for term in set(words[index]))
    texts = [text.encode().lower() for text in m.blocks.text]
    patterns = [_NUMBER.sub(b"0", text) for text in texts]
    times, alike = Counter(texts), Counter(patterns)
    before = _earlier(texts)
    return {
        "times": [float(times[text]) if text else 0.0 for text in texts],
        "times_but_digits": [float(alike[pattern]) if pattern else 0.0 for pattern in patterns],
        "copies_before": list(map(float, before)),
        "copy_run": _runs(m, before),
        "copied_run": _runs(m, _earlier(texts[::-1])[::-1]),
        "title_share": [share(sum(term in title for term in mine), len(mine)) for mine in words],
        "of_title": [share(len(title & set(mine)), len(title)) for mine in words],
        "known_share": [
            share(sum(running[term] > bool(m.long[index]) for term in mine), len(mine))
            for index, mine in enumerate(words)
        ],
    }


def _earlier(texts: Sequence[bytes]) -> list[int]:
    """The number of earlier blocks with the same text."""
    seen = Counter[bytes]()
    counts = []
    for text in texts:
        counts.append(seen[text] if text else 0)
        seen[text] += 1
    return counts


def _runs(m: MeasuredPage, copies: Sequence[int]) -> list[float]:
    """The size of the run of copies around each block: a page with all its text twice has long runs."""
    sizes: list[float] = []
    for copied, run in groupby(range(m.count), key=lambda index: bool(copies[index])):
        indexes = list(run)
        sizes += [log(sum(m.size[index] for index in indexes)) if copied else 0.0] * len(indexes)
    return sizes
