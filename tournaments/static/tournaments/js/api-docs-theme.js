// Dark or light on the page that describes the interface, as on every other page (js/theme.js).
//
// Swagger UI has dark colours of its own, under a class of the document. It is set before anything
// is drawn. The page has no switch: it follows the choice made elsewhere, else the system.

(() => {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const chosen = () => {
    try {
      return localStorage.getItem("krru-theme");
    } catch {
      return null; // a browser that keeps nothing follows the system
    }
  };
  const apply = () => {
    const isDark = (chosen() ?? (system.matches ? "dark" : "light")) === "dark";
    document.documentElement.classList.toggle("dark-mode", isDark);
    document.documentElement.style.colorScheme = isDark ? "dark" : "light";
  };
  apply();
  addEventListener("storage", apply);
  system.addEventListener("change", apply);
})();
