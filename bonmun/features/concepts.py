"""Concepts: the words of class, id, role and microdata attributes, by meaning.

A name is a hint. It enters the model as a distance (the levels up to the named element), never as a rule.
"""

from typing import Final

from bonmun.features.hashing import fnv
from bonmun.model.tags import TAG_ID

COMMENTS: Final = (
    "comment comments commentlist cmt reply replies disqus comentario comentarios commentaire commentaires commenti"
    " commento kommentar kommentare kommentarer kommentarii komentarz komentarze opinie reacties yorum yorumlar"
)
"""Names of lists of readers' comments in several languages."""

WORDS: Final[dict[str, str]] = {
    "nav": "nav navbar navigation menu menubar submenu dropdown topnav sidenav subnav gnb lnb snb mainmenu",
    "footer": "footer foot bottom colophon contentinfo copyright copy legal disclaimer",
    "header": "header head masthead banner topbar top toolbar logo",
    "side": "sidebar side aside rail complementary widget widgets secondary right left",
    "dialog": "modal popup dialog overlay lightbox offcanvas drawer tooltip popover alertdialog toast flyout",
    "consent": "cookie cookies consent gdpr privacy onetrust ccpa notice alert",
    "share": "share sharing shares social sns facebook twitter linkedin pinterest whatsapp follow addthis sharebar",
    "signup": "newsletter subscribe subscription signup register registration login signin optin email mailing account",
    "related": "related recommend recommended recommendation recommendations similar more also readmore suggested"
    " suggestions trending popular latest recent ranking rank hot",
    "promo": "ad ads advert adverts advertisement advertising promo promotion promotional sponsor sponsored outbrain"
    " taboola adsense dfp gpt adslot cta upsell offer banner",
    "comments": f"{COMMENTS} respond discussion feedback",
    "meta": "meta metadata info date time timestamp published updated posted pubdate dateline details",
    "tags": "tag tags tagged category categories cat label labels topic topics keywords badge chip",
    "content": "content contents maincontent pagecontent inner wrapper wrap container region page",
    "main": "main primary center central",
    "article": "article articlebody entry story post blog blogpost news single hentry newsbody articlecontent",
    "body": "body text txt copy prose richtext rte wysiwyg paragraph description desc longdescription markdown",
    "media": "image img photo picture figure gallery caption credit video player media slideshow carousel slider swiper"
    " slide thumbnail thumb icon",
    "card": "card cards tile tiles grid teaser teasers item items list listing listings results result row feed stream"
    " loop archive entries",
    "product": "product products shop store woocommerce pdp sku variant variants catalog",
    "price": "price prices pricing cart basket checkout buy purchase quantity stock shipping add wishlist",
    "review": "review reviews rating ratings stars testimonial testimonials quote customer customers",
    "forum": "thread topic forum message messages postbody posts postcontent cooked question answer answers qa"
    " votecell vote votes reaction reactions",
    "hero": "hero jumbotron splash showcase feature features benefits cta section",
    "faq": "faq faqs accordion accordions collapse collapsible expand toggle tab tabs tabpanel tablist tabbed panel"
    " panels",
    "docs": "doc docs documentation markdown md rst sphinx highlight code codehilite example api reference parameter"
    " parameters",
    "spec": "spec specs specification specifications attribute attributes properties table data dimensions technical",
    "hidden": "hidden hide sr screenreader visuallyhidden mobile desktop print noprint invisible offscreen",
    "form": "form forms field fields input button buttons btn control controls action actions submit select option",
    "language": "lang language languages locale country region currency switcher translate",
}
"""Concept → its words. A word may belong to several concepts."""

CONCEPTS: Final = tuple(WORDS)

_LISTED: Final = {name: words.split() for name, words in WORDS.items()}
CONCEPTS_OF_HASH: Final[dict[int, int]] = {
    fnv(word.encode()): sum(1 << number for number, words in enumerate(_LISTED.values()) if word in words)
    for listed in _LISTED.values()
    for word in listed
}
"""A word's hash (without collisions among these words) → a bit for each of its concepts."""

LANDMARKS: Final = tuple("nav header footer aside main article section form table ul ol dl figure a".split())
"""Tags whose distance above a block is a feature."""
LANDMARK_OF_TAG: Final[dict[int, int]] = {TAG_ID[name]: number for number, name in enumerate(LANDMARKS)}
