// A player's own page keeps in this browser what the page on the home screen shows offline: the seat
// and the clock. It keeps nothing where the page is not to be found again (own-pages.js).

const STORE = "krru-last";
const here = JSON.parse(document.getElementById("own-page")?.textContent ?? "null");
const clock = JSON.parse(document.getElementById("clock-data")?.textContent ?? "null");

const isKept = () => {
  try {
    const pages = JSON.parse(localStorage.getItem("krru-own")) ?? [];
    return pages.some(({ url, isForgotten }) => url === here.url && !isForgotten);
  } catch {
    return false;
  }
};
const figures = () => (
  document.querySelector("#card [data-own-seat]")?.dataset.ownSeat.split(" ") ?? []
);

const keep = () => {
  const [table = "", seat = ""] = figures();
  const { url, event, name, until } = here;
  try {
    if (isKept()) {
      localStorage.setItem(STORE, JSON.stringify({
        url, event, name, until, table, seat, clock, at: Date.now(),
      }));
    } else if (JSON.parse(localStorage.getItem(STORE))?.url === url) localStorage.removeItem(STORE);
  } catch {
    // A browser that keeps nothing.
  }
};

if (here) {
  const began = Date.now();
  const serverNow = clock?.now ?? 0;
  const keepNow = () => {
    if (clock) clock.now = serverNow + (Date.now() - began);
    keep();
  };
  document.body.addEventListener("krru:change", ({ detail }) => {
    if (detail.anchor && clock) clock.anchor = detail.anchor;
    keepNow();
  });
  document.body.addEventListener("htmx:afterSettle", keepNow);
  document.querySelector("[data-keeps-own-page]")?.addEventListener("change", keepNow);
  keepNow();
}
