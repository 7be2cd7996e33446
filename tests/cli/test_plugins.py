"""Plug-ins of other packages, really installed: listed, used by name, and reported when they cannot be loaded."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bonmun.errors import PluginError, UnknownName
from bonmun.middleware import plugins

TREE = Path(__file__).parents[2]
PACKAGE = TREE / "examples" / "plugin_package"
PAGE = "<title>Tea</title><p>Short.</p><p>Tea is made of leaves, and of water that has just boiled.</p>"


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The folder into which pip installed the example package."""
    folder = tmp_path_factory.mktemp("plugins")
    source = shutil.copytree(PACKAGE, folder / "source")  # setuptools leaves its build folder beside the sources
    quiet = ["--quiet", "--disable-pip-version-check", "--no-input"]
    offline = ["--no-index", "--no-deps", "--no-build-isolation"]
    command = [sys.executable, "-m", "pip", "install", *quiet, *offline, "--target", folder / "site", source]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return folder / "site"


def path(*folders):
    return os.pathsep.join(map(str, (TREE, *folders)))


def test_an_installed_package_is_listed_with_where_it_comes_from(bonmun, installed):
    listed = bonmun("plugins", PYTHONPATH=path(installed))
    assert (listed.code, listed.err) == (0, "")
    rows = [line.split() for line in listed.out.splitlines()]
    ours = {tuple(row[:2]) for row in rows if "bonmun-headlines 1.0" in " ".join(row)}
    assert ours == {
        ("wrapper", "headlines"),
        ("method", "longest-block"),
        ("format", "headline"),
        ("source", "json-lines"),
        ("store", "headlines"),
    }
    assert ["format", "tei", "built", "in", "bonmun.write.tei:write"] in rows
    only = bonmun("plugins", "wrappers", PYTHONPATH=path(installed)).out
    assert only == "wrapper  headlines  bonmun-headlines 1.0  bonmun_headlines:Headlines\n"


def test_its_method_and_format_work_by_name(bonmun, installed, folder):
    Path("page.html").write_text(PAGE, encoding="utf-8")
    arguments = ("extract", "--method", "longest-block", "--format", "headline", "page.html")
    assert bonmun(*arguments, PYTHONPATH=path(installed)).out == "Tea (57 characters)\n"


def test_its_wrapper_source_store_and_method_work_in_a_container(installed, folder):
    pages = [{"url": f"https://example.org/{number}", "html": PAGE} for number in range(3)]
    Path("pages.jsonl").write_text("\n".join(map(json.dumps, pages)), encoding="utf-8")
    Path("script.py").write_text(
        "from bonmun.middleware.plugins import load\n"
        "from bonmun.middleware.settings import ContainerSettings\n"
        "import bonmun\n"
        "if __name__ == '__main__':\n"
        "    store = load('headlines', 'stores')('headlines:out.txt')\n"
        "    settings = ContainerSettings(method='longest-block', jobs=1)\n"
        "    container = bonmun.Container(load('headlines', 'wrappers')(), store=store, settings=settings)\n"
        "    print(container.run([load('json-lines', 'sources')('pages.jsonl')]).delivered)\n",
        encoding="utf-8",
    )
    environment = {**os.environ, "PYTHONPATH": path(installed)}
    done = subprocess.run([sys.executable, "script.py"], capture_output=True, text=True, env=environment, timeout=300)
    assert done.stderr == ""
    assert done.stdout == "Tea (57 characters)\n" * 3 + "3\n"
    assert Path("out.txt").read_text(encoding="utf-8").count("Tea (57 characters)") == 3


@pytest.fixture
def broken(tmp_path):
    """A distribution whose entry points cannot all be loaded."""
    site = tmp_path / "site"
    metadata = site / "broken-2.1.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 2.1\n")
    (metadata / "entry_points.txt").write_text(
        "[bonmun.wrappers]\nmissing = no_such_module:Tea\nfunction = json:dumps\n"
        "[bonmun.methods]\nraising = raising:Method\n[bonmun.formats]\ncompact = json:dumps\n"
    )
    (site / "raising.py").write_text("raise RuntimeError('cannot\\nbe imported')\n")
    return site


def test_plug_ins_that_cannot_be_loaded_are_reported_and_skipped(bonmun, broken):
    listed = bonmun("plugins", PYTHONPATH=path(broken))
    assert listed.code == 1
    assert listed.err.splitlines() == [
        "bonmun: plug-in function (wrappers): json:dumps is not a subclass of bonmun.Wrapper",
        "bonmun: plug-in missing (wrappers): ModuleNotFoundError: No module named 'no_such_module'",
        "bonmun: plug-in raising (methods): RuntimeError: cannot be imported",
    ]
    assert "compact" in listed.out
    assert "raising" not in listed.out


def test_a_method_that_cannot_be_loaded_fails_with_its_name(bonmun, broken, page):
    done = bonmun("extract", "--method", "raising", page("a.html"), PYTHONPATH=path(broken))
    assert done.code != 0
    assert "plug-in raising (methods): RuntimeError: cannot be imported" in done.err


def test_plug_ins_load_from_a_module_and_a_class(broken, monkeypatch):
    monkeypatch.syspath_prepend(str(broken))
    assert plugins.load("bonmun.methods.density:Density", "methods")().name == "density"
    loaded = plugins.load_all("bonmun.wrappers")
    assert not loaded.plugins
    assert [error.name for error in loaded.failures] == ["function", "missing"]
    with pytest.raises(PluginError, match="is not a class with a method items"):
        plugins.load("json:dumps", "sources")
    with pytest.raises(UnknownName, match="no wrapper named 'magic'; there are: function, missing"):
        plugins.load("magic", "wrappers")
    with pytest.raises(UnknownName, match="no group of plug-ins named 'tea'"):
        plugins.load("magic", "tea")


@pytest.mark.parametrize("plugin", plugins.found(), ids=lambda plugin: f"{plugin.kind}-{plugin.name}")
def test_every_built_in_plug_in_exists(plugin):
    if plugin.group == "stores":
        pytest.importorskip("bonmun.store", reason="the store is missing")
    if plugin.is_built_in:
        assert callable(plugin.load())
