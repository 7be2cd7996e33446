import datetime
import json
from pathlib import Path

import pytest

import bonmun
from bonmun.errors import SiteFileError
from bonmun.sites.lines import lines_of
from bonmun.sites.site import Site
from tests.sites.make import article, articles

DAY = datetime.date(2026, 11, 15)
SCHEMA = Path(bonmun.__file__).parent / "sites" / "site.schema.json"
SAVED = Site.learn([*articles(6), *articles(6, start=20, design="new")], host="daily.example", today=DAY).to_json()


def edited(change: str, to: str) -> str:
    assert change in SAVED
    return SAVED.replace(change, to, 1)


def line_of(text: str, wanted: str) -> int:
    return next(number for number, line in enumerate(text.splitlines(), 1) if wanted in line)


def test_a_saved_site_extracts_as_the_learned_one_does(tmp_path: Path) -> None:
    site = Site.learn(articles(8), host="daily.example", today=DAY)
    site.save(tmp_path / "site.json")
    again = Site.load(tmp_path / "site.json")
    assert again.to_json() == site.to_json()
    assert again.extract(article(50)).text == site.extract(article(50)).text
    assert again.extract(article(51)).title == site.extract(article(51)).title


def test_the_file_is_as_its_schema_says() -> None:
    import jsonschema

    jsonschema.validate(json.loads(SAVED), json.loads(SCHEMA.read_text(encoding="utf-8")))


def test_the_file_is_short_enough_to_read() -> None:
    one = Site.learn(articles(12), host="daily.example", today=DAY).to_json()
    assert len(one.splitlines()) < 100
    assert max(map(len, one.splitlines())) < 140


def test_a_rule_edited_by_hand_is_followed() -> None:
    text = edited('"#story": 1.0', '"div.side": 1.0').replace('"#story": 1.0', '"div.side": 1.0')
    assert Site.from_json(text).extract(article(50)).text == "Most read\n\nWeather"


@pytest.mark.parametrize(
    ("change", "to", "what"),
    [
        ('"#story"', '"#story >"', "no selector"),
        ('"#story"', '"a:hover"', "'a:hover' is no selector from ':hover' on"),
        ('"drop": [', '"dorp": [', "unknown; there are: keep, drop, texts"),
        ('"from": "2026-11-15"', '"from": "last week"', "not a date such as 2026-11-15"),
        ('"from": "2026-11-15"', '"from": 2026', "not a text"),
        ('"version": 1', '"version": 7', "this program reads version 1"),
        ('"format": "bonmun/site"', '"format": "else"', "not 'bonmun/site'"),
        ('"pages": 6', '"pages": "six"', "not a number"),
        ('"name": "t2"', '"name": "t1"', "another template has the name 't1'"),
        ('"stale": null', '"stale": 3', "not a text"),
    ],
)  # fmt: skip
def test_a_wrong_edit_is_answered_with_its_line(change: str, to: str, what: str) -> None:
    text = edited(change, to)
    with pytest.raises(SiteFileError) as caught:
        Site.from_json(text, "daily.json")
    expected = line_of(text, to)
    if "another template" in what:
        expected = [number for number, line in enumerate(text.splitlines(), 1) if to in line][1]
    assert caught.value.line == expected
    assert what in str(caught.value)
    assert str(caught.value).startswith(f"daily.json, line {expected}: ")


def test_a_missing_comma_is_answered_with_its_line() -> None:
    text = edited('"version": 1,', '"version": 1')
    with pytest.raises(SiteFileError, match=r"daily.json, line 4: no JSON"):
        Site.from_json(text, "daily.json")


def test_a_number_of_the_shape_that_was_edited_is_noticed() -> None:
    data = json.loads(SAVED)
    first = data["templates"][0]["shape"]["sample"][0]
    with pytest.raises(SiteFileError, match="not to be edited"):
        Site.from_json(SAVED.replace(first, first[:-1] + "x", 1))


def test_a_part_that_was_deleted_is_named() -> None:
    data = json.loads(SAVED)
    del data["templates"][1]["body"]
    text = json.dumps(data, indent=2)
    with pytest.raises(SiteFileError) as caught:
        Site.from_json(text)
    assert "templates[1]: 'body' is missing" in str(caught.value)
    assert text.splitlines()[caught.value.line - 1].strip() == "{"


def test_a_file_that_is_not_there_is_an_error_of_ours(tmp_path: Path) -> None:
    with pytest.raises(bonmun.BonmunError, match="cannot read"):
        Site.load(tmp_path / "nothing.json")


def test_the_line_of_every_value_is_known() -> None:
    text = '{\n "a": [\n  1,\n  {"b": "x, ]"},\n  []\n ],\n "c\\"": {}\n}'
    assert lines_of(text) == {
        (): 1, ("a",): 2, ("a", 0): 3, ("a", 1): 4, ("a", 1, "b"): 4, ("a", 2): 5, ('c"',): 7,
    }  # fmt: skip
