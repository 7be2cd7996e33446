// The tab XTractor: the analysis screen of the XPath paper (its figure 7). Four panes, linked: the text nodes with their
// paths, the groups with their lengths, the chosen path, its text.

import { analysisTab, bar, breakable, characters, facts, pane, paragraphs, path, segments } from "./analysis_panes.js";
import { Listbox } from "./listbox.js";
import { copy, make, number, percent, t } from "./page.js";

const NODE_HEIGHT = 46;
const GROUP_HEIGHT = 34;
const MOST_SHOWN = 300; // paragraphs of the text pane; the rest is behind a button
const ORDERS = {
  length: (one, two) => two.length - one.length || one.index - two.index,
  count: (one, two) => two.count - one.count || one.index - two.index,
  place: (one, two) => one.index - two.index,
};

export const tab = analysisTab("xtractor", "xpath", (view) => new XTractor(view).draw());

class XTractor {
  constructor(view) {
    this.view = view;
    this.analysis = view.analysis;
    this.longest = view.analysis.chosen;
    this.nodes = view.analysis.text_nodes.map((node, index) => ({ ...node, index: view.analysis.offset + index }));
    this.most = Math.max(...view.analysis.groups.map((group) => group.length), this.longest.length);
  }

  draw() {
    this.nodeList = new Listbox({ label: t("analysis.text_nodes"), class: "nodes", height: NODE_HEIGHT, row: nodeRow, choose: (node) => this.chooseNode(node), hover: (node) => this.view.highlight(node?.block ?? null) });
    this.groupList = new Listbox({ label: t("analysis.groups"), class: "groups", height: GROUP_HEIGHT, row: (group) => this.groupRow(group), choose: (group) => this.choose(group) });
    this.pathBody = make("div", { class: "pane-body", "aria-live": "polite" });
    this.textBody = make("div", { class: "pane-body pane-scroll", tabindex: "0", role: "region", "aria-label": t("analysis.text") });
    const order = segments(t("analysis.order"), Object.keys(ORDERS).map((id) => [id, t(`analysis.order_${id}`)]), "length", (id) => this.sort(id));
    const { total, total_groups: groups } = this.analysis;
    this.view.root.append(
      pane({ step: 1, title: t("analysis.text_nodes"), hint: number(total) }, this.nodeList.element, this.view.windows(this.nodes.length)),
      pane({ step: 2, title: t("analysis.groups"), hint: number(groups), controls: [order] }, this.groupList.element),
      pane({ step: 3, title: t("analysis.chosen_path") }, this.pathBody),
      pane({ step: 4, title: t("analysis.text"), controls: [this.copyButton()] }, this.textBody));
    this.nodeList.set(this.nodes);
    this.sort("length");
    this.choose(this.longest, false);
    return (index) => this.pointed(index);
  }

  sort(id) {
    this.groupList.set([...this.analysis.groups].sort(ORDERS[id]));
    if (this.group) this.groupList.select((group) => group.index === this.group.index);
  }

  /** Show a group in all panes, and mark its blocks on the page; `reveal` scrolls to them. */
  choose(group, reveal = true) {
    this.group = group;
    const isOf = (node) => node.index >= group.first && node.index < group.first + group.count;
    this.members = this.nodes.filter(isOf);
    this.groupList.select((one) => one.index === group.index);
    this.nodeList.light(isOf, true);
    this.pathBody.replaceChildren(...this.pathPane(group));
    this.showText(MOST_SHOWN);
    this.view.mark(this.members.map((node) => node.block));
    if (reveal) this.view.highlight(this.members[0]?.block ?? null, true);
  }

  chooseNode(node) {
    const group = this.groupOf(node);
    if (group.index !== this.group.index) this.choose(group, false);
    this.nodeList.select((one) => one.index === node.index);
    this.view.highlight(node.block, true);
  }

  groupOf(node) {
    return this.analysis.groups.find((one) => node.index >= one.first && node.index < one.first + one.count);
  }

  /** The reader points at a block on the page: show where its text nodes are. */
  pointed(index) {
    this.nodeList.select((node) => node.block === index, "center");
  }

  groupRow(group) {
    const main = group.index === this.longest.index;
    return [
      bar(group.length / this.most),
      make("span", { class: "mark", title: main ? t("analysis.longest") : null }, main ? "✓" : "", main && make("span", { class: "sr-only" }, t("analysis.longest"))),
      path(group.path),
      make("span", { class: "count" }, t("analysis.times", { count: group.count })),
      make("span", { class: "length" }, number(group.length)),
    ];
  }

  pathPane(group) {
    const main = group.index === this.longest.index;
    const share = group.length / (this.analysis.total_length || 1);
    const verdict = main
      ? make("span", { class: "pill keep" }, t("analysis.longest"))
      : make("span", { class: "pill plain" }, t("analysis.shorter", { count: this.longest.length - group.length }));
    const back = main ? null : make("button", { type: "button", class: "small", onclick: () => this.choose(this.longest) }, t("analysis.back"));
    return [
      make("p", { class: "full-path" }, ...breakable(group.path)),
      make("div", { class: "row" }, verdict, back ?? ""),
      facts([
        [t("analysis.length"), `${characters(group.length)} · ${percent(share)}`],
        [t("analysis.text_nodes"), number(group.count)],
        [t("analysis.total_length"), characters(this.analysis.total_length)],
        [t("analysis.distinct_paths"), number(this.analysis.distinct_paths)],
      ]),
    ];
  }

  texts() {
    return this.group.index === this.longest.index ? this.analysis.text : this.members.map((node) => node.text);
  }

  showText(most) {
    const texts = this.texts();
    const shown = texts.slice(0, most);
    const more = texts.length > most && make("button", { type: "button", class: "small", onclick: () => this.showText(Infinity) }, t("analysis.more", { count: texts.length - most }));
    const cut = texts.length < this.group.count && make("p", { class: "fine" }, t("analysis.cut"));
    this.textBody.replaceChildren(paragraphs(shown), more || "", cut || "");
    this.textBody.scrollTop = 0;
  }

  copyButton() {
    return make("button", { type: "button", class: "small quiet", onclick: () => copy(this.texts().join("\n")) }, t("shell.copy"));
  }
}

function nodeRow(node) {
  return [
    make("span", { class: "node-line" }, path(node.path, node.xpath), make("span", { class: "length" }, number(node.length))),
    make("span", { class: "node-text" }, node.text),
  ];
}
