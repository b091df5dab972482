// Another language is another page: what was typed goes over to it, and where one was stays.

import { keep, kept } from "../../clock/kept.js";

const [STORE, WHERE] = ["krru-typed", "sessionStorage"];
const LASTS_MS = 10000;
const OWN = ["csrfmiddlewaretoken", "idempotency_key"];
const NOT_KEPT = ["file", "password", "submit"];

const formsHere = () => [...document.querySelectorAll("main form[method=post]")];
const fieldsOf = (form) => [...form.elements]
  .filter(({ name, type }) => name && !OWN.includes(name) && !NOT_KEPT.includes(type));
const isTicked = ({ type }) => type === "checkbox" || type === "radio";

const stateOf = (field) => (isTicked(field) ? field.checked : field.value);
const put = (field, state) => {
  if (isTicked(field)) field.checked = state;
  else if (field.type !== "hidden") field.value = state;
};

const keepAll = () => {
  const typed = formsHere().map((form) => [form.action, fieldsOf(form).map(stateOf)]);
  keep(STORE, { typed, top: scrollY, at: Date.now() }, WHERE);
};

const putBack = ({ typed, top, at: since }) => {
  sessionStorage.removeItem(STORE);
  if (Date.now() - since > LASTS_MS) return;
  formsHere().forEach((form) => {
    const [, states = []] = typed.find(([action]) => action === form.action) ?? [];
    const fields = fieldsOf(form);
    if (states.length === fields.length) fields.forEach((field, at) => put(field, states[at]));
  });
  scrollTo({ top, behavior: "instant" });
};

document.querySelector(".language-switch")?.addEventListener("submit", keepAll);
const before = kept(STORE, WHERE);
if (before !== null) putBack(before);
