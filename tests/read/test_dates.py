from datetime import date

import pytest

from bonmun.read.dates import parse_date, published_in

FIFTH_OF_MARCH = [
    "2024-03-05",
    "2024-03-05T10:15:00Z",
    "2024-03-05T23:59:59.123+09:00",
    "2024-03-05 10:15",
    "2024-3-5",
    "2024/03/05",
    "2024.03.05",
    "2024.03.05. 10:15",
    "2024. 3. 5. 오전 10:15",
    "입력 2024.03.05 10:15",
    "2024년 3월 5일",
    "2024년 03월 05일(화) 10:15",
    "2024年3月5日",
    "2024年03月05日10:15",
    "２０２４年３月５日",
    "20240305",
    "20240305101500",
    "20240305T101500Z",
    "1709633700",
    "1709633700000",
    "Tue, 05 Mar 2024 10:15:00 GMT",
    "Tue, 5 Mar 2024 10:15:00 +0900",
    "Tue Mar 05 10:15:00 KST 2024",
    "Tue Mar 5 10:15:00 2024",
    "Mar 5, 2024",
    "Mar. 5th, 2024",
    "MARCH 5, 2024",
    "March 5 2024",
    "5 March 2024",
    "5th of March 2024",
    "05-Mar-2024",
    "Posted by Jane on March 5, 2024 at 10:15 am",
    "5. März 2024",
    "5 mars 2024",
    "5 de marzo de 2024",
    "5 marzo 2024",
    "5 de março de 2024",
    "5 maart 2024",
    "5 marca 2024",
    "5 марта 2024 г.",
    "5 Μαρτίου 2024",
]


@pytest.mark.parametrize("text", FIFTH_OF_MARCH)
def test_a_date_is_parsed_in_all_its_formats(text: str) -> None:
    assert parse_date(text) == date(2024, 3, 5)


@pytest.mark.parametrize("text", ["25/12/2024", "12/25/2024", "25.12.2024", "25-12-2024"])
def test_a_numeric_date_is_parsed_if_only_one_number_can_be_the_month(text: str) -> None:
    assert parse_date(text) == date(2024, 12, 25)


def test_an_ambiguous_numeric_date_is_parsed_only_if_the_order_is_known() -> None:
    assert parse_date("03/04/2024") is None
    assert parse_date("03.04.2024", day_first=True) == date(2024, 4, 3)
    assert parse_date("04/04/2024") == date(2024, 4, 4)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "yesterday",
        "3 hours ago",
        "March 2024",
        "2024",
        "2024-13-05",
        "2023-02-29",
        "1989-12-31",
        "2999-01-01",
        "99999999",
        "5 Foo 2024",
        "version 1.2.2024.03.05",
        "0000-00-00T00:00:00",
        "010-2024-0305",
        "9" * 5000,
        "undefined",
    ],
)
def test_a_text_without_a_valid_date_gives_none(text: str) -> None:
    assert parse_date(text) is None


def test_the_first_valid_date_wins() -> None:
    assert parse_date("2024-99-99, then 2024-03-05, then 2024-03-06") == date(2024, 3, 5)


def test_an_update_date_is_not_a_publication_date() -> None:
    assert published_in("Updated: March 6, 2024") is None
    assert published_in("수정 2024.03.06 09:00") is None
    assert published_in("更新：2024年3月6日") is None


def test_the_publication_date_is_found_next_to_an_update_date() -> None:
    assert published_in("March 5, 2024 (updated March 6, 2024)") == date(2024, 3, 5)
    assert published_in("Last updated March 6, 2024 · Published March 5, 2024") == date(2024, 3, 5)
    assert published_in("입력 2024.03.05 10:00 수정 2024.03.06 09:00") == date(2024, 3, 5)
    assert published_in("수정 2024.03.06 09:00 입력 2024.03.05 10:00") == date(2024, 3, 5)
