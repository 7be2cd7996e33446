"""rs-trafilatura (Murrough Foley). Its wheels are for CPython 3.12 only, so a 3.12 interpreter runs this file."""

from collections.abc import Callable


def load() -> Callable[[str, str | None, str | None], str]:
    """Return the extraction function."""
    import rs_trafilatura

    def run(html: str, url: str | None, _: str | None) -> str:
        return str(rs_trafilatura.extract(html, url=url).main_content or "")

    return run
