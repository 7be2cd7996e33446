"""The figures of seed paper 003: its table 2 (LCS and Block by region) and the pages of its table 1."""

from dataclasses import dataclass
from typing import Final

REGIONS: Final = ("2017", "2020", "KR", "JP", "CN", "FR", "SA", "ID", "RU", "Avg.")
"""The rows of table 2: English pages of two years, seven regions, and the average."""
PAGES: Final = dict(zip(REGIONS, (285, 240, 21, 24, 53, 39, 43, 31, 48), strict=False))
"""Annotated pages of each region, table 1."""
_TABLE: Final = """
Readability.js
.761 .868 .743 .728 .571 .686 .580 .567
.796 .905 .776 .765 .646 .766 .634 .625
.783 .905 .784 .755 .514 .511 .511 .513
.585 .988 .662 .609 .429 .625 .448 .435
.757 .939 .787 .758 .525 .540 .519 .520
.736 .911 .729 .696 .531 .673 .534 .515
.803 .919 .775 .764 .630 .751 .641 .632
.830 .914 .817 .814 .640 .636 .593 .603
.843 .887 .773 .765 .721 .729 .687 .691
.775 .897 .760 .744 .598 .698 .595 .586
DOM Distiller
.760 .881 .749 .722 .705 .289 .339 .454
.762 .886 .751 .729 .747 .369 .399 .494
.831 .813 .753 .741 .848 .427 .492 .571
.753 .921 .742 .712 .697 .353 .365 .437
.862 .962 .876 .856 .869 .613 .653 .723
.793 .879 .757 .741 .730 .239 .294 .400
.769 .917 .748 .721 .760 .414 .420 .479
.878 .909 .837 .830 .820 .263 .316 .425
.886 .882 .812 .804 .849 .384 .433 .521
.784 .891 .766 .743 .750 .351 .391 .482
BoilerNet
.680 .951 .751 .703 .708 .811 .696 .690
.684 .952 .748 .705 .699 .817 .680 .675
.846 .952 .887 .860 .898 .807 .834 .866
.459 .694 .477 .451 .447 .588 .406 .406
.647 .721 .667 .654 .595 .579 .530 .547
.690 .921 .755 .711 .735 .775 .703 .711
.680 .881 .696 .662 .663 .736 .605 .599
.843 .963 .853 .842 .849 .681 .684 .740
.780 .940 .828 .796 .763 .806 .716 .730
.689 .922 .745 .706 .702 .779 .671 .672
Web2Text
.564 .939 .651 .589 .553 .411 .382 .431
.600 .959 .677 .619 .636 .810 .628 .620
.672 1.000 .771 .705 .864 .716 .742 .785
.663 .946 .714 .679 .701 .550 .485 .540
.878 .936 .889 .881 .873 .722 .756 .803
.644 .996 .739 .676 .696 .824 .679 .673
.624 .931 .690 .645 .740 .688 .597 .642
.694 .939 .746 .708 .709 .658 .610 .650
.663 .917 .739 .676 .737 .703 .658 .681
.621 .948 .695 .641 .647 .629 .547 .574
TabNet_1
.054 .082 .058 .054 .058 .069 .056 .055
.038 .058 .042 .039 .045 .043 .037 .040
.701 .944 .769 .722 .757 .654 .613 .644
.109 .137 .086 .079 .037 .103 .048 .041
.106 .125 .088 .080 .057 .057 .042 .047
.107 .095 .073 .064 .027 .058 .029 .027
.146 .169 .128 .123 .045 .105 .048 .042
.671 .905 .695 .661 .697 .695 .590 .621
.792 .924 .818 .799 .824 .703 .702 .750
.177 .230 .183 .174 .175 .171 .150 .156
TabNet_2
.665 .917 .724 .683 .713 .702 .646 .667
.684 .912 .726 .692 .700 .684 .622 .652
.682 .899 .723 .687 .718 .562 .557 .612
.688 .996 .772 .717 .591 .748 .597 .578
.444 .958 .535 .471 .327 .645 .357 .331
.592 .956 .704 .627 .460 .552 .426 .429
.623 .933 .726 .653 .511 .641 .533 .515
.648 .903 .687 .656 .728 .692 .611 .646
.782 .904 .808 .790 .801 .620 .628 .697
.668 .919 .724 .683 .681 .675 .608 .631
"""
"""For each system, a line for each of `REGIONS`: LCS P, R, F1, F0.5, Block P, R, F1, F0.5."""
METRICS: Final = ("lcs", "block")


@dataclass(frozen=True, slots=True)
class PaperFigures:
    """What the paper reports of a system in a region, by one of its two metrics."""

    precision: float
    recall: float
    f1: float
    f05: float


def figures(system: str, region: str, metric: str) -> PaperFigures | None:
    """Return the paper's figures of a system in a region; `None` for one that is not in the paper.

    >>> figures("TabNet_1", "Avg.", "lcs").f1, figures("TabNet_2", "KR", "block").f1
    (0.183, 0.557)
    >>> figures("auto", "KR", "lcs")
    """
    line = _lines().get(system, {}).get(region)
    return PaperFigures(*line[:4] if metric == "lcs" else line[4:]) if line else None


def systems() -> list[str]:
    """Return the systems of the paper.

    >>> systems()
    ['Readability.js', 'DOM Distiller', 'BoilerNet', 'Web2Text', 'TabNet_1', 'TabNet_2']
    """
    return list(_lines())


def mean_of_regions(system: str, metric: str) -> float:
    """Return the F1 of a system averaged by us from the paper's regions, weighted by their pages.

    The averages of the paper are weighted by pages, as those of its baselines show; those of the two TabNets are not
    the averages of their own lines.

    >>> f"{mean_of_regions('DOM Distiller', 'lcs'):.3f} {mean_of_regions('TabNet_1', 'lcs'):.3f}"
    '0.766 0.151'
    """
    sums = sum(PAGES[region] * line.f1 for region in PAGES if (line := figures(system, region, metric)))
    return sums / sum(PAGES.values())


def _lines() -> dict[str, dict[str, tuple[float, ...]]]:
    table: dict[str, dict[str, tuple[float, ...]]] = {}
    for line in _TABLE.strip().splitlines():
        numbers = line.split()
        if len(numbers) < 8:
            table[line] = {}
        else:
            lines = table[list(table)[-1]]
            lines[REGIONS[len(lines)]] = tuple(map(float, numbers))
    return table
