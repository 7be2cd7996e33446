"""A wrapper of your own: the container reads the pages, this class says what to do with them."""

from pathlib import Path

import bonmun
from bonmun.middleware.exchange import Pages, SourcePage


class Headlines(bonmun.Wrapper):
    def init(self) -> None:
        self.pages = 0

    def analyze_news(self, dataset: bonmun.NewsDataSet) -> None:
        self.pages += 1
        print(f"{dataset.title}: {len(dataset.text):,} characters in {dataset.chosen_path}")

    def dispose(self) -> None:
        print(f"{self.pages} pages")


if __name__ == "__main__":  # worker processes import this file
    files = sorted((Path(__file__).parent / "pages").glob("*.html"))
    source = Pages([SourcePage(file.as_uri(), file.read_bytes()) for file in files])
    bonmun.Container(Headlines()).run([source])
