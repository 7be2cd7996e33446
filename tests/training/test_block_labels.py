"""Of several copies of a block, the gold has the first where it is long, and the one in its place where it is short."""

from bonmun.training.block_labels import shares

TEXT = "The tea that they had that day was hot and sweet and strong, and nobody spoke of the weather."
OTHER = "In the morning the ferry left for the island with thirty guests, and came back in the evening with ten."


def test_of_two_long_copies_the_first_is_gold_wherever_the_gold_tells_it() -> None:
    assert shares([TEXT, OTHER, TEXT], f"{OTHER}\n{TEXT}", False) == [1.0, 1.0, 0.0]


def test_a_gold_that_has_both_copies_has_both() -> None:
    assert shares([TEXT, OTHER, TEXT], f"{TEXT}\n{OTHER}\n{TEXT}", False) == [1.0, 1.0, 1.0]


def test_a_heading_is_gold_in_its_place_and_not_in_the_table_of_contents() -> None:
    heading = "How they had their tea"
    assert shares([heading, OTHER, heading, TEXT], f"{OTHER}\n{heading}\n{TEXT}", False) == [0.0, 1.0, 1.0, 1.0]
