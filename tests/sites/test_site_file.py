import datetime
import errno
import json
import re
from pathlib import Path

import pytest

import bonmun
from bonmun.atomic_file import AtomicFile
from bonmun.errors import SiteFileError, SourceError
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


def test_a_saved_site_extracts_like_the_learned_one(tmp_path: Path) -> None:
    site = Site.learn(articles(8), host="daily.example", today=DAY)
    site.save(tmp_path / "site.json")
    again = Site.load(tmp_path / "site.json")
    assert again.to_json() == site.to_json()
    assert again.extract(article(50)).text == site.extract(article(50)).text
    assert again.extract(article(51)).title == site.extract(article(51)).title


def test_the_file_conforms_to_its_schema() -> None:
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
    ("change", "to", "problem"),
    [
        ('"#story"', '"#story >"', "'templates[0].body.keep' has an invalid selector '#story >': unexpected end"),
        ('"#story"', '"a:hover"', "'templates[0].body.keep' has an invalid selector 'a:hover': unexpected ':hover'"),
        ('"#story": 1.0', '"#story": 7', "'templates[0].body.keep.#story' must be a number between 0 and 1, not 7"),
        ('"drop": [', '"dorp": [', "'templates[0].body' has the unknown key 'dorp'; expected keep, drop, texts"),
        ('"drop": []', '"drop": "p"', "'templates[1].body.drop' must be a list of selectors, not a string"),
        ('"from": "2026-11-15"', '"from": "last week"', "must be a date such as 2026-11-15, not 'last week'"),
        ('"from": "2026-11-15"', '"from": 2026', "'templates[0].valid.from' must be a string, not a number"),
        ('"version": 1', '"version": 7', "'version' must be 1, not 7"),
        ('"version": 1', '"version": true', "'version' must be a number, not a boolean"),
        ('"format": "bonmun/site"', '"format": "else"', "'format' must be 'bonmun/site', not 'else'"),
        ('"pages": 6', '"pages": "six"', "'templates[0].pages' must be a number, not a string"),
        ('"pages": 6', '"pages": 1e999', "'templates[0].pages' must be at most 1,000,000,000, not inf"),
        ('"name": "t2"', '"name": "t1"', "'templates[1].name' must be unique, but another template is named 't1'"),
        ('"stale": null', '"stale": 3', "'templates[0].stale' must be a string, not a number"),
    ],
)  # fmt: skip
def test_an_invalid_edit_is_reported_with_line_and_key(change: str, to: str, problem: str) -> None:
    text = edited(change, to)
    with pytest.raises(SiteFileError) as caught:
        Site.from_json(text, "daily.json")
    expected = line_of(text, to)
    if "another template" in problem:
        expected = [number for number, line in enumerate(text.splitlines(), 1) if to in line][1]
    assert caught.value.line == expected
    assert problem in str(caught.value)
    assert str(caught.value).startswith(f"site file daily.json, line {expected}: ")


def test_a_json_syntax_error_is_reported_with_its_line() -> None:
    text = edited('"version": 1,', '"version": 1')
    with pytest.raises(SiteFileError, match=r"daily.json, line 4: invalid JSON"):
        Site.from_json(text, "daily.json")


def test_deeply_nested_json_is_a_site_file_error() -> None:
    with pytest.raises(SiteFileError, match=r"line 1: invalid JSON"):
        Site.from_json("[" * 1_000_000)


def test_an_edited_shape_is_refused() -> None:
    data = json.loads(SAVED)
    first = data["templates"][0]["shape"]["sample"][0]
    with pytest.raises(SiteFileError, match="not meant to be edited"):
        Site.from_json(SAVED.replace(first, first[:-1] + "x", 1))


def test_a_missing_key_is_reported() -> None:
    data = json.loads(SAVED)
    del data["templates"][1]["body"]
    text = json.dumps(data, indent=2)
    with pytest.raises(SiteFileError) as caught:
        Site.from_json(text)
    assert "'templates[1]' must have the key 'body'" in str(caught.value)
    assert text.splitlines()[caught.value.line - 1].strip() == "{"


def test_a_missing_file_is_a_bonmun_error(tmp_path: Path) -> None:
    with pytest.raises(bonmun.BonmunError, match="cannot read"):
        Site.load(tmp_path / "nothing.json")


def test_every_json_value_has_its_line() -> None:
    text = '{\n "a": [\n  1,\n  {"b": "x, ]"},\n  []\n ],\n "c\\"": {}\n}'
    assert lines_of(text) == {
        (): 1, ("a",): 2, ("a", 0): 3, ("a", 1): 4, ("a", 1, "b"): 4, ("a", 2): 5, ('c"',): 7,
    }  # fmt: skip


@pytest.mark.parametrize("number", ["1e999", "-1e999", "NaN", "1" + "0" * 400, "1" + "0" * 5000])
@pytest.mark.parametrize("key", ["pages", "paths", "agreement"])
def test_numbers_out_of_range_are_errors(key: str, number: str) -> None:
    data = re.sub(rf'"{key}": [0-9.]+', f'"{key}": {number}', SAVED, count=1)
    with pytest.raises(SiteFileError):
        Site.from_json(data)


@pytest.mark.parametrize("text", ["[" * 5000, "[" * 200_000, '{"format": ' * 5000, "[" * 900 + "]" * 900])
def test_deep_nesting_is_an_error(text: str) -> None:
    with pytest.raises(SiteFileError):
        Site.from_json(text)


def test_lone_surrogates_are_an_error() -> None:
    with pytest.raises(SiteFileError, match="lone surrogates"):
        Site.from_json(edited("daily.example", "\\ud800"))


def test_a_failed_save_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site, path = Site.from_json(SAVED), tmp_path / "site.json"
    site.save(path)

    def full(self: AtomicFile, content: bytes) -> int:
        self._file.write(content[:100])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(AtomicFile, "write", full)
    with pytest.raises(SourceError, match="No space left"):
        site.save(path)
    assert path.read_text(encoding="utf-8") == SAVED
    assert list(tmp_path.iterdir()) == [path]
