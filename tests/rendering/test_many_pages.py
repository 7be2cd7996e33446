"""Methods that need a layout, and rendered pages, in `extract_many`, the container and `bonmun run`."""

from pathlib import Path
from pkgutil import resolve_name

import pytest

import bonmun
from bonmun import registry
from bonmun.errors import ConfigError, MissingBrowser
from bonmun.middleware.exchange import Pages, SourcePage
from bonmun.middleware.settings import ContainerSettings
from bonmun.run.plan import plan
from tests.browser import require_chromium
from tests.drawn_method import CountedChromium, Wide

TEXT = "Tea is made of leaves, and of water that has just boiled, in a pot that was warmed before. " * 3
BOXES = f'<title>Tea</title><p style="width: 700px">{TEXT} {{}}</p><p style="width: 90px">A narrow note beside it.</p>'
SCRIPTED = f'<title>Tea</title><main></main><script>document.querySelector("main").innerHTML = "<p>{TEXT}</p>"</script>'
STATE = SCRIPTED.replace(
    "<main>",
    '<meta charset="euc-kr"><script id="__NEXT_DATA__" type="application/json">{"props": {"pageProps": {"article": '
    f'{{"title": "차", "body": "<p>차는 {TEXT}</p><p>{TEXT}</p>"}}}}}}}}</script><main>',
)
SCRIPTS = bonmun.RenderSettings(javascript=True)


@pytest.fixture
def browser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CountedChromium:
    counted = CountedChromium(tmp_path, require_chromium())
    monkeypatch.setenv("BONMUN_CHROMIUM", counted.path)
    return counted


def source(*contents: str) -> Pages:
    return Pages([SourcePage(f"https://example.org/{number}", html.encode()) for number, html in enumerate(contents)])


def test_the_built_in_methods_that_need_a_layout_are_known_without_loading_them() -> None:
    classes = {name: resolve_name(place) for name, place in registry.METHODS.items()}
    assert {name for name, kind in classes.items() if getattr(kind, "needs_layout", False)} == registry.WITH_LAYOUT


def test_an_unknown_method_needs_no_layout() -> None:
    assert not registry.needs_layout("magic")
    assert registry.needs_layout(Wide())


def test_pages_of_a_renderer_and_its_failures_go_through_extract_many(browser: CountedChromium) -> None:
    pages = [("https://example.org/", SCRIPTED), b"\x89PNG\r\n\x1a\n", STATE.encode("cp949")]
    with bonmun.Renderer(SCRIPTS) as renderer:
        script, failure, state = bonmun.extract_many(renderer.map(pages))
    assert isinstance(script, bonmun.Document) and isinstance(failure, bonmun.Failure)
    assert (script.text, script.url, failure.kind) == (TEXT.strip(), "https://example.org/", "NotAPage")
    # The text that we read from the data of its scripts is not there twice; the encoding is that of the bytes.
    assert isinstance(state, bonmun.Document)
    assert (state.text, state.page.encoding, state.warnings) == (TEXT.strip(), "euc-kr", ("rendered",))
    assert bonmun.extract(STATE).page.text_source == "script"
    assert len(browser.processes) == 1
    assert browser.all_end()


def test_workers_of_extract_many_keep_their_browser(browser: CountedChromium) -> None:
    documents = list(bonmun.extract_many([BOXES.format(number) for number in range(4)], jobs=2, method=Wide()))
    assert all(isinstance(one, bonmun.Document) and "narrow" not in one.text for one in documents), documents
    assert 1 <= len(browser.processes) <= 2
    assert browser.all_end()


def test_a_container_with_a_memory_limit_draws_pages_once_for_all_methods(browser: CountedChromium) -> None:
    settings = ContainerSettings(method=Wide(), methods=(Wide(), "xpath"), jobs=1, memory=2 << 30)
    with bonmun.Container(settings=settings) as container:
        datasets = list(container.stream([source(*(BOXES.format(number) for number in range(3)))]))
    assert len(datasets) == 3 and all("narrow" not in dataset.text for dataset in datasets)
    assert all(not dataset.method_failures for dataset in datasets)
    assert len(browser.processes) == 1
    assert browser.all_end()


def test_a_container_that_renders_runs_scripts_for_auto(browser: CountedChromium) -> None:
    with bonmun.Container(settings=ContainerSettings(render=SCRIPTS, jobs=1)) as container:
        [dataset] = container.stream([source(SCRIPTED)])
    assert dataset.text == TEXT.strip()
    assert dataset.document.warnings == ("rendered",)


def test_a_browser_that_does_not_start_is_an_error_of_its_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("playwright", reason="playwright is not installed")
    monkeypatch.setenv("BONMUN_CHROMIUM", str(tmp_path / "nothing"))
    [failure] = bonmun.extract_many([BOXES], method=Wide())
    assert isinstance(failure, bonmun.Failure) and isinstance(failure.error, MissingBrowser)


def test_the_time_of_a_browser_is_added_to_that_of_a_page() -> None:
    from bonmun.middleware.page_task import PageTask

    plain, drawn = PageTask().seconds, PageTask(render=SCRIPTS).seconds
    assert PageTask(methods=(Wide(),)).seconds == drawn == plain + SCRIPTS.most_seconds


def config(folder: Path, render: str) -> Path:
    path = folder / "config.toml"
    path.write_text(f'sources = ["urls:list.txt"]\n[render]\n{render}\n', encoding="utf-8")
    return path


def test_a_run_without_a_browser_does_not_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("playwright", reason="playwright is not installed")
    monkeypatch.setenv("BONMUN_CHROMIUM", str(tmp_path / "nothing"))
    with pytest.raises(MissingBrowser, match="apt-get install chromium"):
        plan(config(tmp_path, "javascript = true"))


def test_a_configuration_asks_for_rendering(tmp_path: Path) -> None:
    pytest.importorskip("playwright", reason="playwright is not installed")
    planned = plan(config(tmp_path, "javascript = true\nviewport = [800, 600]"))
    assert planned.container.render == bonmun.RenderSettings(javascript=True, viewport=(800, 600))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("viewport = [800]", "line 3: RenderSettings.viewport must be two numbers"),
        ('wait = "tea"', "line 3: 'wait' must be"),
        ("javscript = true", "line 3: unknown key 'javscript'; did you mean 'javascript'?"),
    ],
)
def test_a_mistake_in_a_configuration_is_named_with_its_line(tmp_path: Path, line: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message.replace("?", r"\?")):
        plan(config(tmp_path, line))
