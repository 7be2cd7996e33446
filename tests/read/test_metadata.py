import json
from datetime import date, datetime, timedelta, timezone
from time import process_time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bonmun.model.metadata import Metadata
from bonmun.model.page import Page
from bonmun.read.byline import clean_name
from bonmun.read.headline import find_headline, site_names
from bonmun.read.language import language_of, normal_tag
from bonmun.read.metadata import read_metadata
from bonmun.read.parse import parse
from bonmun.read.segment import segment
from tests.corpora import pages


def read(html: str, url: str | None = None) -> Metadata:
    nodes = parse(html)
    return read_metadata(Page(nodes, segment(nodes), url))


def ld(**fields: object) -> str:
    return f'<script type="application/ld+json">{json.dumps(fields)}</script>'


def meta(**contents: str) -> str:
    return "".join(f'<meta name="{name.replace("__", ":")}" content="{text}">' for name, text in contents.items())


# -- missing metadata --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("html", ["", "<p>Some words without any heading.", "<title> </title><h1></h1>", "\x00<"])
def test_a_page_without_metadata_has_empty_metadata(html: str) -> None:
    assert read(html) == Metadata()


# -- title --------------------------------------------------------------------------------------------------------

TITLES = [
    ("Making Tea | The Leaf", "The Leaf", "Making Tea"),
    ("Making Tea - The Leaf", "The Leaf", "Making Tea"),
    ("Making Tea — The Leaf", "The Leaf", "Making Tea"),
    ("The Leaf :: Making Tea", "The Leaf", "Making Tea"),
    ("The Leaf » Making Tea", "The Leaf", "Making Tea"),
    ("[The Leaf] Making Tea", "The Leaf", "Making Tea"),
    ("Making Tea - a Short History - The Leaf", "The Leaf", "Making Tea - a Short History"),
    ("Making Tea: a Short History", "The Leaf", "Making Tea: a Short History"),
    ("Making Tea - The Leaf Forums", "The Leaf", "Making Tea"),
    ("Making Tea | The Leaf | Food and Drink", "The Leaf", "Making Tea"),
    ("차 끓이는 법 : 잎새일보", "잎새일보", "차 끓이는 법"),
    ("차 끓이는 법ㅣ잎새일보", "잎새일보", "차 끓이는 법"),
    ("お茶の淹れ方｜茶葉新聞", "茶葉新聞", "お茶の淹れ方"),
    ("泡茶的方法_茶叶网", "茶叶网", "泡茶的方法"),
    ("泡茶的方法－茶葉網", "茶葉網", "泡茶的方法"),
]


@pytest.mark.parametrize(("title", "site", "headline"), TITLES)
def test_the_site_name_is_removed_from_the_title(title: str, site: str, headline: str) -> None:
    assert read(f"<title>{title}</title>{meta(og__site_name=site)}").title == headline


def test_a_part_after_a_dash_stays_unless_it_is_the_site_name() -> None:
    assert read("<title>Tea - the whole story</title>", "https://leaf.example/tea").title == "Tea - the whole story"


def test_the_host_is_the_site_name_if_none_is_declared() -> None:
    assert read("<title>Making Tea - The Leaf</title>", "https://www.theleaf.example/tea").title == "Making Tea"


def test_the_heading_that_agrees_with_the_title_is_the_headline() -> None:
    html = "<title>Making tea – a history | Unknown</title><h1>The menu</h1><h1>Making Tea – A History</h1>"
    assert read(html).title == "Making Tea – A History"


def test_a_heading_that_shares_words_with_the_title_is_the_headline() -> None:
    html = "<title>How to brew green tea at home</title><h1>Brew better green tea</h1>"
    assert read(html).title == "Brew better green tea"


def test_an_unrelated_heading_is_not_the_headline() -> None:
    html = "<title>How to brew green tea</title><h1>Subscribe to our newsletter today</h1>"
    assert read(html).title == "How to brew green tea"


