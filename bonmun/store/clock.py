"""Moments as the tables keep them: ISO 8601 in UTC with a fixed width, so that their order is that of the text."""

from datetime import UTC, datetime


def now() -> str:
    """Return the present moment."""
    return stamp(datetime.now(UTC))


def stamp(moment: datetime) -> str:
    """Return a moment as text; one without a zone is taken for UTC.

    >>> stamp(datetime(2026, 11, 16, 9, 30))
    '2026-11-16T09:30:00.000000+00:00'
    """
    aware = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    return aware.isoformat(timespec="microseconds")


def moment(text: str) -> datetime:
    """Return the moment that a text stands for."""
    return datetime.fromisoformat(text)
