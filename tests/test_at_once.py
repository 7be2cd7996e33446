"""A document made in one call of the core is the one that the steps make, whatever is asked of it first."""

import copy
import pickle
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, settings

import bonmun
from bonmun.core import core
from bonmun.deadline import within
from bonmun.errors import LimitExceeded
from bonmun.model.document import Document
from tests.core.tag_soup import tag_soup
from tests.corpora import pages
from tests.without_core import without_core

pytestmark = pytest.mark.skipif(core() is None, reason="the compiled core is missing or disabled")

URL = "https://example.org/tea?x=1#top"
TEXT = "".join(
    f"<p>Paragraph {number} of a long text about tea: it is made of leaves, and of water that has just boiled.</p>"
    for number in range(60)
)
NAV = "<nav><ul>" + "".join(f"<li><a href=/{number}>Offer {number}</a>" for number in range(30)) + "</ul></nav>"
PAGE = f"<title>Tea</title><body>{NAV}<main><h1>Tea</h1>{TEXT}</main><footer>© 2024 Leaves. Imprint</footer>"
AT_ONCE = {
    "plain": PAGE,
    "roles": PAGE.replace(
        "<h1>", "<div role=heading aria-level=3>Leaves</div><div role=list><div role=listitem>A</div></div><h1>"
    ),
    "heading by role": PAGE.replace("<h1>Tea</h1>", "<div role=heading>Tea</div>"),
    "table": PAGE.replace("</main>", "<table><tr><th>a<th>b<tr><td>1<td>2<tr><td>3<td>4</table></main>"),
    "tables in tables": PAGE.replace(
        "</main>", "<table><tr><td>a<td><table><tr><td>1<td>2</table><tr><td>3</table></main>"
    ),
    "label": PAGE.replace("</main>", "<label for=search>Search</label><input id=search></main>"),
    "link to another place": PAGE.replace("</main>", "<a href=#top>Back to the top of the page</a></main>"),
    "deep": PAGE.replace("<main>", "<div>" * 600),
}
BY_STEPS: dict[str, str | bytes] = {
    "footnotes": PAGE.replace("</h1>", "<sup><a href=#n1>1</a></sup></h1>").replace(
        "</main>", "<p id=n1>A note.</main>"
    ),
    "sidenote": PAGE.replace("</h1>", "<label for=sn-1></label><span class=sidenote>A note.</span></h1>"),
    "recipe": PAGE.replace(
        "<body>", '<script type=application/ld+json>{"@type": "Recipe", "name": "Tea"}</script><body>'
    ),
    "hidden cells": PAGE.replace(
        "</main>", "<table><tr><th><button>a</button><th>b<tr><td>1<td hidden>2</table></main>"
    ),
    "short": "<p>Tea is made of leaves, and of water that has just boiled.</p>",
    "quotation": PAGE.replace("</h1>", " <q>now</q></h1>"),
    "latin": PAGE.replace("<title>", "<meta charset=latin1><title>").encode("latin-1"),
    "closing notice": PAGE.replace("</main>", "<p>Copyright 2024 Leaves Ltd. All rights reserved.</p></main>"),
    "unseen text": PAGE.replace("</p>", " <span class=sr-only>Opens a new window.</span></p>", 30),
    "empty": "",
}


class Steps(bonmun.Learned):
    """The shipped method, which the core does not apply while it reads."""

    judging = None  # type: ignore[assignment]


def is_at_once(document: Document) -> bool:
    """Whether one call made the document."""
    return "_late" in vars(document)


def assert_alike(html: str | bytes, url: str | None = URL) -> Document:
    """One call and the steps give the same document; it is asked for its text first."""
    made, steps = (bonmun.extract(html, url=url, method=method) for method in ("auto", Steps()))
    assert not is_at_once(steps)
    assert made.text == steps.text
    assert made == steps
    assert (made.markdown, made.html) == (steps.markdown, steps.html)
    assert made.to_json(bonmun.Output(reasons=True)) == steps.to_json(bonmun.Output(reasons=True))
    assert made.verdicts.analysis.to_dict() == steps.verdicts.analysis.to_dict() if steps.verdicts.analysis else True
    assert made.page.footnotes == steps.page.footnotes
    return made


