"""Phrases about the tags of the elements around a block, and about what these elements are called."""

from collections.abc import Iterator
from typing import Final

from bonmun.features.concepts import CONCEPTS, LANDMARKS
from bonmun.features.element_names import FAR
from bonmun.methods.learned.phrases.block_row import BlockRow
from bonmun.methods.learned.phrases.decisions import OWN, Clause, Decision, above, at_least, below, when

MEANING: Final[dict[str, str]] = {
    "nav": "navigation",
    "footer": "a footer",
    "header": "a page header",
    "side": "a sidebar",
    "dialog": "a pop-up",
    "consent": "a cookie notice",
    "share": "sharing buttons",
    "signup": "a sign-up form",
    "related": "related links",
    "promo": "an advert",
    "comments": "comments",
    "meta": "a date or author line",
    "tags": "tags or categories",
    "content": "content",
    "main": "the main part",
    "article": "an article",
    "body": "body text",
    "media": "a picture or video",
    "card": "a list of teasers",
    "product": "a product",
    "price": "a price or shopping cart",
    "review": "reviews",
    "forum": "forum posts",
    "hero": "a banner or section",
    "faq": "folded sections",
    "docs": "documentation",
    "spec": "a table of data",
    "hidden": "hidden text",
    "form": "a form",
    "language": "a language menu",
}
"""What each concept is to a person."""
_CONTENT: Final = frozenset("content main article body".split())
_EITHER: Final = frozenset("media card product price review forum hero faq docs spec".split())
"""Concepts that speak for some blocks and against others; the rest speaks against them."""
_CONCEPT_OF_TAG: Final = {"aside": "side"} | {name: name for name in "nav header footer main article form".split()}
_TAGS: Final = {
    "nav": "the navigation",
    "header": "a header",
    "footer": "a footer",
    "aside": "a sidebar",
    "form": "a form",
    "main": "the page's main part",
    "article": "an article",
    "section": "a section",
    "table": "a table",
    "ul": "a list",
    "ol": "a numbered list",
    "dl": "a definition list",
    "figure": "a figure",
}
_UNCLEAR: Final = frozenset(
    "gnb lnb snb bottom colophon contentinfo top rail complementary secondary right left drawer flyout toast offcanvas"
    " onetrust ccpa gdpr sns addthis outbrain taboola dfp gpt cta upsell cmt disqus comentario comentarios commentaire"
    " commentaires commenti commento kommentar kommentare kommentarer kommentarii komentarz komentarze opinie reacties"
    " yorum yorumlar sr cooked qa pdp sku md rst rte txt".split()
)
"""Words in names that do not say what they stand for."""
_FURNITURE: Final = "in_nav in_footer in_aside named_nav named_footer named_side".split()


def _around(concept: str, tag: str) -> Decision:
    """Whether a block stands in an element with a tag, or with a name for a concept; either may be empty."""
    content, either = concept in _CONTENT, concept in _EITHER or not concept
    tagged, named = below(f"in_{tag}", FAR) if tag else None, below(f"named_{concept}", FAR) if concept else None

    def inside(row: BlockRow, column: int) -> str:
        return _named(row, concept)

    def clauses(keep: bool) -> Iterator[Clause]:
        speaks = either or keep is content
        if tagged:
            yield when(f"inside {_TAGS[tag]} (<{tag}>)" if speaks else "", tagged)
        if named:
            yield when(inside if speaks else "", named, sure=False)
        if not speaks:
            yield from _outside_content(tag) if content else _outside_furniture(tag)

    return Decision(tuple(clauses(True)), tuple(clauses(False)))


def _named(row: BlockRow, concept: str) -> str:
    name, word = row.name(concept)
    if not name:
        return ""
    return f"inside an element named “{name}”" + (f", like {MEANING[concept]}" if word in _UNCLEAR else "")


def _outside_content(tag: str) -> Iterator[Clause]:
    if tag:
        yield when(f"outside {_TAGS[tag]} (<{tag}>)", above(f"page_{tag}", 0))


def _outside_furniture(tag: str) -> Iterator[Clause]:
    yield when("outside navigation, footers and sidebars", *(at_least(column, FAR) for column in _FURNITURE))
    if tag:
        yield when(f"outside {_TAGS[tag]}")


_name_score: Final = Decision(
    kept=(when("class and id names as around main texts", above(OWN, 0)),),
    dropped=(when("class and id names as around menus and notices", below(OWN, 0)),),
)


def _phrases() -> dict[str, Decision]:
    found: dict[str, Decision] = {}
    for tag in LANDMARKS:
        if tag in _TAGS:
            concept = _CONCEPT_OF_TAG.get(tag, "")
            found[f"in_{tag}"] = phrase = _around(concept, tag)
            if concept:
                found[f"named_{concept}"] = phrase
    for concept in CONCEPTS:
        found.setdefault(f"named_{concept}", _around(concept, ""))
    return found


_AROUND: Final = _phrases()
PHRASES: Final[dict[str, Decision]] = {**_AROUND, "name_score": _name_score}
SHARED: Final = frozenset(_AROUND.values())
"""Functions whose phrases others of them give too; all look at the block, whatever the column."""
