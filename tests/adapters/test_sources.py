import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from bonmun.adapters.passages import PassageSettings, passages
from bonmun.adapters.sources import GivenPage, pages_of
from bonmun.errors import AddressRefused, NotAPage, SourceError, UnknownName, UnsupportedPreference
from bonmun.limits import Limits
from bonmun.middleware.network import FetchPolicy
from bonmun.model.output import Output
from tests.adapters.local_server import Answering, Response, serving
from tests.adapters.pages import EMPTY, PICTURE, TEA, TEXT, URL, WATER


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tea.html").write_text(TEA, encoding="utf-8")
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "packed.html.gz").write_bytes(gzip.compress(TEA.encode()))
    (tmp_path / "notes.txt").write_text("not a page")
    return tmp_path


def test_a_folder_a_file_and_a_pattern_give_their_pages(folder: Path) -> None:
    names = [Path(page.source).name for page in pages_of(folder)]
    assert names == ["tea.html", "packed.html.gz"]
    assert [page.url for page in pages_of([folder / "tea.html", str(folder / "*.html")])] == [None, None]


def test_a_container_gives_its_pages_and_the_errors_between_them(folder: Path) -> None:
    lines = [json.dumps({"url": URL, "html": TEA}), "{broken", json.dumps({"html": TEA})]
    (folder / "pages.jsonl").write_text("\n".join(lines), encoding="utf-8")
    pages = list(pages_of(folder / "pages.jsonl"))
    assert [page.error is None for page in pages] == [True, False, True]
    assert [page.url for page in pages] == [URL, None, None]
    assert "line 2" in str(pages[1].error)
    assert pages[2].source.endswith("pages.jsonl, page 3")


@pytest.mark.parametrize("source", ["no-such-file.html", "<p>Tea", "http://127.0.0.1/"], ids=["file", "html", "url"])
def test_what_cannot_be_read_is_a_page_with_its_error(source: str) -> None:
    (page,) = pages_of(source)
    assert isinstance(page.error, SourceError | AddressRefused)


class Redirecting(Answering):
    def response(self) -> Response:
        headers = {"Location": "/tea/", "Content-Type": "text/html; charset=utf-16"}
        return 200 if self.path == "/tea/" else 301, headers, TEA.encode("utf-16")


@pytest.fixture
def address() -> Iterator[str]:
    with serving(Redirecting) as address:
        yield address


def test_a_url_is_fetched_with_the_charset_of_its_header_and_the_address_it_led_to(address: str) -> None:
    pages = pages_of([f"{address}/old"], FetchPolicy(allow_private=True))
    ((passage,),) = passages(pages)
    assert (passage.metadata["source"], passage.metadata["url"]) == (f"{address}/old", f"{address}/tea/")
    assert f"]({address}/tea/kettle)" in passage.text
    assert TEXT in passage.text


def test_metadata_is_plain_and_without_what_is_not_known() -> None:
    ((passage,),) = passages([GivenPage(URL, TEA, URL)])
    assert {name: passage.metadata[name] for name in ("source", "title", "author", "date", "language", "status")} == {
        "source": URL,
        "title": "Tea",
        "author": "Ada Leaf",
        "date": "2026-03-14",
        "language": "en",
        "status": "ok",
    }
    assert all(isinstance(value, str | int | float) for value in passage.metadata.values())
    ((bare,),) = passages([GivenPage("bare", "<p>Tea is made of leaves and water.")])
    assert not {"url", "author", "date"} & set(bare.metadata)


def test_chunks_have_their_headings_and_their_place_in_the_markdown() -> None:
    ((whole,),) = passages([GivenPage(URL, TEA, URL)])
    (chunks,) = passages([GivenPage(URL, TEA, URL)], PassageSettings(chunks=True))
    (cut,) = passages([GivenPage(URL, TEA, URL)], PassageSettings(max_chars=200))
    assert len(chunks) == 2
    assert [chunk.metadata["headings"] for chunk in cut] == ["Tea", "Tea > Water"]
    assert [(chunk.metadata["chunk"], chunk.metadata["chunks"]) for chunk in cut] == [(0, 2), (1, 2)]
    assert all(whole.text[chunk.metadata["start"] : chunk.metadata["end"]] == chunk.text for chunk in cut)
    assert WATER in cut[1].text
    (plain,) = passages([GivenPage(URL, TEA, URL)], PassageSettings(max_chars=200, format="text"))
    assert plain[1].text.startswith("Water\n")
    (counted,) = passages(
        [GivenPage(URL, TEA, URL)], PassageSettings(max_tokens=30, tokens=lambda text: text.count(" "))
    )
    assert [chunk.metadata["tokens"] for chunk in counted] == [chunk.text.count(" ") for chunk in counted]


PAGES = [GivenPage(URL, TEA, URL), GivenPage("p.png", PICTURE), GivenPage("empty.html", EMPTY), GivenPage("last", TEA)]


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_page_that_fails_can_be_a_document_with_its_error(jobs: int) -> None:
    shown = list(passages(PAGES, PassageSettings(on_error="document", max_chars=200), jobs=jobs))
    assert [len(one) for one in shown] == [2, 1, 1, 2]
    assert shown[1][0].text == ""
    assert shown[1][0].metadata == {
        "source": "p.png",
        "status": "failed",
        "error": "NotAPage",
        "message": "not a web page: PNG image",
    }
    assert (shown[2][0].text, shown[2][0].metadata["status"]) == ("", "empty")


def test_a_page_that_fails_is_raised_or_left_out_with_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    skipped = list(passages(PAGES, PassageSettings(on_error="skip")))
    assert [len(one) for one in skipped] == [1, 0, 0, 1]
    assert "p.png: left out: NotAPage" in caplog.text
    assert "empty.html: left out: no main text (empty)" in caplog.text
    with pytest.raises(SourceError, match=r"p\.png: not a web page: PNG image") as raised:
        list(passages(PAGES))
    assert isinstance(raised.value.__cause__, NotAPage)


def test_pages_are_taken_one_at_a_time() -> None:
    taken = []

    def endless() -> Iterator[GivenPage]:
        while True:
            taken.append(1)
            yield PAGES[0]

    made = passages(endless())
    assert next(made) == next(made)
    assert len(taken) == 2


@pytest.mark.parametrize("wrong", [{"on_error": "ignore"}, {"format": "pdf"}, {"by": "page"}, {"method": "magic"}])
def test_a_setting_that_does_not_exist_is_refused_at_once(wrong: dict[str, str]) -> None:
    with pytest.raises(UnknownName):
        PassageSettings(**wrong)
    with pytest.raises(UnsupportedPreference):
        PassageSettings(method="xpath", prefer="recall")


def test_settings_travel_as_plain_data() -> None:
    settings = PassageSettings(max_tokens=400, prefer="recall", output=Output(links=False), limits=Limits(seconds=2))
    data = json.loads(json.dumps(settings.to_dict()))
    assert PassageSettings.from_dict(data) == settings
    assert data["limits"] == {"seconds": 2}
    with pytest.raises(ValueError, match="not plain data"):
        PassageSettings(tokens=len).to_dict()
