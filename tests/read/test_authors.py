from random import Random
from urllib.parse import urlsplit

import pytest

from bonmun.read import names
from bonmun.read.names import clean_name
from bonmun.read.sources import _USUAL_URL
from tests.read.metadata_pages import ld, meta, read


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("By Jane Doe", "Jane Doe"),
        ("WRITTEN BY: Jane Doe", "Jane Doe"),
        ("Posted by Jane Doe on March 5, 2024", "Jane Doe"),
        ("Jane Doe | The Leaf", "Jane Doe"),
        ("Jane Doe, March 5, 2024", "Jane Doe"),
        ("Jane Doe and John Roe", "Jane Doe, John Roe"),
        ("Jane Doe (jane@leaf.example)", "Jane Doe"),
        ("Jane Doe, MD", "Jane Doe, MD"),
        ("Byron Bay", "Byron Bay"),
        ("홍길동 기자", "홍길동"),
        ("홍길동 선임기자 hong@leaf.example", "홍길동"),
        ("[서울=잎새일보] 홍길동 기자", "홍길동"),
        ("作者：张三", "张三"),
        ("記者王小明", "王小明"),
        ("山田太郎、鈴木花子", "山田太郎, 鈴木花子"),
        ("jane@leaf.example", None),
        ("https://social.example/jane", None),
        ("@jane", None),
        ("leaf.com", None),
        ("admin", None),
        ("Staff", None),
        ("undefined", None),
        ("1234", None),
        ("홍길동과 그의.. | 블로그", None),
    ],
)
def test_names_are_cleaned(written: str, name: str | None) -> None:
    assert clean_name(written) == name


def test_the_authors_of_the_article_are_read_from_json_ld() -> None:
    html = ld(**{"@type": "NewsArticle", "author": [{"name": "Jane Doe"}, {"name": "John Roe"}, {"name": "jane doe"}]})
    assert read(html).author == "Jane Doe, John Roe"


def test_the_authors_of_other_articles_are_ignored() -> None:
    items = [{"@type": "Article", "headline": str(at), "author": f"Jane Doe {at}th"} for at in range(3)]
    assert read(ld(**{"@graph": items})).author is None


def test_of_several_articles_the_one_with_the_url_of_the_page_counts() -> None:
    items = [
        {"@type": "Article", "url": f"https://leaf.example/{at}", "headline": str(at), "author": name}
        for at, name in enumerate(("Jane Doe", "John Roe"))
    ]
    assert read(ld(**{"@graph": items}), "https://www.leaf.example/1?from=home").author == "John Roe"


def test_a_full_name_in_the_byline_is_preferred_to_a_nickname_in_the_markup() -> None:
    html = f'{meta(author="jdoe")}<h1>Green tea</h1><a rel=author href="/jane">Jane Doe</a>'
    assert read(html).author == "Jane Doe"
    assert read(f"{meta(author='jdoe')}<h1>Green tea</h1>").author == "jdoe"


def test_the_site_is_the_author_only_if_there_is_no_other() -> None:
    site = meta(og__site_name="The Leaf")
    body = ld(**{"@type": "Article", "author": {"@type": "Organization", "name": "The Leaf"}})
    assert read(f"{site}{body}<h1>Green tea</h1>").author == "The Leaf"
    assert read(f"{site}{body}<h1>Green tea</h1><p class=byline>By Jane Doe").author == "Jane Doe"


@pytest.mark.parametrize(
    "byline",
    [
        '<div class="post-author"><img alt=x><span>By</span> <a href="#">Jane Doe</a></div>',
        '<span class="byline__text">Written by Jane Doe</span>',
        '<a href="/authors/jane-doe/">Jane Doe</a>',
        '<a rel="author" href="/j">Jane Doe</a><p>Reviewed by</p><a rel="author" href="/r">John Roe</a>',
        "<p>By Jane Doe | March 5, 2024</p>",
    ],
)
def test_the_byline_near_the_headline_is_read(byline: str) -> None:
    assert read(f"<h1>Green tea and its leaves</h1>{byline}<p>Words of the article.</p>").author == "Jane Doe"


