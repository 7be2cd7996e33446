from bench.kill import run


def test_a_killed_process_loses_nothing_that_it_reported(address: str) -> None:
    outcome = run(address, pages=40, kills=2)
    assert outcome.problems == ()
    assert outcome.kills >= 1
