import random
from math import isnan

import pytest

from bonmun.evaluate.intervals import SiteBootstrap
from bonmun.evaluate.metrics import Figure
from bonmun.evaluate.metrics.metric import share

MEAN = Figure("mean", "mean", share(0, 1))


def scores(count, sites, mean=0.7, seed=0):
    draw = random.Random(seed)
    pages = {str(number): f"site{number % sites}" for number in range(count)}
    return pages, {page: (min(1.0, max(0.0, draw.gauss(mean, 0.2))), 1.0) for page in pages}


def compare(sites, one, other):
    return sites.sample(one).compare(sites.sample(other), MEAN)


def test_the_same_pages_give_the_same_interval():
    pages, values = scores(200, 50)
    assert SiteBootstrap(pages).sample(values).estimate(MEAN) == SiteBootstrap(pages).sample(values).estimate(MEAN)


def test_the_interval_is_about_two_standard_errors_wide():
    pages, values = scores(400, 400)
    estimate = SiteBootstrap(pages).sample(values).estimate(MEAN)
    assert estimate.low < estimate.value < estimate.high
    assert estimate.high - estimate.low == pytest.approx(2 * 1.96 * 0.185 / 20, rel=0.15)


def test_pages_of_one_site_count_as_one():
    pages = {f"{site}/{number}": site for site in "abcdefgh" for number in range(50)}
    values = {page: (float(page < "d"), 1.0) for page in pages}
    estimate = SiteBootstrap(pages).sample(values).estimate(MEAN)
    assert estimate.high - estimate.low > 0.4  # 400 independent pages would give 0.1


def test_one_site_alone_has_no_interval():
    estimate = SiteBootstrap({"1": "a", "2": "a"}).sample({"1": (1, 1), "2": (0, 1)}).estimate(MEAN)
    assert estimate.value == 0.5
    assert isnan(estimate.low)


def test_a_system_that_is_better_on_every_page_has_probability_1():
    pages, values = scores(100, 30)
    better = {page: (score + 0.01, one) for page, (score, one) in values.items()}
    comparison = compare(SiteBootstrap(pages), better, values)
    assert comparison.probability == 1.0
    assert comparison.difference.low == pytest.approx(0.01)
    assert compare(SiteBootstrap(pages), values, better).probability == 0.0


def test_equal_systems_have_probability_one_half():
    pages, values = scores(100, 30)
    assert compare(SiteBootstrap(pages), values, values).probability == 0.5


def test_paired_comparison_separates_systems_with_overlapping_intervals():
    pages, values = scores(300, 100)
    draw = random.Random(5)
    better = {page: (score + draw.gauss(0.02, 0.05), one) for page, (score, one) in values.items()}
    sites = SiteBootstrap(pages)
    one, other = sites.sample(better).estimate(MEAN), sites.sample(values).estimate(MEAN)
    assert one.low < other.high
    assert compare(sites, better, values).probability > 0.99


def test_a_comparison_covers_the_pages_that_both_systems_have():
    sites = SiteBootstrap({"1": "a", "2": "b", "3": "c"})
    one = {"1": (1.0, 1.0), "2": (0.5, 1.0), "3": (0.0, 1.0)}
    assert compare(sites, one, {"1": (1.0, 1.0), "2": (0.5, 1.0)}).difference.value == 0
