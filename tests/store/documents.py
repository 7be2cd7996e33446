"""Documents for the store, extracted from small pages."""

import bonmun


def document(text: str, title: str = "", **attributes: str) -> bonmun.Document:
    """A document with this text, one paragraph for each line."""
    paragraphs = "".join(f"<p>{line}</p>" for line in text.splitlines())
    meta = "".join(f'<meta name="{name}" content="{value}">' for name, value in attributes.items())
    head = f"<title>{title}</title>{meta}" if title else meta
    page = bonmun.read_page(f"<html><head>{head}</head><body><article>{paragraphs}</article></body></html>")
    count = len(page.blocks)
    verdicts = bonmun.Verdicts([1] * count, [1.0] * count, [(bonmun.Reason("all"),)] * count, 1.0)
    return bonmun.Document(page, verdicts, "all")


def story(number: int, words: int = 120) -> str:
    """A text that is like no other number's."""
    return " ".join(f"word{(number * 7919 + place * 104729) % 99991}" for place in range(words))
