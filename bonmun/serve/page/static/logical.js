// The tab Logical: the lists of the method by logical structure and keyword weights, linked: the longest and the heaviest
// leaf blocks, the keywords, the candidates and the region that they share.

import { languageName } from "./amounts.js";
import { analysisTab, bar, breakable, pane, paragraphs, segments } from "./analysis_panes.js";
import { reasonDetail, reasonName } from "./extract/verdicts.js";
import { Listbox } from "./listbox.js";
import { copy, make, number, t } from "./page.js";

const LEAF_HEIGHT = 34;
const NOUN_HEIGHT = 30;
const MOST_SHOWN = 300;

export const tab = analysisTab("logical", "logical", (view) => new Logical(view).draw());

class Logical {
  constructor(view) {
    this.view = view;
    this.analysis = view.analysis;
    this.leaves = view.analysis.leaves;
    this.byId = new Map(this.leaves.map((leaf) => [leaf.id, leaf]));
    this.frequency = new Map(view.analysis.keywords.map((keyword) => [keyword.noun, keyword.frequency]));
    this.byLength = [...this.leaves].sort((one, two) => one.length_rank - two.length_rank);
    this.byWeight = this.leaves.filter((leaf) => leaf.weight_rank !== null).sort((one, two) => one.weight_rank - two.weight_rank);
  }

  draw() {
    const list = (label, amount, rank) => new Listbox({ label, class: "leaves", height: LEAF_HEIGHT, row: (leaf) => this.leafRow(leaf, amount, rank), choose: (leaf) => this.choose(leaf), hover: (leaf) => this.view.highlight(leaf?.blocks[0] ?? null) });
    this.lengths = list(t("analysis.length_list"), "length", "length_rank");
    this.weights = list(t("analysis.weight_list"), "weight", "weight_rank");
    this.nouns = new Listbox({ label: t("analysis.keywords"), class: "nouns", height: NOUN_HEIGHT, row: (noun) => this.nounRow(noun), choose: ({ noun }) => this.chooseNoun(noun) });
    this.leafBody = make("div", { class: "pane-body", "aria-live": "polite" });
    this.view.root.append(...this.notices(), ...this.panes());
    this.lengths.set(this.byLength);
    this.weights.set(this.byWeight);
    this.nouns.set(this.analysis.keywords);
    this.choose(this.byId.get(this.analysis.candidates[0]) ?? this.byLength[0], false);
    this.view.mark(this.analysis.kept);
    return (index) => this.pointed(index);
  }

  panes() {
    const { total_keywords: keywords, top } = this.analysis;
    const none = (count) => (count ? "" : make("p", { class: "fine pane-none" }, t("analysis.no_keywords")));
    return [
      pane({ step: 1, title: t("analysis.length_list"), hint: t("analysis.top", { count: top }) }, this.lengths.element, this.view.windows(this.leaves.length)),
      pane({ step: 2, title: t("analysis.weight_list"), hint: number(this.byWeight.length) }, none(this.byWeight.length), this.weights.element),
      pane({ step: 3, title: t("analysis.this_leaf") }, this.leafBody),
      pane({ step: 4, title: t("analysis.keywords"), hint: number(keywords) }, none(keywords), this.nouns.element),
      this.regionPane(),
    ];
  }

  /** Which analyser found the nouns, and what was degraded. */
  notices() {
    const { language, analyser, warnings, notes } = this.analysis;
    const fallbacks = [...warnings, ...notes].map((text) => make("p", { class: "message warn" }, said(text)));
    const by = analyser === "split by script" ? t("analysis.by_script") : analyser;
    return [make("p", { class: "fine analysis-note" }, t("analysis.analyser", { language: languageName(language), analyser: by })), ...fallbacks];
  }

  leafRow(leaf, amount, rank) {
    const most = (amount === "length" ? this.byLength : this.byWeight)[0][amount] || 1;
    const last = leaf[rank] === this.analysis.top - 1;
    return [
      bar(leaf[amount] / most),
      make("span", { class: `rank ${last ? "last-of-top" : ""}` }, String(leaf[rank] + 1)),
      make("span", { class: "mark" }, leaf.candidate ? "●" : "", leaf.candidate && make("span", { class: "sr-only" }, t("analysis.candidate"))),
      make("span", { class: "leaf-text" }, leaf.text),
      make("span", { class: "length" }, number(leaf[amount])),
    ];
  }

  nounRow({ noun, frequency, in_region: inRegion }) {
    return [
      bar(frequency / this.analysis.keywords[0].frequency),
      make("span", { class: "mark" }, inRegion ? "✓" : "–", make("span", { class: "sr-only" }, t(inRegion ? "analysis.in_region" : "analysis.outside"))),
      make("span", { class: "noun" }, noun),
      make("span", { class: "length" }, number(frequency)),
    ];
  }

