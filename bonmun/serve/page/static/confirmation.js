// A question before something is lost.

import { make } from "./elements.js";

/** Ask in a modal dialog; resolves to whether the person agreed. `words`: `{question, detail, yes, no}`. */
export function confirmed(words) {
  const no = make("button", { value: "no" }, words.no);
  const yes = make("button", { value: "yes", class: "danger" }, words.yes);
  const title = make("h2", { id: "confirmation-title" }, words.question);
  const form = make("form", { method: "dialog" }, title, make("p", {}, words.detail), make("div", { class: "row" }, no, yes));
  const dialog = make("dialog", { class: "confirmation", "aria-labelledby": "confirmation-title" }, form);
  document.body.append(dialog);
  dialog.showModal();
  no.focus();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
  });
}
