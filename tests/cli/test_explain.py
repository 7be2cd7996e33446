"""`bonmun explain`, run for real."""

from pathlib import Path

import pytest


def test_a_table_of_verdicts_without_output(bonmun, page):
    done = bonmun("explain", page("a.html"), COLUMNS="100")
    assert (done.code, done.err) == (0, "")
    assert "auto" in done.out
    assert "The river rose" in done.out
    assert "\x1b" not in done.out
    assert max(map(len, done.out.splitlines())) <= 100


def test_the_drawn_page_with_output(bonmun, page):
    done = bonmun("explain", page("a.html"), "--output", "drawn.html", "--method", "xpath")
    assert (done.code, done.out, done.err) == (0, "", "")
    drawn = Path("drawn.html").read_text(encoding="utf-8")
    assert "<html" in drawn.lower()
    assert "The river rose" in drawn


def test_several_sources_go_to_a_directory_or_one_below_the_other(bonmun, page):
    sources = [page("a.html", "A"), page("b.html", "B")]
    assert bonmun("explain", *sources, "--output", "out").code == 0
    assert sorted(path.name for path in Path("out").iterdir()) == ["a.html", "b.html"]
    tables = bonmun("explain", *sources)
    assert tables.out.count("==> ") == 2


@pytest.mark.parametrize(("source", "code", "said"), [("-", 0, "empty"), ("missing.html", 1, "no such file")])
def test_nothing_to_explain_is_said(bonmun, source, code, said):
    done = bonmun("explain", source)
    assert done.code == code
    assert said in done.err


def test_the_page_itself_is_not_overwritten(bonmun, page):
    page("a.html")
    assert bonmun("explain", "a.html", "--output", "a.html").code == 2
    assert bonmun("explain", "a.html", "--output", ".").code == 2
