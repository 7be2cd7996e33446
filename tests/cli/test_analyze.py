"""`bonmun analyze`, run for real."""

import json
from pathlib import Path

import pytest

KOREAN = (
    "<html lang=ko><title>등대에 불이 켜졌다</title><body><div>"
    "<p>마을의 등대에 스무 해 만에 다시 불이 켜졌다고 한다.</p>"
    "<p>등대는 올여름 일반에 열리고, 마을 사람들이 등대를 안내한다.</p></div></body>"
)


@pytest.fixture
def korean(folder: Path) -> str:
    (folder / "ko.html").write_text(KOREAN, encoding="utf-8")
    return "ko.html"


def test_keywords_and_summary_of_a_page(bonmun, korean):
    done = bonmun("analyze", korean, "--sentences", "1")
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == "등대에 불이 켜졌다"
    assert lines[1].startswith("ko, by kiwipiepy")
    assert lines[3].split() == ["1.00", "3", "등대"]
    assert lines[-1].endswith("다.")


def test_json_has_spans(bonmun, korean):
    done = bonmun("analyze", korean, "--format", "json", "--keywords", "2")
    data = json.loads(done.out)
    assert data["language"] == "ko"
    assert data["warnings"] == []
    assert data["keywords"][0]["text"] == "등대"
    assert data["keywords"][0]["spans"][0] == [0, 4, 6]
    assert data["summary"][0]["span"][0] in (0, 1)


def test_several_sources_have_headings(bonmun, page):
    done = bonmun("analyze", page("a.html", "A"), page("b.html", "B"))
    assert done.code == 0
    assert done.out.count("==> ") == 2


def test_tables_of_the_paper_are_printed(bonmun, korean):
    done = bonmun("analyze", korean, "--tables")
    assert (done.code, done.err) == (0, "")
    assert "ID\tKeyword\tText\tFrequency\n1\t등대\tO\t3" in done.out
    assert "ID\tLength\tID\tWeight" in done.out
    assert done.out.endswith("region: /html/body/div[1]\n")


def test_tables_with_another_method_are_wrong_usage(bonmun, korean):
    done = bonmun("analyze", korean, "--tables", "--method", "xpath")
    assert done.code == 2
    assert "--method logical" in done.err


def test_a_missing_analyser_is_a_warning_in_the_result(bonmun, folder, korean):
    # A package of that name that cannot be imported stands before the real one.
    (folder / "shadow").mkdir()
    (folder / "shadow" / "kiwipiepy.py").write_text("raise ImportError('not here')", encoding="utf-8")
    done = bonmun("analyze", korean, PYTHONPATH=str(folder / "shadow"))
    assert done.code == 0
    assert "warning: missing-analyser" in done.out
    assert "pip install 'bonmun[ko]'" in done.out
    done = bonmun("extract", korean, "--method", "logical", PYTHONPATH=str(folder / "shadow"))
    assert "pip install 'bonmun[ko]'" in done.err


def test_a_page_without_text_is_reported_as_empty(bonmun):
    done = bonmun("analyze", "-", stdin=b"<body></body>")
    assert done.code == 0
    assert "empty" in done.err
