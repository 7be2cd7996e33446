"""1,000 mutated pages go through the whole path without a finding; `bench/fuzz_path.py` runs 100,000."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fuzz.constructs import CONSTRUCTS
from fuzz.page_mutations import mutated, sources
from fuzz.path_checks import Checks, elements, html_faults

ROOT = Path(__file__).parents[1]
PAGES = 1000
PART = 250


@pytest.mark.parametrize("first", range(0, PAGES, PART))
def test_mutated_pages_end_in_valid_safe_and_equal_outputs_or_typed_errors(first: int) -> None:
    """The pages are checked in processes of their own: a crash of the core is a finding too."""
    part = ["--first", str(first), "--count", str(PART), "--batch", str(PART), "--jobs", "1"]
    command = [sys.executable, "bench/fuzz_path.py", *part]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert re.search(rf"^{PART:,} pages: ", done.stdout, re.MULTILINE), done.stdout + done.stderr
    assert [line for line in done.stdout.splitlines() if line.startswith("page ")] == []


@pytest.mark.parametrize("construct", CONSTRUCTS, ids=range(len(CONSTRUCTS)))
def test_every_construct_of_the_dictionary_passes_all_checks(construct: str) -> None:
    report = Checks(construct.encode("utf-8", "surrogatepass"), None, 0).run()
    assert report.problems == []


def test_a_mutated_page_depends_on_seed_and_number_alone() -> None:
    pages = sources(0)
    made = [mutated(pages, 1, number) for number in range(50)]
    assert made == [mutated(pages, 1, number) for number in range(50)]
    assert made != [mutated(pages, 2, number) for number in range(50)]
    assert len({page for page, _ in made}) > 45


@pytest.mark.parametrize(
    "html",
    [
        "<article><script>x</script></article>",
        "<p onclick=x>y</p>",
        "<a href=' javascript:x'>y</a>",
        "<img src=data:image/png,x alt=y>",
        "<p style='color:red'>x</p>",
    ],
)
def test_the_checks_see_unsafe_html(html: str) -> None:
    assert list(html_faults(elements(html)))


def test_the_checks_report_errors_as_findings(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr("bonmun.read_page", broken, raising=False)
    report = Checks(b"<p>x", None, 1).run()
    assert report.problems == ["read: untyped RuntimeError: broken"]