@pytest.mark.parametrize("name", AT_ONCE)
def test_one_call_makes_the_document_of_an_ordinary_page(name: str) -> None:
    assert is_at_once(assert_alike(AT_ONCE[name]))
    assert is_at_once(assert_alike(AT_ONCE[name].encode(), None))


@pytest.mark.parametrize("name", BY_STEPS)
def test_a_page_that_needs_python_goes_on_by_steps(name: str) -> None:
    assert not is_at_once(assert_alike(BY_STEPS[name]))


def test_real_pages_are_alike() -> None:
    made = [
        is_at_once(assert_alike(case["html"].encode(), case["url"]))
        for corpus in ("wcxb_dev", "cjk_dev", "news_dev", "forums_dev", "recipes_dev")
        for case in islice(pages(corpus), 0, 90, 9)
    ]
    assert 10 < sum(made) < len(made)


@settings(max_examples=150)
@given(tag_soup())
def test_any_page_is_alike(html: str) -> None:
    assert_alike(html + PAGE)


def test_metadata_and_copies_do_not_depend_on_the_way() -> None:
    made, steps = (bonmun.extract(PAGE, url=URL, method=method) for method in ("auto", Steps()))
    assert made.metadata == steps.metadata
    for copied in (
        pickle.loads(pickle.dumps(made)),  # noqa: S301  # our own
        copy.deepcopy(made),
        copy.copy(made),
    ):
        assert copied == steps
        assert copied.text == steps.text
        assert copied.to_json(bonmun.Output(reasons=True)) == steps.to_json(bonmun.Output(reasons=True))


@pytest.mark.parametrize("prefer", ["precision", "recall", 0.3])
def test_preferences_hold_in_one_call(prefer: str | float) -> None:
    made, steps = (bonmun.extract(PAGE, prefer=prefer, method=method) for method in ("auto", Steps()))
    assert is_at_once(made)
    assert made == steps


def test_abstention_and_sites_take_the_steps(tmp_path: Path) -> None:
    assert bonmun.extract(PAGE, abstain_below=1.0).status == "abstained"
    assert not is_at_once(bonmun.extract(PAGE, abstain_below=0.1))
    assert not is_at_once(bonmun.extract(PAGE, sites=bonmun.SiteLibrary(tmp_path)))


def test_without_the_core_the_answer_is_the_same() -> None:
    made = bonmun.extract(PAGE)
    with without_core():
        assert bonmun.extract(PAGE).text == made.text


def test_limits_hold_in_one_call() -> None:
    for name, limits in (
        ("bytes", bonmun.Limits(bytes=100)),
        ("nodes", bonmun.Limits(nodes=10)),
        ("blocks", bonmun.Limits(blocks=10)),
        ("seconds", bonmun.Limits(seconds=0.0)),
    ):
        with pytest.raises(LimitExceeded, match=rf"Limits\.{name}"):
            bonmun.extract(PAGE, limits=limits)
    with pytest.raises(LimitExceeded, match=r"Limits\.output"):
        _ = bonmun.extract(PAGE, limits=bonmun.Limits(output=100)).text


def test_an_outer_deadline_holds_in_one_call() -> None:
    with within(0.0), pytest.raises(LimitExceeded, match="more than 0 seconds"):
        bonmun.extract(PAGE)


def test_switches_of_the_output_hold_after_the_text_was_asked_for() -> None:
    document = bonmun.extract(PAGE)
    assert document.text.startswith("Paragraph 0")
    assert document.to_text(bonmun.Output(title=True)).startswith("Tea\n\nParagraph 0")