@pytest.mark.parametrize(
    "other",
    [
        '<div class="author-bio">Jane Doe</div>',
        '<div class="comment-author">Jane Doe</div>',
        '<div class="author">Read more about all our authors</div>',
        '<div class="author" hidden>Jane Doe</div>',
        "<p>By the way, tea is made of leaves.</p>",
        "".join(f'<p><a href="/author/{at}/">Jane {name}</a></p>' for at, name in enumerate("ABCDEFG")),
    ],
)
def test_names_outside_a_byline_are_not_authors(other: str) -> None:
    assert read(f"<h1>Green tea</h1>{other}<p>Words of the article.</p>").author is None


def test_the_reporter_of_a_korean_article_is_found_in_its_first_or_last_line() -> None:
    first = "<h1>차 끓이는 법</h1><p>[서울=잎새일보] 홍길동 기자 = 차는 잎으로 만든다.</p>"
    last = "<h1>차 끓이는 법</h1><p>차는 잎으로 만든다.</p><p>홍길동 김철수 기자 hong@leaf.example</p>"
    assert read(first).author == "홍길동"
    assert read(last).author == "홍길동, 김철수"


@pytest.mark.parametrize(
    "byline",
    [
        "<span>von</span> <a rel=author href=/a>Jane Doe</a>",
        "<span class=author>Von Jane Doe</span>",
        "<span class=byline><span>Par</span> <a href=/auteurs/jane>Jane Doe</a></span>",
        "<span class=author>Staff Writer</span><a rel=author href=/a>Jane Doe</a>",
        "<p class=author>Автор: Jane Doe</p>",
        "<p>von <a href=/autoren/name/jane-doe>Jane Doe</a></p>",
        "<figure><span class=author>Foto: John Roe</span></figure><p class=byline>por Jane Doe</p>",
    ],
)
def test_a_byline_gives_the_name_without_its_lead_word(byline: str) -> None:
    assert read(f"<h1>How to brew tea</h1>{byline}<p>Leaves.</p>").authors == ("Jane Doe",)


def test_authors_are_single_names_without_degrees() -> None:
    data = read(ld(**{"@type": "Article", "author": ["Jane Doe, PhD", "John Roe og Li Wei", "AFP"]}))
    assert data.authors == ("Jane Doe", "John Roe", "Li Wei", "AFP")
    assert data.author == "Jane Doe, PhD, John Roe, Li Wei, AFP"


def test_author_links_are_read_without_a_headline_unless_they_are_many() -> None:
    link = "<p>Leaves.</p><a rel=author href=/a>{}</a>"
    assert read(link.format("Jane Doe")).authors == ("Jane Doe",)
    assert read("".join(map(link.format, ("Jane Doe", "John Roe", "Ann Lee")))).authors == ()


def test_a_chinese_article_names_its_reporters_in_the_text() -> None:
    body = "<p>土豆，听名字就土得掉渣。可这几天，村里的土豆却成了宝贝，家家户户都忙着把它们装上车，运到城里去卖。</p>"
    assert read(f"<html lang=zh><h1>土豆</h1><p>光明日报记者 王建宏 张文攀</p>{body}").authors == ("王建宏", "张文攀")
    assert read(f"<html lang=zh><h1>土豆</h1>{body}<p>(责编：牛镛、岳弘彬)</p>").authors == ("牛镛", "岳弘彬")


def test_a_simple_name_is_cleaned_as_any_other_text() -> None:
    random = Random(2)
    words = (
        "Jane Doe J. A. Postby photoby Von getty Images By. author text Text guest Post March the New team jan".split()
    )
    words += [word for word in (*names._TELLING, *names._PICTURES, *names._NOBODY) if word.isascii()]
    for _ in range(3_000):
        chosen = random.choices(words, k=random.randint(1, 5))
        text = " ".join(random.choice((str.lower, str.title, str.upper))(word) for word in chosen)
        assert names.clean_name(text) == names._cleaned(text)


def test_a_usual_url_is_taken_apart_as_by_a_parser() -> None:
    random, seen = Random(3), 0
    pieces = "a.b X.org - / // ? # a=b %20 @ :80 [ ] .. ;x ! ' \" \\ ü \n".split(" ")
    for _ in range(20_000):
        url = random.choice(("http://", "https://", "ftp://")) + "".join(random.choices(pieces, k=random.randint(0, 6)))
        if usual := _USUAL_URL.match(url):
            parts = urlsplit(url)
            assert (usual[1].lower(), usual[2] or "") == (parts.hostname, parts.path)
            seen += 1
    assert seen > 100
