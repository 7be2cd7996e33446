import datetime
from pathlib import Path

import pytest

import bonmun
from bonmun.errors import SiteFileError, SourceError
from bonmun.sites.library import SiteLibrary
from bonmun.sites.site import Site
from tests.sites.make import article, articles, sentences

DAY = datetime.date(2026, 11, 15)


@pytest.fixture
def library(tmp_path: Path) -> SiteLibrary:
    library = SiteLibrary(tmp_path)
    library.add(Site.learn(articles(8), host="daily.example", today=DAY))
    return library


def test_auto_uses_the_site_of_the_pages_host(library: SiteLibrary) -> None:
    page = article(60, paragraphs=1, comments=40)
    doc = bonmun.extract(page, url="https://www.daily.example/60", sites=library)
    assert (doc.text, doc.method) == (sentences(60, 1)[0], "template")
    doc = bonmun.extract(page, url="https://other.example/60", sites=library)
    assert doc.method == "auto"
    assert bonmun.extract(page, sites=library).method == "auto"


def test_a_subdomain_uses_the_site_of_its_domain(library: SiteLibrary) -> None:
    assert library.site("https://m.news.daily.example/x") is library.site("https://daily.example/")
    assert library.site("https://example/") is None


def test_a_minimum_confidence_holds_for_templates_too(library: SiteLibrary) -> None:
    page, url = article(60, paragraphs=1, comments=40), "https://daily.example/60"
    assert bonmun.extract(page, url=url, sites=library, abstain_below=0.99).status == "abstained"


def test_another_method_is_not_overruled(library: SiteLibrary) -> None:
    doc = bonmun.extract(article(60), url="https://daily.example/60", method="xpath", sites=library)
    assert doc.method == "xpath"


def test_the_method_template_without_a_site_says_so() -> None:
    doc = bonmun.extract(article(60), method="template")
    assert doc.method == "template"
    assert [reason.name for reason in doc.reasons] == ["no-site"]


def test_sites_are_kept_in_files_by_host(library: SiteLibrary, tmp_path: Path) -> None:
    assert library.hosts() == ["daily.example"]
    assert SiteLibrary(tmp_path).site("http://daily.example/a").host == "daily.example"  # type: ignore[union-attr]


def test_a_host_never_leads_out_of_the_folder(library: SiteLibrary, tmp_path: Path) -> None:
    (tmp_path.parent / "evil.json").write_text("{}", encoding="utf-8")
    assert library.site("http://..%2fevil/") is None
    with pytest.raises(SourceError):
        library.add(Site.learn(articles(4), host="../evil", today=DAY))


def test_a_malformed_site_file_is_an_error(library: SiteLibrary, tmp_path: Path) -> None:
    (tmp_path / "broken.example.json").write_text("{", encoding="utf-8")
    with pytest.raises(SiteFileError):
        bonmun.extract(article(1), url="http://broken.example/", sites=library)


def test_a_missing_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SourceError):
        SiteLibrary(tmp_path / "none")
