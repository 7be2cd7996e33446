// The page at hand goes along when the reader changes between Extract and Compare.

const SCREENS = ["/", "/compare"];

/** Let the links to these screens name a page that the service has. */
export function carryPage(id) {
  for (const link of document.querySelectorAll(".screens a")) {
    if (SCREENS.includes(link.pathname) && !link.hasAttribute("aria-current")) link.search = `?page=${id}`;
  }
}
