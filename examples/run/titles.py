"""A wrapper of one's own: prints a line per page, and the number of pages at the end."""

import bonmun


class Titles(bonmun.Wrapper):
    def __init__(self, longest: int = 80) -> None:
        self.longest, self.count = longest, 0

    def analyze_news(self, dataset: bonmun.NewsDataSet) -> None:
        self.count += 1
        print(f"{dataset.document.language}: {(dataset.title or '')[: self.longest]}", flush=True)

    def dispose(self) -> None:
        print(f"{self.count} pages")
