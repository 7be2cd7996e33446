"""A record of a small corpus."""

SENTENCE = "The river rose in the night, and by morning the lower road was gone under brown water."


def record(number, html=None, gold=None, **more):
    html = html or f"<title>Part {number}</title><body><p>{SENTENCE} Part {number}.</p></body>"
    return {"id": str(number), "html": html, "gold_text": gold or f"{SENTENCE} Part {number}.",
            "domain": f"site{number % 3}.org", "lang": "en", "page_type": "article", **more}  # fmt: skip
