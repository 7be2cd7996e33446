"""The methods that see the rendered page, as systems of the bench: models by seed, or those that ship."""

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

from bonmun import registry
from bonmun.errors import SourceError
from bonmun.evaluate.deciles import decile
from bonmun.evaluate.systems import System, code_stamp

TRAINED_ON: Final = ("wcxb_dev",)
"""Corpora that the models learn from, but for the pages held out."""
TABNET_1, CONTROL, TABNET_2 = "TabNet_1", "TabNet_1 + permuted D0, D1", "TabNet_2"
REGION = " → region"
"""After the name of a model: its elements put together by `visual`, not taken one by one as in the paper."""
CENTRE, WHOLE = "visual-centre", "whole page"
_FILE: Final = re.compile(r"(?:visual-)?(?P<kind>1|2|control)(?:-(?P<variant>\w+))?-seed(?P<seed>\d+)\.safetensors")
_FAMILIES: Final = {"1": TABNET_1, "control": CONTROL, "2": TABNET_2}
_SHIPPED_SEED: Final = 0
"""The seed of the models in the package (see their cards)."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A method over rendered pages; of a model that was trained five times there are five."""

    family: str
    """Its line in the tables."""
    system: System
    """Its name and version in the store."""
    make: Callable[[], registry.Method]
    seed: int | None = None
    """The decile of sites that its training held out; `None` for a method that was not trained."""
    model: Path | None = None
    """The file of a network whose importances are shown."""

    def on(self, layouts: str) -> System:
        """Return the system on the layouts of that hash: others give other answers."""
        return replace(self.system, version=f"{self.system.version}+{layouts}")

    def counts(self, corpus: str, site: str) -> bool:
        """Whether a page is a test page: of a corpus that it never saw, or of a site that was held out."""
        return self.seed is None or corpus not in TRAINED_ON or decile(site) == self.seed


def entrants(models: Path | None) -> list[Entrant]:
    """Return the models of a folder, or without one those that ship, and the methods that need no training."""
    trained = _seeded(models) if models else _shipped()
    centre = Entrant(CENTRE, _system(CENTRE), partial(registry.method, CENTRE))
    return [*trained, centre, Entrant(WHOLE, _system(WHOLE), _whole_page)]


def _seeded(folder: Path) -> list[Entrant]:
    """The models of a folder, each twice: its elements one by one, and our region of them."""
    found = [(match, path) for path in folder.glob("*.safetensors") if (match := _FILE.fullmatch(path.name))]
    if not found:
        raise SourceError(f"no models in {folder}: expected files such as visual-2-seed0.safetensors")
    order = list(_FAMILIES)
    found.sort(key=lambda one: (one[0]["variant"] or "", order.index(one[0]["kind"]), int(one[0]["seed"])))
    models = [
        (_FAMILIES[match["kind"]] + (f", {match['variant']}" if match["variant"] else ""), int(match["seed"]), path)
        for match, path in found
    ]
    return [_elements(*one) for one in models] + [_region(*one) for one in models]


def _shipped() -> list[Entrant]:
    """The models in the package."""
    folder = Path(registry.__file__).parent / "models"
    paths = [(family, _SHIPPED_SEED, folder / f"visual-{kind}.safetensors") for kind, family in _FAMILIES.items()]
    known = [one for one in paths if one[2].is_file()]
    return [_elements(*one) for one in known] + [_region(*one) for one in known]


def _elements(family: str, seed: int, path: Path) -> Entrant:
    return Entrant(family, _system(family, path, seed), partial(_elements_above_half, path), seed, path)


def _region(family: str, seed: int, path: Path) -> Entrant:
    name = f"{family}{REGION}"
    return Entrant(name, _system(name, path, seed), partial(_visual, path), seed)


def _elements_above_half(path: Path) -> registry.Method:
    from bonmun.evaluate.visual.plain_methods import ElementsAboveHalf
    from bonmun.methods.visual.tabnet import TabNet

    return ElementsAboveHalf(TabNet.load(path))


def _visual(path: Path) -> registry.Method:
    from bonmun.methods.visual import Visual

    return Visual.load(path)


def _whole_page() -> registry.Method:
    from bonmun.evaluate.visual.plain_methods import WholePage

    return WholePage()


def _system(name: str, model: Path | None = None, seed: int | None = None) -> System:
    digest = hashlib.blake2b(model.read_bytes(), digest_size=4).hexdigest() if model else ""
    title = name if seed is None else f"{name}, seed {seed}"
    return System(title, "+".join(filter(None, (code_stamp(), digest))), (), ours=True)
