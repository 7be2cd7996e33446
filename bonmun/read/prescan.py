"""Refuse pages on which lexbor takes quadratic time, by counting their tags in linear time.

lexbor is quadratic in depth, in attributes of one tag and in unclosed formatting elements (more than 40 s for 100,000
nested `div`s). The count follows end tags and the most common implied ones. A page built to deceive it is stopped by
the time limit of the worker process; the compiled reader needs no such check.
"""

import re

from bonmun.errors import LimitExceeded
from bonmun.limits import Limits

_SPACE = r"[\t\n\f\r ]"
# A quote counts only after an equals sign. All quantifiers are possessive: no backtracking.
_VALUE = rf"{_SPACE}*+={_SPACE}*+(?:\"[^\"]*+\"?|'[^']*+'?|[^\t\n\f\r >]*+)"
_ATTRIBUTE = re.compile(rf"[^\t\n\f\r />][^\t\n\f\r />=]*+(?:{_VALUE})?+")
_TAG = re.compile(
    rf"<!--.*?(?:-->|\Z)|<(/?)([a-z][^\t\n\f\r />]*+)((?:[\t\n\f\r /]++|{_ATTRIBUTE.pattern})*+)",
    re.IGNORECASE | re.DOTALL,
)
_RAW = {name: re.compile(rf"</{name}", re.IGNORECASE) for name in "script style textarea title xmp iframe".split()}
_VOID = frozenset("area base br col embed hr img input link meta param source track wbr frame keygen".split())
_FORMATTING = frozenset("a b big code em font i nobr s small strike strong tt u".split())
_ENDS = {  # for a start tag, the innermost open elements that it closes
    **{name: frozenset({name}) for name in "p option a button nobr".split()},
    "li": frozenset({"p", "li"}),
    **dict.fromkeys("dt dd".split(), frozenset({"p", "dt", "dd"})),
    **dict.fromkeys("td th".split(), frozenset({"p", "td", "th"})),
    "tr": frozenset({"p", "td", "th", "tr"}),
    **dict.fromkeys("tbody thead tfoot".split(), frozenset("p td th tr tbody thead tfoot".split())),
    **dict.fromkeys("div ul ol dl table section h1 h2 h3 h4 h5 h6 pre blockquote form".split(), frozenset({"p"})),
}
_MAX_FORMATTING = 256  # unclosed formatting elements: lexbor reconstructs all of them in every paragraph


def prescan(html: str, limits: Limits) -> None:
    """Raise `LimitExceeded` for a page that would take lexbor too long.

    >>> prescan("<p>one<p>two", Limits())
    >>> prescan("<div>" * 100_000, Limits())
    Traceback (most recent call last):
    bonmun.errors.LimitExceeded: the page has 513 depth; the limit is 512 (Limits.depth)
    """
    tags = html.count("<")
    if tags > limits.nodes:
        raise LimitExceeded("nodes", tags, limits.nodes)
    _Count(limits).run(html)


class _Count:
    """The count of open elements."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.open: list[str] = []
        self.open_of: dict[str, int] = {}
        self.unclosed = 0  # formatting elements

    def run(self, html: str) -> None:
        position = 0
        while tag := _TAG.search(html, position):
            position = tag.end()
            slash, name, attributes = tag.groups()
            if name is None:
                continue
            name = name.lower()
            if slash:
                self._end(name)
                continue
            self._start(name, attributes)
            if name in _RAW:
                end = _RAW[name].search(html, position)
                position = end.start() if end else len(html)

    def _start(self, name: str, attributes: str) -> None:
        if len(attributes) > 2 * self.limits.attributes:  # an attribute is at least a letter and a space
            count = sum(1 for _ in _ATTRIBUTE.finditer(attributes))
            if count > self.limits.attributes:
                raise LimitExceeded("attributes", count, self.limits.attributes)
        foreign = self.open_of.get("svg") or self.open_of.get("math")
        if name in _VOID or (foreign and attributes.endswith("/")):
            return
        while self.open and self.open[-1] in _ENDS.get(name, ()):
            self._pop()
        self.open.append(name)
        self.open_of[name] = self.open_of.get(name, 0) + 1
        self.unclosed += name in _FORMATTING
        if len(self.open) > self.limits.depth:
            raise LimitExceeded("depth", len(self.open), self.limits.depth)
        if self.unclosed > _MAX_FORMATTING:
            raise LimitExceeded("depth", self.unclosed, _MAX_FORMATTING)

    def _end(self, name: str) -> None:
        if self.open_of.get(name):
            while self._pop() != name:
                pass

    def _pop(self) -> str:
        name = self.open.pop()
        self.open_of[name] -= 1
        self.unclosed -= name in _FORMATTING
        return name
