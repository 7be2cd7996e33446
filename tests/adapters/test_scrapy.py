import asyncio
import gzip
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from bonmun import UnknownName, WorkerDied, open_store
from tests.adapters.local_server import Answering, Response, serving

pytestmark = pytest.mark.skipif(find_spec("scrapy") is None, reason="Scrapy is not installed")

TEXT = "Tea is made of leaves, and of water that has just boiled. It is ready after some minutes."
KOREAN = "차는 잎과 방금 끓인 물로 만든다. 몇 분이 지나면 마실 수 있고, 식으면 다시 데우지 않는다."
TEA = f"<html lang=en><title>Tea</title><body><nav>Home</nav><article><h1>Tea</h1><p>{TEXT}</p></article>".encode()
KOREAN_PAGE = f"<html><title>차</title><body><article><p>{KOREAN}</p></article>".encode("cp949")
ANSWERS: dict[str, tuple[dict[str, str], bytes]] = {
    "tea": ({"Content-Type": "text/html; charset=utf-8"}, TEA),
    "undeclared": ({"Content-Type": "text/html"}, KOREAN_PAGE),
    "header-charset": ({"Content-Type": "text/html; charset=euc-kr"}, KOREAN_PAGE.replace("차는".encode("cp949"), b"")),
    "packed": ({"Content-Type": "text/html", "Content-Encoding": "gzip"}, gzip.compress(TEA.replace(b"Tea", b"Mate"))),
    "empty": ({"Content-Type": "text/html"}, b"<html><frameset></frameset>"),
    "picture": ({"Content-Type": "image/png"}, b"\x89PNG\r\n\x1a\n" + bytes(100)),
    "data": ({"Content-Type": "application/json"}, b'{"tea": 1}'),
}


class Server(Answering):
    def response(self) -> Response:
        name = self.path.strip("/")
        headers, body = ANSWERS.get(name, ({"Content-Type": "text/html"}, b"<p>Not here."))
        return 200 if name in ANSWERS else 404, headers, body


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving(Server) as address:
        yield address


def crawl(address: str, folder: Path, *settings: str) -> dict[str, Any]:
    command = [sys.executable, Path(__file__).parent / "crawl.py", address, folder, *settings]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr, done.stderr
    result: dict[str, Any] = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    return result


@pytest.fixture(scope="module")
def crawled(address: str, tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], Path]:
    folder = tmp_path_factory.mktemp("crawl")
    return crawl(address, folder), folder


