// The head of the comparison: a card for each method, and their agreement as a small matrix.

import { counted } from "../amounts.js";
import { duration, make, message, percent, score, t } from "../page.js";

export const FEWEST = 2;
export const MOST = 4;

/** A card: the menu of methods, a button that removes it, and the figures of its answer, if there is one. */
export function card(position, name, { known, chosen, answer, change, remove }) {
  const id = `method-${position}`;
  const option = (one) => make("option", { value: one.name, selected: one.name === name, disabled: one.name !== name && chosen.includes(one.name), title: one.description }, one.name);
  const menu = make("select", { id, onchange: (event) => change(position, event.target.value) }, ...known.map(option));
  const label = make("label", { class: "sr-only", for: id }, t("compare.method", { number: position + 1 }));
  const off = chosen.length > FEWEST && make("button", { type: "button", class: "icon", "aria-label": t("compare.remove", { name }), title: t("compare.remove", { name }), onclick: () => remove(position) }, "✕");
  return make("section", { class: "method-card", "aria-label": name }, make("div", { class: "method-head" }, label, menu, off), ...figures(answer));
}

function figures(answer) {
  if (!answer) return [];
  if (answer.problem) return [problem(answer)];
  const fact = (name, ...value) => make("div", {}, make("dt", {}, t(name)), make("dd", {}, ...value));
  const meter = make("i");
  meter.style.width = `${answer.confidence * 100}%`;
  const list = make("dl", { class: "method-facts" },
    fact("compare.kept", counted("compare.blocks", answer.kept_blocks), make("span", { class: "sub" }, counted("compare.characters", answer.kept_characters))),
    fact("compare.confidence", make("span", { class: "meter", "aria-hidden": "true" }, meter), score(answer.confidence)),
    fact("compare.time", short(answer.seconds)));
  const notes = [...answer.notes, ...answer.warnings].map((text) => make("p", { class: "fine" }, text));
  return [list, ...notes];
}

/** Why a method gave no verdicts; a template needs a site that was learned. */
function problem({ name, problem: { status, detail, title } }) {
  if (name !== "template" || status !== 404) return message("warn", detail || title);
  const note = message("warn", t("compare.no_site"));
  note.append(make("a", { href: "/sites" }, t("shell.sites")));
  return note;
}

/** The share of characters on which each two methods agree. */
export function matrix({ methods, agreement }) {
  const names = methods.map((method) => method.name);
  const head = make("tr", {}, make("td"), ...names.map((name) => make("th", { scope: "col" }, name)));
  const cell = (share, own) => {
    const td = make("td", { class: own ? "own" : "" }, share === null ? t("compare.none") : own ? "·" : percent(floored(share)));
    if (share !== null && !own) td.style.setProperty("--share", String(Math.max(0, share * 2 - 1)));
    return td;
  };
  const rows = agreement.map((shares, row) => make("tr", {}, make("th", { scope: "row" }, names[row]), ...shares.map((share, at) => cell(share, at === row))));
  return make("table", { class: "matrix" }, make("caption", {}, t("compare.agreement")), make("thead", {}, head), make("tbody", {}, ...rows));
}

const short = (seconds) => (seconds < 0.001 ? `< ${duration(0.001)}` : duration(seconds));

// 99.7 % is not 100 %: only full agreement is shown as such.
const floored = (share) => (share < 1 ? Math.min(share, 0.99) : 1);
