// A row of the comparison: a block with the verdict of each method; a folded run; the reasons below an opened block.

import { counted } from "../amounts.js";
import { kindName, reasonGroups, reasonName } from "../extract/verdicts.js";
import { copy, make, message, score, t } from "../page.js";
import { isDropped } from "./verdicts.js";

/** A run of blocks behind a button; `rows` are those of its blocks once it is opened. */
export function foldRow(blocks, { onlyDifferences, opened, toggle, rows }) {
  const size = blocks.reduce((sum, block) => sum + block.text.length, 0);
  const name = onlyDifferences ? "compare.alike" : "compare.dropped_by_all";
  const text = `${counted(name, blocks.length)} · ${counted("compare.characters", size)}`;
  const button = make("button", { type: "button", class: "fold", "aria-expanded": String(opened), onclick: toggle },
    make("span", { "aria-hidden": "true" }, opened ? "▾" : "▸"), make("span", {}, text), !opened && preview(blocks));
  return make("div", { class: "row-item", role: "listitem" }, button, ...rows);
}

// The beginnings of the folded blocks, so that nobody has to open a menu to see that it is one.
function preview(blocks) {
  const words = blocks.slice(0, 12).map((block) => block.text.slice(0, 40)).filter(Boolean).join(" · ");
  return make("span", { class: "fold-preview", "aria-hidden": "true" }, words.slice(0, 240));
}

/** A block: number, text, and a cell for each method. */
export function blockRow(block, { methods, current, opened, toggle }) {
  const names = ["block", block.differs && "differs", isDropped(block) && "dropped", block.index === current && "current", opened && "opened"].filter(Boolean).join(" ");
  const sign = block.differs ? make("span", { class: "sign", title: t("compare.differs") }, make("span", { "aria-hidden": "true" }, "≠"), make("span", { class: "sr-only" }, t("compare.differs"))) : "";
  const button = make("button", { type: "button", class: "block-number", "aria-expanded": String(opened), "aria-label": t("compare.why", { number: block.index + 1 }), title: t("compare.why", { number: block.index + 1 }) }, String(block.index + 1));
  const row = make("div", { class: names, "data-block": String(block.index) },
    make("div", { class: "gutter" }, button, sign),
    make("div", { class: `block-text kind-${block.kind}` }, block.text || make("em", {}, t("compare.no_text", { kind: kindName(block.kind) }))),
    make("div", { class: "cells" }, ...methods.map((method, at) => cell(method, block, at))));
  row.addEventListener("click", (event) => {
    const marked = String(getSelection()).length > 0; // selecting text is not a click
    if (!marked || event.target.closest("button")) toggle(block);
  });
  return row;
}

function cell(method, block, at) {
  const keep = block.keep[at];
  const name = make("span", { class: "cell-name" }, method.name);
  if (keep === null) return make("div", { class: "cell failed" }, name, make("span", { class: "sr-only" }, t("compare.no_verdict")), make("span", { "aria-hidden": "true" }, "·"));
  const part = keep && block.partial[at];
  const word = t(part ? "shell.kept_in_part" : keep ? "shell.kept" : "shell.dropped");
  const sign = make("span", { class: "cell-sign", "aria-hidden": "true" }, part ? "◐" : keep ? "✓" : "–");
  return make("div", { class: `cell ${keep ? "keep" : "drop"} ${part ? "part" : ""}`, title: `${method.name}: ${word}` },
    name, sign, make("span", { class: "sr-only" }, word), make("span", { class: "cell-score" }, score(block.score[at])));
}

/** What is below an opened block: kind, xpath, and a place for the reasons of each method. */
export function detail(block, methods) {
  const places = methods.map((method, at) => make("section", { class: "why", "aria-label": method.name },
    make("h3", {}, make("span", { class: `pill ${block.keep[at] ? "keep" : block.keep[at] === null ? "plain" : "drop"}` }, method.name)),
    make("div", { class: "why-body" })));
  const xpath = make("p", { class: "where" }, make("span", { class: "pill plain" }, kindName(block.kind)), block.hidden && make("span", { class: "pill plain" }, t("compare.hidden")),
    make("code", {}, block.xpath), make("button", { type: "button", class: "small quiet", onclick: () => copy(block.xpath) }, t("compare.copy_xpath")));
  return { element: make("div", { class: "block-detail" }, xpath, make("div", { class: "whys" }, ...places)), places };
}

/** The reasons of one method in their place; `reasons` is a promise. */
export async function fillReasons(place, reasons) {
  const body = place.querySelector(".why-body");
  body.replaceChildren(make("span", { class: "spinner" }), make("span", { class: "sr-only" }, t("shell.loading")));
  try {
    const found = await reasons;
    const entry = ([name, details]) => make("li", {}, make("strong", {}, reasonName(name)), details.length ? ` ${details.join(", ")}` : "");
    body.replaceChildren(found.length ? make("ul", {}, ...reasonGroups(found).map(entry)) : make("p", { class: "fine" }, t("compare.no_reasons")));
  } catch (error) {
    body.replaceChildren(message("error", error.message));
  }
}
