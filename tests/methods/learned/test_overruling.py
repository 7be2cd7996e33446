"""The compiled core applies the rules as the Python twins do, to any choice of blocks."""

import random
from array import array

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bonmun
from bonmun.core import core
from bonmun.features.matrix import tables_of, texts_of
from bonmun.methods.learned.candidates import kind_column, signs
from bonmun.methods.learned.judgement import SNIPPET_PAGE, Judgement, Stopped
from bonmun.methods.learned.model import shipped
from bonmun.methods.learned.overruling import REASONS, STEPS, Rules, is_article
from bonmun.methods.learned.plain_pages import PLAIN
from bonmun.methods.learned.tables import table_columns, tables
from bonmun.methods.trimming import LEAST_COPIED
from bonmun.methods.unseen import _blocks_of, seen_parts
from bonmun.model.page import Page
from bonmun.read.page import read_page
from tests.core.tag_soup import tag_soup
from tests.corpora import pages

pytestmark = pytest.mark.skipif(core() is None, reason="the compiled twin is not built")

COPIED = "".join(f"<p>{number}: Tea is made of leaves, and of water that has just boiled. " * 3 for number in range(5))
"""Enough for a run of copies."""
LINES = (
    "<p>Tea is made of leaves, and of water that has just boiled.",
    "<h2>Water <a href=#w>#</a></h2>",
    "<h2>Leaves</h2>",
    "<h3 role=heading aria-level=2>Cups</h3>",
    "<div role=heading>Pots</div>",
    "<pre>boil(water)</pre>",
    "<table class=photo><tr><td><img src=cup.jpg width=300 height=300><tr><td>A cup</table>",
    "<table><tr><th>Tea<th>Minutes<tr><td>Green<td>3<tr><td>Black<td>5</table>",
    "<figure><img src=pot.jpg width=300 height=300><figcaption>A pot</figcaption></figure>",
    "<img src=leaf.jpg width=300 height=300>",
    "<div class=Caption>A leaf</div>",
    "<div class='admonition note'><p class=title>Note</p><p>Do not boil it twice.</div>",
    "<div class='alert alert-warning'><b>Warning</b><p>It is hot.</div>",
    "<div class='custom-bloc\u212a'><p>Tip</p><p>Warm the pot.</div>",
    "<p>All Rights Reserved",
    "<p>\u24b8 Leaves",
    "<p>Per\u0131mssion",
    "<p>（原标题：茶）",
    "<p>jane@leaves.example",
    "<button>Buy</button>",
    "<p hidden>Not seen",
    "<math><mi>x</mi><mo>=</mo><mn>2</mn></math>",
    "<p><math><mi>y</mi></math>",
    "<div></div>",
    COPIED,
    COPIED.replace("of", "<br>of"),
)


NOTE = "<p>Tea<sup><a id=r1 href=#fn1>1</a></sup> is hot.</p>"
PARTS = (
    *LINES,
    NOTE + "<p id=fn1>A note. <a href=#r1>^</a></p>",
    NOTE.replace("fn1", "cite1") + "<ol class=references><li id=cite1>A source.</ol>",
    "<p>Tea <span class=sr-only>is hot</span></p>",
    "<p><span class=visually-hidden>Warm the pot.</span></p>",
    "<div class=comments><p>I drink it every day, and have done so for thirty years.</div>",
    "<div id=post_message_1>I drink it every day.<p>And have done so for thirty years.</div>",
    "<div class=bbWrapper><blockquote>I drink it every day.</blockquote><p>So do I.</div>",
)


def measured(page: Page) -> object:
    compiled = core()
    assert compiled
    return compiled.measure(page.nodes.columns, page.blocks.columns, texts_of(page), tables_of(shipped().weights))


