"""Resiliparse (Janek Bevendorff): main content as plain text."""

from collections.abc import Callable


def load() -> Callable[[str, str | None, str | None], str]:
    """Return the extraction function."""
    from resiliparse.extract.html2text import extract_plain_text

    def run(html: str, _: str | None, __: str | None) -> str:
        return str(extract_plain_text(html, main_content=True))

    return run
