import bonmun
from bonmun.read.parse import parse
from bonmun.sites.m5 import Published, Signature, learn_published, row_at
from tests.sites.make import article, sentences


def plain(seed: int, text: str, comment: str) -> str:
    menu = "<div><a href=/>Home</a></div>"
    return f"{menu}<div id=b{seed % 2} class=t>{text}</div><div class=c>{comment}</div><div>Imprint</div>"


def test_the_signature_with_the_largest_sum_of_densities_is_the_rule() -> None:
    pages = [bonmun.read_page(plain(0, sentences(seed, 3)[0] * 3, "short")) for seed in range(6)]
    site = learn_published(pages)
    [learned] = site.rules
    assert learned.rule == Signature(css_class="t", id="b0", path="body1/div2")
    assert learned.members.members == (0, 1, 2, 3, 4, 5)
    assert learned.votes[0][1] > 0


def test_a_short_article_under_long_comments_is_found_by_the_rule_of_its_siblings() -> None:
    pages = [bonmun.read_page(plain(0, sentences(seed, 3)[0] * 3, "short")) for seed in range(6)]
    odd = plain(0, "A short article.", "A very long comment that goes on and on. " * 30)
    assert bonmun.extract(odd, method="density").text.startswith("A very long comment")
    assert bonmun.extract(odd, method=learn_published(pages)).text == "A short article."


def test_a_rule_goes_by_id_then_class_then_path() -> None:
    rule = Signature(css_class="t", id="i", path="body1/div2")
    for html, path, found_by in (
        ("<div class=t>a</div><div>b</div><div id=i>c</div>", "/html/body/div[3]", "id"),
        ("<div class=t>a</div><div>b</div><div>c</div>", "/html/body/div[1]", "class"),
        ("<div>a</div><div>b</div><div>c</div>", "/html/body/div[2]", "path"),
    ):
        nodes = parse(html)
        row, by = rule.find(nodes)
        assert (nodes.xpath(row), by) == (path, found_by)
    assert rule.find(parse("<p>nothing"))[0] == -1


def test_of_several_elements_of_a_class_the_one_at_the_path_is_selected() -> None:
    nodes = parse("<div class=t>a</div><div class=t>b</div>")
    assert nodes.xpath(Signature("t", None, "body1/div2").find(nodes)[0]) == "/html/body/div[2]"


def test_without_a_class_of_pages_density_decides_with_a_note() -> None:
    site = learn_published([bonmun.read_page(article(1))])
    doc = bonmun.extract("<div>some text</div>", method=site)
    assert doc.text == "some text"
    assert [reason.name for reason in doc.reasons] == ["no-class"]


def test_a_page_without_the_rules_element_is_decided_by_density_with_a_note() -> None:
    site = learn_published([bonmun.read_page(plain(0, sentences(seed, 3)[0] * 3, "short")) for seed in range(6)])
    doc = bonmun.extract("<p>another</p><div>page</div>", method=site)
    assert [reason.name for reason in doc.reasons] == ["rule-missing"]


def test_a_new_page_goes_to_the_nearest_class() -> None:
    other = "<table class=m><tr><td>{}</td></tr></table><table><tr><td>menu</td></tr></table>"
    pages = [bonmun.read_page(plain(0, sentences(seed, 1)[0] * 3, "short")) for seed in range(6)]
    pages += [bonmun.read_page(other.format(sentences(seed, 1)[0])) for seed in range(20, 26)]
    site = learn_published(pages, Published())
    assert len(site.rules) == 2
    assert bonmun.extract(other.format("A page of tables."), method=site).text == "A page of tables."


def test_a_path_to_no_block_node_gives_minus_one() -> None:
    nodes = parse("<div><p>x</p></div>")
    assert row_at(nodes, "body1/div1/p1") == -1
    assert row_at(nodes, "body1/div1/div1") == -1
