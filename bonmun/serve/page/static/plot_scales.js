// Scales of plots: from values to places, the ticks on them, and the trend through points.

/** A linear scale over `[low, high]`. */
export function linearScale(low, high, start, end) {
  const span = high - low || 1;
  const place = (value) => start + ((value - low) / span) * (end - start);
  return { place, ticks: (count) => linearTicks(low, high, count), low, high };
}

/** A logarithmic scale over `[low, high]`, both above 0. */
export function logScale(low, high, start, end) {
  const first = Math.log10(low);
  const span = Math.log10(high) - first || 1;
  const place = (value) => start + ((Math.log10(Math.max(value, low)) - first) / span) * (end - start);
  return { place, ticks: () => logTicks(low, high), low, high };
}

function linearTicks(low, high, count) {
  const step = roundStep((high - low || 1) / Math.max(1, count));
  const ticks = [];
  for (let number = Math.ceil(low / step); number * step <= high * (1 + 1e-9); number += 1) ticks.push(number * step);
  return ticks;
}

/** Return the next larger of 1, 2, 5, 10, 20, 50, … */
export function roundStep(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  return power * [1, 2, 5, 10].find((factor) => factor * power >= least * (1 - 1e-9));
}

function logTicks(low, high) {
  const ticks = [];
  for (let power = Math.floor(Math.log10(low)); 10 ** power <= high * (1 + 1e-9); power += 1) {
    if (10 ** power >= low * (1 - 1e-9)) ticks.push(10 ** power);
  }
  return ticks.length > 1 ? ticks : [low, high];
}

/**
 * Return the line `y = base + slope · x` through points sorted by x, by Theil's incomplete method: the median slope of
 * pairs half the points apart, which outliers (a busy machine, a slow network) do not move. `concordance` is the share
 * of pairs in which the larger x has the larger y. `null` for too few points.
 */
export function trendOf(points) {
  const half = Math.ceil(points.length / 2);
  const pairs = points.slice(half).map((point, index) => [points[index], point]).filter(([one, other]) => other.x > one.x);
  if (pairs.length < 2) return null;
  const slopes = pairs.map(([one, other]) => (other.y - one.y) / (other.x - one.x));
  const slope = median(slopes);
  const base = median(points.map(({ x, y }) => y - slope * x));
  return { slope, base, concordance: slopes.filter((one) => one > 0).length / slopes.length };
}

function median(values) {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
