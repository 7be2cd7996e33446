"""Headlines: one plug-in of each kind."""

import json
from collections.abc import Iterator
from pathlib import Path

import bonmun
from bonmun.middleware.exchange import Network, Request, SourcePage


class Headlines(bonmun.Wrapper):
    """Prints a line for each page."""

    def analyze_news(self, dataset: bonmun.NewsDataSet) -> None:
        print(write(dataset.document))


class LongestBlock:
    """The method `longest-block`: keeps the longest block of a page."""

    name = "longest-block"

    def judge(self, page: bonmun.Page) -> bonmun.Verdicts:
        lengths = [len(text) for text in page.blocks.text]
        longest = max(lengths, default=0)
        return bonmun.Verdicts(
            keep=[int(0 < length == longest) for length in lengths],
            score=[length / longest if longest else 0.0 for length in lengths],
            reasons=[(bonmun.Reason("length", f"{length} characters"),) for length in lengths],
            confidence=0.5,
        )


def write(document: bonmun.Document) -> str:
    """The format `headline`: the title and the size of the text."""
    return f"{document.title or 'untitled'} ({len(document.text):,} characters)"


class JsonLines:
    """The source `json-lines:PATH`: pages in a file of JSON objects with `url` and `html`."""

    def __init__(self, path: str) -> None:
        self.name, self._path = f"json-lines:{path}", Path(path)

    def items(self, network: Network) -> Iterator[Request | SourcePage]:
        with self._path.open(encoding="utf-8") as lines:
            for line in lines:
                page = json.loads(line)
                if "html" in page:
                    yield SourcePage(page["url"], page["html"].encode(), source=self.name)
                else:
                    yield Request(page["url"], self.name)


class HeadlineFile:
    """The store `headlines:PATH`: a line for each page in a text file."""

    def __init__(self, url: str) -> None:
        self._path = Path(url.partition(":")[2])

    def save(self, document: bonmun.Document, *, url: str, **facts: object) -> str:
        self._add(f"{url}\t{write(document)}")
        return "new"

    def fail(self, url: str, source: str, stage: str, error: Exception) -> None:
        self._add(f"{url}\t{stage} failed: {error}")

    def has(self, url: str) -> bool:
        lines = self._path.read_text(encoding="utf-8").splitlines() if self._path.exists() else []
        return any(line.startswith(f"{url}\t") for line in lines)

    def close(self) -> None:
        pass

    def _add(self, line: str) -> None:
        with self._path.open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")
