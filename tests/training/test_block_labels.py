"""Of several copies of a long block the first is gold; of a short block, the copy that the alignment matches."""

from bonmun.training.block_labels import shares

TEXT = "The tea that they had that day was hot and sweet and strong, and nobody spoke of the weather."
OTHER = "In the morning the ferry left for the island with thirty guests, and came back in the evening with ten."


def test_of_two_long_copies_the_first_is_gold_in_any_order() -> None:
    assert shares([TEXT, OTHER, TEXT], f"{OTHER}\n{TEXT}", False) == [1.0, 1.0, 0.0]


def test_both_copies_are_gold_if_the_gold_has_both() -> None:
    assert shares([TEXT, OTHER, TEXT], f"{TEXT}\n{OTHER}\n{TEXT}", False) == [1.0, 1.0, 1.0]


def test_a_heading_is_gold_in_its_place_and_not_in_the_table_of_contents() -> None:
    heading = "How they had their tea"
    assert shares([heading, OTHER, heading, TEXT], f"{OTHER}\n{heading}\n{TEXT}", False) == [0.0, 1.0, 1.0, 1.0]
