// What the last own page of this browser left behind. With a connection it leads there at once; without
// one it shows the seat, and hands the clock to strip.js.

import { kept } from "../../clock/kept.js";

const ASKS_MS = 4000;
const { body } = document;

const write = (name, text) => {
  body.querySelector(`[data-start=${name}]`).textContent = text;
};
const show = (name) => { body.querySelector(name).hidden = false; };

const found = kept("krru-last");
const last = found?.url.startsWith("/p/") && found.until > Date.now() ? found : null;
if (last) {
  ["event", "name", "table"].forEach((name) => write(name, last[name]));
  write("number", last.seat);
  const time = new Intl.DateTimeFormat(document.documentElement.lang, { hour: "2-digit", minute: "2-digit" });
  write("at", time.format(last.at));
  if (last.table) show("[data-start=seat]");
  show("#start-last");
  if (last.clock) {
    const clock = { ...last.clock, now: last.clock.now + (Date.now() - last.at) };
    body.append(Object.assign(document.createElement("script"), {
      type: "application/json", id: "clock-data", textContent: JSON.stringify(clock),
    }));
    show("#start-clock");
  }
}

const away = () => {
  if (last) show("[data-start=away]");
};
const look = async () => {
  const answer = await fetch("/health/", { signal: AbortSignal.timeout(ASKS_MS), cache: "no-store" });
  if (!answer.ok) throw new Error(`health: ${answer.status}`);
  if (last) location.replace(last.url);
};
const tryAgain = () => look().catch(away);

navigator.serviceWorker?.register(body.dataset.worker).catch(() => {
  // Plain http, or a private window: the page is then there with a connection only.
});
addEventListener("online", tryAgain);
tryAgain();
