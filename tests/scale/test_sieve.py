"""Filters and duplicates over the answers of `extract_batch`."""

import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
pytest.importorskip("rensa", reason="rensa is not installed")

from bonmun import minhash  # noqa: E402
from bonmun.errors import MissingExtra, SourceError  # noqa: E402
from bonmun.scale import BatchSettings, Filters, Sieve, extract_batch  # noqa: E402
from bonmun.scale.sieve.band_index import BandIndex  # noqa: E402
from bonmun.scale.sieve.sieve import Marking  # noqa: E402

ROOT = Path(__file__).parents[2]
_KOREAN = (
    "정부는 오늘 새 정책을 발표했다. 시민들은 대체로 환영했지만 일부는 반대했다. 내년 봄부터 시행된다. "
    "관련 예산은 국회가 정한다."
)
_JAPANESE = (
    "政府は今日新しい政策を発表した。市民はおおむね歓迎したが、一部は反対した。来年の春から施行される予定だという。"
)
_CHINESE = "政府今天宣布了一项新政策，市民大多表示欢迎，但也有人反对，预计明年春天开始实施，有关预算由议会决定。"


def answers(texts: Iterable[str | None], **columns: Any) -> pa.RecordBatch:
    """A batch with the columns that a sieve looks at."""
    texts = list(texts)
    status = ["ok" if text else "empty" for text in texts]
    given = {"status": status, "language": ["en"] * len(texts), "confidence": [0.9] * len(texts), "text": texts}
    return pa.RecordBatch.from_pydict(given | columns)


def story(seed: int, words: int = 300) -> list[str]:
    generator = random.Random(seed)
    return [f"w{generator.randrange(20_000)}" for _ in range(words)]


def kept(sieve: Sieve, batch: pa.RecordBatch) -> list[str | None]:
    return sieve.keep(batch)[0].column("text").to_pylist()


def test_every_filter_drops_its_rows_and_counts_them_by_reason() -> None:
    filters = Filters(languages=("ko", "EN"), min_chars=5, max_chars=20, min_confidence=0.7, unique=True)
    batch = answers(
        ["한국어로 쓴 글", "kept text", "tea", "x" * 21, "unsure text", "kept\ntext ", "Konkani text", "unknown text"],
        language=["ko-KR", "en", "en", "en", "en", "en_GB", "kok", None],
        confidence=pa.array([0.9, 0.7, 0.9, 0.9, 0.69, 0.9, 0.9, 0.9], pa.float32()),
    )
    rows, dropped = Sieve(filters).keep(batch)
    assert rows.column("text").to_pylist() == ["한국어로 쓴 글", "kept text"]
    assert dropped == Counter(language=2, too_short=1, too_long=1, low_confidence=1, duplicate=1)
    assert rows.num_rows + dropped.total() == batch.num_rows


def test_failed_rows_stay_and_empty_ones_are_no_duplicates() -> None:
    batch = answers([None, None, "", "", "tea"], status=["failed", "failed", "empty", "empty", "ok"])
    rows, dropped = Sieve(Filters(unique=True, near_duplicates=0.8)).keep(batch)
    assert (rows.num_rows, dropped) == (5, Counter())
    everything = Filters(languages=("ko",), min_chars=1, max_chars=9, min_confidence=1.0)
    rows, dropped = Sieve(everything).keep(batch)
    assert rows.column("status").to_pylist() == ["failed", "failed"]
    assert dropped == Counter(language=3)
    assert Sieve(Filters(min_chars=1)).keep(batch)[1] == Counter(too_short=2)


def test_a_sieve_keeps_columns_schema_and_types_of_the_answers_of_extract_batch() -> None:
    page = "<title>Tea</title><p>Tea is made of leaves, and of water that has just boiled.</p>"
    given = pa.RecordBatch.from_pydict({"url": ["a", "b", "c"], "html": [page, page, None], "number": [1, 2, 3]})
    settings = BatchSettings(texts=("markdown",), blocks=True)
    filters = Filters(unique=True)
    answer = extract_batch(given, settings)
    for batch in (answer, Marking(filters)(answer)):
        rows, dropped = Sieve(filters).keep(batch)
        assert rows.schema.equals(answer.schema, check_metadata=True)
        assert rows.column("number").to_pylist() == [1, 3]
        assert dropped == Counter(duplicate=1)
        rows.validate(full=True)


def test_marks_are_of_the_text_whatever_columns_are_asked_for() -> None:
    marking = Marking(Filters(min_chars=1))
    assert marking.asked(BatchSettings(texts=("markdown",))).texts == ("markdown", "text")
    assert marking.asked(BatchSettings()) == BatchSettings()


@pytest.mark.parametrize("text", [_KOREAN, _JAPANESE, _CHINESE], ids=["ko", "ja", "zh"])
def test_small_edits_are_near_duplicates_without_an_analyser(text: str) -> None:
    others = [_KOREAN[::-1], _JAPANESE[::-1], _CHINESE[::-1]]
    batch = answers([*others, text, f"{text} 끝", f"1 {text}"])
    assert kept(Sieve(Filters(near_duplicates=0.5)), batch) == [*others, text]


def test_words_of_scripts_without_spaces_are_characters_beside_other_words() -> None:
    assert minhash.words("東京tokyoタワー2024年 한국은행이 Tea") == [
        *"東京",
        "tokyo",
        *"タワー",
        "2024",
        "年",
        "한국은행이",
        "tea",
    ]


