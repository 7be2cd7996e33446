"""Who may import whom: layers import downwards only, strategies never import each other, sockets stay in one place."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "bonmun"
BASE = {"errors", "limits", "registry", "core", "deadline"}
ALLOWED = {
    "errors": set[str](),
    "limits": set[str](),
    "core": {"_core"},
    "atomic_file": set[str](),
    "deadline": {"errors"},
    "minhash": {"errors"},
    "workers": {"errors", "limits", "workers"},
    "registry": {"errors"},
    "model": BASE | {"model"},
    "read": BASE | {"model", "read"},
    "features": BASE | {"model", "features"},
    "methods": BASE | {"model", "features", "methods"},
    "write": BASE | {"model", "write"},
    "analyze": BASE | {"model", "analyze"},
    "inputs": BASE | {"read", "inputs"},
    "middleware": BASE | {"atomic_file", "inputs", "model", "read", "pipeline", "sites", "workers", "middleware"},
    "rendering": BASE | {"model", "read", "workers", "middleware", "rendering"},
    "store": BASE | {"atomic_file", "minhash", "model", "analyze", "sites", "middleware", "store"},
    "run": BASE | {"atomic_file", "model", "pipeline", "sites", "workers", "middleware", "store", "rendering", "run"},
    "serve": BASE
    | {"atomic_file", "model", "read", "methods", "write", "analyze", "inputs", "pipeline", "sites", "workers"}
    | {"middleware", "store", "run", "evaluate", "rendering", "serve"},
    "at_once": BASE | {"model", "read"},
    "pipeline": BASE | {"at_once", "model", "read"},
    "many": BASE | {"model", "pipeline", "workers"},
    "scale": BASE | {"atomic_file", "minhash", "inputs", "model", "read", "pipeline", "sites", "workers", "scale"},
    "adapters": BASE | {"model", "pipeline", "workers", "middleware", "store", "scale", "adapters"},
    "compat": BASE | {"model", "read", "write", "pipeline", "middleware", "analyze", "compat"},
    "sites": BASE | {"atomic_file", "model", "read", "methods", "pipeline", "sites"},
    "evaluate": BASE | {"model", "read", "methods", "pipeline", "sites", "evaluate", "workers", "rendering"},
    "training": BASE
    | {"model", "read", "features", "methods", "pipeline", "evaluate", "training", "workers", "rendering"},
    "cli": BASE
    | {"model", "read", "methods", "write", "middleware", "pipeline", "evaluate", "analyze", "cli"}
    | {"atomic_file", "inputs", "sites", "store", "run", "serve", "training", "workers", "rendering", "scale"},
}
ONLY_THERE = {
    "fastwarc": {"inputs/web_archive.py"},
    "selectolax": {"read/reference.py"},
    "socket": {"middleware/guard.py", "middleware/network.py", "middleware/transport.py"}
    | {"serve/listening.py", "serve/server.py"},
    "http": {"middleware/hops.py", "middleware/network.py"},
    "ssl": {"middleware/fetching.py", "middleware/hops.py", "middleware/network.py", "middleware/transport.py"},
    "kiwipiepy": {"analyze/korean.py"},
    "sudachipy": {"analyze/japanese.py"},
    "rjieba": {"analyze/chinese.py"},
    "pickle": {"workers/packed.py"},
    "httpx2": {"middleware"},
    "httpcore2": {"middleware"},
    "hishel": {"middleware"},
    "protego": {"middleware"},
    "sqlalchemy": {"store"},
    "psycopg": {"store"},
    "prometheus_client": {"run", "serve"},
    "fastapi": {"serve"},
    "starlette": {"serve"},
    "uvicorn": {"serve"},
    "jinja2": {"serve"},
    "mcp": {"serve"},
    "playwright": {"rendering"},
    "rensa": {"minhash.py"},
    "numpy": {"training", "methods/visual/tabnet.py", "methods/visual/rows.py"},
    "scipy": {"training"},
    "sklearn": {"training"},
    "lightgbm": {"training"},
    "torch": {"training"},
    "pytorch_tabnet": {"training"},
    "pyspark": {"scale/spark.py", "scale/spark_sites.py"},
    "ray": {"scale/ray.py"},
    "datatrove": {"scale/datatrove.py"},
    "scrapy": {"adapters/scrapy.py", "adapters/scrapy_work.py"},
    "twisted": {"adapters/scrapy_work.py"},
    "langchain_core": {"adapters/langchain.py"},
    "llama_index": {"adapters/llama_index.py"},
    "haystack": {"adapters/haystack.py"},
    "pandas": {"adapters/pandas.py"},
    "polars": {"adapters/polars.py"},
}
MAY_ANALYSE = {"methods/keyword_weights.py"}
STRATEGIES = {
    "xpath_groups",
    "xpath_robust",
    "density",
    "logical",
    "logical_robust",
    "learned",
    "visual",
    "visual_centre",
}
"""Modules of `methods/`, or packages there: no module of one may import another."""


def modules() -> list[Path]:
    return sorted(
        path for path in PACKAGE.rglob("*.py") if path.parent != PACKAGE or path.stem not in ("__init__", "__main__")
    )


def imports(path: Path) -> set[str]:
    """Dotted names of everything a module imports at run time."""
    found = set()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for_types = {
        id(child)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        for child in ast.walk(node)
    }
    for node in ast.walk(tree):
        if id(node) in for_types:
            continue
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def other_strategies(place: Path, imported: list[str]) -> set[str]:
    """The strategies that a module of `methods/` imports, but for its own."""
    own = place.parts[1].removesuffix(".py")
    return {*imported[2:3]} & STRATEGIES - {own} if own in STRATEGIES and imported[1] == "methods" else set()


@pytest.mark.parametrize("path", modules(), ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_a_module_imports_only_what_its_layer_may(path: Path) -> None:
    place = path.relative_to(PACKAGE)
    layer = place.parts[0].removesuffix(".py")
    for name in imports(path):
        parts = name.split(".")
        if parts[0] == "bonmun":
            allowed = ALLOWED[layer] | ({"analyze"} if place.as_posix() in MAY_ANALYSE else set())
            assert parts[1] in allowed | {"__version__"}, f"{place} imports {name}"
            if layer == "methods":
                assert not other_strategies(place, parts), f"{place} imports another strategy: {name}"
        elif parts[0] in ONLY_THERE:
            assert {place.as_posix(), layer} & ONLY_THERE[parts[0]], f"{place} imports {name}"


@pytest.mark.parametrize(
    ("place", "imported", "others"),
    [
        ("methods/density.py", "bonmun.methods.learned.forest.Forest", {"learned"}),
        ("methods/learned/rules.py", "bonmun.methods.density.inside", {"density"}),
        ("methods/learned/rules.py", "bonmun.methods.learned.forest.Forest", set()),
        ("methods/learned/rules.py", "bonmun.methods.trimming.unread", set()),
        ("methods/without_site.py", "bonmun.methods.learned.Learned", set()),
    ],
)
def test_a_strategy_is_a_module_or_a_package_of_methods(place: str, imported: str, others: set[str]) -> None:
    assert other_strategies(Path(place), imported.split(".")) == others
