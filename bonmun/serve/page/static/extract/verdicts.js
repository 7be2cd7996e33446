// Words for verdicts, kinds and reasons, the same in the inspector and in the table.

import { has, language, make, score, t } from "../page.js";

const korean = language === "ko" ? await import("./phrases_ko.js") : null;

const NAMES = { "content-like": "like main text", "boilerplate-like": "like boilerplate" };

export const kindName = (kind) => (has(`extract.kind_${kind}`) ? t(`extract.kind_${kind}`) : kind);

/** "kept", "dropped" or "kept in part", with the reader's correction. */
export function verdictName(state, index) {
  if (!state.keeps(index)) return t("shell.dropped");
  return t(state.blocks[index].partial && !state.isFlipped(index) ? "shell.kept_in_part" : "shell.kept");
}

/** A pill with mark and colour. */
export function verdictPill(state, index) {
  return make("span", { class: `pill ${state.keeps(index) ? "keep" : "drop"}` }, verdictName(state, index));
}

/** The score as a bar and a number. */
export function scoreMeter(block) {
  const bar = make("i");
  bar.style.width = `${Math.max(0, Math.min(1, block.score)) * 100}%`;
  return make("span", { class: "score" }, make("span", { class: `meter${block.keep ? "" : " low"}`, "aria-hidden": "true" }, bar), score(block.score));
}

/** Reasons as phrases: `[[name, [detail, …]], …]`; the name of several in a row comes once. */
export function reasonGroups(reasons) {
  const groups = [];
  for (const { name, detail } of reasons) {
    if (groups.at(-1)?.[0] !== name) groups.push([name, []]);
    if (detail) groups.at(-1)[1].push(reasonDetail(detail));
  }
  return groups;
}

/** Reasons on one line. */
export function reasonsLine(reasons) {
  return reasonGroups(reasons)
    .map(([name, details]) => (details.length ? `${reasonName(name)}: ${details.join(", ")}` : reasonName(name)))
    .join("; ");
}

/** The name of a reason in words. */
export function reasonName(name) {
  return korean?.NAMES[name] ?? NAMES[name] ?? name.replaceAll("-", " ");
}

/** The detail of a reason, which methods give in English. */
export const reasonDetail = (detail) => korean?.phrase(detail) ?? detail;
