// The kept text as it reads. Elements of a short list are made anew from the drawn page; all text is put in as text.

import { day, has, make, percent, t } from "../page.js";
import { reasonDetail, reasonName } from "./verdicts.js";

const SAME = new Set("h1 h2 h3 h4 h5 h6 p ul ol li dl dt dd blockquote pre figure figcaption table caption thead tbody tfoot tr td th em strong small s cite q dfn abbr code var samp kbd sub sup i b u ins del".split(" "));
const TABLE = new Set(["table", "caption", "thead", "tbody", "tfoot", "tr", "td", "th"]);
const BLOCKS = new Set("H1 H2 H3 H4 H5 H6 P UL OL LI DL DT DD BLOCKQUOTE PRE FIGURE FIGCAPTION TABLE DIV".split(" "));
const NUMBERS = ["colspan", "rowspan", "start", "value"];

export class ReadView {
  id = "read";
  #container;
  #state;
  #frame;
  #texts = new Map();
  #lit = [];
  #layouts = new WeakMap();

  constructor(container, state, frame) {
    this.#container = container;
    this.#state = state;
    this.#frame = frame;
    frame.onDrawn((what) => what === "drawn" && this.#build());
    state.on("corrections", (changed) => changed?.length && this.#build());
    state.on("highlight", (index, how) => this.#light(index, how));
    container.addEventListener("pointerover", (event) => this.#hovered(event));
    container.addEventListener("pointerleave", () => state.highlight(-1, { from: "read" }));
    container.addEventListener("click", (event) => {
      const index = this.#blockAt(event);
      if (index >= 0) state.highlight(index, { from: "read", reveal: true });
    });
  }

  #build() {
    const held = this.#held();
    const page = this.#frame.drawing.querySelector(".bm-page");
    const article = make("article", { class: "reading", lang: page?.lang || null, dir: page?.dir || null });
    const children = page ? this.#made(page) : [];
    article.append(...(children.length ? children : this.#nothing()));
    this.#container.replaceChildren(this.#head(article), article);
    this.#texts = new Map();
    for (const text of article.querySelectorAll("[data-block]")) {
      const index = Number(text.dataset.block);
      this.#texts.set(index, [...(this.#texts.get(index) || []), text]);
    }
    const text = held && this.#texts.get(held.index)?.[0];
    if (text) this.#container.scrollTop += text.getBoundingClientRect().top - held.top;
    this.#light(this.#state.current, { from: "read" });
  }

  /** What to say and to do when no text is kept. */
  #nothing() {
    const why = this.#state.blocks.length ? "extract.nothing_kept_hint" : "extract.no_text_hint";
    return [make("p", { class: "muted" }, t("extract.nothing_kept")), make("p", { class: "muted" }, t(why))];
  }

  #held() {
    const top = this.#container.getBoundingClientRect().top;
    if (!this.#container.scrollTop) return null;
    for (const [index, [text]] of this.#texts) {
      const box = text.getBoundingClientRect();
      if (box.bottom > top) return { index, top: box.top };
    }
    return null;
  }

  /** The facts about the document, and its title unless the text has it. */
  #head(article) {
    const { metadata, page_type: type, confidence, status } = this.#state.explanation;
    const language = metadata.language && new Intl.DisplayNames([document.documentElement.lang], { type: "language", fallback: "code" });
    const facts = [
      metadata.site, metadata.author, metadata.date && day(metadata.date), language && named(language, metadata.language), type && typeName(type),
    ].filter(Boolean);
    const line = make("p", { class: "facts-line" }, ...facts.map((fact) => make("span", {}, String(fact))));
    const meter = make("span", { class: "meter", "aria-hidden": "true" }, make("i"));
    meter.firstChild.style.width = `${confidence * 100}%`;
    const sure = make("p", { class: "sure", title: t("extract.confidence_text") }, `${t("extract.confidence")} `, meter, ` ${percent(confidence)}`);
    const title = metadata.title && ![...article.querySelectorAll("h1, h2")].some((heading) => same(heading.textContent, metadata.title));
    return make(
      "header", { class: "reading-head" }, make("div", { class: "row" }, line, sure), this.#notes(status),
      title && make("h2", { class: "reading-title" }, metadata.title),
    );
  }

  #notes(status) {
    const { reasons, warnings } = this.#state.explanation;
    const notes = [...(status === "ok" ? [] : reasons.map(({ name, detail }) => (detail ? reasonDetail(detail) : reasonName(name)))), ...warnings];
    return notes.length ? make("ul", { class: "notes" }, ...notes.map((note) => make("li", {}, note))) : null;
  }

  /** The kept content of a drawn element, made anew; an empty list if there is none. */
  #made(element) {
    const made = [];
    let kept = false;
    for (const child of element.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) {
        if (child.data.trim() === "" && made.length) made.push(" ");
        continue;
      }
      if (child.nodeType !== Node.ELEMENT_NODE) continue;
      const part = child.dataset.block === undefined ? this.#element(child) : this.#text(child);
      if (part === null) continue;
      kept ||= part.nodeName !== "BR";
      made.push(part);
    }
    return kept ? made : [];
  }

