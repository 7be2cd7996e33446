// Every block with its verdict, score and reasons: filters, search, pages of a hundred rows.

import { debounced, make, message, number, score, t } from "../page.js";
import { DOUBTFUL } from "./state.js";
import { kindName, reasonsLine, scoreMeter, verdictName } from "./verdicts.js";

const ROWS = 100; // on a page: thousands at once would freeze the browser
const LONGEST = 280; // characters of a block's text that are shown

const FILTERS = {
  all: () => true,
  kept: (block, state) => state.keeps(block.index),
  dropped: (block, state) => !state.keeps(block.index),
  doubtful: (block) => block.partial || (block.score >= DOUBTFUL[0] && block.score <= DOUBTFUL[1]),
  corrected: (block, state) => state.isFlipped(block.index),
};

export class WhyView {
  id = "why";
  #container;
  #state;
  #filter = "all";
  #kind = "";
  #words = "";
  #page = 0;
  #found = [];
  #isStale = true;
  #plot = null;
  #plotBox = make("div", { class: "why-plot" });
  #bar = make("div", { class: "why-bar" });
  #list = make("div", { class: "why-list" });

  constructor(container, state) {
    this.#container = container;
    this.#state = state;
    container.replaceChildren(this.#plotBox, this.#bar, this.#list);
    state.on("page", () => this.#restart());
    state.on("verdicts", () => this.#refresh(true));
    state.on("corrections", () => this.#refresh(false));
    state.on("highlight", (index, how) => this.#light(index, how));
  }

  show() {
    if (this.#isStale) {
      this.#isStale = false;
      this.#drawPlot();
      this.#drawBar();
      this.#find();
    }
    this.#light(this.#state.current, { reveal: true });
  }

  #restart() {
    this.#filter = "all";
    this.#kind = "";
    this.#words = "";
    this.#page = 0;
    this.#refresh(true);
  }

  #refresh(everything) {
    if (this.#container.hidden) {
      this.#isStale = true;
      return;
    }
    if (everything) {
      this.#drawPlot();
      this.#drawBar();
    }
    this.#find();
  }

  async #drawPlot() {
    const { profile } = await import("../plots.js");
    const blocks = this.#state.blocks.map((block) => ({ score: block.score, keep: block.keep, size: block.text.length, text: block.text.slice(0, 120) }));
    const words = {
      title: t("extract.plot_title"), score: t("extract.score"), kept: t("shell.kept"), dropped: t("shell.dropped"), block: t("extract.block"),
      table: t("extract.plot_table"), kind: t("extract.plot_kind"),
    };
    this.#plot = profile(blocks, { words, formatScore: score, onPick: (index) => this.#state.highlight(index, { reveal: true }) });
    this.#plotBox.replaceChildren(this.#plot.element);
  }

  #drawBar() {
    const filters = Object.keys(FILTERS).map((name) =>
      make("button", { type: "button", "data-filter": name, "aria-pressed": String(name === this.#filter), onclick: () => this.#choose(name) }, t(`extract.filter_${name}`)),
    );
    const kinds = [...new Set(this.#state.blocks.map((block) => block.kind))].sort();
    const kind = make("select", { "aria-label": t("extract.kind"), onchange: (event) => this.#narrow("kind", event.target.value) }, make("option", { value: "" }, t("extract.all_kinds")));
    kind.append(...kinds.map((name) => make("option", { value: name, selected: name === this.#kind }, kindName(name))));
    const narrow = debounced((value) => this.#narrow("words", value));
    const search = make("input", { type: "search", "aria-label": t("extract.search"), placeholder: t("extract.search"), oninput: (event) => narrow(event.target.value) });
    search.value = this.#words;
    this.#bar.replaceChildren(make("div", { class: "segments", role: "group", "aria-label": t("extract.filter") }, ...filters), kind, search);
  }

  #choose(name) {
    this.#filter = name;
    for (const button of this.#bar.querySelectorAll("[data-filter]")) button.setAttribute("aria-pressed", String(button.dataset.filter === name));
    this.#page = 0;
    this.#find();
  }

  #narrow(what, value) {
    if (what === "kind") this.#kind = value;
    else this.#words = value;
    this.#page = 0;
    this.#find();
  }

  #find() {
    const words = this.#words.trim().toLowerCase();
    const passes = FILTERS[this.#filter];
    const has = (block) => !words || block.text.toLowerCase().includes(words) || block.xpath.toLowerCase().includes(words) || reasonsLine(block.reasons).toLowerCase().includes(words);
    this.#found = this.#state.blocks.filter((block) => passes(block, this.#state) && (!this.#kind || block.kind === this.#kind) && has(block));
    this.#page = Math.min(this.#page, Math.max(0, Math.ceil(this.#found.length / ROWS) - 1));
    this.#drawRows();
  }

  #drawRows() {
    const start = this.#page * ROWS;
    const rows = this.#found.slice(start, start + ROWS);
    if (!rows.length) {
      this.#list.replaceChildren(message("note", t("extract.none_found")));
      return;
    }
    const heads = ["extract.block", "extract.verdict", "extract.score", "extract.text"].map((name) => make("th", { scope: "col" }, t(name)));
    const body = make("tbody", {}, ...rows.map((block) => this.#row(block)));
    for (const name of ["pointerover", "focusin"]) body.addEventListener(name, (event) => this.#hovered(event));
    const table = make("table", { class: "data why-table" }, make("caption", { class: "sr-only" }, t("extract.why_caption")), make("thead", {}, make("tr", {}, ...heads)), body);
    this.#list.replaceChildren(make("div", { class: "table-wrap" }, table), this.#pager(start, rows.length));
    this.#light(this.#state.current, {});
  }

  #row(block) {
    const { index } = block;
    const state = this.#state;
    const flip = make(
      "button", { type: "button", class: `verdict ${state.keeps(index) ? "keep" : "drop"}`, title: t("extract.wrong_title"), "aria-label": t("extract.flip_label", { verdict: verdictName(state, index), number: index + 1 }), onclick: () => state.flip(index) },
      state.keeps(index) ? "✓" : "–", state.isFlipped(index) ? " ✎" : "",
    );
    const text = block.text || (block.kind === "image" ? t("extract.kind_image") : "");
    const shown = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
    const go = make("button", { type: "button", class: "why-text", onclick: () => state.highlight(index, { from: "why", reveal: true }) }, shown);
    return make(
      "tr", { "data-block": String(index), class: state.keeps(index) ? null : "is-dropped" }, make("td", { class: "number muted" }, number(index + 1)), make("td", {}, flip), make("td", {}, scoreMeter(block)),
      make("td", {}, go, make("small", {}, [kindName(block.kind), block.hidden && t("shell.hidden"), reasonsLine(block.reasons)].filter(Boolean).join(" · "))),
    );
  }

  #pager(start, count) {
    const total = this.#found.length;
    const turn = (step) => () => {
      this.#page += step;
      this.#drawRows();
      this.#container.scrollTop = this.#list.offsetTop - this.#bar.offsetHeight;
    };
    const button = (name, step, off) => make("button", { type: "button", class: "small", disabled: off, onclick: turn(step) }, t(name));
    return make(
      "div", { class: "pager" }, make("span", { class: "muted" }, t("shell.page_of", { from: start + 1, to: start + count, total })),
      total > ROWS && button("shell.previous", -1, start === 0), total > ROWS && button("shell.next", 1, start + count >= total),
    );
  }

  #light(index, { from = null, reveal = false }) {
    if (this.#container.hidden) return;
    this.#plot?.highlight(index);
    this.#list.querySelector("tr.lit")?.classList.remove("lit");
    if (index < 0) return;
    if (reveal && from !== "why") this.#turnTo(index);
    const row = this.#list.querySelector(`tr[data-block="${index}"]`);
    row?.classList.add("lit");
    if (row && from !== "why") row.scrollIntoView({ block: "nearest" });
  }

  #turnTo(index) {
    const at = this.#found.findIndex((block) => block.index === index);
    const page = Math.floor(at / ROWS);
    if (at < 0 || page === this.#page) return;
    this.#page = page;
    this.#drawRows();
  }

  #hovered(event) {
    const row = event.target.closest("tr[data-block]");
    if (row) this.#state.highlight(Number(row.dataset.block), { from: "why" });
  }
}
