"""The public names for writers, and the documentation of them."""

import re
from pathlib import Path
from runpy import run_path

import bonmun.write
from tests.write.documents import document

GUIDE = (Path(__file__).parents[2] / "docs" / "extending.md").read_text("utf-8")


def test_the_public_names_are_these() -> None:
    assert sorted(bonmun.write.__all__) == sorted(
        "Callout Cell Definition Definitions Details LINK Leaf Line List MARKS NESTING Note Notes OutlineNode Quote"
        " Rule Run Span Table Term leaves outline shown_blocks spans".split()
    )


def test_the_guide_explains_every_public_name() -> None:
    explained = set(re.findall(r"\w+", GUIDE.partition("## A format of your own")[2]))
    assert set(bonmun.write.__all__) - explained == {"Line", "NESTING"}, "the others need no name in a writer"


def test_the_writer_in_the_guide_runs(tmp_path: Path) -> None:
    [code] = [code for code in re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL) if "bonmun.write" in code]
    (tmp_path / "writer.py").write_text(code, "utf-8")
    write = run_path(str(tmp_path / "writer.py"))["write"]
    doc = document("<p>a<br>b<ul><li>c<li>d</ul><blockquote>e</blockquote><table><tr><th>f<th>g<tr><td>h<td>i</table>")
    assert write(doc) == "a\nb\n\n* c\n* d\n\n> e\n\nf\ng\nh\ni"
