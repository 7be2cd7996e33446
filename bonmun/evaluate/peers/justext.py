"""jusText (Jan Pomikálek): paragraphs without boilerplate. It needs the language of the page."""

from collections.abc import Callable

_STOPLISTS = {
    "bg": "Bulgarian",
    "de": "German",
    "el": "Greek",
    "en": "English",
    "es": "Spanish",
    "fr": "French",
    "id": "Indonesian",
    "it": "Italian",
    "ko": "Korean",
    "pl": "Polish",
    "pt": "Portuguese",
    "ru": "Russian",
    "vi": "Vietnamese",
}


def load() -> Callable[[str, str | None, str | None], str]:
    """Return the extraction function."""
    import justext

    def run(html: str, _: str | None, lang: str | None) -> str:
        name = _STOPLISTS.get((lang or "en").partition("-")[0], "English" if lang in (None, "und") else None)
        if name:
            paragraphs = justext.justext(html, justext.get_stoplist(name))
        else:  # its authors' advice for languages without a stop list
            paragraphs = justext.justext(html, frozenset(), stopwords_low=0, stopwords_high=0)
        return "\n\n".join(paragraph.text for paragraph in paragraphs if not paragraph.is_boilerplate)

    return run
