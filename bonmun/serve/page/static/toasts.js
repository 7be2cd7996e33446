// Short notes that pass: "Copied". Errors stay in place instead (elements.js, `message`).

import { byId, make } from "./elements.js";
import { t } from "./words.js";

const SECONDS = 4;

/** Show a note for a few seconds; `action` is `[label, function]`. */
export function toast(text, action = null) {
  const note = make("div", { class: "toast" }, make("span", {}, text));
  const remove = () => note.remove();
  if (action) {
    note.append(make("button", { type: "button", class: "small", onclick: () => (remove(), action[1]()) }, action[0]));
  }
  byId("toasts").append(note);
  let timer = setTimeout(remove, SECONDS * (action ? 2000 : 1000));
  note.addEventListener("mouseenter", () => clearTimeout(timer));
  note.addEventListener("mouseleave", () => (timer = setTimeout(remove, SECONDS * 500)));
  return note;
}

/** Copy a text to the clipboard and say so. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    toast(t("shell.copied"));
  } catch {
    toast(t("shell.copy_failed"));
  }
}

/** Save a text as a file. */
export function download(name, text, type = "text/plain") {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = make("a", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
