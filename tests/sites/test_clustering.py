import random

import pytest

from bonmun.methods.density import BLOCK_NODES, indexed_path
from bonmun.read.page import read_page
from bonmun.read.parse import parse
from bonmun.sites.clustering import Grouping, PageClass, cluster, minimums
from bonmun.sites.shape import Shape, Sketch, shape_of, similarity
from tests.corpora import pages
from tests.sites.make import article

HARD = "<div><table><tr><td><div>x</div><div>y</div></table><x-y><div>z</div></x-y></div><x-y><table></table></x-y>"


def spelled(html: str) -> set[str]:
    nodes = parse(html)
    return {indexed_path(nodes, row) for row, tag in enumerate(nodes.tag) if tag in BLOCK_NODES}


def test_a_shape_is_the_set_of_the_block_nodes_indexed_paths() -> None:
    for html in (HARD, article(1), article(2, design="new")):
        assert len(shape_of(parse(html))) == len(spelled(html))


def test_shapes_share_what_their_paths_share() -> None:
    one, other = article(1, comments=2), article(2, comments=5)
    shared = spelled(one) & spelled(other)
    assert len(shape_of(parse(one)) & shape_of(parse(other))) == len(shared)
    expected = len(shared) / min(len(spelled(one)), len(spelled(other)))
    assert similarity(shape_of(parse(one)), shape_of(parse(other))) == expected


def test_unknown_tags_have_the_same_path_on_every_page() -> None:
    one, other = "<x-a><div>1</div></x-a>", "<x-b></x-b><x-a><div>1</div></x-a>"
    assert shape_of(parse(one)) == shape_of(parse(other))


def test_a_page_without_block_nodes_has_similarity_0() -> None:
    assert similarity(shape_of(parse("<p>x")), shape_of(parse("<p>x"))) == 0


def test_algorithm_1_makes_the_first_unclassified_page_a_seed() -> None:
    a, b = frozenset(range(10)), frozenset(range(100, 110))
    shapes = [a, b, a | {77}, b, frozenset({555}), a]
    assert cluster(shapes, more_than=0) == [PageClass(0, (0, 2, 5)), PageClass(1, (1, 3)), PageClass(4, (4,))]


def test_only_classes_with_more_than_five_pages_are_kept() -> None:
    assert cluster([frozenset({1, 2})] * 5) == []
    assert cluster([frozenset({1, 2})] * 6) == [PageClass(0, (0, 1, 2, 3, 4, 5))]


def test_the_similarity_must_exceed_the_threshold() -> None:
    whole = frozenset(range(100))
    at_threshold = frozenset(range(82)) | frozenset(range(500, 518))
    assert similarity(whole, at_threshold) == pytest.approx(0.82)
    assert len(cluster([whole, at_threshold], more_than=0)) == 2


def perturbed(rng: random.Random, shape: Shape, share: float) -> Shape:
    kept = {path for path in shape if rng.random() > share}
    return frozenset(kept | {rng.getrandbits(64) for _ in range(int(share * len(shape)))})


@pytest.fixture(scope="module")
def many_shapes() -> list[Shape]:
    rng = random.Random(4)
    templates = [frozenset(rng.getrandbits(64) for _ in range(rng.randint(20, 300))) for _ in range(120)]
    return [perturbed(rng, rng.choice(templates), 0.05) for _ in range(1500)]


def test_exact_and_approximate_agree_on_many_templates(many_shapes: list[Shape]) -> None:
    exact, near = cluster(many_shapes, more_than=0), cluster(many_shapes, more_than=0, approximate=True)
    assert exact == near


def test_the_order_of_a_shapes_paths_does_not_change_its_minimums(many_shapes: list[Shape]) -> None:
    for shape in many_shapes[:100]:
        assert minimums(frozenset(sorted(shape))) == minimums(frozenset(sorted(shape, reverse=True)))


def test_exact_and_approximate_agree_on_real_pages() -> None:
    shapes = [shape_of(read_page(record["html"]).nodes) for record in pages("daniel_dev")]
    exact, near = ([Grouping(0.82, approximate=way)] for way in (False, True))
    same = sum(exact[0].place(shape) == near[0].place(shape) for shape in shapes)
    assert same / len(shapes) >= 0.99


def test_the_share_of_equal_minimums_estimates_the_jaccard_similarity() -> None:
    rng = random.Random(1)
    one = [rng.getrandbits(64) for _ in range(600)]
    other = [*one[:400], *(rng.getrandbits(64) for _ in range(200))]
    pairs = zip(minimums(frozenset(one), 256), minimums(frozenset(other), 256), strict=True)
    assert sum(a == b for a, b in pairs) / 256 == pytest.approx(400 / 800, abs=0.1)


def test_the_similarity_of_a_sketch_is_close_to_that_of_the_shape() -> None:
    rng = random.Random(2)
    one = frozenset(rng.getrandbits(64) for _ in range(700))
    for share in (0.02, 0.1, 0.3):
        other = perturbed(rng, one, share)
        assert Sketch.of(one).similarity(other) == pytest.approx(similarity(one, other), abs=0.1)
    assert Sketch.of(one).similarity(one) == 1
    small = frozenset(list(one)[:50])
    assert Sketch.of(small).similarity(one) == similarity(small, one)
