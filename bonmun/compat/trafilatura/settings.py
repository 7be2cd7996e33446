"""Options, results and configuration files with the attributes of trafilatura's."""

from configparser import ConfigParser
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from bonmun.middleware.network import FetchPolicy

FORMATS = ("csv", "html", "json", "markdown", "python", "txt", "xml", "xmltei")


class Extractor:
    """The options of an extraction, for `options=`.

    >>> Extractor(output_format="markdown", precision=True).focus
    'precision'
    """

    def __init__(
        self,
        *,
        config: ConfigParser | None = None,
        output_format: str = "txt",
        fast: bool = False,
        precision: bool = False,
        recall: bool = False,
        comments: bool = True,
        formatting: bool | None = None,
        links: bool = False,
        images: bool = False,
        tables: bool = True,
        dedup: Any = False,
        lang: str | None = None,
        url: str | None = None,
        source: str | None = None,
        with_metadata: bool = False,
        only_with_metadata: bool = False,
        tei_validation: bool = False,
        author_blacklist: set[str] | None = None,
        url_blacklist: set[str] | None = None,
        date_params: dict[str, Any] | None = None,
    ) -> None:
        if output_format not in FORMATS:
            raise AttributeError(f"no output format {output_format!r}; there are: {', '.join(FORMATS)}")
        self.config, self.format, self.fast, self.dedup, self.lang = config, output_format, fast, dedup, lang
        self.focus = "recall" if recall else "precision" if precision else "balanced"
        self.formatting = output_format == "markdown" if formatting is None else formatting
        self.comments, self.links, self.images, self.tables = comments, links, images, tables
        self.url, self.source = url, url or source
        self.author_blacklist, self.url_blacklist = author_blacklist or set(), url_blacklist or set()
        self.with_metadata = bool(
            with_metadata or only_with_metadata or author_blacklist or url_blacklist or output_format == "xmltei"
        )
        self.only_with_metadata, self.tei_validation, self.date_params = only_with_metadata, tei_validation, date_params


@dataclass(kw_only=True, slots=True, eq=False)
class Document:
    """An extracted page: metadata as strings, texts, and trees of the content.

    >>> Document(title="Tea").as_dict()["title"]
    'Tea'
    """

    title: str | None = None
    author: str | None = None
    url: str | None = None
    hostname: str | None = None
    description: str | None = None
    sitename: str | None = None
    date: str | None = None
    categories: list[str] | None = None
    tags: list[str] | None = None
    fingerprint: str | None = None
    id: str | None = None
    license: str | None = None
    body: Any = None
    comments: str | None = None
    commentsbody: Any = None
    raw_text: str | None = None
    text: str | None = None
    language: str | None = None
    image: str | None = None
    pagetype: str | None = None
    filedate: str | None = None

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "Document":
        """Make a document of a dictionary."""
        return cls(**data)

    def as_dict(self) -> dict[str, Any]:
        """Return all attributes by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


@dataclass(slots=True, eq=False)
class Response:
    """A downloaded page.

    >>> Response(b"<p>Tea", 200, "https://example.org/").as_dict()["status"]
    200
    """

    data: bytes
    status: int
    url: str
    headers: dict[str, str] | None = None
    html: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return all attributes by name."""
        return {name: getattr(self, name) for name in ("data", "headers", "html", "status", "url")}


def use_config(filename: str | None = None, config: ConfigParser | None = None) -> ConfigParser:
    """Return a configuration, from a settings file if given. Its settings of downloads hold; the others are ignored.

    >>> use_config().getint("DEFAULT", "DOWNLOAD_TIMEOUT")
    20
    """
    if config is not None:
        return config
    config = ConfigParser()
    policy = FetchPolicy()
    config["DEFAULT"] = {
        "DOWNLOAD_TIMEOUT": f"{policy.seconds:.0f}",
        "MAX_FILE_SIZE": str(policy.max_bytes),
        "MIN_FILE_SIZE": "10",
        "MAX_REDIRECTS": str(policy.redirects),
        "USER_AGENTS": "",
        "SSRF_PROTECTION": "on",
    }
    if filename is not None:
        if not Path(filename).is_file():
            raise FileNotFoundError(f"no settings file {filename}")
        config.read(filename, encoding="utf-8")
    return config


def fetch_policy(config: ConfigParser) -> FetchPolicy:
    """Return the limits of a fetch that a configuration states.

    >>> fetch_policy(use_config()) == FetchPolicy()
    True
    """
    default, section = FetchPolicy(), config["DEFAULT"]
    agents = section.get("USER_AGENTS", "").split("\n")
    return FetchPolicy(
        max_bytes=section.getint("MAX_FILE_SIZE", default.max_bytes),
        seconds=section.getint("DOWNLOAD_TIMEOUT", int(default.seconds)),
        redirects=section.getint("MAX_REDIRECTS", default.redirects),
        allow_private=not section.getboolean("SSRF_PROTECTION", True),
        user_agent=next((agent.strip('" ') for agent in agents if agent.strip()), default.user_agent),
    )
