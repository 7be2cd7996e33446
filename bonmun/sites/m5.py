"""M5 as published: one rule per class of pages, learned by density (seed paper 004, Algorithm 2).

On every page of a class the densest block node votes for its signature, weighted by its density; the signature with
the largest sum is the class's rule. A rule selects a block node by its id, else its class, else its path.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from bonmun.methods.density import BLOCK_NODES, DEFAULT_ALPHA, Density, analyse, indexed_path, inside
from bonmun.model.nodes import Nodes
from bonmun.model.page import Page
from bonmun.model.verdict import Reason, Verdicts
from bonmun.sites.clustering import PageClass, cluster
from bonmun.sites.shape import Shape, shape_of, similarity


@dataclass(frozen=True, slots=True)
class Published:
    """The paper's parameters."""

    similarity: float = 0.82
    more_than: int = 5
    """A class with more pages than this gets a rule."""
    alpha: float = DEFAULT_ALPHA
    approximate: bool = False
    """Cluster by MinHash."""


@dataclass(frozen=True, slots=True)
class Signature:
    """The identity of a block node; `None` for a missing attribute."""

    css_class: str | None
    id: str | None
    path: str

    @classmethod
    def of(cls, nodes: Nodes, row: int) -> "Signature":
        """The signature of a block node."""
        return cls(nodes.attr(row, "class") or None, nodes.attr(row, "id") or None, indexed_path(nodes, row))

    def find(self, nodes: Nodes) -> tuple[int, str]:
        """Return the row that it selects on a page, -1 if there is none, and the criterion that matched.

        The paper does not define the choice among several elements of a class; here it is the one at the path, else
        the first.
        """
        rows = nodes.rows_of("div", "table")
        if self.id:
            named = [row for row in rows if nodes.attr(row, "id") == self.id]
            if named:
                return named[0], "id"
        if self.css_class:
            named = [row for row in rows if nodes.attr(row, "class") == self.css_class]
            if named:
                at_path = row_at(nodes, self.path)
                return at_path if at_path in named else named[0], "class"
        return row_at(nodes, self.path), "path"


@dataclass(frozen=True, slots=True)
class ClassRule:
    """A class of pages with its rule and the votes."""

    members: PageClass
    shape: Shape
    rule: Signature
    votes: tuple[tuple[Signature, float], ...]
    """Every signature with a vote and its sum of densities, the largest first."""


@dataclass(frozen=True, eq=False)
class PublishedSite:
    """Classes and rules learned from a site's pages; a method: ``extract(html, method=site)``."""

    parameters: Published
    rules: tuple[ClassRule, ...]
    name = "m5"

    @cached_property
    def alone(self) -> Density:
        """The fallback without a rule."""
        return Density(self.parameters.alpha)

    def nearest(self, shape: Shape) -> ClassRule | None:
        """The class whose seed is most similar to a page."""
        return max(self.rules, key=lambda rule: similarity(rule.shape, shape), default=None)

    def judge(self, page: Page) -> Verdicts:
        """Keep the element that the nearest class's rule selects; fall back to density if there is none."""
        nearest = self.nearest(shape_of(page.nodes))
        if nearest is None:
            return _noted(self.alone.judge(page), Reason("no-class", "no class of pages was learned"))
        row, criterion = nearest.rule.find(page.nodes)
        if row < 0:
            return _noted(self.alone.judge(page), Reason("rule-missing", nearest.rule.path))
        return inside(page, row, f"rule-{criterion}")


def learn_published(pages: Sequence[Page], parameters: Published | None = None) -> PublishedSite:
    """Cluster pages and learn each class's rule."""
    chosen = parameters or Published()
    shapes = [shape_of(page.nodes) for page in pages]
    classes = cluster(shapes, threshold=chosen.similarity, more_than=chosen.more_than, approximate=chosen.approximate)
    rules = (_class_rule(pages, shapes, members, chosen.alpha) for members in classes)
    return PublishedSite(chosen, tuple(rule for rule in rules if rule is not None))


def row_at(nodes: Nodes, path: str) -> int:
    """Return the row at an indexed path, -1 if there is none.

    >>> from bonmun.read.parse import parse
    >>> page = parse("<div>a</div><div>b</div>")
    >>> page.xpath(row_at(page, "body1/div2")), row_at(page, "body1/div3")
    ('/html/body/div[2]', -1)
    """
    row = 0
    for step in path.split("/"):
        name = step.rstrip("0123456789")
        same = [child for child in nodes.children(row) if nodes.name(child) == name]
        place = int(step[len(name) :] or 1)
        if place > len(same):
            return -1
        row = same[place - 1]
    return row if nodes.tag[row] in BLOCK_NODES else -1


def _class_rule(pages: Sequence[Page], shapes: Sequence[Shape], members: PageClass, alpha: float) -> ClassRule | None:
    votes: dict[Signature, float] = {}
    for page in (pages[index] for index in members.members):
        analysis = analyse(page.nodes, alpha)
        if analysis.chosen >= 0:
            signature = Signature.of(page.nodes, analysis.chosen)
            votes[signature] = votes.get(signature, 0.0) + max(analysis.densities)
    if not votes:
        return None
    ranked = sorted(votes.items(), key=lambda vote: -vote[1])
    return ClassRule(members, shapes[members.seed], ranked[0][0], tuple(ranked))


def _noted(verdicts: Verdicts, note: Reason) -> Verdicts:
    return replace(verdicts, notes=(*verdicts.notes, note))
