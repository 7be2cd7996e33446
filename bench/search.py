"""Search in many documents: `python bench/search.py [--documents N] [--grow N] [--folder PATH]`.

The documents are shuffled sentences of the dev sets' gold texts in Korean, Chinese, Japanese and English, a quarter
each. There are few sentences for so many documents, so that every word is in far more documents than in real life:
the figures are an upper bound. Queries are one to three words of random sentences.

`--grow N` simulates the index alone, with documents of one language mix and no text, up to N documents.
"""

import argparse
import random
import re
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from corpus import pages
from sqlalchemy import Connection, StaticPool, create_engine, insert, text

from bonmun.store import open_store
from bonmun.store.clock import now
from bonmun.store.index import DocumentTokens, Filters, index_of
from bonmun.store.index_sqlite import SqliteIndex
from bonmun.store.query import parse
from bonmun.store.schema import DOCUMENTS, VERSIONS
from bonmun.store.store import Store
from bonmun.store.tokens import tokens

CORPORA = ("cjk_dev", "chinese_dev", "wcxb_dev")
LANGUAGES = {"ko": 30, "zh": 25, "ja": 25, "en": 20}
"""Sentences of a document, about 1,500 characters of English or 900 of the others."""
_SENTENCE = re.compile(r"[^.!?。！？\n]+[.!?。！？\n]?")
_WORD = {"en": re.compile(r"[A-Za-z]{3,}"), "ko": re.compile(r"[가-힣]{2,}")}
_CJK = re.compile(r"[\u3041-\u30ff\u4e00-\u9fff]{2,}")
_BATCH = 1_000


def sentences() -> dict[str, list[str]]:
    """The sentences of each language, in a fixed order."""
    found: dict[str, dict[str, None]] = {language: {} for language in LANGUAGES}
    for corpus in CORPORA:
        for page in pages(corpus):
            if page["lang"] in found:
                parts = _SENTENCE.findall(page["gold_text"] or "")
                found[page["lang"]].update(dict.fromkeys(part.strip() for part in parts if len(part.strip()) > 10))
    return {language: list(parts) for language, parts in found.items()}