def test_near_duplicates_name_the_extra_that_they_need(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rensa", None)
    assert kept(Sieve(Filters(unique=True)), answers(["tea", "tea"])) == ["tea"]
    with pytest.raises(MissingExtra, match=r"bonmun\[scale\]"):
        Sieve(Filters(near_duplicates=0.9))


def test_the_first_in_order_is_kept_across_batches() -> None:
    sieve = Sieve(Filters(near_duplicates=0.8))
    words = story(1)
    first, second, other = " ".join(words), " ".join([*words, "end"]), " ".join(story(2))
    assert kept(sieve, answers([first, other])) == [first, other]
    assert kept(sieve, answers([second, other, first])) == []
    assert kept(Sieve(Filters(near_duplicates=0.8)), answers([second, first])) == [second]


def pages(count: int) -> list[str]:
    """Texts of which every third is a copy of an earlier one, exact or with small edits."""
    generator = random.Random(7)
    texts: list[str] = []
    for number in range(count):
        words = story(number, 80)
        if number % 3 == 2:
            words = texts[generator.randrange(len(texts))].split()
            words[generator.randrange(len(words))] = f"edit{number % 2}"
        texts.append(" ".join(words))
    return texts


def test_a_resumed_run_decides_as_an_undisturbed_one() -> None:
    filters = Filters(unique=True, near_duplicates=0.8)
    texts = pages(400)
    shards = [texts[start : start + 50] for start in range(0, len(texts), 50)]
    undisturbed = Sieve(filters)
    expected, states = [], []
    for shard in shards:
        expected.append(kept(undisturbed, answers(shard)))
        states.append(undisturbed.state())
    assert 80 < sum(map(len, shards)) - sum(map(len, expected)) < 140
    for finished in (0, 1, 5, 7):
        killed = Sieve(filters)
        for state in states[:finished]:
            killed.load(state)
        kept(killed, answers(shards[finished][:20]))  # half a shard, whose output the kill has lost
        resumed = Sieve(filters)
        for state in states[:finished]:
            resumed.load(state)
        for number in range(finished, len(shards)):
            assert kept(resumed, answers(shards[number])) == expected[number]
            assert resumed.state() == states[number]


def lengths() -> list[int]:
    return [len(text or "") for text in kept(Sieve(Filters(near_duplicates=0.5)), answers(pages(150)))]


def test_decisions_do_not_depend_on_the_process() -> None:
    script = "from tests.scale.test_sieve import lengths; print(*lengths())"
    done = subprocess.run([sys.executable, "-c", script], env={"PYTHONHASHSEED": "7"}, cwd=ROOT, capture_output=True)
    assert [int(length) for length in done.stdout.split()] == lengths(), done.stderr.decode()


def test_a_state_that_is_none_or_of_another_run_is_refused() -> None:
    filters = Filters(unique=True, near_duplicates=0.8)
    sieve = Sieve(filters)
    sieve.keep(answers(pages(10)))
    first = sieve.state()
    sieve.keep(answers(pages(20)))
    second = sieve.state()
    flipped = bytearray(first)
    flipped[len(flipped) // 2] ^= 1
    for nonsense in (
        b"",
        b"tea",
        bytes(len(first)),
        first[:-1],
        first + b"x",
        bytes(flipped),
        first[:12] + b"\xff" * 99,
    ):
        with pytest.raises(SourceError, match="state of duplicates"):
            Sieve(filters).load(nonsense)
    with pytest.raises(SourceError, match="not the next one"):
        Sieve(filters).load(second)
    with pytest.raises(SourceError, match="other filters"):
        Sieve(Filters(unique=True, near_duplicates=0.9)).load(first)
    with pytest.raises(SourceError, match="other filters"):
        Sieve(Filters(unique=True)).load(first)


def test_pairs_are_found_by_their_exact_similarity() -> None:
    """Beyond 0.1 from the threshold no decision is wrong; `bench/near_duplicates.py` has precision and recall."""
    generator = random.Random(3)
    for threshold in (0.5, 0.7, 0.8, 0.9):
        for wanted in (threshold - 0.1, min(0.99, threshold + 0.1)):
            for number in range(5):
                one = story(generator.randrange(10**9))
                other = list(one)
                while jaccard(one, other) > wanted:
                    other[generator.randrange(len(other))] = f"x{generator.randrange(10**6)}"
                found = len(kept(Sieve(Filters(near_duplicates=threshold)), answers([" ".join(one), " ".join(other)])))
                assert (found == 1) == (wanted > threshold), (threshold, jaccard(one, other), number)


def jaccard(one: list[str], other: list[str]) -> float:
    first, second = ({tuple(words[start : start + 5]) for start in range(len(words) - 4)} for words in (one, other))
    return len(first & second) / len(first | second)


@pytest.mark.parametrize("band", [1, 2, 3, 4])
def test_the_index_finds_what_a_search_through_all_records_finds(band: int) -> None:
    generator = random.Random(band)
    records = [bytes(generator.choices(b"abcdefgh", k=4)) for _ in range(150)]
    index = BandIndex(4, band)
    bands = [slice(start, start + band) for start in range(0, 4 - band + 1, band)]
    for number, record in enumerate(records):
        expected = [other for other in range(number) if any(records[other][piece] == record[piece] for piece in bands)]
        assert index.candidates(record) == expected
        assert (index.add(record), index.record(number)) == (number, record)
    assert index.since(0) == b"".join(records)


def test_the_index_grows_and_bounds_what_a_common_band_costs() -> None:
    index = BandIndex(8, 4)
    records = [b"same" + number.to_bytes(4, "big") for number in range(3000)]
    for record in records:
        index.add(record)
    found = index.candidates(b"same----")
    assert found[:64] == list(range(64))
    assert len(found) < 200  # some more, met on the way to a free slot
    assert all(index.candidates(b"----" + record[4:]) == [number] for number, record in enumerate(records))
    assert index.size < 3000 * (8 + 2 * 4 / 0.35)
