"""A model of one's own: the shipped one as it is decides, and with any one thing of it damaged is refused by name."""

import json
import re
import struct
from array import array
from collections.abc import Callable
from dataclasses import replace
from importlib.resources import files
from math import exp, inf, nan
from pathlib import Path

import pytest

import bonmun
from bonmun.errors import BadModel
from bonmun.features.columns import COLUMNS
from bonmun.methods.learned import Learned
from bonmun.methods.learned.forest import Forest
from bonmun.methods.learned.model import calibrate, calibrate_by_reference
from bonmun.methods.learned.model import shipped as shipped_model
from bonmun.methods.learned.model_file import read_model
from bonmun.methods.learned.page_figures import SUMMARY
from bonmun.methods.tensor_file import Array, write_tensors

PAGE = (
    "<nav><a href=/>Home</a></nav><p>" + "The ferry left the harbour before dawn, and the town was still asleep. " * 9
)
EXIT = {"trees": 80, "below": -2.5, "above": 3.0, "weight": 1.86}

Arrays = dict[str, Array]
Metadata = dict[str, str]
Shipped = tuple[Arrays, Metadata]
Damage = Callable[[Arrays, Metadata], object]


@pytest.fixture(scope="module")
def shipped() -> Shipped:
    model = read_model(files("bonmun.models").joinpath("auto.safetensors").read_bytes())
    arrays: Arrays = {
        name: ("F32" if data.format == "f" else "I32", (len(data),), data.tobytes())
        for name, data in model.arrays.items()
    }
    return arrays, {name: value for name, value in model.metadata.items() if name != "digest"}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "mine.safetensors"


def floats(*numbers: float) -> Array:
    return "F32", (len(numbers),), struct.pack(f"<{len(numbers)}f", *numbers)


def says(name: str, value: object) -> Damage:
    """A model whose metadata say something else."""
    return lambda _, metadata: metadata.update({name: value if isinstance(value, str) else json.dumps(value)})


def holds(name: str, array: Array) -> Damage:
    """A model with other numbers in an array."""
    return lambda arrays, _: arrays.update({name: array})


def cut(name: str) -> Damage:
    """A model that has one number less in an array."""

    def shorten(arrays: Arrays, _: Metadata) -> None:
        kind, (count,), data = arrays[name]
        arrays[name] = kind, (count - 1,), data[:-4]

    return shorten


def spoilt(name: str, number: float) -> Damage:
    """A model in which one number of an array is another."""

    def spoil(arrays: Arrays, _: Metadata) -> None:
        kind, shape, data = arrays[name]
        arrays[name] = kind, shape, data[:-4] + struct.pack("<f", number)

    return spoil


def refusal(path: Path, shipped: Shipped, damage: Damage) -> str:
    arrays, metadata = dict(shipped[0]), dict(shipped[1])
    damage(arrays, metadata)
    write_tensors(path, arrays, metadata)
    with pytest.raises(BadModel) as caught:
        Learned.load(path)
    return str(caught.value)


def test_a_whole_model_of_your_own_decides(path: Path, shipped: Shipped) -> None:
    write_tensors(path, *shipped)
    own, ours = bonmun.extract(PAGE, method=Learned.load(path)), bonmun.extract(PAGE)
    assert own.text == ours.text
    assert list(own.verdicts.score) == list(ours.verdicts.score)


def test_a_model_that_asks_for_more_words_leaves_a_short_page_empty(path: Path, shipped: Shipped) -> None:
    write_tensors(path, shipped[0], shipped[1] | {"empty": "1000"})
    assert bonmun.extract(PAGE).status == "ok"
    assert bonmun.extract(PAGE, method=Learned.load(path)).status == "empty"


def test_on_what_a_model_calls_a_forum_there_are_no_comments(path: Path, shipped: Shipped) -> None:
    types = json.loads(shipped[1]["types"])
    html = (
        f"{PAGE}</p><section id=comments><ol>{'<li class=comment><p>I was on that ferry.</p></li>' * 5}</ol></section>"
    )
    assert len(bonmun.extract(html).comment_blocks) == 5
    write_tensors(path, shipped[0], shipped[1] | {"types": json.dumps(["forum"] * len(types))})
    doc = bonmun.extract(html, method=Learned.load(path))
    assert (doc.page_type, len(doc.comment_blocks)) == ("forum", 0)


