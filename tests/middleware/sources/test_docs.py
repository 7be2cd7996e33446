import re
import runpy
from pathlib import Path

from bonmun.middleware.sources import FORMS, source_of
from tests.middleware.sources.local_network import LocalNetwork

DOCS = (Path(__file__).parents[3] / "docs" / "sources.md").read_text(encoding="utf-8")


def test_the_examples_run(network: LocalNetwork, tmp_path: Path) -> None:
    script = tmp_path / "examples.py"
    script.write_text("\n".join(re.findall(r"```python\n(.*?)```", DOCS, re.S)), encoding="utf-8")
    names = runpy.run_path(str(script))
    source = source_of("numbered:https://example.org/news 2", {"numbered": names["Numbered"]})
    assert [item.url for item in source.items(network)] == ["https://example.org/news/1", "https://example.org/news/2"]


def test_every_form_is_in_the_table() -> None:
    assert set(FORMS) <= set(re.findall(r"`([a-z]+):", DOCS))
