// A question before something is lost.

import { make } from "./elements.js";
import { t } from "./words.js";

/** Ask in a modal dialog; resolves to whether the person agreed. `action` is the label of the button that does it. */
export function confirmed(question, detail, action) {
  const no = make("button", { value: "no" }, t("shell.cancel"));
  const yes = make("button", { value: "yes", class: "danger" }, action);
  const title = make("h2", { id: "confirmation-title" }, question);
  const form = make("form", { method: "dialog" }, title, make("p", {}, detail), make("div", { class: "row" }, no, yes));
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
