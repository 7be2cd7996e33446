"""Documents, pages and sites that are pickled, copied and sent through a process pool."""

import copy
import datetime
import multiprocessing
import pickle
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import islice
from typing import TypeVar

import pytest

import bonmun
from bonmun.core import core
from bonmun.methods.learned import Learned
from bonmun.model.packing import pack, unpack
from bonmun.model.verdict import Later
from tests.corpora import pages
from tests.model.outputs import outputs
from tests.sites.make import article, articles
from tests.without_core import without_core

T = TypeVar("T")
URL = "https://daily.example/news/50"
METHODS = ("auto", "xpath", "xpath-robust", "logical", "logical-robust", "density", "template")
_STORY = "The sea was calm that morning, and nobody spoke until the boats had come in again. "
_PARAGRAPHS = "".join(f"<p>{_STORY}<b>Number {number}</b> &amp; more.<br>And on." for number in range(12))
PAGES: dict[str, bytes | str] = {
    "article": article(50),
    "noscript": f"<div id=app></div><noscript><main><h1>Sea</h1>{_PARAGRAPHS[:800]}</main></noscript>",
    "embedded": f'<script type="application/ld+json">{{"articleBody": "{_STORY * 20}"}}</script><p>Tea',
    "plain text": f"{_STORY}\n\n{_STORY}",
    "legacy encoding": f"<meta charset=euc-kr><h1>바다</h1><p>{'바다는 조용했다. ' * 20}".encode("euc-kr"),
    "unknown tags": f"<my-story data-x=1><odd:name>{_PARAGRAPHS}</odd:name></my-story><svg><a>x</a></svg>",
    "code and tables": f"<pre>\n\tx = 1\n</pre><table><tr><th>Boat<td>Anna</table>{_PARAGRAPHS}<img src=a.png>",
    "surrogate": f"<p>\ud800{_STORY}",
    "empty": "",
}
if core() is not None:
    PAGES["too deep"] = "<div>" * 600 + _PARAGRAPHS  # truncated by the compiled reader, refused by the other one


def journey(thing: T) -> T:
    same: T = pickle.loads(pickle.dumps(thing))  # noqa: S301
    return same


def extracted(method: str, page: bytes | str) -> bonmun.Document:
    return bonmun.extract(page, url=URL, method=method)


@pytest.fixture(scope="module")
def site() -> bonmun.Site:
    return bonmun.Site.learn(articles(8), host="daily.example", today=datetime.date(2026, 11, 15))


@pytest.fixture(scope="module")
def pool() -> Iterator[ProcessPoolExecutor]:
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as executor:
        yield executor


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("method", METHODS)
def test_a_pickled_document_gives_the_same_outputs(method: str, name: str) -> None:
    document, expected = extracted(method, PAGES[name]), outputs(extracted(method, PAGES[name]))
    same, again = journey(document), copy.deepcopy(document)
    assert same == document
    assert again == document
    assert hash(same) == hash(again) == hash(document)
    assert outputs(same) == outputs(again) == expected
    assert outputs(journey(document)) == expected  # now that the lazy columns are computed
    assert outputs(journey(journey(extracted(method, PAGES[name])))) == expected


@pytest.mark.parametrize("name", ["article", "noscript"])
def test_a_document_of_a_site_gives_the_same_outputs(site: bonmun.Site, name: str) -> None:
    document = site.extract(PAGES[name], url=URL)
    expected = outputs(site.extract(PAGES[name], url=URL))
    assert outputs(journey(document)) == outputs(copy.deepcopy(document)) == expected
    assert journey(document) == document


def test_documents_come_back_from_a_process_pool(pool: ProcessPoolExecutor, site: bonmun.Site) -> None:
    names = ["article", "noscript", "legacy encoding"]
    jobs = [(method, PAGES[name]) for method in METHODS for name in names]
    for (method, page), document in zip(jobs, pool.map(extracted, *zip(*jobs, strict=True)), strict=True):
        assert outputs(document) == outputs(extracted(method, page))
    by_site = pool.submit(partial(bonmun.extract, method=site), PAGES["article"]).result()
    assert outputs(by_site) == outputs(site.extract(PAGES["article"]))


def test_documents_sent_to_a_process_pool_give_the_same_outputs(pool: ProcessPoolExecutor, site: bonmun.Site) -> None:
    documents = [extracted(method, PAGES["article"]) for method in METHODS] + [site.extract(PAGES["article"])]
    assert list(pool.map(outputs, documents)) == list(map(outputs, documents))