  /** Show a leaf block in all lists, its weight as a sum, and mark it on the page; `reveal` scrolls to it. */
  choose(leaf, reveal = true) {
    const isIt = (one) => one.id === leaf.id;
    this.lengths.select(isIt);
    this.weights.select(isIt);
    const own = new Set(leaf.nouns.map(([noun]) => noun));
    this.light(isIt, (keyword) => own.has(keyword.noun));
    this.leafBody.replaceChildren(...this.leafPane(leaf));
    if (reveal) this.show(leaf.blocks);
  }

  chooseNoun(noun) {
    const has = (leaf) => leaf.nouns.some(([one]) => one === noun);
    this.light(has, (keyword) => keyword.noun === noun);
    this.show(this.leaves.filter(has).flatMap((leaf) => leaf.blocks));
  }

  /** Mark blocks on the page and scroll to the first of them. */
  show(blocks) {
    this.view.mark(blocks);
    this.view.highlight(blocks[0] ?? null, true);
  }

  light(leaf, keyword) {
    this.lengths.light(leaf);
    this.weights.light(leaf);
    this.nouns.light(keyword);
  }

  /** The reader points at a block on the page. */
  pointed(index) {
    const leaf = this.leaves.find((one) => one.blocks.includes(index));
    if (leaf) this.choose(leaf, false);
  }

  leafPane(leaf) {
    const term = ([noun, count]) => make("span", { class: "term" }, noun, make("small", {}, ` ${number(count)} × ${number(this.frequency.get(noun) ?? 0)}`));
    const sum = leaf.nouns.length ? leaf.nouns.flatMap((noun, at) => [at ? " + " : "", term(noun)]) : [t("analysis.no_nouns")];
    const place = leaf.candidate ? ["keep", "analysis.candidate"] : leaf.in_region ? ["plain", "analysis.in_region"] : ["plain", "analysis.no_candidate"];
    return [
      make("p", { class: "leaf-quote" }, leaf.text),
      make("p", { class: "sum" }, make("span", { class: "sum-name" }, t("analysis.weight")), " = ", ...sum, " = ", make("strong", {}, number(leaf.weight))),
      make("div", { class: "row" }, make("span", { class: `pill ${place[0]}` }, t(place[1])), make("code", { class: "full-path" }, ...breakable(leaf.xpath))),
    ];
  }

  regionPane() {
    const { candidates, clusters, regions, text, kept } = this.analysis;
    const body = make("div", { class: "pane-body pane-scroll", tabindex: "0", role: "region", "aria-label": t("analysis.region") });
    const shown = {
      text: () => [paragraphs(text.slice(0, MOST_SHOWN)), text.length > MOST_SHOWN ? make("p", { class: "fine" }, t("analysis.more", { count: text.length - MOST_SHOWN })) : ""],
      steps: () => [this.steps(candidates, clusters, regions)],
    };
    const show = (id) => body.replaceChildren(...shown[id]());
    show("text");
    const choices = segments(t("analysis.region"), [["text", t("analysis.region_text")], ["steps", t("analysis.region_steps")]], "text", show);
    const light = make("button", { type: "button", class: "small quiet", onclick: () => this.show(kept) }, t("analysis.show_on_page"));
    const button = make("button", { type: "button", class: "small quiet", onclick: () => copy(text.join("\n\n")) }, t("shell.copy"));
    return pane({ step: 5, title: t("analysis.region"), controls: [choices, light, button] }, body);
  }

  /** Candidates → clusters by parent → regions that they share. */
  steps(candidates, clusters, regions) {
    const leafButton = (id) => make("button", { type: "button", class: "leaf-link small", onclick: () => this.choose(this.byId.get(id)) }, make("span", {}, this.byId.get(id).text));
    const known = (ids) => ids.filter((id) => this.byId.has(id));
    const place = (xpath) => make("code", { class: "full-path" }, ...breakable(xpath));
    return make("ol", { class: "region-steps" },
      make("li", {}, make("h4", {}, t("analysis.candidates", { count: candidates.length })), make("p", { class: "fine" }, t("analysis.candidates_hint"))),
      make("li", {}, make("h4", {}, t("analysis.clusters", { count: clusters.length })),
        make("ul", {}, ...clusters.map((cluster) => make("li", {}, place(cluster.xpath), make("div", { class: "leaf-links" }, ...known(cluster.leaves).map(leafButton)))))),
      make("li", {}, make("h4", {}, t("analysis.regions", { count: regions.length })),
        make("ul", {}, ...regions.map((region) => make("li", {}, place(region.xpath), " ",
          make("span", { class: `pill ${region.chosen ? "keep" : "plain"}` }, t(region.chosen ? "analysis.region_chosen" : "analysis.region_other", { weight: region.weight })))))));
  }
}

/** A note "name: detail" in words. */
function said(note) {
  const command = note.startsWith("missing-analyser") && /pip install '[^']+'/.exec(note);
  if (command) return t("analysis.missing_analyser", { command: command[0] });
  const [name, detail] = note.split(/: ([^]*)/);
  return detail ? `${reasonName(name)}: ${reasonDetail(detail)}` : note;
}
