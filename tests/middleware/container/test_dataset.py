"""The data set: every intermediate result, in published formats, lazily, and picklable."""

import json
import pickle
from datetime import UTC, datetime
from importlib.resources import files
from itertools import islice

import pytest
from hypothesis import given, settings
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from lxml import etree  # type: ignore[import-untyped]
from referencing import Registry, Resource

import bonmun
from bonmun.errors import LimitExceeded, UnknownName
from bonmun.limits import Limits
from bonmun.middleware.dataset_output import NAMESPACE
from bonmun.middleware.exchange import NetworkFacts, Pages, SourcePage
from bonmun.middleware.page_task import Job, PageTask, WorkerTask
from bonmun.middleware.settings import ContainerSettings
from tests.corpora import pages as corpus
from tests.middleware.container.parts import Crashing, Recorder, page
from tests.write.documents import markup

FOLDER = files("bonmun") / "middleware"
SCHEMA = json.loads((FOLDER / "dataset.schema.json").read_text(encoding="utf-8"))
DOCUMENT = json.loads((files("bonmun.write") / "document.schema.json").read_text(encoding="utf-8"))
VALIDATOR = Draft202012Validator(
    SCHEMA, registry=Registry().with_resource("urn:bonmun:document:1", Resource.from_contents(DOCUMENT))
)
XSD = etree.XMLSchema(etree.parse(str(FOLDER / "dataset.xsd")))
NS = f"{{{NAMESPACE}}}"
FACTS = NetworkFacts(
    "http://example.org/a?x=1&y=2", 200, "HTTP/2", ("http://example.org/a?x=1&y=2",), 2, False, 812, 0.25,
    datetime(2026, 11, 16, tzinfo=UTC),
)  # fmt: skip
ALL = ("xpath", "density", Crashing())
HTML = (
    b"<title>Tea & 'more'</title><div>Menu</div><h3>Tea</h3><div>Tea is made of leaves, and of water that has just"
    b" boiled.</div><div>It has to draw for three minutes, in a pot that was warm before.</div><h3>RAISE</h3>"
)


def dataset(html: bytes = HTML, network: NetworkFacts | None = FACTS) -> bonmun.NewsDataSet:
    return PageTask(methods=ALL)(
        Job(SourcePage("https://example.org/a?x=1&y=2", html, source="a <feed>", network=network))
    )


def check(one: bonmun.NewsDataSet) -> None:
    data, tree = json.loads(one.to_json()), etree.fromstring(one.to_xml().encode())
    VALIDATOR.validate(data)
    XSD.assertValid(tree)
    kept = {element.get("method"): element.get("kept") for element in tree.iter(f"{NS}verdicts")}
    assert kept == {name: " ".join(map(str, verdicts["kept"])) for name, verdicts in data["verdicts"].items()}
    assert len(data["text_paths"]) == len(tree.find(f"{NS}text-paths"))
    assert sum(group["count"] for group in data["groups"]) == len(data["text_paths"])
    assert data["document"] == one.document.to_dict()


def test_it_has_every_intermediate_result() -> None:
    one = dataset()
    assert (one.title, one.html_size, one.source) == ("Tea & 'more'", len(HTML), "a <feed>")
    assert one.node_count == len(one.document.page.nodes)
    assert [(group.path, group.count) for group in one.groups][-2:] == [("html/body/div", 2), ("html/body/h3", 1)]
    assert [node.text for node in one.text_paths][:2] == ["Menu", "Tea"]
    assert one.chosen_path == "html/body/div"
    assert set(one.verdicts) == {"auto", "xpath", "density"}
    assert one.document_by("xpath").text.startswith("Tea is made")
    assert one.document_by("xpath").text == bonmun.extract(HTML, method="xpath").text
    assert one.text == one.document.text == bonmun.extract(HTML).text
    assert [*one.timings] == ["fetch", "read", "judge", "metadata", "text", "judge:xpath", "judge:density"]
    assert one.seconds == pytest.approx(sum(one.timings.values()) - 0.25)


