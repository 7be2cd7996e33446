"""The settings of newspaper4k. Those of downloads and lengths hold; the others are recorded and have no effect."""

from collections.abc import Mapping
from typing import Any, Final

from bonmun.compat.arguments import warn_ignored
from bonmun.middleware.network import FetchPolicy

_IGNORED: Final[dict[str, object]] = {
    "read_more_link": "",
    "memorize_articles": True,
    "disable_category_cache": False,
    "follow_meta_refresh": False,
    "clean_article_html": True,
    "http_success_only": True,
    "honor_robots_txt": False,
    "allow_binary_content": False,
    "ignored_content_types_defaults": {},
    "top_image_settings": {"min_width": 300, "min_height": 200, "min_area": 10000, "max_retries": 2},
    "min_word_count": 300,
    "min_sent_count": 7,
    "max_file_memo": 20000,
    "proxies": {},
    "cookies": None,
    "auth": None,
    "allow_redirects": True,
    "verify": True,
    "cert": None,
}
"""Settings without effect and their defaults."""


class Configuration:
    """The settings of an article.

    >>> config = Configuration()
    >>> config.request_timeout = 10
    >>> config.MAX_KEYWORDS, config.request_timeout
    (35, 10)
    """

    def __init__(self) -> None:
        # Recorded: the language is detected, pictures are never fetched, nothing is kept between articles.
        self.language: str | None = "en"
        self.use_meta_language = True
        self.fetch_images = True
        self.memoize_articles = True
        self.verbose = False
        self.number_threads = 10
        self.thread_timeout_seconds = 10
        self.max_title, self.max_text, self.max_summary = 200, 100_000, 5000
        self.max_keywords, self.max_authors, self.max_summary_sent = 35, 10, 5
        self.request_timeout: float = 7
        self.browser_user_agent = FetchPolicy().user_agent
        self.headers: dict[str, str] = {}
        self.allow_private = False
        """Whether private, loopback and other non-public addresses may be fetched. Not a setting of newspaper4k."""
        for name, default in _IGNORED.items():
            setattr(self, name, default)

    def update(self, **kwargs: Any) -> None:
        """Change settings; warn of those without effect, `TypeError` for unknown ones.

        >>> Configuration().update(colour="red")
        Traceback (most recent call last):
        TypeError: unknown setting of newspaper: 'colour'
        """
        warn_of_settings("newspaper.Config.update", kwargs, stacklevel=2)
        self.change(kwargs)

    def change(self, settings: Mapping[str, Any]) -> None:
        """Change settings without a warning."""
        for name, value in settings.items():
            name = "request_timeout" if name == "timeout" else name
            if name not in vars(self):
                raise TypeError(f"unknown setting of newspaper: {name!r}")
            setattr(self, name, value)

    def policy(self) -> FetchPolicy:
        """The limits of a download."""
        agents = (value for name, value in self.headers.items() if name.lower() == "user-agent")
        agent = next(agents, self.browser_user_agent)
        return FetchPolicy(seconds=self.request_timeout, user_agent=agent, allow_private=self.allow_private)

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name.lower(), value)  # MAX_TEXT is an older name of max_text

    def __getattr__(self, name: str) -> Any:
        if name.isupper() and name.lower() in vars(self):
            return vars(self)[name.lower()]
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")


def warn_of_settings(call: str, given: Mapping[str, Any], stacklevel: int) -> None:
    """Warn of the settings among the arguments of a call that have no effect."""
    warn_ignored(call, given, _IGNORED, stacklevel + 1)
