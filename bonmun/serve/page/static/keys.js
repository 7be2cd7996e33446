// Keys of the screens. Every one is in the list that `?` opens; single keys can be turned off there.

import { byId, make } from "./elements.js";
import { t } from "./words.js";

const OFF = "bonmun-keys-off";
const registered = [];
const screens = { e: "/", c: "/compare", s: "/sites", a: "/archive", j: "/jobs" };
let waiting = ""; // the first key of two

/**
 * Register a key: `key("x", "flips the block", action)`. Several names for one action: `["n", "ArrowDown"]`.
 * `action(event)` returns false if it did nothing; otherwise the browser's own action is prevented. Without a text it is not
 * listed.
 */
export function key(names, text, action) {
  registered.push({ names: [names].flat(), text, action });
}

/** Handle the keys of another document too: that of a frame. */
export function listen(target) {
  target.addEventListener("keydown", pressed);
}

/** Whether keys go to a field. */
function isTyping(target) {
  return Boolean(target?.closest?.("input:not([type=checkbox], [type=radio], [type=button], [type=range]), textarea, select, [contenteditable]"));
}

function pressed(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const isEscape = event.key === "Escape";
  if (isEscape && isTyping(event.target)) event.target.blur();
  if ((isTyping(event.target) && !isEscape) || localStorage.getItem(OFF) || document.querySelector("dialog[open]")) return;
  const first = waiting;
  waiting = "";
  if (first === "g" && screens[event.key]) {
    location.assign(screens[event.key]);
    return;
  }
  if (event.key === "g") waiting = "g";
  for (const { names, action } of registered) {
    if (names.includes(event.key) && action(event) !== false) {
      event.preventDefault();
      return;
    }
  }
}

function shown(name) {
  return { " ": "Space", ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→", Escape: "Esc" }[name] || name;
}

function listed() {
  const lines = registered.filter(({ text }) => text).map(({ names, text }) => [names.map((name) => make("kbd", {}, shown(name))), text]);
  lines.push([[make("kbd", {}, "g"), ` ${t("shell.key_then")} `, ...Object.keys(screens).map((name) => make("kbd", {}, name))], t("shell.key_screens")]);
  lines.push([[make("kbd", {}, "Esc")], t("shell.key_escape")]);
  return lines.flatMap(([names, text]) => [make("dt", {}, ...names), make("dd", {}, text)]);
}

/** Open the list of keys. */
export function showHelp() {
  byId("keys").replaceChildren(...listed());
  byId("help").showModal();
}

/** Start: listen to the document and wire the help dialog. */
export function startKeys() {
  listen(document);
  key("?", t("shell.key_help"), showHelp);
  byId("help-button").addEventListener("click", showHelp);
  const box = byId("keys-on");
  box.checked = !localStorage.getItem(OFF);
  box.addEventListener("change", () => (box.checked ? localStorage.removeItem(OFF) : localStorage.setItem(OFF, "1")));
  const dialog = byId("help");
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
}
