// Dark or light: as the system wishes, until somebody presses the switch on this device.
//
// Loaded before anything is drawn, so that no page flashes white in a dark bar. A press that asks
// for what the system wishes anyway forgets the choice, and the page follows the system again.

(() => {
  const STORE = "krru-theme";
  const DARK = "(prefers-color-scheme: dark)";
  const sheet = document.getElementById("dark");
  const bySystem = () => (matchMedia(DARK).matches ? "dark" : "light");
  const chosen = () => {
    try {
      return localStorage.getItem(STORE);
    } catch {
      return null; // a browser that keeps nothing follows the system
    }
  };
  const shown = () => chosen() ?? bySystem();

  const apply = () => {
    const choice = chosen();
    sheet.media = { dark: "screen", light: "not all" }[choice] ?? `screen and ${DARK}`;
    const button = document.querySelector("[data-theme-switch]");
    if (button) button.setAttribute("aria-pressed", String(shown() === "dark"));
  };

  apply();
  document.addEventListener("DOMContentLoaded", apply);
  addEventListener("storage", apply);
  matchMedia(DARK).addEventListener("change", apply);
  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-theme-switch]")) return;
    const wanted = shown() === "dark" ? "light" : "dark";
    try {
      if (wanted === bySystem()) localStorage.removeItem(STORE);
      else localStorage.setItem(STORE, wanted);
    } catch {
      return;
    }
    apply();
  });
})();
