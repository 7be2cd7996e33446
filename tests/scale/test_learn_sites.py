"""The first pass of a batch run: sites learned by host, and pages extracted by their templates."""

import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")

from bonmun.errors import SourceError  # noqa: E402
from bonmun.limits import Limits  # noqa: E402
from bonmun.pipeline import extract  # noqa: E402
from bonmun.scale import BatchSettings, extract_batch  # noqa: E402
from bonmun.scale.sites import buckets as buckets_module  # noqa: E402
from bonmun.scale.sites.buckets import Buckets  # noqa: E402
from bonmun.scale.sites.learn_host import learn_host  # noqa: E402
from bonmun.scale.sites.learn_sites import FOLDER, MARKER, WORK, learn_sites  # noqa: E402
from bonmun.scale.sites.sample import sampled  # noqa: E402
from bonmun.scale.sites.settings import SiteSettings  # noqa: E402
from bonmun.sites.library import SiteLibrary  # noqa: E402
from bonmun.sites.site import Site  # noqa: E402

ROOT = Path(__file__).parents[2]
_PAGE = """<html lang=en><title>{title}</title><body><div class=top><a href=/>Home</a> <a href=/n>News</a></div>
<div id={id}><h1>{title}</h1><p>{first}</p><p>{second}</p></div>
<div class=promo><p>Subscribe to our letter today, it is free and comes once a week, with all the news of the house.</p>
<p>Nobody at this paper has ever read the letter, but everybody says that it is good.</p></div></body></html>"""


def page(host: str, number: int) -> dict[str, Any]:
    generator = random.Random(f"{host} {number}")

    def sentence() -> str:
        return " ".join(f"word{generator.randrange(5000)}" for _ in range(30)) + "."

    html = _PAGE.format(title=f"Story {number}", id=f"body-{host[0]}", first=sentence(), second=sentence())
    return {"url": f"https://www.{host}/{number}", "html": html.encode(), "fetched": f"2026-10-{number % 28 + 1:02}"}


def batches(rows: Sequence[dict[str, Any]], size: int = 16) -> Iterator[pa.RecordBatch]:
    schema = pa.schema([("url", pa.string()), ("html", pa.binary()), ("fetched", pa.string())])
    for start in range(0, len(rows), size):
        yield pa.RecordBatch.from_pylist(rows[start : start + size], schema)


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


ROWS = [
    *(page("alpha.org", number) for number in range(40)),
    *(page("beta.org", number) for number in range(7)),
    *(page("small.org", number) for number in range(4)),
    {"url": None, "html": b"<p>no host", "fetched": None},
    {"url": "https://gamma.org/null", "html": None, "fetched": None},
    *({"url": f"https://pdf.org/{number}", "html": b"%PDF-1.7", "fetched": None} for number in range(6)),
]
SETTINGS = SiteSettings(most_pages=12, least_pages=5)


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("learned")
    stages: list[tuple[str, int, int | None]] = []
    result = learn_sites(batches(ROWS), folder, SETTINGS, progress=lambda *stage: stages.append(stage))
    assert str(result.counts) == "2 of 3 sites learned from 59 pages, 0 failed"
    assert result.counts.unlearned == 1  # no page of pdf.org can be read
    assert stages[-1] == ("learning", 3, 3)
    assert ("reading", 59, None) in stages
    return folder


def test_hosts_with_enough_pages_have_a_site_file_and_nothing_else_is_left(learned: Path) -> None:
    assert sorted(path.name for path in learned.iterdir()) == [FOLDER, MARKER]
    assert SiteLibrary(learned / FOLDER).hosts() == ["alpha.org", "beta.org"]
    template = Site.load(learned / FOLDER / "alpha.org.json").templates[0]
    assert list(template.body.keep) == ["#body-a"]
    assert template.pages == 12
    assert str(template.valid_from) == "2026-10-28"


