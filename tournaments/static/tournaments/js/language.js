// Another language is another page: what was typed goes over to it, and where one was stays.

const KEPT = "krru-typed";
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

const keep = () => {
  const typed = formsHere().map((form) => [form.action, fieldsOf(form).map(stateOf)]);
  try {
    sessionStorage.setItem(KEPT, JSON.stringify({ typed, top: scrollY, at: Date.now() }));
  } catch {
    // A browser that keeps nothing begins the form anew.
  }
};

const taken = () => {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEPT));
    sessionStorage.removeItem(KEPT);
    return kept;
  } catch {
    return null;
  }
};

const putBack = () => {
  const kept = taken();
  if (kept === null || Date.now() - kept.at > LASTS_MS) return;
  formsHere().forEach((form) => {
    const [, states = []] = kept.typed.find(([action]) => action === form.action) ?? [];
    const fields = fieldsOf(form);
    if (states.length === fields.length) fields.forEach((field, at) => put(field, states[at]));
  });
  scrollTo({ top: kept.top, behavior: "instant" });
};

document.querySelector(".language-switch")?.addEventListener("submit", keep);
putBack();
