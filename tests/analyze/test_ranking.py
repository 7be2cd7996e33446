"""Documents in order, for a query or by likeness."""

from bonmun.analyze.ranking import Index

KOREAN = ["등대가 다시 불을 밝혔다. 마을의 등대다.", "독서율이 떨어졌다. 책을 읽지 않는다.", "마을 축제가 열렸다."]


def test_a_query_finds_what_speaks_of_it_most() -> None:
    index = Index(["Tea.", "Tea and tea, with tea leaves.", "Coffee."])
    assert [ranked.index for ranked in index.search("tea leaves")] == [1, 0]


def test_particles_and_plurals_do_not_matter() -> None:
    assert [ranked.index for ranked in Index(KOREAN).search("등대를 보는 마을")] == [0, 2]
    assert Index(["One book.", "No match."]).search("books")[0].index == 0


def test_a_compound_is_found_by_its_parts() -> None:
    assert Index(["피해지역을 지원한다.", "비가 온다."]).search("피해")[0].index == 0


def test_nothing_in_common_is_not_in_the_list() -> None:
    assert Index(KOREAN).search("coffee") == []
    assert Index(KOREAN).search("") == []
    assert Index([]).search("tea") == []


def test_equals_stand_in_the_order_given() -> None:
    assert [ranked.index for ranked in Index(["tea cup", "tea cup", "milk"]).search("tea")] == [0, 1]


def test_similar_documents_come_first_and_likeness_is_a_share() -> None:
    found = Index(KOREAN).similar("등대와 마을")
    assert found[0].index == 0
    assert all(0 < ranked.score <= 1.0000001 for ranked in found)
    assert Index(KOREAN).similar(KOREAN[1])[0].score > 0.99


def test_a_rare_word_weighs_more_than_a_common_one() -> None:
    index = Index(["tea milk", "tea sugar", "tea lemon", "ginger"])
    assert index.search("tea ginger")[0].index == 3


def test_an_index_is_a_background() -> None:
    index = Index(["tea milk", "tea sugar"])
    assert (index.documents, index.frequency("tea"), index.frequency("ginger")) == (2, 2, 0)
