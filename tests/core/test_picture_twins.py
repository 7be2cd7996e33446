"""The sources of pictures by the compiled core and by its Python twin are the same."""

from itertools import islice
from random import Random
from time import process_time

import pytest

from bonmun.core import core
from bonmun.model.attributes import LAZY, SETS, WRITTEN
from bonmun.model.nodes import Nodes
from bonmun.model.pictures import picture_source, picture_source_by_reference
from bonmun.read.parse import parse
from tests.corpora import pages

compiled = core()
pytestmark = pytest.mark.skipif(compiled is None, reason="needs the compiled core")

ADDRESSES = (
    *"a.png /b/c.jpg https://a.org/d.webp blank.gif /x/1x1.png?a data:image/gif;base64,R0 # 7 tea about:blank".split(),
    *"ä.png spacer.gifx image.png /image/1.png ,e.png f.png, g.png,,".split(),
    "h.png\u00a0 2x",
)
WIDTHS = (
    *"320w 1200w 2048w 2049w 4000w 1x 1.5x 2x 3.x 2.12345x 1234567w 12w, 12w,i.png 99h , ,j.png".split(),
    "",
    "2w\u2003",
)
SIZES = (' width="1"', " height=0", ' width=" 1px "', " width=10", " height=1PX", "")


def source_set(random: Random) -> str:
    """A `srcset`, or nearly."""
    items = (f"{random.choice(ADDRESSES)} {random.choice(WIDTHS)}" for _ in range(random.randint(0, 4)))
    return random.choice((", ", ",", " ", ",\n")).join(items)


def attributes(random: Random) -> str:
    """Attributes of an element that shows a picture."""
    values = {name: random.choice(ADDRESSES) for name in random.sample(("src", *LAZY), random.randint(0, 2))}
    values |= {name: source_set(random) for name in random.sample(SETS, random.randint(0, 2))}
    written = "".join(f' {name}="{value}"' for name, value in values.items())
    return written + (random.choice(SIZES) if random.random() < 0.2 else "")


def picture(random: Random) -> str:
    """A picture with what may replace its placeholder around it."""
    image = f"<img{attributes(random)}>"
    if random.random() < 0.5:
        sources = "".join(f"<source{attributes(random)}>" for _ in range(random.randint(0, 3)))
        image = f"<picture>{sources}{image}</picture>"
    for _ in range(random.randint(0, 4)):
        inside = "".join(f"<img{attributes(random)}>" for _ in range(random.choice((1, 1, 0, 2))))
        noscript = f"<noscript>{'x' * random.randint(0, 1)}{inside}</noscript>" if random.random() < 0.4 else ""
        between = random.choice(("", " ", "<!-- -->", " <!-- --> ", "<b></b>"))
        beside = (image, between, noscript) if random.random() < 0.5 else (noscript, between, image)
        tag = random.choice("a span div figure p li em".split())
        image = f"<{tag}>{''.join(beside)}</{tag}>"
    return image


def compared(nodes: Nodes) -> int:
    """The pictures of a page whose source the core told, after a comparison with the twin."""
    told = 0
    for row in nodes.rows_of("img", "source"):
        wanted = picture_source_by_reference(nodes, row)
        assert picture_source(nodes, row) == wanted
        told += (
            compiled is not None and compiled.picture_source(nodes.held, nodes.attr_numbers(WRITTEN), row) is not None
        )
    return told


def test_the_twins_agree_on_pictures_of_all_shapes() -> None:
    random = Random(3)
    told = sum(compared(parse("".join(picture(random) for _ in range(40)))) for _ in range(150))
    assert told > 6_000


def test_the_twins_agree_on_pictures_of_real_pages() -> None:
    assert sum(compared(parse(page["html"])) for page in islice(pages("wcxb_dev"), 150)) > 1_000


@pytest.mark.cpu_timed
def test_a_picture_of_many_sources_and_images_is_linear() -> None:
    sources, images = "<source srcset=blank.gif>" * 20_000, "<img src=blank.gif>" * 20_000
    nodes = parse(f"<picture>{sources}{images}</picture><picture>{'<source>' * 39}<source srcset=a.png><img></picture>")
    *placeholders, last = nodes.rows_of("img")
    start = process_time()
    assert not any(picture_source(nodes, row) for row in placeholders)
    assert process_time() - start < 1
    assert picture_source(nodes, last) == "a.png"
    nodes = parse(f"<picture>{'<source>' * 40}<source srcset=a.png><img></picture>")
    assert compared(nodes)
    assert picture_source(nodes, nodes.rows_of("img")[0]) is None
