// A form that is half filled in stays so, and the page where it was, when somebody changes the language.

const STORE = "krru-typed";
const fields = () => [...document.querySelectorAll("main form :is(input, select, textarea)")]
  .filter(({ name, type }) => name && !["hidden", "file"].includes(type));

document.addEventListener("submit", ({ target }) => {
  if (!target.matches(".language-switch")) return;
  const typed = fields().map(({ name, value, checked }) => [name, value, checked]);
  try {
    sessionStorage.setItem(STORE, JSON.stringify({ path: location.pathname, y: scrollY, typed }));
  } catch {
    // A browser that keeps nothing.
  }
});

const fill = ({ y, typed }) => {
  fields().forEach((field, index) => {
    const [name, value, checked] = typed[index] ?? [];
    if (name !== field.name) return;
    if (["checkbox", "radio"].includes(field.type)) field.checked = checked;
    else field.value = value;
  });
  scrollTo(0, y);
};

try {
  const kept = JSON.parse(sessionStorage.getItem(STORE));
  sessionStorage.removeItem(STORE);
  if (kept?.path === location.pathname) fill(kept);
} catch {
  // Nothing was kept.
}
