import json
import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bonmun.errors import BadModel
from bonmun.methods.learned.model_file import read_model
from bonmun.methods.tensor_file import write_tensors

METADATA = {
    "format": "1",
    "name": "tiny",
    "columns": '["size", "link_share"]',
    "summary": '["page_size"]',
    "types": "[]",
}


def whole(*numbers):
    return "I32", (len(numbers),), struct.pack(f"<{len(numbers)}i", *numbers)


def floats(*numbers):
    return "F32", (len(numbers),), struct.pack(f"<{len(numbers)}f", *numbers)


def two_trees(**other):
    """One question in the first tree, none in the second."""
    parts = {"feature": whole(1, 0), "threshold": floats(0.5, 0), "left": whole(-1, -3), "right": whole(-2, -3),
             "leaf": floats(1, 2, 3), "start": whole(0, 1, 2), **other}  # fmt: skip
    return {f"blocks.{name}": part for name, part in parts.items()}


@pytest.fixture
def written(tmp_path):
    def write(arrays, **metadata):
        path = tmp_path / "model.safetensors"
        write_tensors(path, arrays, {**METADATA, **metadata})
        return path

    return write


def test_what_was_written_is_read(written):
    model = read_model(written({**two_trees(), "terms.weights": floats(0.25, -1)}))
    assert model.arrays["terms.weights"].tolist() == [0.25, -1]
    assert [part.tolist() for part in model.forest("blocks")] == [
        [1, 0], [0.5, 0], [-1, -3], [-2, -3], [1, 2, 3], [0, 1, 2]]  # fmt: skip
    assert model.listed("columns") == ("size", "link_share")
    assert model.metadata["name"] == "tiny"


def test_the_safetensors_package_reads_it_too(written):
    numpy = pytest.importorskip("safetensors.numpy", reason="safetensors is not installed")
    found = numpy.load_file(written(two_trees()))
    assert found["blocks.leaf"].tolist() == [1, 2, 3]


def test_the_order_of_arrays_does_not_change_a_file(written):
    first = written(two_trees()).read_bytes()
    assert written(dict(reversed(two_trees().items()))).read_bytes() == first
    assert int.from_bytes(first[:8], "little") % 8 == 0


@given(st.data())
@settings(max_examples=300, deadline=None)
def test_any_damage_is_a_bad_model(tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "whole.safetensors"
    if not path.exists():
        write_tensors(path, two_trees(), METADATA)
    content = path.read_bytes()
    at = data.draw(st.integers(0, len(content) - 1))
    damaged = data.draw(
        st.sampled_from([content[:at], content[:at] + bytes([content[at] ^ 1 << at % 8]) + content[at + 1 :]])
    )
    try:
        found = read_model(damaged)
    except BadModel:
        return
    # Blanks of the header may change without changing anything.
    assert [part.tolist() for part in found.forest("blocks")] == [
        part.tolist() for part in read_model(content).forest("blocks")
    ]


@pytest.mark.parametrize(
    ("part", "wrong", "complaint"),
    [
        ("left", whole(0, -3), "has a child outside its tree"),
        ("left", whole(1, -3), "has a child outside its tree"),
        ("right", whole(-2, -4), "has a child outside its tree"),
        ("right", whole(-2, 2), "has a child outside its tree"),
        ("feature", whole(2, 0), "a column that does not exist"),
        ("feature", whole(-1, 0), "a column that does not exist"),
        ("start", whole(0, 2, 2), "does not cover all nodes"),
        ("start", whole(0, 1), "does not cover all nodes"),
        ("left", whole(-1), "differ in length"),
        ("leaf", whole(1, 2, 3), "must be of type F32"),
    ],
)
def test_trees_that_lead_nowhere_are_refused(written, part, wrong, complaint):
    with pytest.raises(BadModel, match=complaint):
        read_model(written(two_trees(**{part: wrong})))


def test_another_format_is_refused(written):
    with pytest.raises(BadModel, match="format '2' is not supported; this version of bonmun reads '1'"):
        read_model(written(two_trees(), format="2"))


@pytest.mark.parametrize("names", ["{", "{}", "[1]", "[" * 100_000])
def test_columns_that_are_no_list_of_names_are_refused(written, names):
    with pytest.raises(BadModel, match="columns is not"):
        read_model(written(two_trees(), columns=names))


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(BadModel, match=r"cannot read model file .*nothing\.safetensors"):
        read_model(tmp_path / "nothing.safetensors")


@pytest.mark.parametrize(
    ("header", "complaint"),
    [
        (b"[]", "the header is not a JSON object"),
        (b"{", "the header is not JSON"),
        (b"\xff", "the header is not JSON"),
        (b'{"__metadata__": {"a": 1}}', "the metadata are not an object of strings"),
        (b'{"__metadata__": []}', "the metadata are not an object of strings"),
        (b"{}", "checksum mismatch"),
    ],
)
def test_a_malformed_header_is_refused(header, complaint):
    with pytest.raises(BadModel, match=complaint):
        read_model(len(header).to_bytes(8, "little") + header)


def test_a_truncated_header_is_refused():
    with pytest.raises(BadModel, match="the header is truncated"):
        read_model((99).to_bytes(8, "little") + b"{}")


def test_a_changed_byte_is_a_checksum_mismatch(written):
    content = bytearray(written(two_trees()).read_bytes())
    content[-1] ^= 1
    with pytest.raises(BadModel, match="checksum mismatch: the file is damaged"):
        read_model(bytes(content))


@pytest.mark.parametrize(
    "change", [{"shape": [7]}, {"data_offsets": [0, 9]}, {"dtype": "F64"}, {"shape": [-3]}, {"shape": None}]
)
def test_an_array_that_is_not_as_described_is_refused(written, change):
    from bonmun.methods import tensor_file

    content = written({"terms.weights": floats(1, 2, 3)}).read_bytes()
    length = int.from_bytes(content[:8], "little")
    header, body = json.loads(content[8 : 8 + length]), content[8 + length :]
    header["terms.weights"] |= change
    metadata = header["__metadata__"]
    metadata["digest"] = tensor_file.checksum(metadata, {"terms.weights": header["terms.weights"]}, body)
    text = json.dumps(header).encode()
    with pytest.raises(BadModel, match=r"terms\.weights"):
        read_model(len(text).to_bytes(8, "little") + text + body)
