"""Comparison of a module of ours with the package that it stands for: shapes of answers, and signatures."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PAGES = {path.stem: path.read_bytes() for path in (Path(__file__).parents[2] / "examples" / "pages").glob("*.html")}
URL = "https://example.org/a/1"
MAIN = {
    "en-harbour": "For years it held nothing but mud and two sunken barges",
    "ja-bakery": "並ぶパンは毎日七種類だけ、売り切れたら店を閉めます",
    "ko-harbour": "마을 사람들은 저녁마다 방파제에 나와 천천히 도는 불빛을 바라본다",
    "zh-teahouse": "陈伯把炉子生好",
}
"""A part of the main text of each page."""
BOILERPLATE = ("Night buses", "Subscribe", "人気の記事", "많이 본 기사", "등록번호", "首页")


@dataclass(frozen=True)
class Exact:
    """A value that has to be equal, not just of the same type."""

    value: Any


def shape(value: Any) -> Any:
    """What a program depends on: the type of an answer, `None`, the keys of a dictionary, the tag of an element."""
    if isinstance(value, Exact):
        return value
    if value is None or isinstance(value, bool | int):
        return value if value is None else type(value).__name__
    if hasattr(value, "as_dict"):
        return {name: shape(part) for name, part in value.as_dict().items()}
    if isinstance(value, dict):
        return {name: shape(part) for name, part in value.items()}
    if isinstance(value, tuple):
        return tuple(map(shape, value))
    return f"<{value.tag}>" if hasattr(value, "tag") else type(value).__name__


def unlike_parameters(theirs: Callable[..., Any], ours: Callable[..., Any]) -> list[str]:
    """The parameters of theirs that ours lacks, or has in another place, of another kind, or with another default."""
    own = list(inspect.signature(ours).parameters.values())
    places = {parameter.name: place for place, parameter in enumerate(own)}
    unlike = []
    for place, parameter in enumerate(inspect.signature(theirs).parameters.values()):
        if parameter.kind is parameter.VAR_KEYWORD:
            continue
        if places.get(parameter.name) != place:
            unlike.append(f"{parameter.name} at {places.get(parameter.name)}, not {place}")
            continue
        mine = own[place]
        plain = parameter.default is None or isinstance(parameter.default, bool | int | str)
        if mine.kind is not parameter.kind or (plain and mine.default != parameter.default):
            unlike.append(f"{mine}, not {parameter}")
    return unlike