def from_the_start(page: Page, judged: Judgement, compiled: object) -> Rules:
    """The rules applied by the core, and by Python where it stops, from the first step on."""
    rules = Rules(page, judged, tables(page))
    why = rules.overruled.why
    own = core()
    assert own
    kinds, columns = kind_column(page), table_columns(tables(page))
    scores = judged.raw if is_article(judged) and not judged.whole else b""
    others = judged.copied >= LEAST_COPIED, is_article(judged) and judged.commented, bool(page.footnotes)
    others = *others, judged.kind == "article"
    href = page.nodes.attr_number("href")
    in_posts = judged.raw if judged.may_be_thread else b""
    findings = own.overrule(compiled, judged.keep, why, kinds, scores, in_posts, *columns, signs(), 0, *others, href)
    rules.go_on(own, Stopped(why, compiled, findings))
    return rules


def judgement(page: Page, dice: random.Random, share: float) -> Judgement:
    """A random one that keeps that share of the blocks."""
    keep = bytearray(dice.random() < share for _ in range(len(page.blocks)))
    raw = array("d", [dice.random() * (2 if kept else 0.2) for kept in keep])
    whole = dice.choice([None, None, None, SNIPPET_PAGE, PLAIN])
    commented, copied = dice.random() < 0.3, dice.choice([0, 0, 2000])
    likely = 0.5 if dice.random() < 0.7 else 0.3
    kind = dice.choice(["article", "article", "forum"])
    return Judgement(raw, keep, kind, likely, 0.5, whole, commented, copied, array("f"), (), dice.random() < 0.8)


def check(page: Page, dice: random.Random) -> None:
    """Compare the twins on choices with few, many and all blocks."""
    if not len(page.blocks):
        return
    compiled = measured(page)
    for share in (0.0, 0.2, 0.8, 1.0):
        judged = judgement(page, dice, share)
        ours = from_the_start(page, judged._replace(keep=bytearray(judged.keep)), compiled)
        twin = Rules(page, judged, tables(page))
        twin.apply()
        assert ours._keep == twin._keep
        assert dict(ours.overruled) == dict(twin.overruled)
        assert ours.parts == twin.parts


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(PARTS), max_size=30), st.randoms(use_true_random=False))
def test_twins_agree_on_pages_with_what_rules_look_for(lines: list[str], dice: random.Random) -> None:
    check(read_page("".join(lines)), dice)


LABELS = (
    *(
        "\u00b6",
        "#",
        "\u00a7",
        "#\u00a7",
        "\U0001f517",
        "\u2693",
        "\u200b",
        "\ue001",
        "\uf8ff",
        "\uf900",
        "\ufe0f",
        "\u00b6 #",
        "",
    ),
    *(
        "Permalink",
        "permalink to this headline",
        "link to the section",
        "Direct link for item",
        "direct link  to\nheading",
    ),
    *(
        "permanent link to this",
        "perma link to title",
        "permalink for this the title",
        "lin\u212a",
        "LINK",
        "Copy link",
        "anchor",
    ),
    *(
        "[edit]",
        "[ \ud3b8\uc9d1 | edit ]",
        "\uff3bedit\uff3d",
        "[edit",
        "\u7f16\u8f91",
        "\u0130tem",
        "Tea",
        "Tea " * 70,
        "#" * 300,
    ),
    *("home_work", "Home", "9lives", "\u00e9cole", ":", "\u00a0", "3"),
)
CLASSES = (
    *(
        "",
        "anchor",
        "x Header-Link",
        "permalin\u212a",
        "mw-editsection",
        "a editsectionb",
        "headerlink\u3000b",
        "usa-sr-only",
    ),
    *(
        "not-sr-only",
        "sr-only sm:not-sr-only",
        "a-b_c-sr-only",
        "a-b-c-d-sr-only",
        "-sr-only",
        "is-visually-hidden-focusable",
    ),
    *(
        "Screen-Readers-Text",
        "screenreader",
        "screen-reader",
        "screenreader-text-focusable",
        "screenreaders-shortcut",
        "\u00e9 sr-only",
    ),
    *(
        "material-icons",
        "google-material-symbols-two-tone",
        "mat-icon",
        "google-mat-icon",
        "material-icons-flat",
        "u-hiddenvisually",
    ),
)
ADDRESSES = ("#a", "a#b", "/a", "")


