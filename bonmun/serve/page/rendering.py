"""A screen: a template with the words of the reader's language and the theme that the reader chose."""

import gzip
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.datastructures import URL
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from bonmun import __version__
from bonmun.serve.page.languages import LANGUAGES, chosen_language, words, words_of
from bonmun.serve.page.static_files import static_url

THEMES: Final = ("auto", "light", "dark")
LANGUAGE_COOKIE: Final = "bonmun-language"
THEME_COOKIE: Final = "bonmun-theme"
_YEAR: Final = 365 * 24 * 3600


@dataclass(frozen=True, slots=True)
class Screen:
    """A template, its place in the navigation, and the parts of the words that its scripts use."""

    template: str
    name: str
    parts: Sequence[str] = ()


def render(request: Request, screen: Screen, **values: object) -> Response:
    """Return a screen as a response. `?lang=` changes the language and is remembered."""
    wish = request.query_params.get("lang")
    language = chosen_language(wish or request.cookies.get(LANGUAGE_COOKIE), request.headers.get("accept-language", ""))
    theme = request.cookies.get(THEME_COOKIE, "")
    content = _environment().get_template(screen.template).render(
        screen=screen.name,
        language=language,
        languages=LANGUAGES,
        theme=theme if theme in THEMES else "auto",
        version=__version__,
        owner=getattr(request.state, "owner", ""),
        t=_translator(language),
        language_url=lambda name: _relative(request.url.include_query_params(lang=name)),
        words=_script_data(words_of(language, ("shell", screen.name, *screen.parts))),
        **values,
    )  # fmt: skip
    response = _compressed(request, content)
    if wish in LANGUAGES:
        response.set_cookie(LANGUAGE_COOKIE, str(wish), max_age=_YEAR, samesite="lax")
    return response


def _compressed(request: Request, content: str) -> Response:
    """The page, compressed where the browser takes it; it has no secret that its size could give away."""
    headers = {"Cache-Control": "no-store", "Vary": "Cookie, Accept-Language, Accept-Encoding"}
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return HTMLResponse(content, headers=headers)
    headers["Content-Encoding"] = "gzip"
    return HTMLResponse(gzip.compress(content.encode(), 6, mtime=0), headers=headers)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("bonmun.serve.page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["static"] = static_url
    return environment


def _translator(language: str) -> Callable[..., str]:
    known = words(language)

    def translate(name: str, **values: Any) -> str:
        return known[name].format_map(values) if values else known[name]

    return translate


def _relative(url: URL) -> str:
    """A URL without its host, which is only what the request said."""
    return f"{url.path}?{url.query}"


def _script_data(value: object) -> Markup:
    """A value as JSON for a script element: `<` is escaped, so that nothing can end the element."""
    return Markup(json.dumps(value, ensure_ascii=False).replace("<", "\\u003c"))
