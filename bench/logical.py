"""Ablation of `logical-robust`: each change alone on top of the published method, and removed from the whole.

python bench/logical.py                                     cjk_dev by language, and every tenth page of wcxb_dev
python bench/logical.py --data ../shared/data --every 1     all pages of both

Precision and recall over blocks of the body class, as in the paper's table 4: R = |C ∩ D| / |C|, P = |C ∩ D| / |D|.
"""

import argparse
from collections import defaultdict
from dataclasses import fields, replace
from pathlib import Path

from bonmun.evaluate.corpora import open_corpus
from bonmun.evaluate.metrics import METRICS
from bonmun.evaluate.metrics.metric import f_score, quotients
from bonmun.evaluate.truth import Truth
from bonmun.methods.logical_robust import ALL, NONE, Changes, LogicalRobust
from bonmun.pipeline import extract

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
BLOCKS = METRICS["blocks"]


def variants() -> dict[str, Changes]:
    names = [field.name for field in fields(Changes)]
    return {
        "as published": NONE,
        **{f"+ {name}": replace(NONE, **{name: True}) for name in names},
        "all": ALL,
        **{f"- {name}": replace(ALL, **{name: False}) for name in names},
    }


def main() -> None:
    options = _options()
    systems: dict[str, str | LogicalRobust] = {name: LogicalRobust(changes) for name, changes in variants().items()}
    systems["xpath-robust"] = "xpath-robust"
    sums: dict[tuple[str, str], list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    parts: list[str] = []
    for corpus, every in (("cjk_dev", 1), ("wcxb_dev", options.every)):
        for case in open_corpus(options.data / f"{corpus}.jsonl.zst").cases(every):
            truth, part = Truth(case), case.lang if corpus == "cjk_dev" else corpus
            parts += [part] if part not in parts else []
            for name, method in systems.items():
                values = BLOCKS.measure(truth, extract(case.html, url=case.url, method=method).text)
                for number, value in enumerate(values):
                    sums[name, part][number] += value
    _report(list(systems), parts, sums)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the .jsonl.zst files")
    parser.add_argument("--every", type=int, default=10, help="take every Nth page of wcxb_dev")
    return parser.parse_args()


def _report(systems: list[str], parts: list[str], sums: dict[tuple[str, str], list[float]]) -> None:
    print("| | " + " | ".join(f"{part} F1 | R | P" for part in parts) + " |")
    print("|---|" + "--:|" * (3 * len(parts)))
    for name in systems:
        cells = []
        for part in parts:
            precision, recall = quotients(*sums[name, part])
            cells += [f"{value:.3f}".lstrip("0") for value in (f_score(precision, recall), recall, precision)]
        print(f"| {name} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
