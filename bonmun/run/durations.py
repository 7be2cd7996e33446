"""Durations as people write them: `90s`, `15m`, `1h30m`."""

import re

_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_PART = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|[smhd])\s*")


def seconds_of(text: str) -> float:
    """Return the seconds of a duration; `ValueError` if it is none.

    >>> seconds_of("15m"), seconds_of("1h 30m"), seconds_of("250ms")
    (900.0, 5400.0, 0.25)
    """
    parts = list(_PART.finditer(text.strip()))
    if not parts or "".join(part[0] for part in parts) != text.strip():
        raise ValueError(f"not a duration: {text!r}")
    return sum(float(part[1]) * _UNITS[part[2]] for part in parts)


def duration_of(seconds: float) -> str:
    """Return seconds as a short duration of at most two units.

    >>> duration_of(5400), duration_of(62.4), duration_of(0.2)
    ('1h 30m', '1m 2s', '0s')
    """
    left = max(0, round(seconds))
    parts = []
    for name, size in (("d", 86400), ("h", 3600), ("m", 60), ("s", 1)):
        count, left = divmod(left, size)
        if count:
            parts.append(f"{count}{name}")
    return " ".join(parts[:2]) or "0s"