def test_files_do_not_depend_on_order_batches_or_jobs(learned: Path, tmp_path: Path) -> None:
    rows = [*ROWS, *ROWS[10:30]]  # some pages twice
    random.Random(1).shuffle(rows)
    learn_sites(batches(rows, size=7), tmp_path, SETTINGS, jobs=2)
    assert files(tmp_path / FOLDER) == files(learned / FOLDER)


def test_the_function_of_a_host_gives_the_same_bytes_in_any_process(learned: Path) -> None:
    script = (
        "from tests.scale.test_learn_sites import *;import sys;"
        "rows = [row for row in ROWS if 'alpha' in (row['url'] or '')];"
        "sys.stdout.buffer.write(learn_host('alpha.org', pa.Table.from_batches(batches(rows[::-1])), SETTINGS))"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, env={"PYTHONHASHSEED": "5"}, capture_output=True)
    assert done.stdout == (learned / FOLDER / "alpha.org.json").read_bytes(), done.stderr.decode()


def test_a_host_without_common_text_or_with_few_pages_has_no_site() -> None:
    few = pa.Table.from_batches(batches(ROWS[:4]))
    assert learn_host("alpha.org", few, SETTINGS) is None
    assert learn_host("pdf.org", pa.Table.from_batches(batches(ROWS[-6:])), SETTINGS) is None


def test_templates_of_shops_and_of_few_doubtful_pages_are_left_out() -> None:
    def table(count: int, html: str) -> pa.Table:
        rows = [
            {"url": f"https://alpha.org/{number}", "html": html.format(number, 7 * number).encode(), "fetched": None}
            for number in range(count)
        ]
        return pa.Table.from_batches(batches(rows))

    offer = (
        "<title>Lamp {0}</title><div id=menu><a href=/>Shop</a></div><div id=data itemscope "
        "itemtype='https://schema.org/Product'><h1>Lamp {0}</h1><p>Price: {1} $</p><p>Grade {1}</p>"
        "<button>Add to cart</button></div><div id=foot><p>All rights reserved, and printed on paper.</p></div>"
    )
    assert extract(offer.format(1, 7)).page_type == "product"
    assert learn_host("alpha.org", table(12, offer), SETTINGS) is None
    assert learn_host("alpha.org", table(12, offer), replace(SETTINGS, safe=False)) is not None
    note = "<title>{0}</title><div id=menu><a href=/>Home</a> News</div><div id=text><p>Story {0} is made of {1}.</div>"
    doubtful = learn_host("alpha.org", table(5, note), replace(SETTINGS, safe=False))
    assert doubtful is not None and Site.from_json(doubtful.decode()).templates[0].agreement < 0.95
    assert learn_host("alpha.org", table(5, note), SETTINGS) is None
    assert learn_host("alpha.org", table(8, note), SETTINGS) is not None


def test_a_relaunch_asks_for_no_page_and_other_settings_learn_again(learned: Path, tmp_path: Path) -> None:
    def refused() -> Iterator[pa.RecordBatch]:
        raise AssertionError("a page was asked for")
        yield

    again = learn_sites(refused(), learned, SETTINGS)
    assert (again.counts.learned, again.sites.hosts()) == (2, ["alpha.org", "beta.org"])
    copied = shutil.copytree(learned, tmp_path / "copy")
    other = learn_sites(batches(ROWS[40:47]), copied, replace(SETTINGS, least_pages=8))
    assert (other.counts.pages, other.counts.hosts, other.sites.hosts()) == (7, 0, [])


def test_a_pass_that_was_interrupted_starts_anew(learned: Path, tmp_path: Path) -> None:
    def broken() -> Iterator[pa.RecordBatch]:
        yield from batches(ROWS[:50])
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        learn_sites(broken(), tmp_path, SETTINGS)
    assert not (tmp_path / MARKER).exists()
    (tmp_path / WORK).mkdir()  # as a kill leaves it
    (tmp_path / WORK / "00.arrows").write_bytes(b"half a file")
    (tmp_path / FOLDER / "old.org.json").write_bytes(b"{}")
    learn_sites(batches(ROWS), tmp_path, SETTINGS)
    assert files(tmp_path / FOLDER) == files(learned / FOLDER)
    assert not (tmp_path / WORK).exists()