def texts(pool: dict[str, list[str]], chance: random.Random, count: int) -> Iterator[tuple[str, str]]:
    """Language and text of so many documents."""
    names = list(LANGUAGES)
    for number in range(count):
        language = names[number % len(names)]
        length = chance.randint(LANGUAGES[language] // 2, LANGUAGES[language] * 3 // 2)
        yield language, " ".join(chance.choices(pool[language], k=length))


def queries(pool: dict[str, list[str]], chance: random.Random, count: int) -> list[tuple[str, str]]:
    """Language and text of so many queries, one to three words of a sentence each."""
    found: list[tuple[str, str]] = []
    names = list(LANGUAGES)
    while len(found) < count:
        language = names[len(found) % len(names)]
        words = _WORD.get(language, _CJK).findall(chance.choice(pool[language]))
        if words:
            chosen = chance.sample(words, min(len(words), chance.choice((1, 1, 2, 3))))
            found.append((language, " ".join(_part(word, language, chance) for word in chosen)))
    return found


def _part(word: str, language: str, chance: random.Random) -> str:
    """The word itself, or two to four characters where words have no spaces or end in particles."""
    if language == "en":
        return word
    length = min(len(word), chance.choice((2, 2, 3, 4)))
    start = 0 if language == "ko" else chance.randint(0, len(word) - length)
    return word[start : start + length]


def fill(store: Store, documents: Iterator[tuple[str, str]]) -> None:
    """Add documents in large transactions: without near-duplicates, and many at once."""
    moment = now()

    def add(connection: Connection, rows: Sequence[tuple[int, str, str]]) -> None:
        urls = [f"https://example.org/{number}" for number, _, _ in rows]
        connection.execute(
            insert(DOCUMENTS),
            [
                {"id": number, "key": url, "url": url, "host": "example.org", "language": language,
                 "version_id": number, "first_seen": moment, "last_seen": moment, "changed_at": moment}
                for (number, language, _), url in zip(rows, urls, strict=True)
            ],
        )  # fmt: skip
        connection.execute(
            insert(VERSIONS),
            [
                {"id": number, "document_id": number, "number": 1, "hash": "", "saved_at": moment, "title": "",
                 "language": language, "method": "bench", "status": "ok", "text": body, "markdown": "",
                 "html_size": 0, "page_size": 0, "text_size": len(body)}
                for number, language, body in rows
            ],
        )  # fmt: skip
        index = index_of(connection)
        for number, _, body in rows:
            index.add(connection, number, DocumentTokens.of("", body))

    rows: list[tuple[int, str, str]] = []
    for number, (language, body) in enumerate(documents, 1):
        rows.append((number, language, body))
        if len(rows) == _BATCH:
            store._database.write(lambda connection, rows=tuple(rows): add(connection, rows))
            rows.clear()
    if rows:
        store._database.write(lambda connection: add(connection, rows))


@dataclass(frozen=True)
class Cost:
    """Milliseconds of a call: by the clock, and of CPU time, which other programs do not disturb."""

    wall: float
    cpu: float


def timed(call: Callable[[], object]) -> Cost:
    wall, cpu = time.perf_counter(), time.thread_time()
    call()
    return Cost((time.perf_counter() - wall) * 1_000, (time.thread_time() - cpu) * 1_000)


def median(costs: Sequence[Cost]) -> Cost:
    return Cost(statistics.median(cost.wall for cost in costs), statistics.median(cost.cpu for cost in costs))


def shown(costs: Sequence[Cost]) -> str:
    middle, late = median(costs), statistics.quantiles([cost.wall for cost in costs], n=20)[-1]
    return f"median {middle.wall:.1f} ms ({middle.cpu:.1f} ms CPU), 95 % below {late:.0f} ms"


def measure(store: Store, path: Path, asked: Sequence[tuple[str, str]]) -> None:
    """Print the latency of searches, by language, and of full scans."""
    store.search("warm up")
    by_language: dict[str, list[Cost]] = {}
    found: list[int] = []
    for language, query in asked:
        cost = timed(lambda query=query: found.append(store.search(query).total))
        by_language.setdefault(language, []).append(cost)
    every = [cost for costs in by_language.values() for cost in costs]
    print(f"search, ranked, 20 hits with snippets: {shown(every)}; {statistics.median(found):,.0f} found (median)")
    for language, costs in by_language.items():
        print(f"  {language}: {shown(costs)}")
    scan = median([full_scan(path, query.split()) for _, query in asked[:12]])
    wall, cpu = scan.wall / median(every).wall, scan.cpu / median(every).cpu
    print(f"full scan with LIKE, unranked: median {scan.wall:,.0f} ms ({scan.cpu:,.0f} ms CPU)", end="")
    print(f", {wall:.0f} times as long ({cpu:.0f} times by CPU)", flush=True)


def full_scan(path: Path, words: Sequence[str]) -> Cost:
    statement = "SELECT id FROM versions WHERE " + " AND ".join(["text LIKE ?"] * len(words))
    with closing(sqlite3.connect(path)) as connection:
        return timed(lambda: connection.execute(statement, [f"%{word}%" for word in words]).fetchall())


def tokenized_text(pool: dict[str, list[str]], chance: random.Random, number: int) -> str:
    """A document of tokens, a third as long as those with text: a million of them have to be indexed."""
    language = list(LANGUAGES)[number % len(LANGUAGES)]
    return " ".join(chance.choices(pool[language], k=LANGUAGES[language] // 3))


def grow(pool: dict[str, list[str]], most: int, folder: Path, asked: Sequence[tuple[str, str]]) -> None:
    """Print the latency of ranking alone as the index grows."""
    chance, index = random.Random(2), SqliteIndex()
    tokenized = {language: [" ".join(tokens(part)) for part in parts] for language, parts in pool.items()}
    path = folder / "index.db"
    engine = create_engine(f"sqlite:///{path}", poolclass=StaticPool)
    with engine.begin() as connection:
        connection.exec_driver_sql("PRAGMA cache_size=-64000")
        connection.exec_driver_sql("CREATE VIRTUAL TABLE search USING fts5 (title, body, content='', tokenize='ascii')")
    size = 0
    for target in [step for step in (1_000, 10_000, 100_000, 300_000, 1_000_000) if step <= most]:
        with engine.begin() as connection:
            raw = connection.connection.driver_connection
            assert raw is not None
            bodies = (tokenized_text(tokenized, chance, number) for number in range(size, target))
            rows = zip(range(size + 1, target + 1), bodies, strict=True)
            raw.executemany("INSERT INTO search (rowid, title, body) VALUES (?, '', ?)", rows)
        size = target
        with engine.connect() as connection:
            connection.execute(text("SELECT count(*) FROM search WHERE search MATCH 'tea'")).all()
            times = [timed(lambda q=query: index.search(connection, parse(q), Filters(), 20, 0)) for _, query in asked]
        print(f"{size:9,} documents in the index, {path.stat().st_size / 1e6:,.0f} MB: {shown(times)}", flush=True)
    engine.dispose()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--grow", type=int, default=0, metavar="N")
    parser.add_argument("--folder", type=Path, help="keep the databases here, and use those that are there")
    options = parser.parse_args()
    pool = sentences()
    print("sentences:", ", ".join(f"{language} {len(parts):,}" for language, parts in pool.items()))
    asked = queries(pool, random.Random(1), options.queries)
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"search-{options.documents}.db"
        with open_store(path) as store:
            if not store.stats().documents:
                cost = timed(lambda: fill(store, texts(pool, random.Random(0), options.documents)))
                size = f"{path.stat().st_size / 1e6:,.0f} MB"
                print(f"{options.documents:,} documents stored in {cost.cpu / 1_000:.0f} s of CPU time, {size}")
            measure(store, path, asked)
        if options.grow:
            grow(pool, options.grow, Path(temporary), asked)


if __name__ == "__main__":
    main()
