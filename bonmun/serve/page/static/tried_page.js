// One page on which rules were tried: what changed, the text before and after.

import { counted } from "./amounts.js";
import { diffSize, diffView } from "./diff_view.js";
import { make, message, number, t } from "./page.js";
import { webLink } from "./page_text.js";

/** Return the list item of a page `{url, before, after, changed, diff, problem}`. */
export function triedPage(page) {
  const details = make("details", {}, make("summary", {}, ...title(page)));
  details.addEventListener("toggle", () => details.append(...content(page)), { once: true });
  return make("li", { class: page.changed ? "changed" : null }, details);
}

function title(page) {
  const name = make("span", { class: "tried-name" }, page.title || page.url || t("sites.page_without_url"));
  if (page.problem) return [name, make("span", { class: "pill drop" }, t("sites.trial_failed"))];
  if (!page.changed) return [name, make("span", { class: "pill" }, t("sites.unchanged"))];
  const { inserted, deleted } = diffSize(page.diff);
  return [name, make("span", { class: "pill warn number" }, `+${number(inserted)} −${number(deleted)}`)];
}

function content(page) {
  const nodes = page.url ? [make("p", { class: "fine" }, webLink(page.url))] : [];
  if (page.problem) return [...nodes, message("error", page.problem)];
  const views = {
    diff: () => diffView(page.diff, diffWords()),
    before: () => text(page.before),
    after: () => text(page.after),
  };
  const box = make("div", { class: "tried-view" });
  const buttons = Object.keys(views).map((name) => make("button", { type: "button", "aria-pressed": "false" }, t(`sites.view_${name}`)));
  const choose = (index) => {
    buttons.forEach((button, number_) => button.setAttribute("aria-pressed", String(number_ === index)));
    box.replaceChildren(Object.values(views)[index]());
  };
  buttons.forEach((button, index) => button.addEventListener("click", () => choose(index)));
  choose(page.changed ? 0 : 2);
  return [...nodes, make("div", { class: "segments", role: "group", "aria-label": t("sites.views") }, ...buttons), box];
}

function text(side) {
  return make("div", { class: "diff" }, side.text || t("sites.no_text"));
}

function diffWords() {
  return {
    inserted: t("sites.inserted"), deleted: t("sites.deleted"), same: t("sites.unchanged"), unchanged: (count) => counted("sites.unchanged_characters", count),
  };
}
