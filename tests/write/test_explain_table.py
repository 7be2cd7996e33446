"""The table of verdicts in a terminal."""

import sys
from subprocess import run

from rich.console import Console

from bonmun.model.page import Page
from bonmun.model.verdict import Reason, Verdicts
from bonmun.pipeline import extract
from bonmun.write.explain_table import table

LONG = "A sentence that is long enough to be kept by the method of these tests, since it goes on for a while."


class KeepLong:
    name = "long"

    def judge(self, page: Page) -> Verdicts:
        keep = [int(len(text) > 80) for text in page.blocks.text]
        reasons = [(Reason("long", "it is"),) if kept else (Reason("short"), Reason("[red]other")) for kept in keep]
        return Verdicts(keep, [0.75 if kept else 0.1 for kept in keep], reasons, 0.5, notes=(Reason("a-note"),))


def printed(html: str | bytes, width: int = 120, colour: bool = False) -> list[str]:
    console = Console(width=width, force_terminal=colour, color_system="standard" if colour else None, record=True)
    with console.capture() as captured:
        console.print(table(extract(html, method=KeepLong())))
    return captured.get().splitlines()


def test_a_row_shows_verdict_kind_score_length_text_and_reasons() -> None:
    lines = printed(f"<h2>Tea</h2><p>{LONG}")
    assert lines[2].split() == ["−", "heading", ".10", "3", "Tea", "short;", "[red]other"]
    assert lines[3].split()[:7] == ["+", "paragraph", ".75", "101", "A", "sentence", "that"]
    assert lines[3].split()[-3:] == ["long:", "it", "is"] and "…" in lines[3]


def test_the_title_summarises_the_page() -> None:
    assert printed(f"<p>{LONG}<p>No.")[0].strip() == "ok · method long · confidence .50 · 1 of 2 blocks kept"


def test_notes_and_warnings_are_in_the_caption() -> None:
    lines = printed(f'<meta charset="shift_jis"><p>{LONG} 본문'.encode())
    assert any(line.startswith("note: a-note") for line in lines)
    assert any(line.startswith("warning: ") for line in lines)


def test_kept_rows_are_green_and_dropped_ones_dim() -> None:
    lines = printed(f"<p>No.<p>{LONG}", colour=True)
    assert "\x1b[2m" in lines[2] and "\x1b[32m" not in lines[2]
    assert "\x1b[32m" in lines[3]


def test_a_row_is_one_line_no_wider_than_the_terminal_with_wide_characters() -> None:
    from rich.cells import cell_len

    lines = printed("<p>" + "본문은 웹 페이지에서 읽을 것을 골라낸다. " * 20 + "<p>끝", width=80)
    assert len(lines) == 5
    assert all(cell_len(line) <= 80 for line in lines)


def test_a_page_cannot_control_the_terminal() -> None:
    html = "<p>\x1b[31mred \x07bell \x9b2J \u202egnitrever [bold]markup[/bold]<pre>a\n\x1b]0;title\x07b"
    joined = "".join(printed(html))
    assert not any(char in joined for char in "\x1b\x07\x9b\u202e")
    assert "[bold]markup[/bold]" in joined


def test_rich_is_loaded_only_when_a_table_is_drawn() -> None:
    code = "import sys, bonmun.write.explain_table; sys.exit('rich' in sys.modules)"
    assert run([sys.executable, "-c", code], check=False).returncode == 0
