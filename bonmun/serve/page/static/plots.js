// Small plots as SVG, made by DOM calls: scatter with trend, sparkline, score profile. Colours come from the style sheet.
// Each says what it shows in words and offers its data as a table, so that no one depends on seeing it.

import { draw, make } from "./elements.js";
import { linearScale, logScale, roundStep, trendOf } from "./plot_scales.js";

const MARGIN = { top: 30, right: 30, bottom: 44, left: 58 };
const LEAST_CONCORDANCE = 0.6; // of a trend that is worth drawing
const STEPS = 60; // of a line that may bend
const REACH = 24; // pixels from the pointer in which a point is picked
let made = 0; // for ids

/**
 * Return a `<figure>` with points and their trend.
 *
 * `points`: `[{x, y, label}]`. `words`: `{title, x, y, table, label, empty}` (titles of plot and axes, of the table that
 * replaces it, of its first column; what to say without points). `formatX`, `formatY`: values as text. `trendText`: from
 * `{slope, base, concordance}`, or from `null` without a clear trend, to a sentence. `logarithmic`: both axes.
 */
export function scatter(points, options) {
  const figure = frame("plot-scatter", options.words);
  if (!points.length) return withoutData(figure, options.words.empty);
  const sorted = [...points].sort((one, other) => one.x - other.x);
  const trend = clearTrend(sorted);
  const drawing = draw("svg", { class: "plot-drawing", "aria-hidden": "true" });
  const tip = make("div", { class: "plot-tip", role: "status", hidden: true });
  const area = make("div", {
    class: "plot-area", tabindex: "0", role: "group", "aria-label": options.words.title, "aria-roledescription": options.words.kind,
  }, drawing, tip);
  figure.append(area);
  if (options.trendText) figure.append(make("p", { class: "plot-trend" }, options.trendText(trend)));
  figure.append(dataTable(points, options));
  let places = [];
  whenSized(area, (width, height) => {
    places = drawScatter(drawing, sorted, trend, options, width, height);
  });
  pointing(area, tip, () => places, (place) => pointText(place.point, options));
  return figure;
}

/** The trend of points, upwards; `null` if there is no clear one. */
function clearTrend(points) {
  const trend = trendOf(points);
  return trend && trend.slope > 0 && trend.concordance >= LEAST_CONCORDANCE ? trend : null;
}

function pointText(point, { words, formatX, formatY }) {
  return [point.label, `${words.x}: ${formatX(point.x)}`, `${words.y}: ${formatY(point.y)}`].filter(Boolean);
}

function drawScatter(drawing, points, trend, options, width, height) {
  const { horizontal, vertical } = scalesOf(points, options.logarithmic, width, height);
  const places = points.map((point) => ({ x: horizontal.place(point.x), y: vertical.place(point.y), point }));
  drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
  drawing.replaceChildren(
    ...axes(horizontal, vertical, options, width, height),
    ...(trend ? [trendPath(trend, [points[0].x, points.at(-1).x], horizontal, vertical)] : []),
    ...places.map(({ x, y }) => draw("circle", { class: "plot-point", cx: round(x), cy: round(y), r: 3.5 })),
    draw("circle", { class: "plot-picked", r: 6, visibility: "hidden" }),
  );
  return places;
}

function scalesOf(points, logarithmic, width, height) {
  const horizontalEnds = [MARGIN.left, width - MARGIN.right];
  const verticalEnds = [height - MARGIN.bottom, MARGIN.top];
  const scale = (of, ends) => {
    const values = points.map(of);
    const most = Math.max(...values);
    if (!logarithmic) return linearScale(0, roundedUp(most), ...ends);
    const positive = values.filter((value) => value > 0);
    const least = positive.length ? Math.min(...positive) : 1;
    return logScale(10 ** Math.floor(Math.log10(least)), 10 ** Math.ceil(Math.log10(Math.max(most, least * 1.01))), ...ends);
  };
  return { horizontal: scale((point) => point.x, horizontalEnds), vertical: scale((point) => point.y, verticalEnds) };
}

function roundedUp(most) {
  const step = roundStep((most || 1) / 5);
  return Math.ceil((most || 1) / step) * step;
}

function axes(horizontal, vertical, { words, formatX, formatY }, width, height) {
  const bottom = height - MARGIN.bottom;
  const nodes = [];
  for (const tick of vertical.ticks(Math.max(2, Math.floor(height / 60)))) {
    const y = round(vertical.place(tick));
    nodes.push(draw("line", { class: "plot-grid", x1: MARGIN.left, x2: width - MARGIN.right, y1: y, y2: y }));
    nodes.push(draw("text", { class: "plot-tick", x: MARGIN.left - 8, y: y + 4, "text-anchor": "end" }, formatY(tick)));
  }
  for (const tick of horizontal.ticks(Math.max(2, Math.floor(width / 110)))) {
    const x = round(horizontal.place(tick));
    nodes.push(draw("line", { class: "plot-axis", x1: x, x2: x, y1: bottom, y2: bottom + 5 }));
    nodes.push(draw("text", { class: "plot-tick", x, y: bottom + 18, "text-anchor": "middle" }, formatX(tick)));
  }
  nodes.push(draw("line", { class: "plot-axis", x1: MARGIN.left, x2: width - MARGIN.right, y1: bottom, y2: bottom }));
  nodes.push(draw("text", { class: "plot-label", x: width - MARGIN.right, y: height - 6, "text-anchor": "end" }, words.x));
  nodes.push(draw("text", { class: "plot-label", x: 0, y: 12 }, words.y));
  return nodes;
}

