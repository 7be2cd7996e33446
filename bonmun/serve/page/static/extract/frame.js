// The page in its frame. No script runs in there; ours reaches in to light blocks up and to hear clicks and keys.

import { byId, listen, onTheme, t, theme } from "../page.js";
import { Clicks } from "./clicks.js";

const STEPS = 10;

export class Frame {
  #element;
  #state;
  #marks = new Map();
  #lit = [];
  #clicks;
  #loading = null; // the explanation whose page is being loaded
  #ready = [];

  constructor(element, state) {
    this.#element = element;
    this.#state = state;
    this.#clicks = new Clicks(state, "frame");
    element.addEventListener("load", () => this.#loaded());
    state.on("page", () => this.#show());
    state.on("verdicts", () => this.#replace());
    state.on("corrections", (changed) => changed?.forEach((index) => this.#paint(index)));
    state.on("highlight", (index, how) => this.#light(index, how));
    state.on("marks", () => this.#mark());
    onTheme((name) => this.#document && (this.#document.documentElement.dataset.theme = name));
  }

  get #document() {
    return this.#element.contentDocument;
  }

  /** Call a function with "drawn", "scrolled" or "resized". */
  onDrawn(listener) {
    this.#ready.push(listener);
  }

  #show() {
    const { drawing } = this.#state.explanation;
    this.#marks = new Map(); // those of the page before
    this.#loading = this.#state.explanation;
    this.#element.srcdoc = drawing.replace("<html ", `<html data-theme="${theme()}" `);
  }

  #loaded() {
    const inside = this.#document;
    if (!inside?.querySelector(".bm-page")) return;
    inside.addEventListener("pointerover", (event) => this.#hovered(event));
    inside.documentElement.addEventListener("pointerleave", () => this.#state.highlight(-1, { from: "frame" }));
    inside.addEventListener("click", (event) => this.#clicked(event));
    inside.addEventListener("dragenter", () => (byId("drop-here").hidden = false)); // it covers the frame from then on
    inside.addEventListener("scroll", () => this.#tell("scrolled"));
    inside.addEventListener("toggle", () => this.#tell("resized"), true);
    inside.defaultView.addEventListener("resize", () => this.#tell("resized"));
    listen(inside);
    const isLate = this.#loading !== this.#state.explanation; // judged anew while it loaded
    this.#loading = null;
    if (isLate) this.#replace();
    else this.#drawn();
  }

  #tell(what) {
    for (const listener of this.#ready) listener(what);
  }

  /** Put the page drawn anew in place of the old one, with the same block at the same height. */
  #replace() {
    if (this.#loading) return;
    const inside = this.#document;
    const held = this.#held();
    const fresh = new DOMParser().parseFromString(this.#state.explanation.drawing, "text/html");
    inside.body.replaceWith(inside.adoptNode(fresh.body));
    this.#drawn();
    const mark = held && this.#marks.get(held.index)?.[0];
    if (mark) inside.scrollingElement.scrollTop += mark.getBoundingClientRect().top - held.top;
  }

  /** The first block in view, and how far from the top it is. */
  #held() {
    for (const [index, [mark]] of this.#marks) {
      const box = mark.getBoundingClientRect();
      if (box.bottom > 0 && box.height) return { index, top: box.top };
    }
    return null;
  }

  #drawn() {
    this.#marks = new Map();
    for (const mark of this.#document.querySelectorAll("[data-block]")) {
      const index = Number(mark.dataset.block);
      if (this.#marks.has(index)) this.#marks.get(index).push(mark);
      else this.#marks.set(index, [mark]);
    }
    for (const summary of this.#document.querySelectorAll("details.bm-hidden > summary")) summary.textContent = t("extract.hidden_part");
    for (const nothing of this.#document.querySelectorAll(".bm-nothing")) nothing.textContent = t("extract.no_text");
    for (const image of this.#document.querySelectorAll("bm-image")) image.textContent = image.textContent.replace(/^image(?=$| \d)/, t("extract.kind_image"));
    this.#lit = [];
    this.#state.blocks.forEach((_, index) => this.#state.isFlipped(index) && this.#paint(index));
    this.#mark();
    if (this.#state.current >= 0) this.#light(this.#state.current, { from: "frame" });
    this.#tell("drawn");
  }

  /** The document of the frame, from which the reading view is built. */
  get drawing() {
    return this.#document;
  }

  /** Where the blocks are, from 0 (top) to 1: [[index, start, end]]; empty while the frame is not shown. */
  places() {
    const root = this.#document?.scrollingElement;
    if (!root?.clientHeight) return [];
    const places = [];
    for (const [index, marks] of this.#marks) {
      const first = marks[0].getBoundingClientRect();
      if (!first.height) continue;
      const last = marks.length > 1 ? marks.at(-1).getBoundingClientRect() : first;
      places.push([index, (first.top + root.scrollTop) / root.scrollHeight, (last.bottom + root.scrollTop) / root.scrollHeight]);
    }
    return places;
  }

  /** The part in view, from 0 to 1. */
  view() {
    const root = this.#document?.scrollingElement;
    return root?.scrollHeight ? [root.scrollTop / root.scrollHeight, (root.scrollTop + root.clientHeight) / root.scrollHeight] : [0, 1];
  }

  #paint(index) {
    const keep = this.#state.keeps(index);
    const flipped = this.#state.isFlipped(index);
    for (const mark of this.#marks.get(index) || []) {
      mark.classList.toggle("bm-keep", keep);
      mark.classList.toggle("bm-drop", !keep);
      mark.classList.toggle("bm-flipped", flipped);
      mark.dataset.score ||= String(STEPS);
    }
  }

  #mark() {
    for (const mark of this.#document?.querySelectorAll(".bm-marked") ?? []) mark.classList.remove("bm-marked");
    for (const index of this.#state.marked) for (const mark of this.#marks.get(index) || []) mark.classList.add("bm-marked");
  }

  #light(index, { from, reveal = false }) {
    for (const mark of this.#lit) mark.classList.remove("bm-lit");
    this.#lit = this.#marks.get(index) || [];
    for (const mark of this.#lit) mark.classList.add("bm-lit");
    if (this.#lit.length && from !== "frame") this.#reveal(this.#lit[0], reveal);
  }

  #reveal(mark, always) {
    for (let box = mark.closest("details"); box; box = box.parentElement.closest("details")) box.open = true;
    const { top, bottom } = mark.getBoundingClientRect();
    const height = this.#document.documentElement.clientHeight;
    const inView = top >= 0 && bottom <= height;
    if (!inView || (always && (top < height * 0.1 || bottom > height * 0.9))) {
      this.#document.scrollingElement.scrollTop += top - height / 3;
    }
  }

  #blockAt(event) {
    const mark = event.target.closest?.("[data-block]");
    return mark ? Number(mark.dataset.block) : -1;
  }

  #hovered(event) {
    const index = this.#blockAt(event);
    if (index >= 0) this.#state.highlight(index, { from: "frame" });
  }

  #clicked(event) {
    const index = this.#blockAt(event);
    if (index < 0 || (!event.shiftKey && !this.#document.getSelection().isCollapsed)) return;
    if (event.shiftKey) this.#document.getSelection().removeAllRanges();
    this.#clicks.on(index, event);
  }
}
