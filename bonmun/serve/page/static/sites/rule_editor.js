// The templates of a site as forms: selectors to keep, to drop, and of fields. One selector in a line.

import { healthLine } from "./health.js";
import { counted } from "../amounts.js";
import { day, make, percent, t } from "../page.js";

const FIELDS = ["title", "date", "author"];
const SIGNS = { keep: "✓", drop: "–" };
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

  /** The templates that differ from the saved ones; the others keep their health if they are not sent. */
  get edits() {
    return this.#saved.map((template, index) => [template, this.#edited(template, index)])
      .filter(([template, edit]) => canonical(template) !== canonical(edit))
      .map(([, edit]) => edit);
  }

  #edited(template, index) {
    const panel = this.#form.children[index];
    const values = (kind) => [...panel.querySelectorAll(`[data-kind=${kind}]`)].map((input) => input.value.trim()).filter(Boolean);
    const fields = [...panel.querySelectorAll("[data-kind=fields]")].map((input) => [input.dataset.field, input.value.trim()]);
    return { name: template.name, keep: values("keep"), drop: values("drop"), fields: Object.fromEntries(fields.filter(([, value]) => value)) };
  }

  get isChanged() {
    return this.edits.length > 0;
  }

  /** Show the saved rules again. */
  discard() {
    this.#show();
    this.#changed();
  }

  /** Mark the templates without a selector to keep; return whether there is one. */
  showMissing() {
    this.showProblem();
    const isEmpty = (group) => [...group.querySelectorAll("input")].every((input) => !input.value.trim());
    const groups = [...this.#form.querySelectorAll("fieldset.keep")].filter(isEmpty);
    for (const group of groups) mark(group.querySelector(".selector") ?? this.#added(group), t("sites.keep_needed"));
    return groups.length > 0;
  }

  /** Mark the selector that a problem `{template, selector, detail}` is about; return whether it was found. Without one, unmark all. */
  showProblem({ template, selector, detail } = {}) {
    for (const line of this.#form.querySelectorAll(".selector")) mark(line, "");
    const panel = this.#form.children[this.#saved.findIndex(({ name }) => name === template)];
    const input = selector && [...(panel?.querySelectorAll("input") ?? [])].find((one) => one.value.trim() === selector);
    if (input) mark(input.closest(".selector"), detail);
    return Boolean(input);
  }

  /** Move the focus to the first selector with a problem. */
  focusProblem() {
    this.#form.querySelector("[aria-invalid]")?.focus();
  }

  #show() {
    this.#form.replaceChildren(...this.#saved.map((template) => this.#panel(template)));
  }

  #panel(template) {
    const lines = FIELDS.map((name) => this.#line("fields", template.fields[name] ?? "", name));
    const fields = make("fieldset", { class: "selectors fields" }, make("legend", {}, t("sites.fields")), ...lines);
    return make("section", { class: "panel template", "aria-label": template.name }, head(template),
      make("div", { class: "panel-body" }, this.#group("keep", template.keep), this.#group("drop", template.drop), texts(template), fields));
  }

  #group(kind, selectors) {
    const group = make("fieldset", { class: `selectors ${kind}` }, make("legend", {}, t(`sites.${kind}`)));
    const added = () => this.#added(group).querySelector("input").focus();
    const add = make("button", { type: "button", class: "small quiet add", onclick: added }, `+ ${t("sites.add_selector")}`);
    group.append(...selectors.map((selector) => this.#line(kind, selector)), add);
    return group;
  }

  /** Add an empty line to a group; return it. */
  #added(group) {
    group.lastElementChild.before(this.#line(group.classList.contains("keep") ? "keep" : "drop", ""));
    return group.lastElementChild.previousElementSibling;
  }

  #line(kind, value, field = null) {
    made += 1;
    const name = field ? t(`sites.field_${field}`) : t(`sites.selector_${kind}`);
    const input = make("input", {
      type: "text", class: "mono", value, id: `selector-${made}`, "data-kind": kind, "data-field": field, spellcheck: "false",
      autocapitalize: "off", "aria-label": field ? null : name, placeholder: field ? t("sites.by_itself") : null, maxlength: "1000",
    });
    const line = make("div", { class: "selector" });
    if (field) line.append(make("label", { for: input.id }, name), input);
    else line.append(make("span", { class: "selector-sign", "aria-hidden": "true" }, SIGNS[kind]), input, this.#remover(line, name));
    return line;
  }

  #remover(line, name) {
    const label = t("sites.remove_selector");
    const remove = make("button", { type: "button", class: "icon", title: label, "aria-label": `${label}: ${name}` }, "✕");
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
  const facts = [
    counted("sites.learned_from", template.pages),
    template.valid_from && t("sites.valid_since", { day: day(template.valid_from) }),
    template.any_shape && t("sites.any_shape"),
    t("sites.agreement", { share: percent(template.agreement) }),
  ];
  return make("div", { class: "panel-head" },
    make("h3", {}, template.name), state(template),
    make("span", { class: "push" }, healthLine(template.health)),
    make("p", { class: "fine" }, facts.filter(Boolean).join(" · ")),
    template.stale ? make("p", { class: "fine" }, template.stale) : null);
}

/** Texts that recur on the pages and are dropped; learned, not edited. */
function texts(template) {
  if (!template.texts.length) return null;
  return make("details", { class: "texts" }, make("summary", {}, counted("sites.texts", template.texts.length)),
    make("ul", {}, ...template.texts.map((text) => make("li", {}, text))));
}

function state(template) {
  if (template.valid_until) return make("span", { class: "pill" }, t("sites.replaced", { day: day(template.valid_until) }));
  if (template.stale) return make("span", { class: "pill warn" }, t("sites.stale"));
  return make("span", { class: "pill keep" }, t("sites.in_use"));
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

function canonical({ keep, drop, fields }) {
  return JSON.stringify([keep, drop, Object.entries(fields).sort()]);
}
