"""Ranking of documents, for a query or by similarity."""

from bonmun.analyze.ranking import Index

KOREAN = ["등대가 다시 불을 밝혔다. 마을의 등대다.", "독서율이 떨어졌다. 책을 읽지 않는다.", "마을 축제가 열렸다."]


def test_the_document_with_the_most_query_terms_is_first() -> None:
    index = Index(["Tea.", "Tea and tea, with tea leaves.", "Coffee."])
    assert [ranked.index for ranked in index.search("tea leaves")] == [1, 0]


def test_particles_and_plurals_are_ignored() -> None:
    assert [ranked.index for ranked in Index(KOREAN).search("등대를 보는 마을")] == [0, 2]
    assert Index(["One book.", "No match."]).search("books")[0].index == 0


def test_a_compound_is_found_by_its_parts() -> None:
    assert Index(["피해지역을 지원한다.", "비가 온다."]).search("피해")[0].index == 0


def test_documents_without_a_query_term_are_not_listed() -> None:
    assert Index(KOREAN).search("coffee") == []
    assert Index(KOREAN).search("") == []
    assert Index([]).search("tea") == []


def test_ties_keep_the_given_order() -> None:
    assert [ranked.index for ranked in Index(["tea cup", "tea cup", "milk"]).search("tea")] == [0, 1]


def test_similar_documents_come_first_with_scores_up_to_one() -> None:
    result = Index(KOREAN).similar("등대와 마을")
    assert result[0].index == 0
    assert all(0 < ranked.score <= 1.0000001 for ranked in result)
    assert Index(KOREAN).similar(KOREAN[1])[0].score > 0.99


def test_a_rare_term_outweighs_a_common_one() -> None:
    index = Index(["tea milk", "tea sugar", "tea lemon", "ginger"])
    assert index.search("tea ginger")[0].index == 3


def test_an_index_is_a_background_of_document_frequencies() -> None:
    index = Index(["tea milk", "tea sugar"])
    assert (index.documents, index.frequency("tea"), index.frequency("ginger")) == (2, 2, 0)
