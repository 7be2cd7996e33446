"""Superscripts and subscripts in Markdown: Unicode if all characters have a form, else a tag if it is needed.

``10⁶ km²``, ``x<sup>a+b</sup>``, ``19th``: the rules of `bonmun.model.scripts`, with tags in place of ``^`` and ``_``,
which mean nothing to a Markdown reader.
"""

from collections.abc import Iterable
from itertools import groupby
from typing import Final

from bonmun.model.inline import Run
from bonmun.model.scripts import SHIFTED, has_unicode_form, script_form

_SCRIPTS: Final = frozenset(SHIFTED)


def with_scripts(runs: Iterable[Run]) -> list[Run]:
    """Runs whose marks ``sup`` and ``sub`` are those that need a tag.

    >>> [run.text for run in with_scripts([Run("10"), Run("6", ("sup",))])]
    ['10', '⁶']
    """
    runs = list(runs)
    if not any(run.marks and not _SCRIPTS.isdisjoint(run.marks) for run in runs):
        return runs
    out: list[Run] = []
    tail = ""
    for mark, group in groupby(runs, key=_mark):
        members = list(group)
        text = "".join(run.text for run in members if run.src is None)
        out += _written(members, mark, text, tail) if mark else members
        tail = text[-2:]
    return out


def _mark(run: Run) -> str | None:
    return next((mark for mark in run.marks if mark in SHIFTED), None) if run.marks else None


def _written(runs: list[Run], mark: str, text: str, tail: str) -> list[Run]:
    core = text.strip()
    if script_form(mark, core, "" if text[:1].isspace() else tail) and not has_unicode_form(core):
        return runs
    table = SHIFTED[mark] if has_unicode_form(core) else {}
    return [
        run if run.src is not None else run._replace(text=run.text.translate(table), marks=_others(run)) for run in runs
    ]


def _others(run: Run) -> tuple[str, ...]:
    return tuple(mark for mark in run.marks if mark not in SHIFTED)
