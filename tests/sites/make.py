"""Generated pages of one site: one template, different words on each page."""

from itertools import cycle, islice

WORDS = (
    "river stone winter market harbour letter garden window station mountain silver paper engine teacher doctor village"
    " captain morning evening bridge forest summer yellow candle thunder blanket pocket mirror anchor basket copper"
    " dragon feather guitar hammer island jungle kettle ladder marble needle orange pepper quarry ribbon saddle temple"
).split()


def sentences(seed: int, count: int) -> list[str]:
    """Sentences that are unique to a seed."""
    texts = []
    for number in range(count):
        words = islice(cycle(WORDS), (seed * 7 + number * 3) % len(WORDS), (seed * 7 + number * 3) % len(WORDS) + 14)
        texts.append(f"The {' '.join(words)} of {seed}-{number} was seen again.")
    return texts


def article(seed: int, *, paragraphs: int = 6, comments: int = 2, design: str = "old") -> str:
    """A page: menu, headline, date, body, comments, footer."""
    body = "".join(f"<p>{text}</p>" for text in sentences(seed, paragraphs))
    talk = "".join(f"<div class=c><b>guest{seed}</b><p>{text}</p></div>" for text in sentences(1000 + seed, comments))
    menu = "".join(f"<li><a href=/{word}>{word}</a></li>" for word in WORDS[:8])
    title = f"What the {WORDS[seed % len(WORDS)]} of {seed} told us"
    if design == "new":
        return (
            f"<title>{title} - The Daily</title><main><section class=top><ul>{menu}</ul></section>"
            f"<article><header><h1>{title}</h1></header><section class=prose>{body}</section></article>"
            f"<section class=talk>{talk}</section></main><footer>All rights reserved by The Daily, since 1920.</footer>"
        )
    return (
        f"<title>{title} - The Daily</title><div id=top><ul>{menu}</ul></div>"
        f"<div id=page><div class=head><h1>{title}</h1><div class=when>2024-03-{seed % 28 + 1:02d} 10:30</div></div>"
        f"<div id=story class=text>{body}"
        "<div class=promo>Subscribe to The Daily now and pay nothing in May.</div></div>"
        f"<div class=side><div>Most read</div><div>Weather</div></div><div class=talk>{talk}</div></div>"
        "<div id=foot><div>All rights reserved by The Daily, since 1920.</div></div>"
    )


def articles(count: int, *, start: int = 0, design: str = "old") -> list[str]:
    return [article(seed, design=design) for seed in range(start, start + count)]
