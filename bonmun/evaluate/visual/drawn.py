"""The pages of a corpus as a browser drew them."""

import hashlib
import time
from array import array
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from bonmun.evaluate.corpora import Case, Corpus
from bonmun.evaluate.layouts import SavedLayout, elements_of, open_layouts, save_layouts, with_saved_layout
from bonmun.evaluate.stage import Advance, Stage
from bonmun.model.page import Page
from bonmun.read.page import read_page
from bonmun.rendering.tying import DrawnElements


class DrawnPages:
    """The pages of a corpus with their saved layouts; a page that was not drawn has none.

    >>> drawn = DrawnElements(["html", "head", "body", "p"], [0, 0, 9, 9, 1] * 4, (1366, 768), (1366, 768))
    >>> pages = DrawnPages({"1": drawn})
    >>> pages.page(Case("1", "<p>Tea")).layout.viewport, pages.page(Case("2", "<p>Tea")).layout
    ((1366, 768), None)
    """

    def __init__(self, layouts: Mapping[str, DrawnElements], digest: str = "") -> None:
        self._layouts = layouts
        self.digest = digest
        """A hash of all layouts, part of the versions of the systems that see them."""
        self.page = lru_cache(1)(self._page)  # several systems in a row judge the same page

    def __contains__(self, page: str) -> bool:
        return page in self._layouts

    def stamp(self, case: Case) -> str:
        """Return a hash of the layout of a page; an empty text if it was not drawn."""
        if case.id not in self._layouts:
            return ""
        drawn = self._layouts[case.id]
        names = " ".join(drawn.names).encode(errors="replace")
        return hashlib.blake2b(names + array("i", drawn.boxes).tobytes(), digest_size=6).hexdigest()

    def _page(self, case: Case) -> Page:
        page = read_page(case.html, url=case.url)
        return with_saved_layout(page, self._layouts[case.id]) if case.id in self._layouts else page


def drawn_pages(corpus: Corpus, folder: Path | None, output: Path, stage: Stage, *, jobs: int = 1) -> DrawnPages:
    """Return the pages of a corpus with the layouts of a folder; without one, draw them once into the output folder."""
    path = (folder or output / "layouts") / f"{corpus.name}.jsonl.zst"
    if folder is None and not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        whole = corpus.whole
        with stage(f"{corpus.name}: drawing", sum(1 for _ in whole.cases())) as done:
            save_layouts(path, _drawn(whole, jobs, done))
    layouts = open_layouts(path)
    return DrawnPages(layouts, hashlib.blake2b(path.read_bytes(), digest_size=4).hexdigest())


def _drawn(corpus: Corpus, jobs: int, done: Advance) -> Iterator[SavedLayout]:
    """Yield the layout of every page that the browser can draw."""
    from bonmun.rendering.renderer import Renderer

    with Renderer(jobs=jobs) as renderer:
        drawn = renderer.map((case.url, case.html) for case in corpus.cases())
        start = time.perf_counter()
        for case, page in zip(corpus.cases(), drawn, strict=True):
            now = time.perf_counter()
            if isinstance(page, Page):  # Methods report any other as not drawn.
                yield SavedLayout(case.id, elements_of(page), 1000 * (now - start))
            start = now
            done(1)
