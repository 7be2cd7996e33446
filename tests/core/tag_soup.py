"""Random markup that combines the rules of tree construction."""

from typing import Final

from hypothesis import strategies as st

from bonmun.model.tags import TAGS

TEXTS: Final = ("x", " ", "\n", "y z", "&amp;", "&lt", "<!--c-->", "<![CDATA[q]]>", "\r\n", "본문")
ATTRIBUTES: Final = (
    *("", "", "", " a=1", " href=x", " hidden", " color=red", " type=hidden", " encoding=text/html"),
    *(" shadowrootmode=open", "/", " class=c id=d", " title='t u' href=v"),
)
TAG_GROUPS: Final = (
    "a b i p div table tr td li ul h1 span",
    "table tr td th tbody thead caption col colgroup b a p select option form input",
    "svg math p b desc title foreignobject mi annotation-xml table td g a font div",
    "select option optgroup hr div b p button table td tr svg input a",
    "template tr td table col colgroup caption p b select body html head script div",
    "html head body frameset frame noframes p br noscript title script link table",
    "nobr a b p div button h1 table td object marquee form li dd dt ruby rt rp rtc rb",
    " ".join(name for name in TAGS[1:] if name != "plaintext"),
)


@st.composite
def tag_soup(draw: st.DrawFn) -> str:
    name = st.sampled_from(draw(st.sampled_from(TAG_GROUPS)).split())
    start = st.builds("<{}{}>".format, name, st.sampled_from(ATTRIBUTES))
    piece = st.one_of(start, start, name.map("</{}>".format), st.sampled_from(TEXTS))
    return "".join(draw(st.lists(piece, max_size=40)))
