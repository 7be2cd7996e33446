"""A fine-tuning from corrected pages to a folder with the model, its report and its card."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bonmun import __version__
from bonmun.errors import InputError
from bonmun.evaluate.corpora import Corpus
from bonmun.evaluate.stage import Stage
from bonmun.methods.tensor_file import Array, write_tensors
from bonmun.training.dataset import Dataset
from bonmun.training.measuring import measured
from bonmun.training.tuning.arrangement import with_trees
from bonmun.training.tuning.growth import Corrected, choose_count, extra_trees, rounds
from bonmun.training.tuning.report import TuningReport, markdown, report_of
from bonmun.training.tuning.settings import FEWEST_PAGES, Settings
from bonmun.training.tuning.start import StartModel
from bonmun.training.variants import training_pages


@dataclass(frozen=True)
class Tuned:
    """A fine-tuned model, ready to be written."""

    arrays: dict[str, Array]
    metadata: dict[str, str]
    report: TuningReport

    def write(self, folder: Path) -> None:
        """Write `model.safetensors`, `report.json` and `card.md`."""
        name = folder.resolve().name
        write_tensors(folder / "model.safetensors", self.arrays, {**self.metadata, "name": name})
        text = json.dumps(self.report, indent=1, ensure_ascii=False)
        (folder / "report.json").write_text(text + "\n", encoding="utf-8")
        (folder / "card.md").write_text(markdown(name, self.report), encoding="utf-8")


def tune(
    corpora: Sequence[Corpus],
    start: StartModel,
    output: Path,
    settings: Settings,
    stage: Stage,
    failed: Callable[[str, str], None],
) -> TuningReport:
    """Fine-tune a model on corrected pages; write it with report and card; return the report.

    Raises `InputError` for too few pages to learn from.
    """
    output.mkdir(parents=True, exist_ok=True)
    with stage("measuring pages", sum(1 for corpus in corpora for _ in corpus.cases())) as advance:
        pages = training_pages(corpora, variants=False)
        data = Dataset.of(measured(pages, output / "tables", settings.jobs, advance, failed))
    tuned = tuned_model(data, start, settings, stage)
    tuned.write(output)
    return tuned.report


def tuned_model(data: Dataset, start: StartModel, settings: Settings, stage: Stage) -> Tuned:
    """Fine-tune a model on measured pages."""
    pages = Corrected.of(data, start)
    _check(pages)
    with stage("growing trees", rounds(len(data.infos), settings)) as advance:
        choice = choose_count(pages, settings, advance)
    arrays, exit = with_trees(start, extra_trees(pages, choice.count, settings))
    metadata = {name: text for name, text in start.file.metadata.items() if name != "digest"}
    corpora = ", ".join(dict.fromkeys(info.corpus for info in data.infos))
    metadata |= {"bonmun": __version__, "exit": exit, "tuned_from": start.digest, "tuned_on": corpora}
    return Tuned(arrays, metadata, report_of(start, pages, choice, settings))


def _check(pages: Corrected) -> None:
    usable = len(np.unique(pages.data.page[pages.learnable]))
    if usable < FEWEST_PAGES:
        raise InputError(
            f"{usable} corrected pages to learn from; a fine-tuning needs {FEWEST_PAGES}, five or more are better"
        )
