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
    const isDark = shown() === "dark";
    if (sheet) sheet.media = { dark: "screen", light: "not all" }[chosen()] ?? `screen and ${DARK}`;
    else {
      // The page that describes the interface has dark colours of its own, and no switch.
      document.documentElement.classList.toggle("dark-mode", isDark);
      document.documentElement.style.colorScheme = shown();
    }
    document.querySelector("[data-theme-switch]")?.setAttribute("aria-pressed", String(isDark));
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
      apply();
    } catch { /* The page stays as the system wishes. */ }
  });
})();
