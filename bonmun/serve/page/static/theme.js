// Theme and language: remembered in cookies, so that the server sends the page right at once.

import { byId } from "./elements.js";
import { t } from "./words.js";

const SIGNS = { auto: "◐", light: "○", dark: "●" };
const YEAR = 365 * 24 * 3600;
const listeners = [];

const remember = (name, value) => (document.cookie = `${name}=${value}; path=/; max-age=${YEAR}; samesite=lax`);

/** The theme in force: "light" or "dark". */
export function theme() {
  const chosen = document.documentElement.dataset.theme;
  if (chosen !== "auto") return chosen;
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

/** Call a function with "light" or "dark" whenever the theme changes: for canvases and frames. */
export function onTheme(listener) {
  listeners.push(listener);
}

function label(button, choice) {
  button.textContent = SIGNS[choice];
  button.dataset.themeChoice = choice;
  const text = t("shell.theme", { theme: t(`shell.theme_${choice}`) });
  button.setAttribute("aria-label", text);
  button.title = text;
}

const tell = () => listeners.forEach((listener) => listener(theme()));

export function startTheme() {
  const button = byId("theme");
  label(button, button.dataset.themeChoice);
  button.addEventListener("click", () => {
    const order = Object.keys(SIGNS);
    const next = order[(order.indexOf(button.dataset.themeChoice) + 1) % order.length];
    document.documentElement.dataset.theme = next;
    remember("bonmun-theme", next);
    label(button, next);
    tell();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", tell);
}

/** The language switch keeps the address, and with it the state of the screen. */
export function startLanguage() {
  const address = new URL(location.href);
  if (address.searchParams.has("lang")) {
    address.searchParams.delete("lang");
    history.replaceState(history.state, "", address);
  }
  for (const link of document.querySelectorAll("[data-language]")) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      remember("bonmun-language", link.dataset.language);
      location.reload();
    });
  }
}
