// One page on which rules were tried: what changed, the text before and after.

import { counted } from "../amounts.js";
import { diffSize, diffView } from "../diff_view.js";
import { make, message, number, t } from "../page.js";
import { webLink } from "../page_text.js";

/** Return the list item of a page `{url, page, before, after, changed, diff, problem}`. */
export function triedPage(page, open = false) {
  const details = make("details", { "data-page": page.page }, make("summary", {}, ...title(page)));
  details.addEventListener("toggle", () => details.append(...content(page)), { once: true });
  details.open = open;
  return make("li", { class: page.changed ? "changed" : null }, details);
}

function title(page) {
  const name = make("span", { class: "tried-name" }, page.url || t("sites.page_without_url"));
  if (page.problem) return [name, make("span", { class: "pill drop" }, t("sites.trial_failed"))];
  if (!page.changed) return [name, make("span", { class: "pill" }, t("sites.unchanged"))];
  const { inserted, deleted } = diffSize(page.diff);
  return [name, make("span", { class: "pill warn number" }, `+${number(inserted)} −${number(deleted)}`)];
}

function content(page) {
  const nodes = [linksOf(page)];
  if (page.problem) return [...nodes, message("error", page.problem.detail || page.problem.title)];
  const views = { diff: () => [diffView(page.diff, diffWords())], before: () => sideOf(page.before), after: () => sideOf(page.after) };
  const box = make("div", { class: "tried-view", tabindex: "0", role: "region", "aria-label": t("sites.text") });
  const choose = (name) => {
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.view === name));
    box.replaceChildren(...views[name]());
  };
  const buttons = Object.keys(views).map((name) =>
    make("button", { type: "button", "data-view": name, onclick: () => choose(name) }, t(`sites.view_${name}`)));
  choose(page.changed ? "diff" : "after");
  return [...nodes, make("div", { class: "segments", role: "group", "aria-label": t("sites.views") }, ...buttons), box];
}

function linksOf({ url, page }) {
  return make("p", { class: "fine tried-links" },
    url ? webLink(url, t("sites.open_page")) : null,
    page ? make("a", { href: `/?${new URLSearchParams({ page })}` }, t("sites.see_why")) : null);
}

/** The text by some rules, with a line about them. */
function sideOf(applied) {
  const rules = applied.used ? t("sites.by_template", { template: applied.template }) : t("sites.by_auto");
  const blocks = t("sites.kept_blocks", { kept: applied.blocks.length, all: applied.all_blocks });
  return [make("p", { class: "fine" }, `${rules} · ${blocks}`), make("div", { class: "diff" }, applied.text || t("sites.no_text"))];
}

function diffWords() {
  return {
    inserted: t("sites.inserted"),
    deleted: t("sites.deleted"),
    same: t("sites.unchanged"),
    unchanged: (count) => counted("sites.unchanged_characters", count),
  };
}
