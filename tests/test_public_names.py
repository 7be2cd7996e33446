import bonmun


def test_the_exported_names_are_these_and_load() -> None:
    assert bonmun.__all__ == sorted(bonmun.__all__)
    assert set(bonmun.__all__) == set(bonmun._HOME)
    for name in bonmun.__all__:
        assert getattr(bonmun, name).__name__ == name