/** The trend over the range of the points; a line bends on logarithmic scales. */
function trendPath({ base, slope }, [first, last], horizontal, vertical) {
  const corners = [];
  for (let step = 0; step <= STEPS; step += 1) {
    const x = first > 0 ? first * (last / first) ** (step / STEPS) : first + (step / STEPS) * (last - first);
    const y = base + slope * x;
    if (y >= vertical.low && y <= vertical.high) corners.push(`${round(horizontal.place(x))} ${round(vertical.place(y))}`);
  }
  return draw("path", { class: "plot-line", d: corners.length ? `M${corners.join("L")}` : "" });
}

/** Show the point nearest to the pointer, or chosen by the arrow keys. */
function pointing(area, tip, placesNow, textOf) {
  let chosen = -1;
  const show = (index) => {
    const place = placesNow()[index];
    chosen = place ? index : -1;
    const mark = area.querySelector(".plot-picked");
    tip.hidden = !place;
    mark.setAttribute("visibility", place ? "visible" : "hidden");
    if (!place) return;
    mark.setAttribute("cx", round(place.x));
    mark.setAttribute("cy", round(place.y));
    tip.replaceChildren(...textOf(place).map((line) => make("div", {}, line)));
    placeTip(tip, place, area);
  };
  area.addEventListener("pointermove", (event) => {
    const box = area.getBoundingClientRect();
    show(nearest(placesNow(), event.clientX - box.left, event.clientY - box.top));
  });
  area.addEventListener("pointerleave", () => show(-1));
  area.addEventListener("blur", () => show(-1));
  area.addEventListener("keydown", (event) => {
    const last = placesNow().length - 1;
    const next = { ArrowRight: Math.min(last, chosen + 1), ArrowLeft: Math.max(0, chosen - 1), Home: 0, End: last, Escape: -1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    show(next);
  });
}

function nearest(places, x, y) {
  let best = -1;
  let least = REACH ** 2;
  places.forEach((place, index) => {
    const distance = (place.x - x) ** 2 + (place.y - y) ** 2;
    if (distance < least) [best, least] = [index, distance];
  });
  return best;
}

function placeTip(tip, place, area) {
  const width = tip.offsetWidth;
  const left = place.x + 12 + width > area.clientWidth ? place.x - 12 - width : place.x + 12;
  tip.style.left = `${Math.max(0, Math.min(left, area.clientWidth - width))}px`;
  tip.style.top = `${Math.max(0, place.y - tip.offsetHeight - 8)}px`;
}

function dataTable(points, { words, formatX, formatY }) {
  const details = make("details", { class: "plot-data" }, make("summary", {}, words.table));
  details.addEventListener("toggle", () => {
    const head = [words.label, words.x, words.y].map((text) => make("th", { scope: "col" }, text));
    const rows = points.map((point) => make("tr", {},
      make("td", {}, point.label ?? ""), make("td", { class: "number" }, formatX(point.x)), make("td", { class: "number" }, formatY(point.y))));
    const table = make("table", {}, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows));
    details.append(make("div", { class: "plot-rows", tabindex: "0", role: "region", "aria-label": words.table }, table));
  }, { once: true });
  return details;
}

/**
 * Return a sparkline of conditions, oldest first: `[{level, text}]` with `level` `ok`, `doubtful` or `failed`. The levels
 * differ in height and shape, not in colour alone. `label` says the same in words.
 */
export function sparkline(signals, label) {
  const step = 6;
  const height = 20;
  const width = Math.max(1, signals.length) * step;
  const tops = { ok: 2, doubtful: 9, failed: 15 };
  const bars = signals.map(({ level, text }, index) => {
    const x = index * step;
    const bar = draw("rect", { class: `spark spark-${level}`, x, y: tops[level], width: step - 2, height: height - tops[level], rx: 1 });
    const cross = level === "failed" ? [draw("path", { class: "spark-cross", d: `M${x} 4l4 5m0-5l-4 5` })] : [];
    return draw("g", {}, draw("title", {}, text), bar, ...cross);
  });
  const named = { class: "sparkline", role: "img", "aria-label": label, viewBox: `0 0 ${width} ${height}`, width, height };
  return draw("svg", named, ...bars);
}

/**
 * Return the scores down the page: `{element, highlight(index)}`. `blocks`: `[{score, keep, size, text}]` in order, each as
 * wide as its share of the text. `onPick(index)` is called with the block that was clicked. `words`: `{title, score, kept,
 * dropped, block, table, kind}`.
 */
