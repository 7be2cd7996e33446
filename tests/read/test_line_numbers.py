"""Line numbers beside code are not code, and nothing else is taken for them."""

import pytest

from bonmun.read.page import read_page


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ('<pre><span class="lineno">1 </span>x = 1\n<span class="lineno">2 </span>  y</pre>', ("x = 1\n  y",)),
        ('<table><tr><td class="linenos"><pre>1\n2</pre><td><pre>x\ny</pre></table>', ("x\ny",)),
        ('<table><tr><td class="gutter"><pre>1<br>2</pre><td><pre>x<br>y</pre></table>', ("x\ny",)),
        ("<pre><b data-line-number=1>1</b><span data-line-number=7>7</span>x = 1</pre>", ("1x = 1",)),
        ("<pre><div data-line-number=1>x = 1</div><div data-line-number=2>4</div></pre>", ("x = 1\n4",)),
        ('<pre class="line-numbers">x = 1</pre>', ("x = 1",)),
        ('<pre>x</pre><p class="gutter">12</p><div class="gutter">12</div>', ("x", "12", "12")),
        ('<p><span class="lineno">1</span> apple</p>', ("1 apple",)),
        ('<pre>x<span class="ln">1</span></pre><p class="ln">2</p><pre><a class="ln">3</a>y</pre>', ("x", "2", "y")),
        ("<table><td class=ln>1</table><table><td class=ln>2<td><table><td><pre>x</pre></table></table>", ("1", "x")),
        ('<pre>x <a class="lineno">1 2<i> 3</i><i> \n</i></a><a class="lineno">1<i>a</i></a></pre>', ("x 1a",)),
    ],
)
def test_line_numbers_are_left_out(html: str, text: tuple[str, ...]) -> None:
    assert read_page(html).blocks.text == text
