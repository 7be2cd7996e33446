"""Folds for cross-validation: grouped by site and template, stratified by page type."""

import hashlib
from collections import Counter
from collections.abc import Sequence

from bonmun.errors import InputError
from bonmun.training.measuring import Info


def partition(infos: Sequence[Info], folds: int, seed: int) -> list[int]:
    """Return the fold of each page; raises `InputError` if there are fewer sites than folds.

    >>> pages = [Info(str(n), "c", f"site{n % 4}.org", "t" if n % 4 < 2 else None, "en", "news") for n in range(8)]
    >>> partition(pages, 3, 0)
    [0, 0, 1, 2, 0, 0, 1, 2]
    """
    groups = _groups(infos)
    if len(groups) < folds:
        raise InputError(f"{folds} folds need pages of as many sites; there are {len(groups)}")
    fold_of = [0] * len(infos)
    by_type: dict[tuple[str, str], list[int]] = {}
    total = [0] * folds
    for pages in sorted(groups, key=lambda pages: (-len(pages), _shuffled(infos[pages[0]], seed))):
        kind = Counter((infos[page].corpus, infos[page].page_type) for page in pages).most_common(1)[0][0]
        load = by_type.setdefault(kind, [0] * folds)
        fold = min(range(folds), key=lambda number: (load[number], total[number]))
        load[fold] += len(pages)
        total[fold] += len(pages)
        for page in pages:
            fold_of[page] = fold
    if 0 in total:
        raise InputError(f"{folds} folds are too many for {len(infos)} pages")
    return fold_of


def _groups(infos: Sequence[Info]) -> list[list[int]]:
    """Return the connected components of pages that share a site or a template (union-find)."""
    parent = list(range(len(infos)))

    def root(page: int) -> int:
        while parent[page] != page:
            parent[page] = parent[parent[page]]
            page = parent[page]
        return page

    first: dict[tuple[str, str], int] = {}
    for page, info in enumerate(infos):
        for key in (("site", info.domain), ("template", info.group or "")):
            if key[1]:
                one, other = root(first.setdefault(key, page)), root(page)
                parent[max(one, other)] = min(one, other)
    groups: dict[int, list[int]] = {}
    for page in range(len(infos)):
        groups.setdefault(root(page), []).append(page)
    return list(groups.values())


def _shuffled(info: Info, seed: int) -> str:
    return hashlib.md5(f"{seed}:{info.domain}:{info.group}".encode(), usedforsecurity=False).hexdigest()