def items_of(result: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {item["url"].rpartition("/")[2]: item for item in result["items"] if "class" in item}


def test_the_pipeline_adds_the_content_of_every_page(crawled: tuple[dict[str, Any], Path]) -> None:
    items = items_of(crawled[0])
    assert {name: item["status"] for name, item in items.items()} == {
        "tea": "ok",
        "undeclared": "ok",
        "header-charset": "ok",
        "packed": "ok",
        "empty": "empty",
        "picture": "failed",
        "data": "failed",
    }
    assert items["tea"]["text"].endswith(TEXT)
    assert items["undeclared"]["text"] == KOREAN
    assert items["header-charset"]["text"] == KOREAN.removeprefix("차는").strip()
    assert items["picture"]["error"] == {"type": "NotAPage", "message": "not a web page: PNG image"}
    assert items["picture"]["text"] is None
    assert items["tea"]["html"] == "BonmunResponse"


def test_html_responses_have_the_method_and_others_stay_as_they_are(crawled: tuple[dict[str, Any], Path]) -> None:
    items = items_of(crawled[0])
    classes = {name: item["class"] for name, item in items.items()}
    assert classes["tea"] == classes["packed"] == "BonmunResponse"
    assert (classes["picture"], classes["data"]) == ("Response", "JsonResponse")
    assert (items["tea"]["by_method"], items["packed"]["by_method"]) == ("Tea", "Mate")


def test_an_item_keeps_what_the_spider_filled_and_lacks_what_it_has_no_room_for(
    crawled: tuple[dict[str, Any], Path],
) -> None:
    article, note = sorted(
        (item for item in crawled[0]["items"] if "class" not in item), key=lambda item: "note" in item
    )
    assert article["title"] == "A title of the spider's own"
    assert article["text"].endswith(TEXT)
    assert set(article) == {"url", "html", "title", "text", "status"}
    assert note["extracted"].endswith(TEXT)
    assert "status" not in note


def test_pages_are_in_the_store_and_failures_in_the_statistics(crawled: tuple[dict[str, Any], Path]) -> None:
    result, folder = crawled
    with open_store(folder / "pages.db", create=False) as store:
        kept = {document.url.rpartition("/")[2]: document for document in store.documents()}
        failures = {failure.url.rpartition("/")[2]: failure.error for failure in store.failures()}
    assert set(kept) == {"tea", "undeclared", "header-charset", "packed", "empty"}
    assert kept["undeclared"].text == KOREAN
    assert {document.source for document in kept.values()} == {"pages"}
    assert failures == {"picture": "NotAPage", "data": "NotAPage"}
    stats = result["stats"]
    assert stats["bonmun/error/NotAPage"] == 4  # in the store and in the pipeline, two each
    assert stats["bonmun/stored/new"] + stats["bonmun/stored/duplicate"] == 5
    assert stats["bonmun/items_without_page"] == 1
    assert stats["finish_reason"] == "finished"


def test_worker_processes_under_another_reactor_give_the_same_and_statuses_are_dropped_on_request(
    crawled: tuple[dict[str, Any], Path], address: str, tmp_path: Path
) -> None:
    reactor = "TWISTED_REACTOR=twisted.internet.selectreactor.SelectReactor"
    fields = "BONMUN_FIELDS=text,markdown,date"
    result = crawl(
        address, tmp_path, "BONMUN_JOBS=2", reactor, "BONMUN_DROP=failed,empty", "BONMUN_KEEP_PAGE=0", fields
    )
    items, before = items_of(result), items_of(crawled[0])
    assert {name: item["text"] for name, item in items.items()} == {
        name: item["text"] for name, item in before.items() if item["status"] == "ok"
    }
    assert items["tea"]["markdown"].endswith(TEXT)
    assert "title" not in items["tea"]
    assert items["tea"]["html"] is None
    stats = result["stats"]
    assert stats["item_dropped_count"] == 3
    assert stats["bonmun/no_such_field/Article.markdown"] == 1
    assert stats["bonmun/stored/new"] == crawled[0]["stats"]["bonmun/stored/new"]


def test_an_unknown_field_status_or_method_is_refused_when_the_crawl_starts() -> None:
    from scrapy.settings import Settings

    from bonmun.adapters.scrapy import ItemSettings

    with pytest.raises(UnknownName, match="no field of a page named 'txt'"):
        ItemSettings.of(Settings({"BONMUN_FIELDS": ["txt"]}))
    with pytest.raises(UnknownName, match="no status named 'lost'"):
        ItemSettings.of(Settings({"BONMUN_DROP": "lost"}))
    with pytest.raises(UnknownName, match="no method named 'magic'"):
        ItemSettings.of(Settings({"BONMUN_METHOD": "magic"}))
    renamed = ItemSettings.of(Settings({"BONMUN_FIELDS": {"markdown": "content"}}))
    assert (renamed.fields, renamed.batch.texts) == ({"markdown": "content"}, ("markdown",))


def test_a_worker_process_that_dies_costs_one_item() -> None:
    from bonmun.adapters.scrapy_work import Workroom

    async def outcomes() -> list[object]:
        room = Workroom[int, None](os._exit, jobs=2, seconds=60)
        try:
            return await asyncio.gather(room.run(3), room.call(lambda: "here"), return_exceptions=True)
        finally:
            room.close()

    died, here = asyncio.run(outcomes())
    assert isinstance(died, WorkerDied)
    assert here == "here"
