"""Downloads under trafilatura's names, by our safe fetch."""

import logging
from configparser import ConfigParser
from typing import Any

from bonmun.compat.arguments import warn_ignored
from bonmun.compat.trafilatura.settings import Response, fetch_policy, use_config
from bonmun.errors import BonmunError
from bonmun.middleware.network import fetch
from bonmun.read.decode import decode as decoded

_LOG = logging.getLogger(__name__)


def fetch_url(url: str, no_ssl: bool = False, config: ConfigParser | None = None, options: Any = None) -> str | None:
    """Download a page by `bonmun.fetch` and decode it; `None` if that fails, and the reason is logged.

    >>> fetch_url("http://127.0.0.1/") is None
    True
    """
    warn_ignored("trafilatura.fetch_url", locals(), {"no_ssl": False}, stacklevel=2)
    chosen = (options.config if options else config) or use_config()
    response = _fetched(url, chosen)
    if response is None or len(response.data) < chosen["DEFAULT"].getint("MIN_FILE_SIZE", 10):
        return None
    return response.html


def fetch_response(
    url: str,
    *,
    decode: bool = False,
    no_ssl: bool = False,
    with_headers: bool = False,
    config: ConfigParser | None = None,
) -> Response | None:
    """Download a page by `bonmun.fetch`; `None` if that fails, and the reason is logged."""
    warn_ignored("trafilatura.fetch_response", locals(), {"no_ssl": False}, stacklevel=2)
    response = _fetched(url, config or use_config())
    if response and not decode:
        response.html = None
    return response


def _fetched(url: str, config: ConfigParser) -> Response | None:
    try:
        page = fetch(url, fetch_policy(config))
    except BonmunError as error:
        _LOG.error("download error: %s", error)
        return None
    headers = {"content-type": page.content_type} if page.content_type else {}
    return Response(page.content, 200, page.url, headers, decoded(page.content, page.content_type).text)
