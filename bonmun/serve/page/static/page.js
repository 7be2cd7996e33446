// The shell of every screen. Screens import what they need from here.

import { startKeys } from "./keys.js";
import { startLanguage, startTheme } from "./theme.js";

export { api, debounced, isAbort, Latest, Problem } from "./api.js";
export { byId, draw, emptyState, make, message } from "./elements.js";
export { key, listen, showHelp } from "./keys.js";
export { tabs } from "./tabs.js";
export { onTheme, theme } from "./theme.js";
export { copy, download, toast } from "./toasts.js";
export { bytes, day, duration, has, language, moment, number, percent, score, since, t } from "./words.js";

startTheme();
startLanguage();
startKeys();
