"""URLs and failures of a fetch, alike for both: which URLs may be fetched, and what an error says."""

import http.client
import re
import ssl
import zlib
from importlib import metadata
from urllib.parse import quote

from ada_url import URL

from bonmun.errors import BonmunError, FetchError, FetchTimeout, LimitExceeded

REDIRECTS = frozenset({301, 302, 303, 307, 308})
ACCEPT = "text/html,application/xhtml+xml,*/*;q=0.8"
_ASCII = "".join(map(chr, range(128)))
_USERINFO = re.compile(r"^([^/\\?#:]*:)[/\\]*[^/\\?#]*@")


def default_user_agent() -> str:
    """The User-Agent header of Bonmun."""
    try:
        version = metadata.version("bonmun")
    except metadata.PackageNotFoundError:
        version = "0"
    return f"bonmun/{version} (main content extraction)"


def parsed(text: str, base: str | None = None) -> URL:
    """A URL that may be fetched: http or https, without a password; `FetchError` for any other."""
    try:
        url = URL(text, base=base)
    except ValueError:
        raise FetchError("not a valid URL") from None
    if url.protocol not in ("http:", "https:"):
        raise FetchError("unsupported scheme; only http and https can be fetched")
    if url.username or url.password:
        raise FetchError("refused: the URL has a user name or password")
    return url


def quoted_location(latin: str) -> str:
    """A Location header, decoded as latin-1, with its bytes escaped: browsers send the original bytes back."""
    return quote(latin, safe=_ASCII, encoding="latin-1")


def status_line(status: int) -> str:
    """What a server answered, in words."""
    return f"the server answered {status} {http.client.responses.get(status, '')}".rstrip()


class _TooLarge(LimitExceeded):
    """`LimitExceeded` with the URL and the name of the limit."""

    def __init__(self, urls: str, found: float, allowed: float, limits: str = "FetchPolicy") -> None:
        super().__init__("bytes", found, allowed)
        self.args = (urls, found, allowed, limits)

    def __str__(self) -> str:
        urls, found, allowed, limits = self.args
        return f"{urls}: response of {found:,} bytes or more; the limit is {allowed:,} ({limits}.max_bytes)"


def public_error(error: Exception, trail: list[str], seconds: float, limits: str) -> BonmunError:
    """The typed error for one raised inside, with the first and last URL in its message.

    `limits` is the name of the class that has the limits.
    """
    urls = " → ".join(one_line(_USERINFO.sub(r"\1//", url)) for url in dict.fromkeys((trail[0], trail[-1])))
    match error:
        case LimitExceeded():
            return _TooLarge(urls, error.found, error.allowed, limits)
        case FetchError():
            return type(error)(f"{urls}: {error}")
        case TimeoutError():
            return FetchTimeout(f"{urls}: no complete response within {seconds:g} s ({limits}.seconds)")
        case _:
            return FetchError(f"{urls}: {one_line(reason(error))}")


def reason(error: Exception) -> str:
    """What went wrong, in words."""
    match error:
        case ssl.SSLCertVerificationError():
            return f"certificate not trusted: {error.verify_message}"
        case ssl.SSLError():
            return f"TLS handshake failed: {error.reason}"
        case OSError():
            return error.strerror or str(error) or type(error).__name__
        case http.client.IncompleteRead():
            return "the response is truncated"
        case zlib.error():
            return "the compressed response is damaged"
        case _:
            return f"invalid HTTP response ({type(error).__name__})"


def one_line(text: str) -> str:
    """Untrusted text, truncated and without control characters, for a terminal or a log."""
    short = text if len(text) <= 200 else f"{text[:200]}…"
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in short)