def test_another_method_that_fails_does_not_cost_the_page() -> None:
    one = dataset()
    assert {name: str(failure.exception()) for name, failure in one.method_failures.items()} == {
        "crashing": "ValueError: no verdict"
    }
    with pytest.raises(UnknownName, match="no verdicts of a method named 'crashing'"):
        one.document_by("crashing")


def test_its_failed_methods_are_reported_to_the_wrapper() -> None:
    wrapper = Recorder()
    container = bonmun.Container(wrapper, settings=ContainerSettings(jobs=1, methods=ALL))
    assert container.run([Pages([page("raise", HTML)])]).delivered == 1
    assert [(where, str(error)) for where, error in wrapper.errors] == [("method crashing", "ValueError: no verdict")]


def test_the_seconds_of_a_page_hold_for_all_stages() -> None:
    with pytest.raises(LimitExceeded, match="seconds"):
        PageTask(limits=Limits(seconds=0))(Job(page("slow")))


def test_it_survives_pickling_and_unpacks_its_document_only_when_asked() -> None:
    one = dataset()
    copy = pickle.loads(pickle.dumps(one))  # noqa: S301
    assert "value" not in vars(copy.packed)
    assert (copy.title, copy.text, copy.timings, copy.network) == (one.title, one.text, one.timings, one.network)
    again = pickle.loads(pickle.dumps(copy))  # noqa: S301
    assert "value" not in vars(copy.packed), "passing it on unpacks nothing"
    assert again.document == one.document
    assert again.to_json() == one.to_json()
    assert again.to_xml() == one.to_xml()


@pytest.mark.parametrize("encoding", ["utf-8", "cp949"])
def test_the_content_of_a_page_does_not_travel_back(encoding: str) -> None:
    text = "<title>차</title><p>차는 잎과 방금 끓인 물로 만든다. 세 분을 기다린 뒤에 마신다.</p>"
    content = f"<meta charset={encoding}>{text}<!--{'x' * 100_000}-->".encode(encoding)
    task, job = WorkerTask(PageTask(methods=("xpath",))), Job(SourcePage("https://example.org/tea", content))
    sent = pickle.dumps(task(job))
    if encoding == "utf-8":
        assert len(sent) < 10_000
    received = task.received(pickle.loads(sent), job)  # noqa: S301
    assert received.document == bonmun.extract(content, url="https://example.org/tea")
    again = pickle.loads(pickle.dumps(received))  # noqa: S301
    assert again.document == received.document
    assert again.chosen_path == "html/body/p"


def test_a_document_that_workers_do_not_send_is_made_again_when_asked_for() -> None:
    given = SourcePage("https://example.org/tea", HTML, "text/html")
    settings = ContainerSettings(jobs=1, methods=("xpath",), documents=False)
    (one,) = bonmun.Container(settings=settings).stream([Pages([given])])
    assert "value" not in vars(one.packed)
    assert (one.title, one.metadata.hostname, one.text) == ("Tea & 'more'", "example.org", bonmun.extract(HTML).text)
    copy = pickle.loads(pickle.dumps(one))  # noqa: S301
    assert copy.document == one.document == bonmun.extract(HTML, url=given.url, charset="text/html")
    assert copy.document_by("xpath").text == bonmun.extract(HTML, method="xpath").text


@pytest.mark.parametrize("html", [HTML, b"", b"<p>\x01 & \xff\xfe ]]> <!--"])
def test_it_matches_its_schemas(html: bytes) -> None:
    check(dataset(html))
    check(dataset(html, None))


@settings(max_examples=40, deadline=None)
@given(markup)
def test_any_page_matches_the_schemas(html: str) -> None:
    check(dataset(html.encode("utf-8", "surrogatepass")))


def test_real_pages_match_the_schemas() -> None:
    for record in islice(corpus("cjk_dev"), 0, 100, 12):
        check(bonmun.NewsDataSet.of(record["html"].encode(), url=record["url"], methods=("xpath-robust",)))


def test_a_wrong_document_does_not_match() -> None:
    data = json.loads(dataset().to_json())
    data["document"]["status"] = "fine"
    assert [error.json_path for error in VALIDATOR.iter_errors(data)] == ["$.document.status"]
    tree = etree.fromstring(dataset().to_xml().encode())
    tree.set("html-size", "-1")
    assert not XSD.validate(tree)
