"""Log records with facts: JSON lines for machines, short lines for people."""

import json
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from logging.handlers import WatchedFileHandler
from typing import Any

from bonmun.errors import SourceError
from bonmun.run.cells import plain, without_passwords
from bonmun.run.config import LogConfig

NAME = "bonmun"
"""The logger of the library; `bonmun run` attaches its handler there."""
_FACTS = "facts"


def note(logger: logging.Logger, level: int, event: str, **facts: Any) -> None:
    """Log an event with its facts.

    >>> note(logging.getLogger("bonmun.run"), logging.DEBUG, "page stored", url="https://example.org/", version=1)
    """
    logger.log(level, event, extra={_FACTS: {name: fact for name, fact in facts.items() if fact not in (None, "")}})


class JsonLines(logging.Formatter):
    """One JSON object per line: `time`, `level`, `logger`, `event`, and the facts of the event.

    >>> record = logging.makeLogRecord({"msg": "page stored", "levelname": "INFO", "name": "bonmun.run", "created": 0})
    >>> record.facts = {"url": "https://example.org/"}
    >>> print(JsonLines().format(record))  # doctest: +NORMALIZE_WHITESPACE
    {"time": "1970-01-01T00:00:00.000+00:00", "level": "info", "logger": "bonmun.run", "event": "page stored",
     "url": "https://example.org/"}
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record."""
        when = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        fixed = {"time": when, "level": record.levelname.lower(), "logger": record.name, "event": record.getMessage()}
        facts = {name: fact for name, fact in _facts(record).items() if name not in fixed}
        if record.exc_info:
            facts["traceback"] = self.formatException(record.exc_info)
        line = json.dumps({**fixed, **facts}, ensure_ascii=False, default=str)
        return without_passwords(line.encode("utf-8", "replace").decode("utf-8"))


class TextLines(logging.Formatter):
    """One line for people: the time of day, the event, its facts; the level if it is a warning or worse.

    >>> record = logging.makeLogRecord({"msg": "source failed", "levelno": logging.ERROR, "levelname": "ERROR"})
    >>> record.facts = {"source": "feed:https://example.org/rss", "error": "FetchTimeout"}
    >>> TextLines().format(record)[9:]
    'error: source failed: source=feed:https://example.org/rss error=FetchTimeout'
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record."""
        when = datetime.fromtimestamp(record.created).strftime("%H:%M:%S")
        level = f"{record.levelname.lower()}: " if record.levelno >= logging.WARNING else ""
        facts = " ".join(f"{name}={_value(fact)}" for name, fact in _facts(record).items())
        line = plain(f"{when} {level}{record.getMessage()}{': ' if facts else ''}{facts}")
        return line + (f"\n{self.formatException(record.exc_info)}" if record.exc_info else "")


@contextmanager
def logging_to(config: LogConfig, *, quiet: bool = False) -> Iterator[None]:
    """Send the library's log records where the configuration says; `quiet` leaves standard error to the screen."""
    handler = _handler(config, quiet)
    as_text = config.file is None and sys.stderr.isatty() if config.format == "auto" else config.format == "text"
    handler.setFormatter(TextLines() if as_text else JsonLines())
    logger = logging.getLogger(NAME)
    before, propagated = logger.level, logger.propagate
    logger.addHandler(handler)
    logger.setLevel(config.level.upper())
    logger.propagate = False
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(before)
        logger.propagate = propagated
        handler.close()


def _handler(config: LogConfig, quiet: bool) -> logging.Handler:
    if config.file is None:
        return logging.NullHandler() if quiet else logging.StreamHandler(sys.stderr)
    try:
        config.file.parent.mkdir(parents=True, exist_ok=True)
        return WatchedFileHandler(config.file, encoding="utf-8", errors="replace")  # reopened after logrotate
    except OSError as error:
        raise SourceError(f"cannot write log {config.file}: {error.strerror or error}") from error


def _facts(record: logging.LogRecord) -> dict[str, Any]:
    facts: dict[str, Any] = getattr(record, _FACTS, {})
    return facts


def _value(fact: Any) -> str:
    if isinstance(fact, float):
        return f"{fact:.3g}"
    text = str(fact)
    return json.dumps(text, ensure_ascii=False) if any(char.isspace() for char in text) else text
