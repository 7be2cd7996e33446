// Tabs: arrow keys move, the panel follows (ARIA Authoring Practices, "Tabs with automatic activation").

/**
 * Make tabs of a `[role=tablist]` whose buttons have `aria-controls`. `changed(id)` gets the id of the panel shown.
 * Returns { show(id), shown }.
 */
export function tabs(list, changed = () => {}) {
  const buttons = [...list.querySelectorAll("[role=tab]")];
  const panel = (button) => document.getElementById(button.getAttribute("aria-controls"));
  const choose = (button, focus) => {
    for (const each of buttons) {
      const on = each === button;
      each.setAttribute("aria-selected", String(on));
      each.tabIndex = on ? 0 : -1;
      panel(each).hidden = !on;
    }
    if (focus) button.focus();
    button.scrollIntoView({ block: "nearest", inline: "nearest" });
    changed(button.getAttribute("aria-controls"));
  };
  const moved = (event) => {
    const shown = buttons.filter((button) => !button.hidden);
    const at = shown.indexOf(event.target.closest("[role=tab]"));
    const step = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: shown.length - 1 }[event.key];
    if (at < 0 || step === undefined) return;
    event.preventDefault();
    choose(shown[(step + shown.length) % shown.length], true);
  };
  for (const button of buttons) button.addEventListener("click", () => choose(button, false));
  list.addEventListener("keydown", moved);
  const find = (id) => buttons.find((button) => button.getAttribute("aria-controls") === id);
  return {
    show: (id, focus = false) => choose(find(id), focus),
    get shown() {
      return buttons.find((button) => button.getAttribute("aria-selected") === "true")?.getAttribute("aria-controls");
    },
  };
}
