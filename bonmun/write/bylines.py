"""The line above a reader's comment."""

import datetime

from bonmun.model.comment import Comment


def byline(comment: Comment) -> str:
    """Return author and date as one line; empty if the page states neither.

    >>> byline(Comment("Ann", datetime.datetime(2024, 3, 5, 14, 30), 0, (), (), 0, ""))
    'Ann · 2024-03-05 14:30'
    """
    return " · ".join(filter(None, (comment.author, shown_date(comment.date))))


def shown_date(date: datetime.datetime | None) -> str:
    """Return a date for readers: the day, and the time if one is known."""
    return date.strftime("%Y-%m-%d %H:%M").removesuffix(" 00:00") if date else ""


def iso_date(date: datetime.datetime | None) -> str | None:
    """Return a date in ISO 8601: the day alone if no time is known."""
    return date.isoformat().removesuffix("T00:00:00") if date else None
