// Time against size: the figure of the INDEM paper, from the pages in the store.

import { stageName } from "./stages.js";
import { briefly } from "../amounts.js";
import { api, byId, bytes, make, message, number, percent, t } from "../page.js";
import { scatter } from "../plots.js";

const OWN = "own"; // all steps but fetching, which depends on the other end
const TOTAL = "total";
let points = [];

/** Load the times of the stored pages and draw them. */
export async function showTimings() {
  try {
    points = await api("/v1/timings");
  } catch (error) {
    byId("plot").replaceChildren(message("error", error.message, [[t("shell.retry"), showTimings]]));
    return;
  }
  fillStages();
  drawPlot();
}

function fillStages() {
  const menu = byId("plot-stage");
  const stages = [...new Set(points.flatMap(({ seconds }) => Object.keys(seconds)))];
  const chosen = menu.value || OWN;
  menu.replaceChildren(...[OWN, TOTAL, ...stages].map((stage) => make("option", { value: stage }, stageName(stage))));
  menu.value = chosen;
}

function drawPlot() {
  const stage = byId("plot-stage").value;
  const size = byId("plot-size").value;
  const logarithmic = byId("plot-log").checked;
  const shown = points
    .map((point) => ({ x: point[size], y: timeOf(point.seconds, stage), label: point.url }))
    .filter(({ x, y }) => x > 0 && y > 0);
  byId("plot").replaceChildren(scatter(shown, {
    words: plotWords(stage, size, shown.length),
    formatX: size === "html_size" ? bytes : number,
    formatY: briefly,
    logarithmic,
    trendText: (trend) => trendText(trend, size),
  }));
}

function timeOf(seconds, stage) {
  const sum = (entries) => entries.reduce((all, [, one]) => all + one, 0);
  if (stage === TOTAL) return sum(Object.entries(seconds));
  if (stage === OWN) return sum(Object.entries(seconds).filter(([name]) => name !== "fetch"));
  return seconds[stage];
}

function plotWords(stage, size, count) {
  return {
    title: t("jobs.plot_title", { stage: stageName(stage), size: t(`jobs.${size}`), count }),
    x: t(`jobs.${size}`),
    y: t("jobs.time"),
    label: t("jobs.page"),
    kind: t("jobs.plot_kind"),
    table: t("jobs.plot_table"),
    empty: t("jobs.plot_empty"),
  };
}

function trendText(trend, size) {
  if (!trend) return t("jobs.no_trend");
  const step = size === "html_size" ? 100_000 : 10_000;
  const per = size === "html_size" ? bytes(step) : t("jobs.characters", { count: step });
  return t("jobs.trend", { time: briefly(trend.slope * step), per, share: percent(trend.concordance) });
}

for (const id of ["plot-stage", "plot-size", "plot-log"]) byId(id).addEventListener("change", drawPlot);
