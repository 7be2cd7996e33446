import re
import subprocess
import sys
from pathlib import Path

import pytest

import bonmun
from bonmun import errors

DOCS = Path(__file__).parents[1] / "docs"
NAMES = """
    AddressRefused AddressUnavailable BadModel BadRule BadStatus Block BonmunError Chunk Comment ConfigError Container
    Document Failure FetchError FetchTimeout InputError Kind Learned LimitExceeded Limits Metadata Method
    MissingBrowser MissingExtra NewerStore
    NewsDataSet NotAPage NotAStore NotRendered NotStored Output OutputDiffers OutputError OutputFull
    OutputLocked Page PluginError QueueFull Reason
    RenderError RenderSettings Renderer render
    RobotsDisallowed ServiceError Site SiteFileError SiteLibrary SourceError Status StoreError StoreFull StoreLocked
    StoreUnreachable TokenFileError TooManyRedirects UnknownName Unprotected UnsupportedPreference Verdicts
    WorkerDied WorkerError WorkerNotStarted WorkerOutOfMemory WorkerTimeout Wrapper WrongAccount extract extract_many
    fetch open_store read_page
""".split()


def test_the_exported_names_are_these() -> None:
    assert bonmun.__all__ == sorted(bonmun.__all__)
    assert set(bonmun.__all__) == set(bonmun._MODULE_OF) == set(NAMES)
    assert set(bonmun.__all__) <= set(dir(bonmun))


def test_every_error_is_exported() -> None:
    tree = {name for name, value in vars(errors).items() if isinstance(value, type)}
    assert {name for name in tree if issubclass(getattr(errors, name), bonmun.BonmunError)} <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_an_exported_name_loads_and_has_a_runnable_example(name: str) -> None:
    public = getattr(bonmun, name)
    assert public.__name__ == name
    assert ">>> " in (public.__doc__ or ""), f"bonmun.{name} has no doctest"


def test_importing_the_package_loads_nothing_else() -> None:
    script = "import sys, bonmun; print(*(name for name in sys.modules if name.startswith('bonmun')))"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    assert loaded == ["bonmun"]


def test_the_api_page_lists_every_exported_name_once() -> None:
    listed = re.findall(r"^::: bonmun\.(\w+)$", (DOCS / "api.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(listed) == sorted(NAMES)
