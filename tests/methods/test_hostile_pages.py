"""Every method is linear and bounded in the size of a page."""

from collections.abc import Callable
from time import process_time

import pytest

from bonmun.deadline import within
from bonmun.errors import LimitExceeded
from bonmun.methods.density import analyse
from bonmun.model.verdict import Verdicts
from bonmun.read.page import read_page
from bonmun.registry import method

METHODS = ("auto", "xpath", "xpath-robust", "density", "logical", "logical-robust")
_FEW, _MANY = 1_000, 8_000
_NOISE = 3.0
"""Factor above linear that a busy machine may add; quadratic time is a factor of 8."""
_LEAST = 0.02  # seconds; shorter times are noise

HOSTILE: dict[str, Callable[[int], str]] = {
    "siblings": lambda count: "<div>a</div>" * count,
    "first headings": lambda count: "".join(f"<h1>Tea {number}</h1>" for number in range(count)),
    "headers at depth": lambda count: "<div>" * 400 + "<header>a</header>" * count + "<p>Tea is made of leaves.</p>",
    "items without a list at depth": lambda count: "<div>" * 400 + "<li><a href=/>a</a> tea</li>" * count,
    "items of deep lists": lambda count: "<ul><li>" * 200 + "<p>tea <a href=/>a</a></p>" * count,
    "buttons in a deep header cell": lambda count: (
        "<table><tr><th>" + "<span>" * 300 + "<button>a</button>" * count + "<td>b<tr><td>c<td>d</table>"
    ),
    "one paragraph of inline elements": lambda count: "<p>" + "<i>x</i>y" * count,
    "sections": lambda count: "<section><div>a</div></section>" * count,
}


def _seconds(name: str, hostile: str, count: int) -> float:
    page, judge = read_page(HOSTILE[hostile](count)), method(name).judge
    started = process_time()
    judge(page)
    return process_time() - started


@pytest.mark.cpu_timed
@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("hostile", HOSTILE)
def test_a_hostile_page_is_judged_in_linear_time(name: str, hostile: str) -> None:
    few = min(_seconds(name, hostile, _FEW) for _ in range(2))
    many = min(_seconds(name, hostile, _MANY) for _ in range(2))
    assert many <= _NOISE * _MANY / _FEW * max(few, _LEAST)


@pytest.mark.parametrize("name", METHODS)
def test_the_time_limit_holds_while_judging(name: str) -> None:
    page = read_page("<div><p>Tea is made of leaves, and of water that has just boiled.</p></div>" * 10)
    judge = method(name).judge
    judge(page)
    with pytest.raises(LimitExceeded), within(0.0):
        judge(page)


@pytest.mark.cpu_timed
def test_the_paths_of_many_block_nodes_take_linear_time() -> None:
    nodes = read_page("<div>a</div>" * 20_000).nodes
    started = process_time()
    assert analyse(nodes).block_nodes[-1].path == "body1/div20000"
    assert process_time() - started < 5


def test_lists_around_deep_items_are_those_of_each_item() -> None:
    menu = "<ul>" + "<li><a href=/>Home</a></li>" * 3 + "</ul>"
    text = "<ul>" + "<li><a href=/>Tea</a> is made of leaves and of water.</li>" * 3 + "</ul>"
    verdicts: Verdicts = method("xpath-robust").judge(read_page(f"<div>{menu}{text}</div>"))
    assert list(verdicts.keep) == [0, 0, 0, 1, 1, 1]
    assert verdicts.reasons[0][0].detail == "12 of 12 characters are links"
