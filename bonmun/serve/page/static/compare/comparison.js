// Several methods on one page: the head with a card for each method, the bar of differences, the list of blocks.

import { Chunks } from "../chunks.js";
import { api, byId, make, t } from "../page.js";
import { blockRow, detail, fillReasons, foldRow } from "./rows.js";
import { card, FEWEST, matrix, MOST } from "./summary.js";
import { differs, rowsOf } from "./verdicts.js";

const ROW_HEIGHT = 64; // pixels, an estimate
const DEFAULT = ["auto", "xpath", "logical"];

/** `changed()` is called when the reader chose other methods. */
export class Comparison {
  #changed;
  #reasons = new Map(); // method → the reasons of all blocks, asked for once
  #opened = new Set(); // blocks whose reasons are shown
  #places = new Map(); // index of a block → its row
  #rows = new Chunks(byId("blocks"), { height: ROW_HEIGHT, row: (item, index) => this.#row(item, index) });
  #answer = null;
  #blocks = [];
  #differences = []; // indexes of blocks
  #current = null; // the one that the reader stepped to
  #onlyDifferences = false;
  source = null;

  constructor(known, wished, changed) {
    this.known = known;
    this.#changed = changed;
    const names = new Set(known.map((one) => one.name));
    const valid = [...new Set(wished)].filter((name) => names.has(name)).slice(0, MOST);
    this.methods = valid.length >= FEWEST ? valid : DEFAULT;
    byId("add").addEventListener("click", () => this.#add());
    byId("only").addEventListener("change", (event) => this.#filter(event.target.checked));
    this.#head();
  }

  get pageId() {
    return this.#answer?.page ?? null;
  }

  /** Show an answer of `/v1/compare`. */
  take(answer) {
    if (this.pageId !== answer.page) {
      this.#reasons.clear();
      this.#opened.clear();
      this.#current = null;
    }
    this.#answer = answer;
    this.#blocks = answer.blocks.map((block) => ({ ...block, differs: differs(block) }));
    this.#differences = this.#blocks.filter((block) => block.differs).map((block) => block.index);
    byId("start").hidden = true;
    byId("methods-head").hidden = byId("comparison").hidden = false;
    byId("comparison").dataset.count = String(answer.methods.length);
    this.#head();
    this.#bar();
    this.#list();
  }

  /** The cards and the matrix; the menu that had the focus has it again. */
  #head() {
    const focused = document.activeElement?.id;
    const options = { known: this.known, chosen: this.methods, change: (at, name) => this.#choose(this.methods.with(at, name), at), remove: (at) => this.#choose(this.methods.toSpliced(at, 1), at) };
    const answers = new Map((this.#answer?.methods ?? []).map((method) => [method.name, method]));
    byId("methods").replaceChildren(...this.methods.map((name, at) => card(at, name, { ...options, answer: answers.get(name) })));
    byId("matrix").replaceChildren(this.#answer ? matrix(this.#answer) : "");
    byId("add").hidden = this.methods.length >= Math.min(MOST, this.known.length);
    byId("compare-main").dataset.count = String(this.methods.length);
    if (focused?.startsWith("method-")) document.getElementById(focused)?.focus();
  }

  #add() {
    const free = this.known.map((one) => one.name).filter((name) => !this.methods.includes(name));
    const next = free.find((name) => name !== "template") ?? free[0]; // a template needs a known site
    this.#choose([...this.methods, next], this.methods.length);
  }

  #choose(methods, at) {
    this.methods = methods;
    this.#head();
    byId(`method-${Math.min(at, methods.length - 1)}`).focus();
    this.#changed();
  }

  #bar() {
    const count = this.#differences.length;
    byId("difference-count").textContent = count ? t(count === 1 ? "compare.differences_one" : "compare.differences", { count, total: this.#blocks.length }) : t("compare.same");
    for (const id of ["previous", "next", "only"]) byId(id).disabled = !count;
    if (!count) this.#onlyDifferences = byId("only").checked = false;
    byId("bar-names").replaceChildren(...this.#answer.methods.map((method) => make("span", {}, method.name)));
    this.#position();
  }

  #position() {
    const at = this.#differences.indexOf(this.#current);
    byId("position").textContent = at < 0 ? "" : t("compare.position", { at: at + 1, count: this.#differences.length });
  }

  #filter(onlyDifferences) {
    this.#onlyDifferences = onlyDifferences;
    this.#list();
  }

  #list() {
    const rows = rowsOf(this.#blocks, this.#onlyDifferences);
    this.#places = new Map(rows.flatMap((row, at) => (row.fold ?? [row.block]).map((block) => [block.index, at])));
    this.#rows.set(rows);
    if (this.#current !== null && this.#places.has(this.#current)) this.#rows.reveal(this.#places.get(this.#current), "center");
  }

  #row(item, index) {
    if (!item.fold) return this.#blockItem(item.block);
    const toggle = () => {
      item.opened = !item.opened;
      this.#rows.refreshRow(index);
      this.#rows.element(index).querySelector(".fold").focus();
    };
    const rows = item.opened ? item.fold.map((block) => this.#blockItem(block, "presentation")) : [];
    return foldRow(item.fold, { onlyDifferences: this.#onlyDifferences, opened: item.opened, toggle, rows });
  }

  #blockItem(block, role = "listitem") {
    const item = make("div", { class: "row-item", role });
    const opened = this.#opened.has(block.index);
    item.append(blockRow(block, { methods: this.#answer.methods, current: this.#current, opened, toggle: () => this.#toggle(block, item) }));
    if (opened) item.append(this.#detail(block));
    return item;
  }

  #toggle(block, item) {
    const open = !this.#opened.has(block.index);
    if (open) this.#opened.add(block.index);
    else this.#opened.delete(block.index);
    item.firstElementChild.classList.toggle("opened", open);
    item.querySelector(".block-number").setAttribute("aria-expanded", String(open));
    if (open) item.append(this.#detail(block));
    else item.lastElementChild.remove();
  }

  #detail(block) {
    const { element, places } = detail(block, this.#answer.methods);
    this.#answer.methods.forEach((method, at) => {
      const failed = method.problem && Promise.resolve([{ name: method.problem.title, detail: method.problem.detail }]);
      fillReasons(places[at], failed || this.#reasonsOf(method.name).then((all) => all[block.index]));
    });
    return element;
  }

  #reasonsOf(method) {
    if (!this.#reasons.has(method)) {
      const asked = api("/v1/explain", { page: this.#answer.page, method, sites: false }).then((answer) => answer.blocks.map((block) => block.reasons));
      asked.catch(() => this.#reasons.delete(method));
      this.#reasons.set(method, asked);
    }
    return this.#reasons.get(method);
  }

  /** Go to the next (1) or previous (-1) block on which the methods differ. */
  step(direction) {
    if (!this.#differences.length) return false;
    const differences = this.#differences;
    const at = differences.indexOf(this.#current);
    const to = at < 0 ? (direction > 0 ? 0 : differences.length - 1) : (at + direction + differences.length) % differences.length;
    this.#stand(differences[to]);
    return true;
  }

  #stand(index) {
    document.querySelector(".block.current")?.classList.remove("current");
    this.#current = index;
    const element = this.#rows.reveal(this.#places.get(index), "center");
    element.querySelector(".block").classList.add("current");
    this.#position();
    byId("spoken").textContent = [byId("position").textContent, ...this.#spoken(this.#blocks[index])].join(", ");
  }

  #spoken(block) {
    const word = (keep, name) => (keep === null ? [] : [t(keep ? "compare.spoken_keeps" : "compare.spoken_drops", { name })]);
    return [...this.#answer.methods.flatMap((method, at) => word(block.keep[at], method.name)), block.text.slice(0, 120)];
  }

  /** Show or hide the reasons for the block that the reader stepped to. */
  openCurrent() {
    const block = document.querySelector(".block.current .block-number");
    block?.click();
    return Boolean(block);
  }
}