def says_always(value: float) -> Forest:
    """One tree that says the same of everything."""
    node, leaf, start = (memoryview(array("i", numbers)) for numbers in ([0], [~0], [0, 1]))
    return Forest(node, memoryview(array("f", [0.0])), leaf, leaf, memoryview(array("f", [value])), start)


FIGURES = array("f", [0.0] * len(SUMMARY)).tobytes()


def test_probabilities_lie_on_straight_lines_between_the_knots() -> None:
    model = replace(shipped_model(), knots=(array("d", [0.0, 0.5, 1.0]), array("d", [0.0, 0.2, 1.0])))
    assert list(model.calibrated([0.0, 0.25, 0.5, 0.75, 1.0])) == pytest.approx([0.0, 0.1, 0.2, 0.6, 1.0])


def test_the_compiled_calibration_gives_the_same_bits() -> None:
    xs, ys = shipped_model().knots
    raw = array("d", [*xs, *(number / 997 for number in range(-50, 1100)), nan, inf, -inf])
    assert calibrate(xs, ys, raw).tobytes() == calibrate_by_reference(xs, ys, raw).tobytes()


def test_the_type_with_the_largest_sum_is_the_likeliest_by_softmax() -> None:
    trees = says_always(1.0), says_always(3.0), says_always(2.0)
    model = replace(shipped_model(), types=("a", "b", "c"), type_trees=trees)
    kind, likely = model.page_type(model.about_sums(FIGURES))
    assert kind == "b"
    assert likely == pytest.approx(exp(3) / (exp(1) + exp(2) + exp(3)))


@pytest.mark.parametrize(("said", "expected"), [(-0.5, 0.0), (0.25, 0.25), (1.5, 1.0)])
def test_confidence_is_what_its_trees_say_within_bounds(said: float, expected: float) -> None:
    model = replace(shipped_model(), trust=says_always(said))
    assert model.confidence(model.about_sums(FIGURES)) == expected


def test_what_is_no_model_is_refused_by_its_path(path: Path) -> None:
    path.write_bytes(b"not a model at all")
    with pytest.raises(BadModel, match=r"mine\.safetensors"):
        Learned.load(path)


ARRAYS = (
    *(f"blocks.{part}" for part in ("feature", "threshold", "left", "right", "leaf", "start")),
    *("confidence.leaf", "confidence.start", "type.0.feature", "type.6.start"),
    *("terms.weights", "names.weights", "calibration.x", "calibration.y"),
)


@pytest.mark.parametrize("name", ARRAYS)
def test_an_array_that_is_missing_is_named(path: Path, shipped: Shipped, name: str) -> None:
    message = refusal(path, shipped, lambda arrays, _: arrays.pop(name))
    assert f"{name} is missing" in message
    assert str(path) in message


@pytest.mark.parametrize("name", ["format", "columns", "summary", "types", "exit", "empty"])
def test_metadata_that_are_missing_are_named(path: Path, shipped: Shipped, name: str) -> None:
    message = refusal(path, shipped, lambda _, metadata: metadata.pop(name))
    assert name in message.removeprefix(f"invalid model file {path}")


