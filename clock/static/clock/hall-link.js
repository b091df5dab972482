// A paired screen's line to the director: what it is to show, and what it tells of itself.
//
// It hears of changes by its own stream. It reports when the stream (re)connects and when its own
// state changes, and is silent otherwise. Only while no stream gets through does it report every
// half minute instead (slow.js), and learns from the answer what it would have heard.
// On document.body it dispatches `krru:screen` with what it is to show and how it is to sound.

import { NAMES, openStream, tell } from "./live.js";
import { askSlowly } from "./slow.js";

const SETTLE_MS = 400;
const setup = JSON.parse(document.getElementById("hall-link").textContent);
const { body } = document;
let config = setup.screen;
let delay = "";
let reported = "";
let settling = 0;
// Only a screen that shows an event sounds.
let sound = null;

// Event, language, and whether it belongs to anybody, are built into the page; the lobby is one of its own.
const isAnotherPage = (fresh) => (
  ["is_claimed", "event", "language"].some((name) => fresh[name] !== config[name])
  || (fresh.shows === "lobby") !== (config.shows === "lobby")
);

const apply = (fresh) => {
  if (fresh.version < config.version) return;
  if (isAnotherPage(fresh)) return void location.reload();
  if (fresh.version > config.version) sound?.configure(fresh);
  config = fresh;
  body.dataset.theme = config.theme;
  tell("screen", config);
};

const soundState = () => {
  if (!sound) return "";
  if (sound.settings().quiet) return "off";
  return sound.state() === "loading" ? "" : sound.state();
};
const own = () => ({
  sound: soundState(),
  delay,
  visible: document.visibilityState === "visible" ? "1" : "0",
  face: config.is_claimed ? config.shows : "code",
});

const report = async () => {
  const told = own();
  const answer = await fetch(setup.report_url, {
    method: "POST",
    headers: { "X-CSRFToken": setup.csrf_token },
    body: new URLSearchParams(told),
  });
  if (answer.status === 403) location.reload();
  if (!answer.ok) throw new Error(answer.status);
  reported = JSON.stringify(told);
  return answer.json();
};

const reportIfNew = () => {
  clearTimeout(settling);
  settling = setTimeout(() => {
    if (JSON.stringify(own()) === reported) return;
    report().then(({ screen }) => apply(screen)).catch(() => {});
  }, SETTLE_MS);
};

body.addEventListener("krru:probed", ({ detail }) => {
  const bounds = setup.delay_classes;
  delay = String(bounds.find((bound) => detail.trip <= bound) ?? bounds[bounds.length - 1]);
  reportIfNew();
});
body.addEventListener("krru:sound", reportIfNew);
body.addEventListener("krru:screen", reportIfNew);
document.addEventListener("visibilitychange", reportIfNew);

const asking = askSlowly(async () => {
  const { screen, event_version: version } = await report();
  apply(screen);
  if (version !== null) tell("acted", { version, changed: NAMES });
});

const openLink = (own = null) => {
  sound = own;
  asking.lose();
  openStream("screen", () => config.version, {
    message: ({ screen }) => apply(screen),
    hello: () => {
      asking.regain();
      reported = "";
      reportIfNew();
    },
    lost: () => report().then(({ screen }) => apply(screen)).catch(() => {}),
    down: asking.lose,
  });

  sound?.configure(config);
  tell("screen", config);
};

export { openLink };
