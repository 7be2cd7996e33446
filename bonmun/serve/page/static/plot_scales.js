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

/** Return the least-squares line `y = base + slope · x` through points, and its coefficient of determination. */
export function trendOf(points) {
  const count = points.length;
  const mean = (of) => points.reduce((sum, point) => sum + of(point), 0) / count;
  const meanX = mean((point) => point.x);
  const meanY = mean((point) => point.y);
  const varianceX = mean((point) => (point.x - meanX) ** 2);
  const varianceY = mean((point) => (point.y - meanY) ** 2);
  if (count < 3 || varianceX === 0) return null;
  const covariance = mean((point) => (point.x - meanX) * (point.y - meanY));
  const slope = covariance / varianceX;
  const determination = varianceY === 0 ? 1 : covariance ** 2 / (varianceX * varianceY);
  return { slope, base: meanY - slope * meanX, determination };
}
