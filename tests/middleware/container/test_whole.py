"""The container with the real network manager and real sources."""

import sys
from itertools import islice
from pathlib import Path

import pytest

import bonmun
from bonmun.errors import AddressRefused
from bonmun.middleware.network_manager import NetworkManager
from bonmun.middleware.network_settings import NetworkSettings
from bonmun.middleware.settings import ContainerSettings
from tests.corpora import pages as corpus
from tests.middleware.container.parts import FETCHED, PARSED, Recorder, html
from tests.middleware.local_server import Server, answer

TWO = ContainerSettings(jobs=2)
LOCAL = NetworkSettings(per_host=4, delay=0, allow_private=True)


def test_real_pages_are_delivered_once_with_their_notifications_in_order(server: Server) -> None:
    records = [*islice(corpus("cjk_dev"), 10), *islice(corpus("wcxb_dev"), 20)]
    bodies = [record["html"].encode("utf-8", "replace") for record in records]
    server.serve(answer(b"", "404 Not Found"), "/robots.txt")
    kind = "text/html; charset=utf-8"
    urls = [server.serve(answer(body, Content_Type=kind), f"/{number}") for number, body in enumerate(bodies)]
    wrapper = Recorder()
    with NetworkManager(LOCAL) as network:
        container = bonmun.Container(wrapper, network, settings=TWO)
        datasets = {dataset.url: dataset for dataset in container.stream(urls)}
    texts = {url: dataset.text for url, dataset in datasets.items()}
    sources = {dataset.source for dataset in datasets.values()}
    assert {url: wrapper.of(url) for url in urls} == dict.fromkeys(urls, FETCHED)
    assert texts == {
        url: bonmun.extract(body, url=url, charset=kind).text for url, body in zip(urls, bodies, strict=True)
    }
    assert (container.report.taken, container.report.delivered) == (30, 30)
    assert sources == {"urls"}, "plain URLs are one source"


def test_sources_in_one_line_need_no_network_for_files(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.html").write_bytes(html(name))
    wrapper = Recorder()
    report = bonmun.Container(wrapper, settings=TWO).run([str(tmp_path), "gopher:tea"])
    assert report.delivered == 2
    assert wrapper.of((tmp_path / "a.html").as_uri()) == PARSED
    assert [where for where, _ in wrapper.errors] == ["source gopher:tea"]


def test_a_container_without_a_network_makes_a_guarded_one(server: Server) -> None:
    url = server.serve(answer(html("private")), "/private")
    wrapper = Recorder()
    report = bonmun.Container(wrapper, settings=TWO).run([url])
    assert (report.taken, report.failed_at) == (1, {"fetch": 1})
    assert wrapper.of(url) == ["fetch started", "fetch failed"]
    assert isinstance(wrapper.failures[0], AddressRefused)
    assert not server.requests


@pytest.mark.parametrize("broken", [True, False])
def test_a_plug_in_source_that_cannot_be_loaded_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: bool
) -> None:
    metadata = tmp_path / "site" / "teas-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: teas\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[bonmun.sources]\nteas = teas:Teas\n")
    good = "def __init__(self, text): self.name = text\n    def items(self, network): return iter(())"
    (tmp_path / "site" / "teas.py").write_text(f"class Teas:\n    {'def' if broken else good}\n")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    monkeypatch.delitem(sys.modules, "teas", raising=False)
    wrapper = Recorder()
    bonmun.Container(wrapper, settings=TWO).run(["teas:green"])
    assert [where for where, _ in wrapper.errors] == (["plug-in", "source teas:green"] if broken else [])