def part(dice: random.Random) -> str:
    label = dice.choice(LABELS) + dice.choice(("", "", "", "Tea", "<b>", "<i></i>", " 4"))
    tag = dice.choice(("a", "a", "a", "span", "i"))
    inside = f'<{tag} class="{dice.choice(CLASSES)}" href="{dice.choice(ADDRESSES)}">{label}</{tag}>'
    around = dice.choice(
        ("{}", "{}", "{}", "<span class='mw-editsection'>[{}]</span>", "[{}]", "<b><b><b><b>{}</b></b></b></b>")
    )
    return around.format(inside)


@pytest.mark.parametrize("seed", range(400))
def test_twins_agree_on_parts_that_are_not_seen(seed: int) -> None:
    dice = random.Random(seed)
    tags = [dice.choice(("h2", "h2", "h3", "p", "div", "a")) for _ in range(6)]
    texts = ["".join(dice.choice(("Tea ", "", part(dice), "1.")) for _ in range(4)) for _ in tags]
    check(read_page("".join(f"<{tag}>{text}</{tag}>" for tag, text in zip(tags, texts, strict=True))), dice)


def test_most_parts_that_are_not_seen_need_no_python(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*given: object) -> None:
        raise AssertionError("asked for")

    monkeypatch.setattr("bonmun.methods.learned.overruling.seen_parts", refuse)
    html = "<h2>Tea <a href=#t>\u00b6</a></h2><h2>Water<span class=mw-editsection>[<a href=/e>edit</a>]</span></h2>"
    page = read_page(html + "<p class=sr-only>Menu</p><p>A cup <i class=material-icons>coffee</i> of it")
    judged = Judgement(array("d", [1.0] * 4), bytearray(b"\1" * 4), "other", 1.0, 0.5, None, False, 0, array("f"), ())
    rules = from_the_start(page, judged, measured(page))
    assert dict(rules.overruled) == {2: REASONS["unseen"]}
    assert {index: [page.nodes.text(row) for row in rows] for index, rows in rules.parts.items()} == {
        0: ["Tea "],
        1: ["Water"],
        3: ["A cup ", " of it"],
    }


@settings(max_examples=60, deadline=None)
@given(tag_soup(), st.randoms(use_true_random=False))
def test_twins_agree_on_tag_soup(soup: str, dice: random.Random) -> None:
    check(read_page(soup), dice)


@pytest.mark.parametrize("corpus", ["wcxb_dev", "cjk_dev"])
def test_twins_agree_on_pages_of_the_corpora(corpus: str) -> None:
    dice = random.Random(1)
    for record in list(pages(corpus))[::60]:
        check(read_page(record["html"], url=record["url"]), dice)


NAMES = (
    *("bbWrapper", "cooked", "Message userContent", "postbody", "content", "post crawler-post", "message-body"),
    *("Post-body", "CommentPost", "document_1_2", "document_1_2x", "document_12_", "kboard-content", "signature"),
    *("bbp-signature", "quote", "bbCodeQuote", "coo\u212aed", "x" * 2045 + " cooked", "e cooked\u00a0post"),
)
IDS = (
    *("post_message_7", "msg_", "msg_7x", "phorum", "Phorum", "bo_v_con", "t1_a-rtjson-content"),
    *("t1_-rtjson-content", "pid_0"),
)
TEXTS = (
    *("So do I.", "I drink it every day.", ""),
    "I drink it every day, and have done so for thirty years. So did they.",
)