def test_the_site_name_at_the_top_of_the_page_is_not_the_headline() -> None:
    html = "<title>How to brew green tea - Leafy Thoughts</title><h1>Leafy Thoughts</h1>"
    assert read(html).title == "How to brew green tea"


def test_a_suffix_of_the_title_element_alone_is_removed() -> None:
    html = f"<title>Green tea : Unheard Of</title>{meta(og__title='Green tea')}"
    assert read(html).title == "Green tea"


def test_the_title_of_a_front_page_keeps_the_site_name() -> None:
    html = f"<title>Leaf - All about tea</title>{meta(og__site_name='Leaf')}"
    assert read(html, "https://leaf.example/").title == "Leaf - All about tea"
    assert read(html, "https://leaf.example/about").title == "All about tea"


def test_labels_of_icons_and_permalinks_are_not_part_of_a_heading() -> None:
    html = "<h1><svg><title>logo</title></svg>Learning C#<a href=#c>¶</a></h1><svg><title>icon</title></svg>"
    assert read(html).title == "Learning C#"


def test_a_title_with_very_many_parts_is_fast() -> None:
    start = process_time()
    find_headline(["a | b - c " * 100_000] * 3, [(1, "x - y " * 100_000)], site_names(["a"], "b.example"))
    assert process_time() - start < 5


# -- author -------------------------------------------------------------------------------------------------------


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


# -- date ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "html",
    [
        ld(**{"@type": "Article", "datePublished": "2024-03-05T10:00:00Z", "dateModified": "2024-03-09"}),
        meta(article__published_time="2024-03-05T10:00:00+09:00", article__modified_time="2024-03-09"),
        meta(dc__date="x", date="2024-03-05"),
        '<span itemprop="datePublished" content="2024-03-05">Tuesday</span>',
        "<h1>Green tea</h1><time datetime=2024-03-05>Tuesday</time>",
        "<h1>Green tea</h1><p>Updated <time datetime=2024-03-09></time><p>Published <time>March 5, 2024</time>",
        "<h1>Green tea</h1><p>Jane Doe · 5 March 2024</p>",
        "<p>2024.03.05 10:00</p><h1>차 끓이는 법</h1>",
    ],
)
def test_the_publication_date_is_found(html: str) -> None:
    assert read(html).date == date(2024, 3, 5)


@pytest.mark.parametrize(
    "html",
    [
        ld(**{"@type": "Article", "dateModified": "2024-03-05"}),
        meta(article__modified_time="2024-03-05"),
        "<h1>Green tea on March 5, 2024</h1><p>Leaves.</p>",
        f"<h1>Green tea</h1><p>{'It was drunk by many people. ' * 9} On March 5, 2024 they stopped.</p>",
        f"<h1>Green tea</h1>{'<p>Leaves.</p>' * 40}<p>March 5, 2024</p>",
        f"{meta(og__type='product')}<h1>Green tea</h1><p>Sale until March 5, 2024</p>",
    ],
)
def test_other_dates_are_not_the_publication_date(html: str) -> None:
    assert read(html).date is None


@pytest.mark.parametrize(
    "html",
    [
        "<h1>Green tea</h1><p class=updated><time datetime=2024-03-05>Tuesday</time></p>",
        "<h1>Green tea</h1><p>Last updated: March 5, 2024</p>",
    ],
)
def test_the_shown_date_of_the_last_change_is_the_date_if_there_is_no_other(html: str) -> None:
    data = read(html)
    assert data.date == date(2024, 3, 5)
    assert data.modified == datetime(2024, 3, 5)


def test_a_shown_publication_date_before_the_declared_one_wins() -> None:
    html = "<h1>Green tea</h1><p>Published March 5, 2024</p><p>Leaves.</p>"
    assert read(ld(**{"@type": "Article", "datePublished": "2025-01-01"}) + html).date == date(2024, 3, 5)
    assert read(ld(**{"@type": "Article", "datePublished": "2024-01-01"}) + html).date == date(2024, 1, 1)


