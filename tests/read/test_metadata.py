from time import process_time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bonmun.model.metadata import Metadata
from bonmun.model.page import Page
from bonmun.read.headline import find_headline, site_names
from bonmun.read.language import language_of, normal_tag
from bonmun.read.metadata import read_metadata
from bonmun.read.parse import parse
from bonmun.read.segment import segment
from tests.corpora import pages
from tests.read.metadata_pages import ld, meta, read

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


@pytest.mark.cpu_timed
def test_a_title_with_very_many_parts_is_fast() -> None:
    start = process_time()
    find_headline(["a | b - c " * 100_000] * 3, [(1, "x - y " * 100_000)], site_names(["a"], "b.example"))
    assert process_time() - start < 5


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


@pytest.mark.cpu_timed
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
