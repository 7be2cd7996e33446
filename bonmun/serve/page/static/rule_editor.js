// The templates of a site as forms: selectors to keep, to drop, and of fields. One selector in a line.

import { counted } from "./amounts.js";
import { day, make, t } from "./page.js";
import { healthLine, healthText } from "./site_health.js";

const FIELDS = ["title", "date", "author"];
let made = 0; // for ids

export class RuleEditor {
  #form;
  #saved;
  #changed;

  /** Show `templates` in `form`; `changed()` is called after every edit. */
  constructor(form, templates, changed) {
    this.#form = form;
    this.#saved = templates;
    this.#changed = changed;
    form.oninput = () => changed();
    form.onsubmit = (event) => event.preventDefault();
    this.#show();
  }

  /** The templates as they are edited. */
  get templates() {
    return this.#saved.map((template, index) => {
      const panel = this.#form.children[index];
      const values = (kind) => [...panel.querySelectorAll(`[data-kind=${kind}]`)].map((input) => input.value.trim()).filter(Boolean);
      const fields = [...panel.querySelectorAll("[data-kind=fields]")].map((input) => [input.dataset.field, input.value.trim()]);
      return { name: template.name, keep: values("keep"), drop: values("drop"), fields: Object.fromEntries(fields.filter(([, value]) => value)) };
    });
  }

  get isChanged() {
    const saved = this.#saved.map(({ name, keep, drop, fields }) => ({ name, keep, drop, fields }));
    return canonical(saved) !== canonical(this.templates);
  }

  /** Show the saved rules again. */
  discard() {
    this.#show();
    this.#changed();
  }

  /** Mark the selectors that problems `[{at, problem}]` are about; return the problems that are about none. */
  showProblems(problems) {
    for (const line of this.#form.querySelectorAll(".selector")) mark(line, "");
    return problems.filter(({ at, problem }) => {
      const input = this.#inputAt(at);
      if (input) mark(input.closest(".selector"), problem);
      return !input;
    });
  }

  /** Move the focus to the first selector with a problem. */
  focusProblem() {
    this.#form.querySelector("[aria-invalid]")?.focus();
  }

  /** The input of a path such as `["body", "templates", 0, "keep", 2]`: empty lines were not sent and do not count. */
  #inputAt(at) {
    const start = at.indexOf("templates");
    if (start < 0) return null;
    const [template, kind, key] = at.slice(start + 1);
    const inputs = [...(this.#form.children[template]?.querySelectorAll(`[data-kind=${kind}]`) ?? [])].filter((input) => input.value.trim());
    return kind === "fields" ? inputs.find((input) => input.dataset.field === key) : inputs[key];
  }

  #show() {
    this.#form.replaceChildren(...this.#saved.map((template) => this.#panel(template)));
  }

  #panel(template) {
    const names = [...new Set([...FIELDS, ...Object.keys(template.fields)])];
    const lines = names.map((name) => this.#line("fields", template.fields[name] ?? "", name));
    const fields = make("fieldset", { class: "selectors fields" }, make("legend", {}, t("sites.fields")), ...lines);
    return make("section", { class: "panel template" }, head(template),
      make("div", { class: "panel-body" }, this.#group("keep", template.keep), this.#group("drop", template.drop), fields));
  }

  #group(kind, selectors) {
    const group = make("fieldset", { class: `selectors ${kind}` }, make("legend", {}, t(`sites.${kind}`)));
    const add = make("button", { type: "button", class: "small quiet add" }, `+ ${t("sites.add_selector")}`);
    add.addEventListener("click", () => {
      add.before(this.#line(kind, ""));
      add.previousElementSibling.querySelector("input").focus();
    });
    group.append(...selectors.map((selector) => this.#line(kind, selector)), add);
    return group;
  }

  #line(kind, value, field = null) {
    made += 1;
    const name = field ? fieldName(field) : t(`sites.selector_${kind}`);
    const input = make("input", {
      type: "text", class: "mono", value, id: `selector-${made}`, "data-kind": kind, "data-field": field, spellcheck: "false",
      autocapitalize: "off", "aria-label": field ? null : name, placeholder: field ? t("sites.by_itself") : null, maxlength: "2000",
    });
    const line = make("div", { class: "selector" });
    if (field) line.append(make("label", { for: input.id }, name), input);
    else line.append(make("span", { class: "selector-sign", "aria-hidden": "true" }, kind === "keep" ? "✓" : "–"), input, this.#remover(line, name));
    return line;
  }

  #remover(line, name) {
    const remove = make("button", { type: "button", class: "icon", title: t("sites.remove_selector"), "aria-label": `${t("sites.remove_selector")}: ${name}` }, "✕");
    remove.addEventListener("click", () => {
      const next = line.nextElementSibling;
      line.remove();
      (next.querySelector("input") ?? next).focus();
      this.#changed();
    });
    return remove;
  }
}

function head(template) {
  const facts = [counted("sites.learned_from", template.pages), template.valid_from && t("sites.valid_since", { day: day(template.valid_from) })];
  return make("div", { class: "panel-head" },
    make("h3", {}, template.name), state(template),
    make("span", { class: "fine" }, facts.filter(Boolean).join(" · ")),
    make("span", { class: "push", title: template.health.length ? healthText(template.health) : null }, healthLine(template.health)),
    template.stale ? make("p", { class: "fine stale" }, template.stale) : null);
}

function state(template) {
  if (template.valid_until) return make("span", { class: "pill" }, t("sites.replaced", { day: day(template.valid_until) }));
  if (template.stale) return make("span", { class: "pill warn" }, t("sites.stale"));
  return make("span", { class: "pill keep" }, t("sites.in_use"));
}

function fieldName(field) {
  return FIELDS.includes(field) ? t(`sites.field_${field}`) : field;
}

/** Write what is wrong under the selector; nothing for an empty text. */
function mark(line, problem) {
  const input = line.querySelector("input");
  line.querySelector(".selector-problem")?.remove();
  input.removeAttribute("aria-invalid");
  input.removeAttribute("aria-describedby");
  if (!problem) return;
  const id = `${input.id}-problem`;
  input.setAttribute("aria-invalid", "true");
  input.setAttribute("aria-describedby", id);
  line.append(make("p", { class: "selector-problem", id, role: "alert" }, problem));
}

function canonical(templates) {
  const sorted = (fields) => Object.fromEntries(Object.entries(fields).sort());
  return JSON.stringify(templates.map((template) => ({ ...template, fields: sorted(template.fields) })));
}
