"""goose3: the cleaned text; images are not fetched. Korean and Chinese need its own stop-word classes."""

from collections.abc import Callable


def load() -> Callable[[str, str | None, str | None], str]:
    """Return the extraction function."""
    from goose3 import Goose
    from goose3.text import StopWordsChinese, StopWordsKorean

    settings = {"enable_image_fetching": False}
    plain = Goose(settings)
    special = {
        "ko": Goose({**settings, "stopwords_class": StopWordsKorean}),
        "zh": Goose({**settings, "stopwords_class": StopWordsChinese}),
    }

    def run(html: str, _: str | None, lang: str | None) -> str:
        goose = special.get((lang or "").partition("-")[0], plain)
        return str(goose.extract(raw_html=html).cleaned_text or "")

    return run
