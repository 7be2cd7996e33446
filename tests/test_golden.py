"""Every golden case gives its expected outputs; see `tests/golden_cases.py` for the layout."""

import os
from pathlib import Path

import pytest

from tests.golden_cases import GOLDEN, cases, document_of, formats_of, output


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.relative_to(GOLDEN).as_posix())
def test_a_golden_case_gives_its_expected_outputs(case: Path) -> None:
    document = document_of(case)
    files = [case / f"expected.{format}" for format in formats_of(case)]
    if os.environ.get("BONMUN_GOLDEN") == "write":
        for file in [file for file in files if file.exists()] or files:
            file.write_text(output(case, document, file.suffix[1:]), encoding="utf-8")
    present = [file for file in files if file.exists()]
    assert present, f"{case.name} expects nothing: write its expected files"
    for file in present:
        assert output(case, document, file.suffix[1:]) == file.read_text(encoding="utf-8"), file.name