export function profile(blocks, { words, onPick = () => {}, formatScore = String }) {
  const figure = frame("plot-profile", words);
  const starts = [0];
  for (const block of blocks) starts.push(starts.at(-1) + Math.max(1, block.size));
  const drawing = draw("svg", { class: "plot-drawing", "aria-hidden": "true", preserveAspectRatio: "none" });
  const tip = make("div", { class: "plot-tip", role: "status", hidden: true });
  const area = make("div", {
    class: "plot-area", tabindex: "0", role: "group", "aria-label": words.title, "aria-roledescription": words.kind,
  }, drawing, tip);
  const textOf = (index) => [`${formatScore(blocks[index].score)} · ${blocks[index].keep ? words.kept : words.dropped}`, blocks[index].text];
  const cursor = profileCursor(area, tip, starts, textOf, onPick);
  whenSized(area, (width, height) => drawProfile(drawing, blocks, starts, width, height));
  figure.append(area, profileTable(blocks, words, formatScore));
  return { element: figure, highlight: cursor };
}

function drawProfile(drawing, blocks, starts, width, height) {
  const scale = linearScale(0, starts.at(-1), 0, width);
  const paths = { true: [], false: [] };
  blocks.forEach(({ score, keep }, index) => {
    const [left, right] = [round(scale.place(starts[index])), round(scale.place(starts[index + 1]))];
    const top = round(height - 1 - Math.max(0.02, Math.min(1, score)) * (height - 4));
    paths[Boolean(keep)].push(`M${left} ${height}V${top}H${right}V${height}Z`);
  });
  drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const middle = round(height / 2);
  drawing.replaceChildren(
    draw("path", { class: "profile-dropped", d: paths.false.join("") }),
    draw("path", { class: "profile-kept", d: paths.true.join("") }),
    draw("line", { class: "plot-grid", x1: 0, x2: width, y1: middle, y2: middle }),
    draw("rect", { class: "profile-cursor", y: 0, height, width: 0, visibility: "hidden" }),
  );
}

function profileCursor(area, tip, starts, textOf, onPick) {
  let chosen = -1;
  const last = starts.length - 2;
  const highlight = (index, withTip = false) => {
    chosen = index >= 0 && index <= last ? index : -1;
    const cursor = area.querySelector(".profile-cursor");
    tip.hidden = chosen < 0 || !withTip;
    cursor?.setAttribute("visibility", chosen < 0 ? "hidden" : "visible");
    if (chosen < 0 || !cursor) return;
    const scale = linearScale(0, starts.at(-1), 0, area.clientWidth);
    const left = scale.place(starts[chosen]);
    cursor.setAttribute("x", round(left));
    cursor.setAttribute("width", round(Math.max(2, scale.place(starts[chosen + 1]) - left)));
    if (!withTip) return;
    tip.replaceChildren(...textOf(chosen).map((line) => make("div", {}, line)));
    placeTip(tip, { x: left, y: area.clientHeight }, area);
  };
  const under = (event) => {
    const share = (event.clientX - area.getBoundingClientRect().left) / area.clientWidth;
    return starts.findLastIndex((start) => start <= share * starts.at(-1));
  };
  area.addEventListener("pointermove", (event) => highlight(Math.min(last, under(event)), true));
  area.addEventListener("pointerleave", () => highlight(-1));
  area.addEventListener("click", (event) => onPick(Math.min(last, under(event))));
  area.addEventListener("blur", () => highlight(-1));
  area.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && chosen >= 0) return onPick(chosen);
    const next = { ArrowRight: Math.min(last, chosen + 1), ArrowLeft: Math.max(0, chosen - 1), Home: 0, End: last }[event.key];
    if (next === undefined) return undefined;
    event.preventDefault();
    return highlight(next, true);
  });
  return (index) => highlight(index);
}

function profileTable(blocks, words, formatScore) {
  const points = blocks.map((block) => ({ label: block.text, x: block.score, y: block.keep }));
  const named = { ...words, label: words.block, x: words.score, y: `${words.kept} / ${words.dropped}` };
  return dataTable(points, { words: named, formatX: formatScore, formatY: (keep) => (keep ? words.kept : words.dropped) });
}

function frame(kind, words) {
  made += 1;
  const id = `plot-${made}`;
  return make("figure", { class: `plot ${kind}`, "aria-labelledby": id }, make("figcaption", { id }, words.title));
}

function withoutData(figure, text) {
  figure.removeAttribute("aria-labelledby");
  figure.replaceChildren(make("p", { class: "plot-empty" }, text));
  return figure;
}

/** Call `redraw(width, height)` now and at each change of the element's size, as long as it is shown. */
function whenSized(element, redraw) {
  new ResizeObserver(() => {
    if (element.clientWidth && element.clientHeight) redraw(element.clientWidth, element.clientHeight);
  }).observe(element);
}

function round(value) {
  return Math.round(value * 10) / 10;
}
