"""``bonmun store timings``."""

from pathlib import Path

import bonmun as library
from bonmun.store import open_store


def test_timings_are_printed_and_drawn_from_a_store(bonmun, folder: Path) -> None:
    with open_store(folder / "news.db") as store:
        for number in range(1, 30):
            html = f"<title>{number}</title><p>{'Tea is made of leaves, and of water. ' * number}{number}.</p>"
            times = {"fetch": 99.0, "read": 0.001 * number, "judge": 0.002}
            url = f"https://example.org/{number}"
            store.save(library.extract(html), url=url, html_size=1000 * number, timings=times)
    done = bonmun("store", "timings", "news.db", "--plot", "out.svg")
    assert done.code == 0, done.err
    lines = done.out.splitlines()
    assert lines[0] == "29 pages, median 17.0 ms a page without the network"
    assert lines[2:4] == [
        "milliseconds against   per 1,000    at 0       r  partial r",
        "HTML                       1.000     2.0    1.00        nan",
    ]
    assert "29 pages against the sizes" in (folder / "out.svg").read_text(encoding="utf-8")


def test_a_store_without_timings_is_one_line(bonmun, folder: Path) -> None:
    open_store(folder / "news.db").close()
    done = bonmun("store", "timings", "news.db")
    assert (done.code, done.out) == (1, "")
    assert done.err == "bonmun: InputError: news.db: timings of 0 pages; a trend needs 3\n"