@pytest.mark.parametrize(
    ("damage", "complaint"),
    [
        pytest.param(says("columns", ["other", *COLUMNS[1:]]), "other columns", id="an unknown feature"),
        pytest.param(says("columns", COLUMNS[:-1]), "a column that does not exist|other columns", id="a feature less"),
        pytest.param(says("summary", []), "a column that does not exist", id="no summary"),
        pytest.param(says("types", []), "types is empty", id="no types"),
        pytest.param(says("types", ["article"] * 8), r"type\.7\.feature is missing", id="a type too many"),
        pytest.param(says("exit", "{"), "exit must be a JSON object", id="an exit that is no JSON"),
        pytest.param(says("exit", "[" * 100_000), "exit must be a JSON object", id="an exit too deep"),
        pytest.param(says("exit", [1, 2, 3, 4]), "exit must be a JSON object", id="an exit that is a list"),
        pytest.param(says("exit", {}), "exit must be a JSON object", id="an exit without keys"),
        pytest.param(says("exit", EXIT | {"more": 1}), "exit must be a JSON object", id="an exit with a key too many"),
        pytest.param(says("exit", EXIT | {"trees": "80"}), "exit must be a JSON object", id="trees that are a text"),
        pytest.param(says("exit", EXIT | {"trees": 80.5}), "exit must be a JSON object", id="half a tree"),
        pytest.param(says("exit", EXIT | {"below": None}), "exit must be a JSON object", id="no lower bound"),
        pytest.param(says("exit", EXIT | {"above": 10**400}), "exit must be a JSON object", id="a bound beyond floats"),
        pytest.param(
            says("exit", EXIT | {"trees": 551}), "exit.trees is 551; the model has 550 trees", id="a late exit"
        ),
        pytest.param(says("exit", EXIT | {"trees": 0}), "exit.trees is 0;", id="an exit before all trees"),
        pytest.param(says("exit", EXIT | {"trees": -1}), "exit.trees is -1;", id="an exit before that"),
        pytest.param(says("exit", EXIT | {"weight": inf}), "exit has", id="an infinite weight"),
        pytest.param(says("exit", EXIT | {"below": nan}), "exit has", id="a bound that is no number"),
        pytest.param(says("empty", "fifteen"), "empty must be a number", id="empty in words"),
        pytest.param(says("empty", "nan"), "empty must be a number", id="empty is NaN"),
        pytest.param(says("empty", "-1"), "empty must be a number", id="empty below 0"),
        pytest.param(cut("terms.weights"), r"terms\.weights has 32,767 weights", id="too few weights of terms"),
        pytest.param(cut("names.weights"), r"names\.weights has 98,303 weights", id="too few weights of names"),
        pytest.param(spoilt("terms.weights", nan), r"terms\.weights has", id="a NaN among the weights of terms"),
        pytest.param(spoilt("names.weights", -inf), r"names\.weights has", id="an infinite weight of a name"),
        pytest.param(spoilt("blocks.leaf", nan), r"blocks\.leaf has", id="a NaN for a leaf"),
        pytest.param(spoilt("confidence.leaf", inf), r"confidence\.leaf has", id="an infinite leaf"),
        pytest.param(spoilt("blocks.threshold", nan), r"blocks\.threshold has a NaN", id="a NaN for a threshold"),
        pytest.param(cut("blocks.leaf"), "a node of blocks has a child outside", id="a leaf less"),
        pytest.param(cut("calibration.y"), r"calibration\.x and calibration\.y differ", id="a knot less"),
        pytest.param(spoilt("calibration.x", nan), r"calibration\.x has", id="a knot at NaN"),
        pytest.param(
            spoilt("calibration.x", 0.5), r"calibration\.x is not strictly increasing", id="knots that fall back"
        ),
        pytest.param(spoilt("calibration.y", 1.5), r"calibration\.y has a value outside", id="a probability above 1"),
        pytest.param(
            holds("calibration.x", ("I32", (2,), bytes(8))), r"calibration\.x must be of type F32", id="whole knots"
        ),
    ],
)
def test_damage_is_refused_and_named(path: Path, shipped: Shipped, damage: Damage, complaint: str) -> None:
    assert re.search(complaint, refusal(path, shipped, damage))


@pytest.mark.parametrize("knots", [(), (0.5,)])
def test_fewer_than_two_knots_are_no_line(path: Path, shipped: Shipped, knots: tuple[float, ...]) -> None:
    def few(arrays: Arrays, _: Metadata) -> None:
        arrays["calibration.x"] = arrays["calibration.y"] = floats(*knots)

    assert "calibration has fewer than two knots" in refusal(path, shipped, few)
