"""Speed of each language's analyser, relative to reading the page.

python bench/analysers.py                     pages of cjk_dev, and English ones of wcxb_dev
python bench/analysers.py --pages 10          the first ten of each language

CPU time, reading and analysis interleaved page by page, so that the ratio holds on a busy machine.
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from time import process_time

from bonmun.analyze.analysed_document import analyse
from bonmun.analyze.morphology import load
from bonmun.analyze.sentences import sentences
from bonmun.evaluate.corpora import Case, open_corpus
from bonmun.pipeline import extract
from bonmun.read.page import read_page

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
LANGUAGES = {"ko": "cjk_dev", "zh": "cjk_dev", "ja": "cjk_dev", "en": "wcxb_dev"}


@dataclass
class Tally:
    """Seconds and characters of one language."""

    pages: int = 0
    characters: int = 0
    reading: float = 0.0
    nouns: float = 0.0
    splitting: float = 0.0
    keywords: float = 0.0
    summary: float = 0.0


def main() -> None:
    options = _options()
    columns = "language", "analyser", "load s", "chars/s", "reading", "nouns", "sentences", "keywords", "summary"
    print("| " + " | ".join(columns) + " |")
    print("|---|---|" + "--:|" * (len(columns) - 2))
    for language, corpus in LANGUAGES.items():
        cases = _cases(options.data / f"{corpus}.jsonl.zst", language, options.pages)
        name, loading, tally = _measured(language, cases)
        speed = f"{tally.characters / tally.nouns:,.0f}"
        spent = (tally.nouns, tally.splitting, tally.keywords, tally.summary)
        ratios = (f"{seconds / tally.reading:.1f}" for seconds in spent)
        reading = f"{1000 * tally.reading / tally.pages:.2f} ms"
        print("| " + " | ".join([language, name, f"{loading:.2f}", speed, reading, *ratios]) + " |")
    print("\nreading: CPU time per page; nouns, sentences, keywords, summary: as multiples of it")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the .jsonl.zst files")
    parser.add_argument("--pages", type=int, default=40, help="pages of each language")
    return parser.parse_args()


def _cases(path: Path, language: str, most: int) -> Iterator[Case]:
    yield from islice(open_corpus(path, () if language == "en" else (f"lang={language}",)).cases(), most)


def _measured(language: str, cases: Iterator[Case]) -> tuple[str, float, Tally]:
    start = process_time()
    analyser = load(language)
    analyser.nouns("본문 本文 text")  # lazy loading counts as loading
    loading = process_time() - start
    tally = Tally()
    for case in cases:
        document = extract(case.html, url=case.url)
        texts = [block.text for block in document.blocks]
        tally.pages += 1
        tally.characters += sum(map(len, texts))
        start = process_time()
        read_page(case.html)
        tally.reading += process_time() - start
        start = process_time()
        for text in texts:
            analyser.nouns(text)
        tally.nouns += process_time() - start
        start = process_time()
        for text in texts:
            sentences(text, language)
        tally.splitting += process_time() - start
        analysed = analyse(document)
        _ = analysed.source.nouns  # shared by the two below
        start = process_time()
        analysed.keywords(10)
        tally.keywords += process_time() - start
        start = process_time()
        analysed.summary(3)
        tally.summary += process_time() - start
    return analyser.analyser, loading, tally


if __name__ == "__main__":
    main()
