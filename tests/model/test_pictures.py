from time import process_time

import pytest

from bonmun.model.pictures import picture_address, picture_source
from bonmun.model.tags import TAG_ID
from bonmun.read.parse import parse

DATA = "data:image/gif;base64,R0lGODlhAQABAAAAACw="


def source_of(html: str) -> str | None:
    nodes = parse(html)
    return picture_source(nodes, nodes.tag.tolist().index(TAG_ID["img"]))


@pytest.mark.parametrize(
    ("html", "source"),
    [
        ("<img src=a.png>", "a.png"),
        (f"<img src='{DATA}' data-src=b.png>", "b.png"),
        ("<img src=a.png data-src=b.png>", "a.png"),
        (f"<img src='{DATA}'>", None),
        ("<img src=a.png width=1 height=1px>", None),
        ("<img>", None),
        (f"<img src='{DATA}' data-image=12 data-echo=e.png>", "e.png"),
        (f"<img src='{DATA}' data-image='{{&quot;a&quot;: 1.5}}'>", None),
    ],
)
def test_a_lazy_attribute_replaces_a_missing_source(html: str, source: str | None) -> None:
    assert source_of(html) == source


@pytest.mark.parametrize(
    "placeholder",
    "blank.gif /i/spacer.png?v=1 1x1.gif 1x1.trans.gif lazy-load.svg lazyload.png transparent.png loading.gif #"
    " placeholder.jpg placeholder-16x9.png https://cdn.example/img/grey.gif about:blank".split(),
)
def test_a_placeholder_is_no_picture(placeholder: str) -> None:
    assert source_of(f"<img src='{placeholder}'>") is None
    assert source_of(f"<img src='{placeholder}' data-src=b.png>") == "b.png"


@pytest.mark.parametrize("name", "gray-whale.jpg blanket.png img1.jpg lazy-cat.jpg image.png spacer/a.png".split())
def test_a_name_that_only_resembles_a_placeholder_is_a_picture(name: str) -> None:
    assert source_of(f"<img src='{name}' data-src=b.png>") == name


@pytest.mark.parametrize(
    ("srcset", "source"),
    [
        ("c.png 1x, d.png 2x, e.png 3x", "d.png"),
        ("c.png, d.png 1.5x", "d.png"),
        ("s.png 320w,m.png 1600w, l.png 4000w", "m.png"),
        ("l.png 4000w, xl.png 8000w", "l.png"),
        ("/w_1,h_2/a.png 300w, /w_2,h_4/a.png 600w", "/w_2,h_4/a.png"),
        (f"{DATA} 900w, a.png 300w", "a.png"),
        (" , ,", None),
        ("a.png", "a.png"),
    ],
)
def test_a_set_gives_its_widest_picture_of_ordinary_size(srcset: str, source: str | None) -> None:
    assert source_of(f"<img srcset='{srcset}'>") == source
    assert source_of(f"<picture><source srcset='{srcset}'><img alt=x></picture>") == source


@pytest.mark.parametrize(
    "html",
    [
        f"<p><img src='{DATA}'><noscript><img src=real.jpg></noscript>",
        f"<p><noscript><img src=real.jpg></noscript> <img src='{DATA}'>",
        f"<p><a href=x><span><img src='{DATA}'></span></a> <noscript><img src=real.jpg></noscript>",
        f"<p><picture><img src='{DATA}'></picture><noscript><picture><img src=real.jpg></picture></noscript>",
    ],
)
def test_a_noscript_beside_a_placeholder_has_the_picture(html: str) -> None:
    nodes = parse(html)
    images = [row for row, tag in enumerate(nodes.tag) if tag == TAG_ID["img"]]
    assert "real.jpg" in [picture_source(nodes, row) for row in images if not nodes.flags[row] & 1]


def test_a_noscript_after_other_text_is_not_of_the_picture() -> None:
    assert source_of(f"<p><img src='{DATA}'> text <noscript><img src=real.jpg></noscript>") is None


@pytest.mark.parametrize("source", ["javascript:alert(1)", "mailto:a@example.org", "tel:1", "data:x", "vbscript:x"])
def test_only_addresses_of_the_web_are_pictures(source: str) -> None:
    nodes = parse(f"<img data-src='{source}/a.png'>")
    assert picture_address(nodes, 3, "https://example.org/") is None


@pytest.mark.cpu_timed
@pytest.mark.parametrize("part", ["a,", "a ", "1x1", "blank", "/blank", "=img", "lazyload-", ", "])
def test_hostile_addresses_take_linear_time(part: str) -> None:
    value = part * 100_000
    start = process_time()
    for attribute in ("src", "data-src", "srcset"):
        source_of(f"<img {attribute}='{value}'>")
    assert process_time() - start < 5
