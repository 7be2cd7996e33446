"""Every reason that a method gives has words in Korean."""

import ast
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

import bonmun
from tests.corpora import pages
from tests.methods.learned.test_phrases import EXAMPLES
from tests.serve.page.watched import Watched

ROOT = Path(bonmun.__file__).parent
METHODS = ("auto", "density", "logical", "logical-robust", "xpath", "xpath-robust")
TRANSLATED = """async (details) => {
    const main = document.querySelector('script[src*="extract/main.js"]').src;
    const { NAMES, phrase } = await import(main.replace("main.js", "phrases_ko.js"));
    return [NAMES, details.map(phrase)];
}"""
QUOTED = re.compile(r"“[^”]*”|<\w+>|\S*/\S*|\bauto\b|\bclass\b|\bid\b")


def _literals() -> Iterator[tuple[str, str]]:
    """Names and details that stand in the code as they are; a name of `f"…"` or a variable is left out."""
    for folder in ("methods", "sites", "model"):
        for path in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Reason":
                    name, detail = [_text(part) for part in node.args[:2]] + [""] * (2 - len(node.args[:2]))
                    yield name, detail


def _text(node: ast.expr) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _given(html: str) -> Iterator[tuple[str, str]]:
    """The reasons that the methods give on a page."""
    for method in METHODS:
        document = bonmun.extract(html, method=method, limits=bonmun.Limits(seconds=600))  # a busy machine is slow
        for reasons in (document.reasons, *(block.reasons for block in document.all_blocks)):
            yield from ((reason.name, reason.detail) for reason in reasons)


def _untranslated(screen: Watched, reasons: set[tuple[str, str]]) -> list[str]:
    details = sorted({detail for _, detail in reasons if " " in detail})
    names, phrases = screen.open("/?lang=ko").evaluate(TRANSLATED, details)
    return [name for name in sorted({name for name, _ in reasons} - {""}) if name not in names] + [
        detail for detail, phrase in zip(details, phrases, strict=True) if _is_english(phrase)
    ]


def _is_english(phrase: str) -> bool:
    words = QUOTED.sub("", phrase)
    return re.search("[가-힣]", words) is None or re.search("[a-z]{2,} [a-z]{2,}", words) is not None


def test_reasons_in_the_code_have_korean_words(screen: Watched) -> None:
    assert _untranslated(screen, {*_literals()} | {("", phrase) for _, _, _, phrase in EXAMPLES}) == []


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("corpus", ["cjk_dev", "wcxb_dev"])
def test_reasons_for_real_pages_have_korean_words(corpus: str, screen: Watched) -> None:
    given = (reason for record in islice(pages(corpus), 3, 80, 16) for reason in _given(record["html"]))
    assert _untranslated(screen, {*given}) == []