  #text(mark) {
    const index = Number(mark.dataset.block);
    const flipped = this.#state.isFlipped(index);
    if (flipped ? !this.#state.keeps(index) : !mark.classList.contains("bm-keep")) return null;
    const image = mark.localName === "bm-image";
    const classes = [image && "picture", flipped && "flipped"].filter(Boolean).join(" ") || null;
    return make("span", { "data-block": String(index), class: classes }, mark.textContent);
  }

  #element(element) {
    const name = element.localName;
    if (name === "br") return make("br");
    if (name === "summary") return null;
    const children = this.#made(element);
    if (!children.length) return null;
    if (element.classList.contains("bm-link")) return make("span", { class: "link", title: element.dataset.address || null }, ...children);
    if (name === "span") return make("span", {}, ...children);
    const made = make(this.#name(element, children), { dir: element.dir || null, lang: element.lang || null }, ...children);
    for (const attribute of NUMBERS) if (made.localName === name && element.hasAttribute(attribute)) made.setAttribute(attribute, element.getAttribute(attribute));
    return made;
  }

  /** The element to make: the same, or a paragraph or box for one that only lays the page out. */
  #name(element, children) {
    const name = element.localName;
    if (SAME.has(name) && !(TABLE.has(name) && this.#isLayout(element.closest("table")))) return name;
    return children.some((child) => BLOCKS.has(child.nodeName)) ? "div" : "p";
  }

  /** Whether a table holds no data: none of its blocks is a cell. */
  #isLayout(table) {
    if (!table) return true;
    if (!this.#layouts.has(table)) {
      const marks = [...table.querySelectorAll("[data-block]")];
      this.#layouts.set(table, !marks.some((mark) => ["cell", "caption"].includes(this.#state.blocks[Number(mark.dataset.block)].kind)));
    }
    return this.#layouts.get(table);
  }

  #light(index, { from, reveal = false }) {
    for (const text of this.#lit) text.classList.remove("lit");
    this.#lit = this.#texts.get(index) || [];
    for (const text of this.#lit) text.classList.add("lit");
    if (!this.#lit.length || from === "read" || this.#container.hidden) return;
    const box = this.#lit[0].getBoundingClientRect();
    const pane = this.#container.getBoundingClientRect();
    if (box.top < pane.top || box.bottom > pane.bottom || reveal) {
      this.#container.scrollTop += box.top - pane.top - pane.height / 3;
    }
  }

  #blockAt(event) {
    const text = event.target.closest("[data-block]");
    return text ? Number(text.dataset.block) : -1;
  }

  #hovered(event) {
    const index = this.#blockAt(event);
    if (index >= 0) this.#state.highlight(index, { from: "read" });
  }
}

function named(names, code) {
  try {
    return names.of(code);
  } catch {
    return code;
  }
}

function typeName(type) {
  return has(`extract.type_${type}`) ? t(`extract.type_${type}`) : type;
}

const same = (one, other) => one.replace(/\s+/g, " ").trim() === other.replace(/\s+/g, " ").trim();
