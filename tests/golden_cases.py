"""Golden cases: small pages that we wrote, each with the outputs it must give.

A case is a folder `tests/golden/<construct>/<case>/` with

- `fragment.html`: markup to be put into the middle of an ordinary article of four paragraphs with a menu and a
  footer, or `page.html`: a whole page;
- `output.json`, if the case is about switches: the arguments of `bonmun.Output`;
- `expected.md`, `expected.txt`, `expected.html`, `expected.json`: the outputs, for a fragment without the article
  around it. JSON is the list of blocks without scores and xpaths, or an object with these and the comments;
  for a case of `metadata`, the fields of the page's metadata that have a value. A format without a file is not checked.

`BONMUN_GOLDEN=write pytest tests/test_golden.py` rewrites the expected files, and writes all four for a case that has
none; read the difference before you commit it.
"""

import json
from pathlib import Path
from typing import Any

import bonmun

GOLDEN = Path(__file__).parent / "golden"
FORMATS = ("md", "txt", "html", "json")
METADATA = "metadata"
URL = "https://example.org/harbour/story.html"

_BEFORE = (
    "The harbour at Tidewater opened again on Saturday, eleven years after the last ferry had left its quay for good.",
    "More than two hundred people went down the new steps on the first morning, and most of them stayed until noon.",
)
_AFTER = (
    "A group of residents had measured the water every week for three years before the council believed their figures.",
    "The bath is free, has no lifeguard on weekdays, and closes when the tide falls below the lowest of the steps.",
)
_FRAME = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>The old harbour opens again - Tidewater Post</title></head>
<body>
<header><a href="/">Tidewater Post</a></header>
<nav><ul><li><a href="/news">News</a></li><li><a href="/sport">Sport</a></li><li><a href="/sea">Sea</a></li></ul></nav>
<main><article>
<h1>The old harbour opens again</h1>
<p>{before[0]}</p>
<p>{before[1]}</p>
{fragment}
<p>{after[0]}</p>
<p>{after[1]}</p>
</article></main>
<footer><p>© 2026 Tidewater Post. All rights reserved.</p>
<a href="/imprint">Imprint</a> <a href="/privacy">Privacy</a></footer>
</body>
</html>
"""


def formats_of(case: Path) -> tuple[str, ...]:
    """The formats that are written for a new case."""
    return ("json",) if case.parent.name == METADATA else FORMATS


def cases() -> list[Path]:
    """The folders of all cases, in order."""
    return sorted(path.parent for name in ("fragment.html", "page.html") for path in GOLDEN.glob(f"*/*/{name}"))


def document_of(case: Path) -> bonmun.Document:
    """The document of a case's page, with its switches."""
    switches = case / "output.json"
    document = _document_of(case)
    return document.with_output(bonmun.Output(**json.loads(switches.read_text()))) if switches.exists() else document


def _document_of(case: Path) -> bonmun.Document:
    page = case / "page.html"
    if page.exists():
        return bonmun.extract(page.read_bytes(), url=URL)
    fragment = (case / "fragment.html").read_text(encoding="utf-8")
    return bonmun.extract(_FRAME.format(before=_BEFORE, after=_AFTER, fragment=fragment), url=URL)


def output(case: Path, document: bonmun.Document, format: str) -> str:
    """One output of a case as its expected file has it."""
    if format == "json":
        return _json(case, document)
    written = {"md": lambda: document.markdown, "txt": lambda: document.text, "html": lambda: document.html}[format]()
    return (written if (case / "page.html").exists() else _middle(written)) + "\n"


def _middle(written: str) -> str:
    """The output between the paragraphs around the fragment; all of it if those are not kept."""
    start, stop = written.find(_BEFORE[1]), written.find(_AFTER[0])
    if start < 0 or stop < 0:
        return f"(the article around it was lost)\n{written}"
    inside = written[start + len(_BEFORE[1]) : stop]
    return inside.removeprefix("</p>").removesuffix("<p>").strip("\n")


def _json(case: Path, document: bonmun.Document) -> str:
    data: Any = document.to_dict()
    if case.parent.name == METADATA:
        fields = {name: value for name, value in data["metadata"].items() if value}
        return json.dumps(fields, ensure_ascii=False, indent=1) + "\n"
    blocks = [{key: value for key, value in block.items() if key not in ("score", "xpath")} for block in data["blocks"]]
    if not (case / "page.html").exists():
        texts = [block["text"] for block in blocks]
        if _BEFORE[1] in texts and _AFTER[0] in texts:
            blocks = blocks[texts.index(_BEFORE[1]) + 1 : texts.index(_AFTER[0])]
    if "comments" in data:
        return (
            json.dumps({"blocks": blocks, "comments": _without_xpaths(data["comments"])}, ensure_ascii=False, indent=1)
            + "\n"
        )
    return "[\n" + ",\n".join(json.dumps(block, ensure_ascii=False) for block in blocks) + "\n]\n"


def _without_xpaths(comments: list[dict[str, Any]]) -> list[dict[str, Any]]:
    plain = ({name: value for name, value in comment.items() if name != "xpath"} for comment in comments)
    return [comment | {"replies": _without_xpaths(comment["replies"])} for comment in plain]