def test_the_twins_agree_on_posts() -> None:
    """On random elements with names of posts, signatures and quotations in each other."""

    def element(depth: int, names: list[str], ids: list[str]) -> str:
        tag = dice.choice(["div", "div", "blockquote", "span", "table><tr><td", "p hidden", "p"])
        inside = "".join(element(depth - 1, names, ids) for _ in range(dice.randrange(4))) if depth else ""
        named = f"class='{dice.choice(names)}'" if dice.random() < 0.6 else ""
        named += f" id='{dice.choice(ids)}'" if dice.random() < 0.3 else ""
        return f"<{tag} {named}>{dice.choice(TEXTS)}{inside}</{tag.split('>')[0].split()[0]}>"

    dice = random.Random(5)
    for _ in range(300):
        names = ["note", *(name for name in NAMES if dice.random() < 0.4)]
        ids = ["note", *(name for name in IDS if dice.random() < 0.3)]
        check(read_page("".join(element(3, names, ids) for _ in range(5))), dice)


def test_the_reasons_of_blocks_are_a_mapping() -> None:
    page = read_page("<p>Tea<h2>Water</h2><p>Cups")
    judged = Judgement(array("d", [1, 0, 1]), bytearray([1, 0, 1]), "other", 1.0, 0.5, None, False, 0, array("f"), ())
    rules = from_the_start(page, judged, measured(page))
    assert dict(rules.overruled) == {1: REASONS["inside"]}
    assert len(rules.overruled) == 1 and 1 in rules.overruled and 0 not in rules.overruled and 7 not in rules.overruled
    with pytest.raises(KeyError):
        rules.overruled[0]


def test_arguments_of_another_page_are_refused() -> None:
    compiled = core()
    page = read_page("<p>Tea<p>Water")
    assert compiled
    kinds = page.blocks.kind_code

    def overrule(
        keep: int = 2, why: int = 2, scores: int = 2, in_posts: int = 0, tables: tuple[int, ...] = (), step: int = 0
    ) -> object:
        stops = array("i", [len(tables), len(tables)] if tables else [])
        of_blocks = bytearray(keep), bytearray(why), kinds, array("d", [0.5] * scores), array("d", [0.5] * in_posts)
        columns = *of_blocks, array("i", tables), stops
        return compiled.overrule(measured(page), *columns, signs(), step, False, False, False, False, -1)

    assert overrule() == overrule(scores=0) == (len(STEPS), b"", 0, b"")
    for wrong in ({"keep": 3}, {"why": 1}, {"scores": 1}, {"in_posts": 3}, {"tables": (2,)}, {"tables": (-1,)}):
        with pytest.raises(ValueError, match="one cell for each block"):
            overrule(**wrong)
    for step in (-1, len(STEPS) + 1):
        with pytest.raises(ValueError, match="no such step"):
            overrule(step=step)
    lists, names = [b""] * 4, [b"a\0"] * 3
    compiled.rule_signs(*lists, *names)
    for wrong_lists, wrong_names in (([b"note", *lists[1:]], names), (lists, [b"", *names[1:]]), (lists, [b"A\0"] * 3)):
        with pytest.raises(ValueError, match="NUL"):
            compiled.rule_signs(*wrong_lists, *wrong_names)


def test_names_of_unseen_text_matter_only_around_kept_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []

    def note(page: Page, keep: bytearray, headings: object, elements: list[int]) -> object:
        asked.extend(any(keep[index] for index in _blocks_of(page, element)) for element in elements)
        return seen_parts(page, keep, headings, elements)  # type: ignore[arg-type]

    monkeypatch.setattr("bonmun.methods.learned.overruling.seen_parts", note)
    prose = "<p>The rail was cast in the foundry, which had closed before the last ferry left {}.</p>"
    menu = "<ul><li><a href=/{0}><span class='sr-only \u00e9'>Link {0}</span> Harbour</a></ul>"
    page = (
        "<article>{}"
        + menu.format(1) * 9
        + "{}<p>She kept the bell<i class='sr-only \u00e9'> of brass</i> for a year.{}"
    )
    document = bonmun.extract("<h1>Harbour</h1>" + page.format(*(prose.format(end) for end in ("us", "me", "it"))))
    assert 0 < len(asked) < 9 and all(asked)
    assert "bell for a year" in document.text
