// Arrow keys in a list of links or buttons: down and up move the focus, Home and End go to its ends.

/**
 * Listen on `list`, whose items match `selector`. From `input`, arrow down enters the list; arrow up on the first item
 * returns there.
 */
export function listKeys(list, selector, input = null) {
  const items = () => [...list.querySelectorAll(selector)];
  list.addEventListener("keydown", (event) => {
    const all = items();
    const here = all.indexOf(document.activeElement);
    if (here < 0) return;
    if (event.key === "ArrowUp" && here === 0 && input) {
      event.preventDefault();
      input.focus();
      return;
    }
    const target = { ArrowDown: all[here + 1], ArrowUp: all[here - 1], Home: all[0], End: all.at(-1) }[event.key];
    if (!target) return;
    event.preventDefault();
    target.focus();
  });
  input?.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowDown" || !items().length) return;
    event.preventDefault();
    items()[0].focus();
  });
}
