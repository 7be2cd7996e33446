from hypothesis import given
from hypothesis import strategies as st

from bonmun.methods.learned.choice import choose

BLOCKS = st.lists(st.tuples(st.floats(0, 1), st.floats(1, 500)), max_size=9)


def expected_f(blocks, kept, beta):
    hits = sum(p * n for (p, n), keep in zip(blocks, kept, strict=True) if keep)
    out = sum(n for (_, n), keep in zip(blocks, kept, strict=True) if keep)
    gold = sum(p * n for p, n in blocks)
    whole = out + beta * beta * gold
    return (1 + beta * beta) * hits / whole if whole else 0.0


@given(BLOCKS, st.sampled_from([0.5, 1.0, 2.0]))
def test_no_other_choice_promises_more(blocks, beta):
    kept, _ = choose([p for p, _ in blocks], [n for _, n in blocks], beta, 0.0)
    best = max(
        expected_f(blocks, [number >> at & 1 for at in range(len(blocks))], beta) for number in range(1 << len(blocks))
    )
    assert expected_f(blocks, kept, beta) >= best - 1e-9


@given(BLOCKS)
def test_the_promise_is_the_expected_f1_of_the_choice(blocks):
    kept, promised = choose([p for p, _ in blocks], [n for _, n in blocks], 1.0, 15.0)
    if any(kept):
        assert abs(promised - expected_f(blocks, kept, 1.0)) < 1e-9
    assert 0 <= promised <= 1 + 1e-9


def test_a_page_that_promises_a_few_words_only_is_left_empty():
    assert not any(choose([0.9, 0.01], [8, 200], 1.0, 15.0)[0])
    assert any(choose([0.9, 0.01], [20, 200], 1.0, 15.0)[0])


def test_leaving_a_page_empty_promises_the_less_the_more_there_is_to_find():
    assert choose([0.01], [200], 1.0, 15.0) == (bytearray(1), 1 - 2 / 15)


def test_a_page_that_has_a_few_words_only_may_keep_them():
    assert all(choose([0.9, 0.8], [4, 4], 1.0, 15.0)[0])


def test_preferring_recall_keeps_more_and_precision_less():
    chances, sizes = [0.95, 0.7, 0.5, 0.3, 0.1], [100.0] * 5
    kept = [sum(choose(chances, sizes, beta)[0]) for beta in (0.3, 1.0, 3.0)]
    assert kept == sorted(kept)
    assert kept[0] < kept[2]


def test_a_page_without_blocks_has_nothing_to_keep():
    assert choose([], []) == (bytearray(), 1.0)