@pytest.mark.parametrize(
    "html",
    [
        "<title>Tea</title><p>Leaves.</p><p>2024-03-05 10:15 Source: The Leaf</p><p>More leaves.</p>",
        "<title>Tea</title><p>Leaves.</p><time datetime=2024-03-05>Tuesday</time>",
        f"<h1>Tea</h1>{'<p>Leaves.</p>' * 40}<p>Posted on March 5, 2024</p>",
        meta(w_published_date="2024-03-05"),
    ],
)
def test_a_date_is_found_without_a_headline_and_far_from_it(html: str) -> None:
    assert read(html).date == date(2024, 3, 5)


@pytest.mark.parametrize(
    "line", ["Joined: March 5, 2024", "1/27/2026 - 3/24/2026", "Deadline to apply: March 5, 2024", "2.53.0 2026-02-02"]
)
def test_lines_with_other_dates_far_from_a_headline_are_left_alone(line: str) -> None:
    assert read(f"<h1>Tea</h1>{'<p>Leaves.</p>' * 10}<p>{line}</p>").date is None


def test_published_has_time_and_zone_and_modified_is_the_last_change() -> None:
    data = read(
        ld(**{"@type": "Article", "datePublished": "2024-03-05T23:30:00-05:00", "dateModified": "2024-03-06"}),
        "https://leaf.example/2024/03/05/tea",
    )
    assert data.published == datetime(2024, 3, 5, 23, 30, tzinfo=timezone(timedelta(hours=-5)))
    assert data.modified == datetime(2024, 3, 6)
    assert (data.iso_published, data.iso_modified) == ("2024-03-05T23:30:00-05:00", "2024-03-06")


def test_a_change_before_the_publication_is_no_change() -> None:
    html = ld(**{"@type": "Article", "datePublished": "2024-03-05", "dateModified": "2020-01-01"})
    assert read(html).modified is None


@pytest.mark.parametrize("path", ["/2024/mar/5/tea", "/2024/march/05/tea", "/20240305/tea.html", "/2024-03/05/c1.html"])
def test_dates_in_urls(path: str) -> None:
    assert read("<p>Leaves.</p>", f"https://leaf.example{path}").date == date(2024, 3, 5)


def test_the_date_in_the_url_is_the_local_date_of_the_site() -> None:
    url = "https://leaf.example/2024/03/05/green-tea"
    assert read("<h1>Green tea</h1>", url).date == date(2024, 3, 5)
    assert read(meta(article__published_time="2024-03-06T01:00:00Z"), url).date == date(2024, 3, 5)
    assert read(meta(article__published_time="2024-02-01"), url).date == date(2024, 2, 1)


def test_numeric_dates_are_parsed_in_the_order_of_the_language() -> None:
    html = "<h1>Tee</h1><p>03.04.2024</p>"
    assert read(f"<html lang=de>{html}").date == date(2024, 4, 3)
    assert read(f"<html lang=en>{html}").date is None


# -- language -----------------------------------------------------------------------------------------------------

KOREAN = "차는 잎으로 만들고 물은 막 끓은 것을 쓴다. 잔은 미리 데워 두는 것이 좋다고 한다. "
JAPANESE = "お茶は葉から作り、お湯は沸かしたてのものを使います。茶碗はあらかじめ温めておきましょう。"
CHINESE = "茶是用茶葉製成的，水要用剛剛燒開的，茶杯最好事先溫熱，這樣泡出來的茶味道才好，香氣也更濃郁。"
ENGLISH = "Tea is made of leaves, and of water that has just boiled. It is best to warm the cup first."
RUSSIAN = "Чай заваривают из листьев и только что вскипевшей воды, а чашку лучше согреть заранее."


