"""`bonmun explain`, run for real."""

import os
import shutil
from pathlib import Path

import pytest


def test_without_output_a_table_of_verdicts_is_printed(bonmun, page):
    done = bonmun("explain", page("a.html"), COLUMNS="100")
    assert (done.code, done.err) == (0, "")
    assert "auto" in done.out
    assert "The river rose" in done.out
    assert "\x1b" not in done.out
    assert max(map(len, done.out.splitlines())) <= 100


def test_with_output_the_annotated_page_is_written(bonmun, page):
    done = bonmun("explain", page("a.html"), "--output", "drawn.html", "--method", "xpath")
    assert (done.code, done.out, done.err) == (0, "", "")
    drawn = Path("drawn.html").read_text(encoding="utf-8")
    assert "<html" in drawn.lower()
    assert "The river rose" in drawn


def test_several_sources_go_to_a_directory_or_to_standard_output(bonmun, page):
    sources = [page("a.html", "A"), page("b.html", "B")]
    assert bonmun("explain", *sources, "--output", "out").code == 0
    assert sorted(path.name for path in Path("out").iterdir()) == ["a.html", "b.html", "manifest.jsonl"]
    tables = bonmun("explain", *sources)
    assert tables.out.count("==> ") == 2


@pytest.mark.parametrize(("source", "code", "message"), [("-", 0, "empty"), ("missing.html", 1, "no such file")])
def test_empty_and_missing_sources_are_reported(bonmun, source, code, message):
    done = bonmun("explain", source)
    assert done.code == code
    assert message in done.err


def test_output_does_not_overwrite_the_source(bonmun, page):
    page("a.html")
    assert bonmun("explain", "a.html", "--output", "a.html").code == 2
    assert bonmun("explain", "a.html", "--output", ".").code == 2


def test_rendered_draws_the_verdicts_over_a_screenshot(bonmun, page):
    pytest.importorskip("playwright", reason="playwright is not installed")
    if not (shutil.which("chromium") or os.environ.get("BONMUN_CHROMIUM")):
        pytest.skip("Chromium is not installed (apt-get install chromium)")
    done = bonmun(
        "explain", page("a.html"), page("b.html", "B"), "--rendered", "--viewport", "800x600", "--output", "out/"
    )
    assert (done.code, done.out, done.err) == (0, "", "")
    for name in ("a.html", "b.html"):
        drawn = (Path("out") / name).read_text(encoding="utf-8")
        assert 'width="800"' in drawn and 'src="data:image/png;base64,iVBOR' in drawn
        assert "The river rose" in drawn and 'class="bm-box' in drawn and "<script" not in drawn


def test_rendered_needs_an_output_and_a_browser(bonmun, page, tmp_path):
    without = bonmun("explain", page("a.html"), "--rendered")
    assert (without.code, without.err) == (2, "bonmun: --rendered needs --output FILE (see bonmun explain --help)\n")
    missing = bonmun("explain", "a.html", "--rendered", "--output", "out.html", BONMUN_CHROMIUM=str(tmp_path / "none"))
    assert missing.code and "BONMUN_CHROMIUM" in missing.err and missing.err.count("\n") == 1
    assert not Path("out.html").exists()
