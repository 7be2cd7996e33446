"""What a feature says of a block, in words a person can check against the page."""

from bonmun.features.element_names import FAR
from bonmun.model.block import KINDS
from bonmun.model.tags import TAGS

_WORDED = {
    "size": "text of size {size:.0f}",
    "link_share": "{value:.0%} of it is links",
    "kind": "its kind: {kind}",
    "tag": "it stands in <{tag}>",
    "inner_tag": "its text stands in <{tag}>",
    "parent_tag": "the element around it is <{tag}>",
    "third_tag": "the second element around it is <{tag}>",
    "fourth_tag": "the third element around it is <{tag}>",
    "depth": "{value:.0f} elements around it",
    "word_length": "words of {value:.1f} letters",
    "times": "its text stands on the page {value:.0f} times",
    "times_but_digits": "its text, but for digits, stands on the page {value:.0f} times",
    "copies_before": "its text stood on the page {value:.0f} times before",
    "copy_run": "text of size {size:.0f} around it stood on the page before",
    "copied_run": "text of size {size:.0f} around it stands on the page again",
    "title_share": "{value:.0%} of its words are in the title",
    "of_title": "it has {value:.0%} of the title's words",
    "known_share": "{value:.0%} of its words are in the running text",
    "place": "{value:.0%} down the page",
    "text_before": "{value:.0%} of the text stands before it",
    "long_before": "{value:.0%} of the running text stands before it",
    "after_h1": "{value:+.0f} blocks from the main heading",
    "after_last_h1": "{value:+.0f} blocks from the last main heading",
    "text_after_h1": "{value:+.0%} of the text from the main heading",
    "since_heading": "{value:.0f} blocks below its heading",
    "section_link": "{value:.0%} of its section is links",
    "section_long": "{value:.0%} of its section is running text",
    "heading_level": "under a heading of level {value:.0f}",
    "term_score": "what its words are like",
    "name_score": "what the elements around it are called",
    "heading_term_score": "what the words of its heading are like",
    "heading_name_score": "what the elements around its heading are called",
    "term_score-1": "what the words before it are like",
    "term_score+1": "what the words after it are like",
    "in_core": "in the element that holds most of the running text: {yes}",
    "core_share": "the element with most running text holds {value:.0%} of the text",
    "to_half": "{value:.0f} steps up to half of the text",
    "to_half_long": "{value:.0f} steps up to half of the running text",
    "to_most_long": "{value:.0f} steps up to most of the running text",
}
_AROUND = {
    "up2": "the second element around it",
    "up3": "the third element around it",
    "up4": "the fourth element around it",
    "region": "its region",
    "region1": "the element around its region",
    "region2": "the second element around its region",
    "region3": "the third element around its region",
    "path": "blocks with its path",
    "style": "blocks with its path and classes",
    "column": "regions with its region's path",
    "page": "the page",
}
_FIGURES = {
    "share": "{whose} hold{s} {value:.0%} of the text",
    "of_long": "{whose} hold{s} {value:.0%} of the running text",
    "link": "{whose}: {value:.0%} links",
    "long": "{whose}: {value:.0%} running text",
    "blocks": "{whose}: {size:.0f} blocks",
    "count": "{size:.0f} {whose}",
    "mean": "{whose}: blocks of size {size:.0f}",
    "headings": "{whose}: {value:.0%} headings",
    "paragraphs": "{whose}: {value:.0%} paragraphs",
    "images": "{whose}: {value:.0%} pictures",
    "place": "{value:.0%} into {whose}",
}


def phrase(name: str, value: float) -> str:
    """Say what a feature's value means.

    >>> phrase("link_share", 0.75), phrase("named_comments", 2.0), phrase("region_of_long", 0.9)
    ('75% of it is links', '2 steps below something named like comments', 'its region holds 90% of the running text')
    """
    prefix, _, figure = name.partition("_")
    if prefix in ("named", "in") and name not in _WORDED:
        what = f"something named like {figure}" if prefix == "named" else f"<{figure}>"
        return f"{value:.0f} steps below {what}" if value < FAR else f"not in {what}"
    whose = _AROUND.get(prefix, "")
    worded = _WORDED.get(name) or (_FIGURES.get(figure, "") if whose else "")
    if not worded:
        return f"{name.replace('_', ' ')} {value:.2g}"
    number = max(int(value), 0)
    size = 2 ** min(value, 60) - 1
    several = "" if whose.startswith(("blocks", "regions")) else "s"
    tag = TAGS[number] if number < len(TAGS) else "unknown"
    kind = KINDS[min(number, len(KINDS) - 1)]
    return worded.format(
        value=value, size=size, whose=whose, s=several, tag=tag, kind=kind, yes="yes" if value else "no"
    )
