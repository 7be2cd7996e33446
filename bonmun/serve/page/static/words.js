// The words of the interface, and numbers and dates as its language writes them.

const words = JSON.parse(document.getElementById("words")?.textContent || "{}");
export const language = document.documentElement.lang || "en";
/** The reader's variant of the language: British dates for a British reader. */
const locale = navigator.languages.find((name) => name.split("-")[0] === language) || language;

/** The text of a name, with {placeholders} replaced; numbers are written as the language does. */
export function t(name, values = {}) {
  const text = words[name];
  if (text === undefined) {
    console.error(`no words for ${name}`);
    return name;
  }
  return text.replace(/\{(\w+)\}/g, (whole, key) => {
    const value = values[key];
    if (value === undefined) return whole;
    return typeof value === "number" ? number(value) : String(value);
  });
}

/** Whether there are words of a name: for names that come from data. */
export const has = (name) => name in words;

const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
const decimals = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
const shares = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 0 });
const moments = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
const days = new Intl.DateTimeFormat(locale, { dateStyle: "long" });
const ago = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });

export const number = (value) => (Number.isInteger(value) ? whole : decimals).format(value);
export const percent = (share) => shares.format(share);

/** A score between 0 and 1 with two decimals. */
const scores = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
export const score = (value) => scores.format(value);

/** A number of bytes: "120 kB". */
export function bytes(count) {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte"];
  let power = 0;
  while (count >= 1000 && power < units.length - 1) {
    count /= 1000;
    power += 1;
  }
  const format = { style: "unit", unit: units[power], unitDisplay: power ? "short" : "long", maximumFractionDigits: count < 10 ? 1 : 0 };
  return new Intl.NumberFormat(locale, format).format(count);
}

/** Seconds as "12 ms" or "1.4 s". */
export function duration(seconds) {
  const small = seconds < 1;
  const unit = small ? "millisecond" : "second";
  const format = { style: "unit", unit, unitDisplay: "short", maximumFractionDigits: small ? 0 : 1 };
  return new Intl.NumberFormat(locale, format).format(small ? seconds * 1000 : seconds);
}

/** A moment (ISO text, or seconds since 1970) with day and time; the text itself if it is none. */
export const moment = (value) => formatted(moments, value);

/** A day. A date without a time is not moved into another time zone. */
export function day(value) {
  if (/^\d{4}$/.test(value)) return value;
  return formatted(days, /^\d{4}-\d{2}-\d{2}$/.test(value) ? `${value}T00:00` : value);
}

function formatted(format, value) {
  const date = new Date(typeof value === "number" ? value * 1000 : value);
  return Number.isNaN(date.getTime()) ? String(value ?? "") : format.format(date);
}

/** How long ago: "3 hours ago". */
export function since(value) {
  const date = new Date(typeof value === "number" ? value * 1000 : value);
  const seconds = (date.getTime() - Date.now()) / 1000;
  if (Number.isNaN(seconds)) return String(value ?? "");
  const steps = [["year", 31557600], ["month", 2629800], ["day", 86400], ["hour", 3600], ["minute", 60]];
  for (const [unit, size] of steps) {
    if (Math.abs(seconds) >= size) return ago.format(Math.round(seconds / size), unit);
  }
  return ago.format(Math.round(seconds), "second");
}
