import numpy as np

from bonmun.training.calibration import calibrate, reliability


def drawn(count=20_000):
    random = np.random.default_rng(0)
    scores = random.beta(0.4, 0.8, count)
    return scores, (random.random(count) < scores**2).astype(float), np.ones(count)


def test_calibration_lowers_the_expected_calibration_error():
    scores, truth, weight = drawn()
    line = calibrate(scores, truth, weight)
    assert reliability(scores, truth).error > 0.1
    assert reliability(line(scores), truth).error < 0.01


def test_a_calibration_is_increasing_and_covers_all_scores():
    line = calibrate(*drawn(500))
    assert (line.x[0], line.x[-1]) == (0, 1)
    assert (np.diff(line.x) > 0).all()
    assert (np.diff(line.y) >= 0).all()
    assert np.isfinite(line.y).all()


def test_equal_scores_can_be_calibrated():
    line = calibrate(np.full(50, 0.3), np.tile([0.0, 1.0], 25), np.ones(50))
    assert abs(line(np.array([0.3]))[0] - 0.5) < 1e-6
