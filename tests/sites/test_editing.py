import pickle

import pytest

from bonmun.errors import BadRule
from bonmun.read.page import read_page
from bonmun.sites.editing import TemplateEdit, edited
from bonmun.sites.site import Site
from tests.sites.make import article, articles


@pytest.fixture(scope="module")
def site() -> Site:
    return Site.learn(articles(5), host="news.example")


def test_an_edited_rule_decides_and_others_stay(site: Site) -> None:
    changed = edited(site, [TemplateEdit("t1", (".head h1",))], [read_page(page) for page in articles(5)])
    text = changed.extract(article(9)).text
    assert text.startswith("What the")
    assert "was seen again" not in text
    assert [template.name for template in changed.templates] == [template.name for template in site.templates]
    assert changed.templates[1] == site.templates[1]


def test_shares_are_measured_on_the_pages(site: Site) -> None:
    pages = [read_page(page) for page in articles(5)]
    edit = TemplateEdit("t1", ("#story", ".talk"), (".promo",))
    (template, _) = edited(site, [edit], pages).templates
    assert list(template.body.keep) == ["#story", ".talk"]
    assert sum(template.body.keep.values()) == pytest.approx(1, abs=0.01)
    assert template.body.keep["#story"] > template.body.keep[".talk"] > 0
    assert template.share != site.templates[0].share


def test_the_health_of_an_edited_template_starts_anew(site: Site) -> None:
    used = Site.from_json(site.to_json())
    for page in articles(3, design="old"):
        used.extract(page)
    assert used.watch.recent["t1"]
    changed = edited(used, [TemplateEdit("t1", ("#story",))])
    assert "t1" not in changed.watch.recent
    assert edited(used, [TemplateEdit("any", ("#story",))]).watch.recent["t1"] == used.watch.recent["t1"]


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (TemplateEdit("t9", ("p",)), "template 't9': no such template; there are: t1, any"),
        (TemplateEdit("t1", ()), "template 't1': a rule needs at least one selector to keep"),
        (TemplateEdit("t1", ("p",), ("a:hover",)), "template 't1': invalid selector 'a:hover': unexpected ':hover'"),
        (TemplateEdit("t1", ("p",), (), {"date": ">"}), "template 't1': invalid selector '>': unexpected '>'"),
        (TemplateEdit("t1", ("p",), (), {"when": "p"}), "no field named 'when'; there are: title, date, author"),
    ],
)
def test_an_invalid_rule_names_template_and_selector(site: Site, edit: TemplateEdit, message: str) -> None:
    with pytest.raises(BadRule, match=message.replace("(", r"\(")) as raised:
        edited(site, [edit])
    assert str(pickle.loads(pickle.dumps(raised.value))) == str(raised.value)  # noqa: S301
