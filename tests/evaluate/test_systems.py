import sys

import pytest

from bonmun.errors import MissingBrowser, MissingExtra, UnknownName
from bonmun.evaluate import runtimes, systems
from bonmun.evaluate.benchmark import roster
from bonmun.evaluate.corpora import Case
from bonmun.evaluate.peers import PEERS
from bonmun.evaluate.scoring import as_text
from bonmun.evaluate.system_worker import Outcome, SystemWorker

PARAGRAPH = (
    "On the {0} day the river rose in the night, and by morning the lower road was gone under brown water, as it had"
    " been in the {0} spring when the bridge was lost, and the school stayed shut for {0} weeks or more. "
)
DAYS = "first second third fourth fifth sixth".split()
PAGE = (
    "<html lang=en><head><title>The river</title></head><body><nav><a href=/>Home</a> <a href=/n>News</a></nav>"
    f"<article><h1>The river</h1>{''.join(f'<p>{PARAGRAPH.format(day)}</p>' for day in DAYS)}</article>"
    "<footer>All rights reserved by the newspaper</footer></body></html>"
)


@pytest.mark.parametrize("name", PEERS)
def test_every_installed_peer_extracts_the_article(name):
    try:
        system = systems.find(name)
    except MissingExtra as error:
        pytest.skip(str(error))
    with SystemWorker(system) as worker:
        answer = worker.ask(Case("1", PAGE, url="https://example.org/river", lang="en"), 60)
    assert answer.status is Outcome.OK, answer.note
    text = " ".join(as_text(answer.output, system).split())
    assert text.count("by morning the lower road was gone") == 6
    assert "<p>" not in text
    assert answer.cpu > 0


def test_the_version_of_our_methods_is_a_hash_of_their_code():
    system = systems.find("xpath")
    assert system.ours
    assert system.version.endswith(systems.code_stamp())


def test_an_unknown_system_is_refused_with_the_known_names():
    with pytest.raises(UnknownName, match="there are: auto, boilerpy3"):
        systems.find("magic")


def test_a_third_party_method_is_a_system_with_its_packages_version(third_party):
    third_party("tea")
    system = systems.find("tea")
    assert "tea" in systems.names()
    assert (system.ours, system.version) == (True, f"2.5+{systems.code_stamp()}")
    with SystemWorker(system) as worker:
        assert worker.ask(Case("1", "<p>the river rose</p><div>tea is hot</div>"), 60).output == "the river rose"


def test_every_file_that_an_extraction_reads_is_part_of_its_version(monkeypatch, tmp_path):
    (tmp_path / "models").mkdir()
    stamps = []
    monkeypatch.setattr(systems, "_PACKAGE", tmp_path)
    for name, content in (("a.py", "1"), ("models/a.bin", "1"), ("models/a.bin", "2"), ("models/card.md", "1")):
        (tmp_path / name).write_text(content)
        systems.code_stamp.cache_clear()
        stamps.append(systems.code_stamp())
    systems.code_stamp.cache_clear()
    assert len(set(stamps)) == 3
    assert stamps[2] == stamps[3]


def test_the_error_for_a_missing_peer_names_the_install_command(monkeypatch, tmp_path):
    monkeypatch.setattr("importlib.metadata.version", _not_installed)
    with pytest.raises(MissingExtra, match=r"goose3 .* pip install 'bonmun\[bench\]'"):
        systems.find("goose3")
    monkeypatch.setenv("BONMUN_CACHE", str(tmp_path))
    with pytest.raises(MissingExtra, match=r"Readability\.js .* bonmun bench --install readability\.js"):
        systems.find("readability.js")
    if sys.version_info[:2] != (3, 12):
        with pytest.raises(MissingExtra, match="bonmun bench --install rs-trafilatura"):
            systems.find("rs-trafilatura")


def test_only_two_peers_can_be_installed_into_the_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("BONMUN_CACHE", str(tmp_path))
    with pytest.raises(MissingExtra, match="bench"):
        runtimes.install("goose3")


def _not_installed(name):
    from importlib.metadata import PackageNotFoundError

    raise PackageNotFoundError(name)


def test_a_method_without_its_browser_is_skipped_among_all(monkeypatch):
    monkeypatch.setenv("BONMUN_CHROMIUM", "/nowhere")
    with pytest.raises(MissingBrowser):
        systems.find("visual")
    found = roster(["all"])
    assert "visual" not in {system.name for system in found.systems}
    assert any(line.startswith("visual skipped: ") for line in found.missing)
