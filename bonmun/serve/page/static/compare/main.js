// The screen Compare: two to four methods on one page, block by block.

import { Chunks } from "../chunks.js";
import { api, byId, key, Latest, make, message, t } from "../page.js";
import { blockRow, detail, fillReasons, foldRow } from "./rows.js";
import { startSource } from "./source.js";
import { card, matrix, MOST } from "./summary.js";
import { differs, rowsOf } from "./verdicts.js";

const ROW_HEIGHT = 64;
const DEFAULT = ["auto", "xpath", "logical"];
const REMEMBERED = "bonmun-compared";

class Compare {
  #latest = new Latest();
  #given = null; // the page as the reader gave it: sent again if the service has forgotten it
  #reasons = new Map(); // method → the reasons of all blocks, asked for once
  answer = null;
  current = null; // the index of the block that n and p stand on
  opened = new Set();
  onlyDifferences = false;

  constructor(names) {
    this.names = names;
    const known = new Set(names.map((one) => one.name));
    const wished = (new URLSearchParams(location.search).get("methods") ?? localStorage.getItem(REMEMBERED) ?? "").split(",");
    const valid = [...new Set(wished)].filter((name) => known.has(name)).slice(0, MOST);
    this.methods = valid.length >= 2 ? valid : DEFAULT;
    this.rows = new Chunks(byId("blocks"), { height: ROW_HEIGHT, row: (item, index) => this.#row(item, index) });
    this.#wire();
    this.#head();
  }

  /** Compare the methods on a page: `{ html, url }`, `{ url }` or `{ page }`. */
  async open(given, signal) {
    this.#given = given;
    await this.#ask(given, signal);
    this.current = null;
    scrollTo({ top: 0 });
  }

  async #ask(given, signal) {
    const answer = await api("/v1/compare", { ...given, methods: this.methods }, { signal });
    this.#show(answer);
  }

  // After a change of methods: the same page, by its id.
  async #again() {
    this.#remember();
    this.#head();
    if (!this.answer) return;
    byId("comparison").classList.add("busy");
    byId("messages").replaceChildren();
    try {
      await this.#latest.run((signal) => this.#ask({ page: this.answer.page }, signal).catch((error) => {
        if (error.status !== 410) throw error;
        return this.#ask(this.#given, signal);
      }));
    } catch (error) {
      byId("messages").replaceChildren(message("error", error.message, [[t("shell.retry"), () => this.#again()]]));
    } finally {
      byId("comparison").classList.remove("busy");
    }
  }

  #show(answer) {
    if (this.answer?.page !== answer.page) {
      this.#reasons.clear();
      this.opened.clear();
    }
    this.answer = answer;
    this.blocks = answer.blocks.map((block) => ({ ...block, differs: differs(block) }));
    this.differences = this.blocks.filter((block) => block.differs).map((block) => block.index);
    byId("start").hidden = true;
    byId("comparison").hidden = false;
    this.#head();
    this.#bar();
    this.#list();
  }

  #head() {
    const options = { names: this.names, chosen: this.methods, change: (at, name) => this.#change(at, name), remove: (at) => this.#remove(at) };
    const answers = new Map((this.answer?.methods ?? []).map((method) => [method.name, method]));
    const cards = this.methods.map((name, at) => card(at, name, { ...options, answer: answers.get(name) }));
    byId("methods").replaceChildren(...cards);
    byId("matrix").replaceChildren(this.answer ? matrix(this.answer) : "");
    byId("add").hidden = this.methods.length >= Math.min(MOST, this.names.length);
    byId("compare-main").dataset.count = String(this.methods.length);
    byId("bar-names").replaceChildren(...this.methods.map((name) => make("span", {}, name)));
  }

  #change(at, name) {
    this.methods = this.methods.with(at, name);
    this.#again();
    byId(`method-${at}`).focus();
  }

  #remove(at) {
    this.methods = this.methods.toSpliced(at, 1);
    this.#again();
    byId(`method-${Math.min(at, this.methods.length - 1)}`).focus();
  }

  #add() {
    const next = this.names.find((one) => !this.methods.includes(one.name) && one.name !== "template") ?? this.names.find((one) => !this.methods.includes(one.name));
    this.methods = [...this.methods, next.name];
    this.#again();
    byId(`method-${this.methods.length - 1}`).focus();
  }

  #remember() {
    localStorage.setItem(REMEMBERED, this.methods.join(","));
    const address = new URL(location.href);
    address.searchParams.set("methods", this.methods.join(","));
    history.replaceState(history.state, "", address);
  }

  #bar() {
    const count = this.differences.length;
    byId("difference-count").textContent = count ? t(count === 1 ? "compare.differences_one" : "compare.differences", { count, total: this.blocks.length }) : t("compare.same");
    for (const id of ["previous", "next", "only"]) byId(id).disabled = !count;
    if (!count) this.onlyDifferences = byId("only").checked = false;
    this.#position();
  }

  #position() {
    const at = this.differences.indexOf(this.current);
    byId("position").textContent = at < 0 ? "" : t("compare.position", { at: at + 1, count: this.differences.length });
  }

  #list() {
    const rows = rowsOf(this.blocks, this.onlyDifferences);
    this.places = new Map(rows.flatMap((row, at) => (row.fold ?? [row.block]).map((block) => [block.index, at])));
    this.rows.set(rows);
    if (this.current !== null && this.places.has(this.current)) this.rows.reveal(this.places.get(this.current), "center");
  }

  #row(item, index) {
    if (!item.fold) return this.#blockItem(item.block);
    const toggle = () => {
      item.opened = !item.opened;
      this.rows.refreshRow(index);
      this.rows.element(index).querySelector(".fold").focus();
    };
    const rows = item.opened ? item.fold.map((block) => this.#blockItem(block, "presentation")) : [];
    return foldRow(item.fold, { onlyDifferences: this.onlyDifferences, opened: item.opened, toggle, rows });
  }

  #blockItem(block, role = "listitem") {
    const item = make("div", { class: "row-item", role });
    const opened = this.opened.has(block.index);
    item.append(blockRow(block, { methods: this.answer.methods, current: this.current, opened, toggle: () => this.#toggle(block, item) }));
    if (opened) item.append(this.#detail(block));
    return item;
  }

  #toggle(block, item) {
    const open = !this.opened.has(block.index);
    if (open) this.opened.add(block.index);
    else this.opened.delete(block.index);
    item.firstElementChild.classList.toggle("opened", open);
    item.querySelector(".block-number").setAttribute("aria-expanded", String(open));
    if (open) item.append(this.#detail(block));
    else item.lastElementChild.remove();
  }

  #detail(block) {
    const { element, places } = detail(block, this.answer.methods);
    this.answer.methods.forEach((method, at) => {
      const failed = method.problem && Promise.resolve([{ name: method.problem.title, detail: method.problem.detail }]);
      fillReasons(places[at], failed || this.#reasonsOf(method.name).then((all) => all[block.index]));
    });
    return element;
  }

  #reasonsOf(method) {
    if (!this.#reasons.has(method)) {
      const asked = api("/v1/explain", { page: this.answer.page, method }).then((answer) => answer.blocks.map((block) => block.reasons));
      asked.catch(() => this.#reasons.delete(method));
      this.#reasons.set(method, asked);
    }
    return this.#reasons.get(method);
  }

  /** Go to the next (1) or previous (-1) block on which the methods differ. */
  step(direction) {
    if (!this.answer || !this.differences.length) return false;
    const { differences } = this;
    const at = differences.indexOf(this.current);
    const to = at < 0 ? (direction > 0 ? 0 : differences.length - 1) : (at + direction + differences.length) % differences.length;
    this.#stand(differences[to]);
    return true;
  }

  #stand(index) {
    document.querySelector(".block.current")?.classList.remove("current");
    this.current = index;
    const element = this.rows.reveal(this.places.get(index), "center");
    element.querySelector(".block").classList.add("current");
    this.#position();
    byId("spoken").textContent = [byId("position").textContent, ...this.#spoken(this.blocks[index])].join(", ");
  }

  #spoken(block) {
    const word = (keep, name) => (keep === null ? [] : [t(keep ? "compare.spoken_keeps" : "compare.spoken_drops", { name })]);
    return [...this.answer.methods.flatMap((method, at) => word(block.keep[at], method.name)), block.text.slice(0, 120)];
  }

  #wire() {
    byId("add").addEventListener("click", () => this.#add());
    byId("next").addEventListener("click", () => this.step(1));
    byId("previous").addEventListener("click", () => this.step(-1));
    byId("only").addEventListener("change", (event) => {
      this.onlyDifferences = event.target.checked;
      this.#list();
    });
    key("n", t("compare.key_next"), () => this.step(1));
    key("p", t("compare.key_previous"), () => this.step(-1));
    key("d", t("compare.key_only"), () => !byId("only").disabled && byId("only").click());
    key("o", t("compare.key_open"), () => this.#openCurrent());
  }

  #openCurrent() {
    const block = document.querySelector(".block.current .block-number");
    block?.click();
    return Boolean(block);
  }
}
