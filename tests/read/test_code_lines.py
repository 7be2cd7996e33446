import pytest

import bonmun


def code(html: str) -> str:
    (block,) = bonmun.read_page(html).blocks.text
    return block


LINES = "<span class=line>a</span><span class=line>  <b>b</b></span>"


@pytest.mark.parametrize(
    ("html", "text"),
    [
        (f"<pre>{LINES}</pre>", "a\n  b"),
        (f"<pre><code>{LINES}c</code></pre>", "a\n  b\nc"),
        ("<pre><span class=line>a</span>\n<span class=line>b</span></pre>", "a\nb"),
        ("<pre><span class=line>a\n</span><span class=line>b</span></pre>", "a\nb"),
        ("<pre><span class=line>a</span><br><span class=line>b<br></span>c</pre>", "a\nb\nc"),
        ("<pre><span class=line>a</span><span class=line></span><span class=line>b</span></pre>", "a\n\nb"),
        ("<pre><span class='line hot'><span class=line>a</span></span>b</pre>", "a\nb"),
        ("<pre><span class=word>a</span><span class=word>b</span></pre>", "ab"),
    ],
)
def test_lines_that_a_style_sheet_parts_end_with_a_line_break(html: str, text: str) -> None:
    assert code(html) == text


def test_code_inside_code_is_read_once() -> None:
    assert bonmun.read_page(f"<pre>x <pre>{LINES}</pre></pre>").blocks.text == ("x", "a\n  b")


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<pre>    <b>a</b>\n    b</pre>", "    a\n    b"),
        ("<pre>\n\n\t<b>a</b>\n\tb</pre>", "\ta\n\tb"),
        ("<pre><code><span> </span><span> </span>a\n  b</code></pre>", "  a\n  b"),
        ("<pre> <div>  <b>a</b></div><div>  b</div></pre>", "  a\n  b"),
    ],
)
def test_the_first_line_of_code_keeps_its_indentation(html: str, text: str) -> None:
    assert code(html) == text


def test_the_runs_of_code_are_its_text_and_its_path_is_unchanged() -> None:
    (block,) = bonmun.extract(f"<pre>{LINES}</pre>").all_blocks
    assert [run.text for run in block.runs] == [block.text]
    assert block.xpath == "/html/body/pre[1]"
