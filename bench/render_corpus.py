"""Draws a corpus with Chromium and saves its layouts: `python bench/render_corpus.py visual_dev --out FILE.jsonl.zst`.

The file is what `bonmun.evaluate.layouts.open_layouts` reads. Pages that were not drawn are named at the end.
"""

import argparse
import sys
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from corpus import pages

import bonmun
from bonmun.evaluate.layouts import SavedLayout, elements_of, save_layouts


def drawn(name: str, settings: bonmun.RenderSettings, every: int, failed: list[str]) -> Iterator[SavedLayout]:
    """The layouts of every Nth page of a corpus; the others are reported in `failed`."""
    with bonmun.Renderer(settings) as renderer:
        for record in islice(pages(name), None, None, every):
            page = bonmun.read_page(record["html"], url=record.get("url"))
            start = time.perf_counter()
            try:
                elements = elements_of(renderer.render(page))
            except bonmun.BonmunError as error:
                failed.append(f"{record['id']}: {error}")
                continue
            yield SavedLayout(str(record["id"]), elements, 1000 * (time.perf_counter() - start))


def main() -> None:
    """Draw one corpus."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", help="name of a corpus in the data folder")
    parser.add_argument("--out", type=Path, required=True, help="file to write, .jsonl or .jsonl.zst")
    parser.add_argument("--every", type=int, default=1, help="draw every Nth page")
    parser.add_argument("--viewport", type=int, nargs=2, default=(1366, 768), metavar=("WIDTH", "HEIGHT"))
    options = parser.parse_args()
    width, height = options.viewport
    failed: list[str] = []
    start, number = time.perf_counter(), 0

    def counted() -> Iterator[SavedLayout]:
        nonlocal number
        for layout in drawn(options.corpus, bonmun.RenderSettings(viewport=(width, height)), options.every, failed):
            number += 1
            yield layout

    save_layouts(options.out, counted())
    seconds = time.perf_counter() - start
    print(f"{options.out}: {number} pages, {1000 * seconds / max(1, number):.0f} ms/page, {len(failed)} not drawn")
    print(*failed, sep="\n")


if __name__ == "__main__":
    main()