def test_the_reader_of_the_other_process_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    documents = [extracted(method, page) for method in METHODS for page in PAGES.values()]
    monkeypatch.setenv("BONMUN_READER", "reference")
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as executor:
        assert list(executor.map(outputs, documents)) == list(map(outputs, documents))


def test_a_page_of_the_reference_reader_is_still_without_source_offsets() -> None:
    with without_core():
        document = extracted("auto", PAGES["article"])
    assert journey(document) == document
    assert journey(document).all_blocks[0].span is None


def test_real_documents_are_the_same_and_not_much_larger_than_their_pages() -> None:
    source = sent = 0
    for record in islice(pages("wcxb_dev"), 0, 400, 20):
        document = bonmun.extract(record["html"], url=record["url"])
        sent += len(pickle.dumps(document))
        page = document.page
        source += len(page.nodes.buffer)
        if page.source is not page.nodes.buffer:  # the reference reader's text is apart from the markup
            source += len(page.source)
        assert journey(document) == document
    assert sent < 1.8 * source


def test_documents_are_equal_by_content() -> None:
    document, other = extracted("auto", PAGES["article"]), extracted("auto", PAGES["plain text"])
    assert document == extracted("auto", PAGES["article"])
    assert document != other
    assert document != bonmun.extract(PAGES["article"], url=URL, method="xpath")
    assert document != bonmun.extract(PAGES["article"], url=URL, abstain_below=1.0)
    assert document.page != bonmun.read_page(PAGES["article"], url="https://daily.example/51")
    assert len({document, extracted("auto", PAGES["article"]), other}) == 2


def test_metadata_that_was_given_travels() -> None:
    document = extracted("auto", PAGES["article"])
    titled = bonmun.Document(document.page, document.verdicts, "auto", bonmun.Metadata(title="Mine"))
    assert journey(titled).title == "Mine"
    assert titled != document


class Squares(Sequence[float]):
    """A lazy column that pickle cannot take."""

    def __init__(self, length: int) -> None:
        self.length, self.square = length, lambda number: number * number / 1000

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, index: int) -> float:  # type: ignore[override]
        if index >= self.length:
            raise IndexError
        return self.square(index)


class Lazy:
    """A method that knows nothing of pickling."""

    name = "lazy"

    def judge(self, page: bonmun.Page) -> bonmun.Verdicts:
        count = len(page.blocks)
        reasons = Later(count, lambda: [(bonmun.Reason("lazy", str(number)),) for number in range(count)])
        return bonmun.Verdicts(keep=[1] * count, score=Squares(count), reasons=reasons, confidence=1.0)


def test_a_method_of_your_own_needs_to_know_nothing_of_pickling() -> None:
    document = bonmun.extract(PAGES["article"], method=Lazy())
    assert outputs(journey(document)) == outputs(document)


def test_reasons_of_a_model_of_your_own_are_computed_before_they_travel() -> None:
    shipped = extracted("auto", PAGES["article"])
    own = Learned()
    own._model = copy.copy(own._model)
    object.__setattr__(own._model, "trees", copy.copy(own._model.trees))
    assert outputs(journey(bonmun.extract(PAGES["article"], url=URL, method=own))) == outputs(shipped)


def test_a_site_travels_with_what_it_recorded(site: bonmun.Site) -> None:
    learned = bonmun.Site.from_json(site.to_json())
    for seed in range(30, 34):
        learned.extract(article(seed, design="new"))  # pages that fit no template
    same = journey(learned)
    assert same.to_json() == learned.to_json()
    assert [judged.page for judged in same.watch.pending] == [judged.page for judged in learned.watch.pending]
    assert vars(same.watch).keys() == vars(learned.watch).keys()
    same.extract(article(60, design="new"))
    assert same.to_json() != learned.to_json()  # a copy of its own


def test_a_library_of_sites_travels(tmp_path: object, site: bonmun.Site) -> None:
    library = bonmun.SiteLibrary(str(tmp_path))
    library.add(site)
    document = bonmun.extract(PAGES["article"], url=URL, sites=journey(library))
    assert document == bonmun.extract(PAGES["article"], url=URL, sites=library)


@pytest.mark.parametrize("numbers", [[], [0], [-1, 0, 255, 256, 65_536, -(2**31), 2**31 - 1]])
def test_columns_are_packed_without_loss(numbers: list[int]) -> None:
    from array import array

    columns = [memoryview(array("i", numbers)), memoryview(array("i", [7])), memoryview(array("i"))]
    assert unpack(pack(columns)) == columns
    assert all(column.readonly for column in unpack(pack(columns)))
