// An overlay shows what was told data-delay ms ago: of each change it fetches itself again as much
// later. #overlay[data-waits] says in how many ms more is told that was known when it was written.

const { body } = document;
const at = () => document.getElementById("overlay");
const { delay } = JSON.parse(document.getElementById("clock-data").textContent);
const SLACK_MS = 60;
let timers = [];
let isAway = false;

const refresh = async () => {
  const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  at().replaceWith(page.getElementById("overlay"));
  document.getElementById("clock-data").replaceWith(page.getElementById("clock-data"));
  timers.forEach(clearTimeout);
  timers = [];
  plan();
  body.dispatchEvent(new CustomEvent("krru:written"));
};
const later = (ms) => {
  timers.push(setTimeout(() => refresh().catch(() => later(2000)), Math.max(ms, 0) + SLACK_MS));
};
const plan = () => at().dataset.waits.split(" ").filter(Boolean).map(Number).forEach(later);

body.addEventListener("krru:change", () => later(delay));
body.addEventListener("krru:disconnected", () => {
  isAway = true;
});
body.addEventListener("krru:connected", () => {
  if (isAway) later(0);
  isAway = false;
});
plan();
