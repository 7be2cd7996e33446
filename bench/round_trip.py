"""Pages whose Markdown, read by markdown-it-py, does not give back the outline: `python bench/round_trip.py`.

python bench/round_trip.py                           all pages of wcxb_dev, cjk_dev and news_dev
python bench/round_trip.py --every 20 --show 5       each twentieth page, five differences of each that differs
"""

import argparse
import sys
from itertools import islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from corpus import pages
from rich.console import Console
from rich.progress import track

import bonmun
from tests.write.round_trip import differences

CORPORA = ("wcxb_dev", "cjk_dev", "news_dev")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", action="append", help="a corpus of the data folder; may be given several times")
    parser.add_argument("--every", type=int, default=1, help="read each Nth page")
    parser.add_argument("--show", type=int, default=1, help="differences to show of a page")
    options = parser.parse_args()
    counts = []
    for corpus in options.corpus or CORPORA:
        different = count = 0
        for record in track(list(pages(corpus))[:: options.every], corpus, console=Console(stderr=True)):
            count += 1
            found = [*islice(differences(bonmun.extract(record["html"], url=record["url"] or None)), options.show)]
            different += bool(found)
            for outline, read in found:
                print(f"{corpus} {record['id']}\n    outline:  {outline[:300]}\n    Markdown: {read[:300]}")
        counts.append(f"{corpus}: {different} of {count} pages differ")
    print("\n".join(counts))


if __name__ == "__main__":
    main()