def test_a_marker_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / FOLDER).mkdir()
    for nonsense in ("", "[]", '{"version": 1}', '{"version": 1, "settings": {}, "counts": 3, "failures": []}'):
        (tmp_path / MARKER).write_text(nonsense)
        with pytest.raises(SourceError, match="remove it"):
            learn_sites([], tmp_path, SETTINGS)


def test_a_host_whose_learning_fails_is_counted_and_the_others_are_learned(tmp_path: Path) -> None:
    settings = replace(SETTINGS, limits=Limits(seconds=0.0001))
    result = learn_sites(batches(ROWS[:47]), tmp_path, settings)
    assert result.counts.failed == len(result.failures) == 2
    assert "alpha.org: " in result.failures[0] + result.failures[1]
    assert learn_sites([], tmp_path, settings).failures == result.failures


def test_buckets_keep_the_smallest_keys_in_bounded_space(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(buckets_module, "_BUCKETS", 2)
    monkeypatch.setattr(buckets_module, "_LEAST_ROWS", 16)
    monkeypatch.setattr(buckets_module, "_BUFFERED", 4096)
    monkeypatch.setattr(buckets_module, "_TOGETHER", 8192)
    rows = [
        {"url": f"https://h{number % 6}.org/{number}", "html": os.urandom(1024), "fetched": None}
        for number in range(1200)
    ]
    samples = [sampled(batch) for batch in batches(rows)]
    expected: dict[str, list[bytes]] = {}
    for sample in samples:
        for host, key in zip(sample.column("host").to_pylist(), sample.column("key").to_pylist(), strict=True):
            expected.setdefault(host, []).append(key)
    largest = 0
    with Buckets(tmp_path, SETTINGS) as buckets:
        for sample in samples:
            buckets.add(sample)
            largest = max(largest, sum(path.stat().st_size for path in tmp_path.iterdir()))
        assert buckets.finish() == 6
        found = {host: sorted(pages.column("key").to_pylist()) for host, pages in buckets.hosts()}
    assert found == {host: sorted(keys)[:12] for host, keys in expected.items()}
    assert largest < 300_000  # of 1.2 MB


def test_pages_are_extracted_by_the_template_and_by_auto_where_it_does_not_fit(learned: Path) -> None:
    sites = learn_sites([], learned, SETTINGS).sites
    other = b"<title>Other</title><article><p>Tea is made of leaves, and of water that has just boiled.</p></article>"
    rows = [page("alpha.org", 99), {"url": "https://alpha.org/other", "html": other, "fetched": None}, ROWS[47]]
    settings = BatchSettings(sites=sites, timings=False)
    first, second, third = (row for batch in batches(rows) for row in extract_batch(batch, settings).to_pylist())
    assert first["text"].count("word") == 60
    assert second["text"] == "Tea is made of leaves, and of water that has just boiled."
    plain = next(batches(rows[2:]))
    assert third["text"] == extract_batch(plain).column("text").to_pylist()[0]


def test_a_page_without_the_columns_of_a_site_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no 'url'"):
        learn_sites([pa.RecordBatch.from_pydict({"html": ["<p>Tea"]})], tmp_path, SETTINGS)


def test_a_library_keeps_the_sites_that_were_used_last(learned: Path) -> None:
    library = SiteLibrary(learned / FOLDER, most_cached=1)
    alpha = library.site("https://alpha.org/1")
    assert library.site("https://www.alpha.org/2") is alpha
    library.site("https://beta.org/1")
    again = library.site("https://alpha.org/1")
    assert again is not alpha and again is not None and again.host == "alpha.org"
