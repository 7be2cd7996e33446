"""Tag names as small numbers, and the properties of each tag.

A tag's number is its index in `TAGS`; 0 is a text node. Unknown names get numbers beyond the table, page by page
(`Nodes.tag_names`). Compiled code uses the same numbers, so the table only ever grows at its end.
"""

from typing import Final

TEXT: Final = 0

TAGS: Final[tuple[str, ...]] = (
    "#text",
    *"html head body title base link meta style script noscript template".split(),
    *"article section nav aside h1 h2 h3 h4 h5 h6 hgroup header footer address main search".split(),
    *"p hr pre blockquote ol ul menu li dl dt dd figure figcaption div".split(),
    *"a em strong small s cite q dfn abbr ruby rt rp data time code var samp kbd sub sup i b u".split(),
    *"mark bdi bdo span".split(),
    *"br wbr ins del picture source img iframe embed object param video audio track map area svg math".split(),
    *"table caption colgroup col tbody thead tfoot tr td th".split(),
    *"form label input button select datalist optgroup option textarea output progress meter fieldset legend".split(),
    *"details summary dialog slot canvas".split(),
    *"acronym applet basefont bgsound big blink center dir font frame frameset image isindex keygen listing".split(),
    *"marquee menuitem multicol nextid nobr noembed noframes plaintext rb rtc spacer strike tt xmp".split(),
    *"hypertext fencedframe selectedcontent".split(),
    # Names that matter only inside svg and math.
    *"desc foreignobject mi mo mn ms mtext mglyph malignmark annotation-xml".split(),
)
"""Every tag with a fixed number."""

TAG_ID: Final[dict[str, int]] = {name: number for number, name in enumerate(TAGS)}

UNRENDERED: Final = 1
"""Never rendered by a browser: head, script, style, template, fallbacks, ruby readings, drawings."""
HIDDEN: Final = 2
"""Hidden until a script or style sheet shows it: `hidden`, `display:none`, a closed dialog."""
LINK: Final = 4
"""Inside `a[href]`."""
CONTROL: Final = 8
"""Inside a form control: button, select, textarea."""


def tag_set(names: str) -> frozenset[int]:
    """The numbers of some tags.

    >>> TAG_ID["p"] in tag_set("p div")
    True
    """
    return frozenset(TAG_ID[name] for name in names.split())


BLOCK_LEVEL: Final = tag_set(
    "html body article section nav aside h1 h2 h3 h4 h5 h6 hgroup header footer address main search p hr pre blockquote"
    " ol ul menu li dl dt dd figure figcaption div table caption tbody thead tfoot tr td th form fieldset legend"
    " details summary dialog center dir listing marquee plaintext xmp frameset noframes optgroup option button"
    " select datalist textarea slot"
)
"""Elements that start a new line, and form controls, whose labels are not part of the surrounding sentence."""

FLOW: Final = tag_set(
    "p h1 h2 h3 h4 h5 h6 hgroup ul ol li dl dt dd blockquote pre table tbody thead tfoot tr td th figure figcaption"
    " caption details summary center"
)
"""Elements of running text; the elements around them are regions of the page."""

HEADINGS: Final = tag_set("h1 h2 h3 h4 h5 h6")
PREFORMATTED: Final = tag_set("pre listing plaintext xmp")
LINES_OF_CODE: Final = tag_set("div ol li table tbody tr td")
"""Block-level elements that highlighters put around the lines of code."""
LISTS: Final = tag_set("ul ol menu dir")
CELLS: Final = tag_set("td th")
CODE_TAGS: Final = tag_set("script style")
"""Elements whose text is code: 0 in the column `chars`."""

FLAGS_OF_TAG: Final[dict[int, int]] = {
    **dict.fromkeys(
        # rt and rp: ruby readings would otherwise be part of the word they annotate. svg: labels of icons.
        tag_set(
            "head script style template noscript iframe noframes noembed object embed applet video audio canvas svg"
            " title rt rp rtc datalist frameset fencedframe"
        ),
        UNRENDERED,
    ),
    **dict.fromkeys(tag_set("button select textarea option optgroup"), CONTROL),
}
"""Flags that a tag sets on itself and its descendants."""
