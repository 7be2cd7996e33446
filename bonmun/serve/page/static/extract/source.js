// The input: an address, pasted HTML, or a file that was chosen or dropped. It is kept whatever happens.

import { byId, bytes, debounced, t } from "../page.js";

const LONG = 2000; // characters of HTML that are kept aside instead of shown in the field

/** What a text is: {kind: "url", url} or {kind: "html", text}; null for anything else. */
export function recognised(text) {
  const trimmed = text.trim();
  if (/^https?:\/\/\S+$/i.test(trimmed)) return { kind: "url", url: trimmed };
  if (/^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+(:\d+)?([/?#]\S*)?$/u.test(trimmed)) return { kind: "url", url: `https://${trimmed}` };
  if (/<[a-z!][^]*>/i.test(trimmed)) return { kind: "html", text };
  return null;
}

/** The field, the file button and the drop target; `asked(source)` is called when the reader wants an answer. */
export class SourceField {
  #field = byId("source");
  #kept = null;
  #sent = "";
  #asked;

  constructor(asked) {
    this.#asked = asked;
    byId("ask").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#ask();
    });
    this.#field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      this.#ask();
    });
    this.#field.addEventListener("paste", (event) => this.#pasted(event));
    this.#field.addEventListener("input", debounced(() => this.#grow(), 0));
    byId("given-remove").addEventListener("click", () => this.clear());
    byId("choose").addEventListener("click", () => byId("file").click());
    byId("file").addEventListener("change", () => this.giveChosen());
    this.#startDropping();
  }

  #ask() {
    this.#sent = this.#field.value;
    this.#asked(this.value());
  }

  /** Whether the reader waits for the answer: the focus is still in the field, and its text is what was sent. */
  get waits() {
    return document.activeElement === this.#field && this.#field.value === this.#sent;
  }

  /** What is in the field, recognised; null if it is nothing. */
  value() {
    return this.#kept ?? recognised(this.#field.value);
  }

  get isEmpty() {
    return !this.#kept && !this.#field.value.trim();
  }

  /** Show a source: an address as text, all else as a label that can be removed. */
  show(source) {
    this.#kept = source.kind === "url" ? null : source;
    this.#field.value = source.kind === "url" ? source.url : "";
    byId("given").hidden = source.kind === "url";
    byId("given-text").textContent = this.#label(source);
    this.#field.hidden = source.kind !== "url";
    this.#grow();
  }

  #label(source) {
    if (source.kind === "html") return t("extract.given_html", { size: bytes(new Blob([source.text]).size) });
    if (source.kind === "page") return t("extract.given_page");
    if (source.kind === "file") return t("extract.given_file", { name: source.name, size: bytes(source.file.size) });
    return source.name ?? "";
  }

  clear() {
    this.#kept = null;
    this.#field.value = "";
    this.#field.hidden = false;
    byId("given").hidden = true;
    byId("file").value = "";
    this.#grow();
    this.#field.focus();
  }

  focus() {
    if (this.#field.hidden) byId("given-remove").focus();
    else this.#field.select();
  }

  #grow() {
    this.#field.rows = Math.min(4, this.#field.value.split("\n", 4).length);
  }

  /** A long text is kept aside and extracted at once; a page copied from a browser comes as HTML. */
  #pasted(event) {
    const plain = event.clipboardData.getData("text/plain");
    const html = event.clipboardData.getData("text/html");
    const source = recognised(plain) ?? (html ? { kind: "html", text: html } : null);
    if (source?.kind !== "html" || (source.text === plain && plain.length < LONG)) return;
    event.preventDefault();
    this.#give(source);
  }

  #give(source) {
    this.show(source);
    this.#asked(source);
  }

  /** Give the file that is chosen, if one is. */
  giveChosen() {
    const [file] = byId("file").files;
    if (file) this.#give({ kind: "file", file, name: file.name });
  }

  #startDropping() {
    const target = byId("drop-here");
    let depth = 0; // enter and leave come for every element on the way
    const takes = (event) => [...event.dataTransfer.types].some((type) => ["Files", "text/uri-list", "text/html", "text/plain"].includes(type));
    const over = (step) => (event) => {
      if (!takes(event)) return;
      event.preventDefault();
      depth = Math.max(0, depth + step);
      target.hidden = depth === 0;
    };
    document.addEventListener("dragenter", over(1));
    document.addEventListener("dragleave", over(-1));
    document.addEventListener("dragover", over(0));
    document.addEventListener("drop", (event) => {
      event.preventDefault();
      depth = 0;
      target.hidden = true;
      this.#dropped(event.dataTransfer);
    });
  }

  #dropped(transfer) {
    if (transfer.files.length) {
      this.#give({ kind: "file", file: transfer.files[0], name: transfer.files[0].name });
      return;
    }
    const text = transfer.getData("text/uri-list").split("\n", 1)[0] || transfer.getData("text/plain");
    const source = recognised(text) ?? recognised(transfer.getData("text/html"));
    if (source) this.show(source); // an address that was dropped waits for the button
    if (source?.kind === "html") this.#asked(source);
  }
}