@pytest.mark.parametrize(
    ("declared", "text", "language"),
    [
        (["en-US"], ENGLISH, "en"),
        (["en"], KOREAN, "ko"),
        (["kr"], KOREAN, "ko"),
        ([], KOREAN + " tea water leaf cup" * 2, "ko"),
        ([], JAPANESE, "ja"),
        ([], CHINESE, "zh"),
        (["zh-TW"], CHINESE, "zh-TW"),
        (["zh-Hant", "zh"], CHINESE, "zh-TW"),
        (["en", "ja"], JAPANESE, "ja"),
        (["ko"], ENGLISH, None),
        (["ko"], ENGLISH + KOREAN, "ko"),
        (["ko", "fr-FR"], ENGLISH, "fr"),
        ([], ENGLISH, None),
        ([], RUSSIAN, None),
        (["ru"], RUSSIAN, "ru"),
        (["en"], RUSSIAN, None),
        (["sr"], ENGLISH, "sr"),
        ([], "Το τσάι φτιάχνεται από φύλλα και νερό που μόλις έβρασε.", "el"),
        ([], "התה עשוי מעלים וממים שרק רתחו, וכדאי לחמם את הכוס מראש.", "he"),
        (["yi"], "התה עשוי מעלים וממים שרק רתחו, וכדאי לחמם את הכוס מראש.", "yi"),
        (["fr"], "", "fr"),
        ([], "", None),
    ],
)
def test_the_declared_language_is_checked_against_the_script(
    declared: list[str], text: str, language: str | None
) -> None:
    assert language_of(declared, [text]) == language


@pytest.mark.parametrize("tag", ["", "-", "x-default", "english", "{{lang}}", "e", "12"])
def test_an_invalid_language_tag_gives_none(tag: str) -> None:
    assert normal_tag(tag) is None


def test_language_declarations_have_an_order() -> None:
    assert read(f"<html lang=fr>{meta(og__locale='en_US')}").language == "fr"
    assert read(ld(**{"@type": "Article", "inLanguage": "de-AT"}) + meta(og__locale="en_US")).language == "de"
    assert read(meta(og__locale="pt_BR")).language == "pt"
    assert read('<meta http-equiv="content-language" content="nl, en">').language == "nl"


def test_code_is_ignored_for_the_language() -> None:
    html = f"<html lang=en><p>{KOREAN}<pre>{'print(value) # a comment ' * 40}</pre>"
    assert read(html).language == "ko"


# -- the rest -----------------------------------------------------------------------------------------------------


def test_urls_are_absolute() -> None:
    html = '<base href="/tea/"><link rel=canonical href="green"><meta property="og:image" content="../leaf.png">'
    metadata = read(html, "https://leaf.example/a/b")
    assert metadata.canonical_url == "https://leaf.example/tea/green"
    assert metadata.image == "https://leaf.example/leaf.png"


def test_javascript_and_data_urls_are_left_out() -> None:
    html = (
        '<link rel=canonical href="javascript:alert(1)"><meta property="og:image" content="data:image/gif;base64,AA">'
    )
    metadata = read(html + meta(twitter__image="https://leaf.example/leaf.png"), "https://leaf.example/")
    assert metadata.canonical_url is None
    assert metadata.image == "https://leaf.example/leaf.png"


def test_the_image_may_be_an_image_object() -> None:
    html = ld(**{"@type": "Article", "image": [{"@type": "ImageObject", "url": "/leaf.png", "width": 10}]})
    assert read(html, "https://leaf.example/a").image == "https://leaf.example/leaf.png"


def test_the_site_is_named_by_the_page() -> None:
    assert read(meta(og__site_name="The Leaf")).site == "The Leaf"
    assert read(ld(**{"@type": "WebSite", "name": "The Leaf"})).site == "The Leaf"
    assert (
        read(ld(**{"@type": "Article", "publisher": {"@type": "Organization", "name": "The Leaf"}})).site == "The Leaf"
    )
    assert read(meta(og__site_name="https://leaf.example")).site is None


