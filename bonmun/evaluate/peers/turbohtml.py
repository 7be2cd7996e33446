"""turbohtml: the main text of its own tree."""

from collections.abc import Callable


def load() -> Callable[[str, str | None, str | None], str]:
    """Return the extraction function."""
    import turbohtml

    def run(html: str, _: str | None, __: str | None) -> str:
        return str(turbohtml.parse(html).main_text() or "")

    return run