def test_the_site_is_the_end_of_the_title_or_the_host_if_nothing_declares_it() -> None:
    html = "<title>How to brew tea | The Leaf</title><h1>How to brew tea</h1>"
    assert read(html, "https://www.leaf.example/tea").site == "The Leaf"
    assert read("<title>How to brew tea</title>", "https://www.leaf.example/tea").site == "leaf.example"
    assert read("<title>How to brew tea</title>", "https://www.leaf.example/tea").hostname == "www.leaf.example"
    assert read("<title>How to brew tea</title>").site is None


@pytest.mark.parametrize("text", ["{{site.name}}", "{{ title }} | Tea", "${author}", "%%sitename%%", "[[date]]"])
def test_placeholders_of_templates_are_no_values(text: str) -> None:
    data = read(meta(og__site_name=text, author=text, og__title=text, description=text) + f"<title>{text}</title>")
    assert data == Metadata()


def test_text_with_brackets_and_per_cent_is_no_placeholder() -> None:
    assert read(meta(og__title="100% tea: 50% off [[1]]")).title == "100% tea: 50% off [[1]]"


def test_the_title_of_a_post_is_not_the_site_in_the_h1() -> None:
    headings = "<h1 class=title>The Leaf</h1><h3 class='post-title entry-title'>How to brew tea</h3>"
    assert read(f"<title>The Leaf: How to brew tea</title>{headings}").title == "How to brew tea"


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


def test_the_description_is_plain_text() -> None:
    assert read(meta(og__description="Leaves &amp;amp; water")).description == "Leaves & water"


def test_tags_come_once_and_in_order() -> None:
    html = meta(keywords="Tea, green tea，茶、tea; ,#Leaf") + '<meta property="article:tag" content="Cake, and more">'
    assert read(html).tags == ("Tea", "green tea", "茶", "Leaf", "Cake, and more")
    assert read(ld(**{"@type": "Article", "keywords": ["Tea", {"name": "Leaf"}, 7, None]})).tags == ("Tea", "Leaf", "7")


# -- everything at once -------------------------------------------------------------------------------------------

PIECES = st.sampled_from(
    [
        "<h1>",
        "</h1>",
        "<title>",
        "</title>",
        "<time datetime='2024-03-05'>",
        "<meta name=author content='Jane Doe'>",
        "<meta property=og:title content='a | b'>",
        "<span itemprop=author itemscope>",
        "<b itemprop='name url'>",
        "<a rel=author href=/author/x>",
        "<div class=byline>By Jane Doe",
        "<p>홍길동 기자 a@b.kr",
        "<base href='//['>",
        "<link rel=canonical href='http://['>",
        '<script type="application/ld+json">{"@type":"Article","author":[{"name":[]}],"datePublished":5}</script>',
        "text - more | text",
        "\x00",
        "<svg><title>",
    ]
)


@given(st.lists(PIECES, max_size=25), st.sampled_from([None, "", "http://[", "https://leaf.example/2024/3/5/", "x"]))
@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_arbitrary_markup_never_raises(parts: list[str], url: str | None) -> None:
    assert isinstance(read("".join(parts), url), Metadata)


def test_a_page_with_very_much_metadata_is_fast() -> None:
    html = (
        meta(author="Jane Doe") * 3_000
        + '<div itemscope><b itemprop="name">x' * 200
        + "<h1>a - b</h1><time>x</time>" * 5_000
        + '<i itemprop="author" class="author">Jane Doe</i>' * 5_000
    )
    nodes = parse(html)
    page = Page(nodes, segment(nodes), "https://leaf.example/x")
    start = process_time()
    read_metadata(page)
    assert process_time() - start < 8


def test_titles_and_languages_of_real_pages_match_the_gold() -> None:
    titles = languages = count = 0
    for page in pages("cjk_dev"):
        metadata = read(page["html"], page["url"])
        count += 1
        titles += metadata.title == page["title"]
        languages += metadata.language == page["lang"]
    assert titles >= 0.93 * count
    assert languages == count
