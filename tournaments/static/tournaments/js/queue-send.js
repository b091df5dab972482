// Sends the taps that wait, in their order, one after another, as soon as the server answers again.
//
// A tap leaves the queue when it was answered. What the room has overtaken, or whose time is in
// doubt, becomes a question: nothing is applied in silence and nothing is lost.

import { keep, kept } from "../../clock/kept.js";
import * as queue from "./queue.js";
import * as store from "./queue-store.js";
import * as queueTime from "./queue-time.js";
import { newKey, on, reached, say, setOffline } from "./requests.js";

const { body } = document;
const { dataset: words } = document.getElementById("offline");
const PROBE_MS = 4000;
const SLOWEST_TRIP_MS = 3000;
const [FIRST_MS, LONGEST_MS] = [1000, 8000];
const MOST_FAILS = 3;
// What a colleague was quicker to enter: it is done, and nobody has to decide anything.
const KNOWN = new Set(["already_out", "already_away", "already_arrived", "already_reported", "called"]);

// A page that is read again goes on where it was, and does not wait for itself.
const page = kept("krru-page", "sessionStorage") ?? newKey();
keep("krru-page", page, "sessionStorage");

let denied = "";
let isRunning = false;
let timer = 0;
let wait = FIRST_MS;

const within = async (ms, url, options) => {
  const signal = AbortSignal.timeout(ms);
  const answer = await fetch(url, { ...options, cache: "no-store", signal });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};

// Whether the server answers at all, and what time it has. Throws when it does not.
const probe = async () => {
  const sent = performance.now();
  const { status, text } = await within(PROBE_MS, words.timeUrl);
  const trip = performance.now() - sent;
  if (status !== 200 || !Number(text) || trip > SLOWEST_TRIP_MS) return null;
  const mono = sent + trip / 2;
  const wall = Date.now() - trip / 2;
  queue.hear(Number(text), mono);
  return { server: Number(text), wall, mono };
};

const headerOf = (tap, fresh) => JSON.stringify({
  ...queueTime.timeOf(tap, fresh),
  version: tap.version,
  seats: tap.seats,
  withdrawn: tap.state === "withdrawn",
});

const post = (tap, fresh) => within(queueTime.TIMEOUT_MS, tap.url, {
  method: "POST",
  body: tap.body,
  headers: {
    "Content-Type": "application/x-www-form-urlencoded",
    "HX-Request": "true",
    "X-CSRFToken": document.querySelector("meta[name=csrf-token]").content,
    "X-Idempotency-Key": tap.key,
    "X-Tap": headerOf(tap, fresh),
  },
});

const said = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
};

const ask = (tap, reason, code = "") => store.change(tap.id, { state: "question", reason, code });

// Returns "sent", "asked", "later" or "stop".
const settle = async (tap, { status, text }) => {
  if (status >= 200 && status < 300) {
    const now = await store.change(tap.id, {});
    if (now?.state === "withdrawn") await ask(tap, words.arrived, "arrived");
    else await store.remove(tap.id);
    return "sent";
  }
  const { reason, code } = said(text);
  if (status === 403 && code === "denied") {
    denied = reason;
    return "stop";
  }
  if (code === "withdrawn") {
    await store.remove(tap.id);
    return "asked";
  }
  if (KNOWN.has(code)) {
    await store.remove(tap.id);
    say("words-sent", body).querySelector(".toast-text").textContent = words.known.replace("{what}", reason);
    return "sent";
  }
  if (status === 403 || status >= 500) {
    const fails = tap.fails + 1;
    if (fails < MOST_FAILS) {
      await store.change(tap.id, { fails });
      return "later";
    }
  }
  await ask(tap, reason ?? (status === 404 ? words.gone : words.broken), code);
  return "asked";
};

const tellAnswers = (sent, news) => {
  if (sent === 0) return;
  const text = sent === 1 ? words.sentOne : words.sentMany.replace("{n}", sent);
  say("words-sent", body).querySelector(".toast-text").textContent = text;
  if (news) body.dispatchEvent(new CustomEvent("krru:acted", { detail: news }));
};

const sendAll = async (fresh) => {
  let [sent, news] = [0, null];
  try {
    while (!denied && await store.lease(page)) {
      const tap = queueTime.next((await store.all()).filter(queue.isOurs), Date.now());
      if (!tap) return;
      await store.change(tap.id, { tried: true });
      const answer = await store.holding(page, () => post(tap, fresh));
      const outcome = await settle(tap, answer);
      if (outcome === "sent" && answer.status < 300) sent += 1;
      news = said(answer.headers.get("HX-Trigger"))?.["krru:acted"] ?? news;
      if (outcome === "later" || outcome === "stop") return;
    }
  } finally {
    await store.release(page);
    tellAnswers(sent, news);
  }
};

const ours = () => (denied ? [] : queue.taps().filter(queue.isOurs));

const attempt = async () => {
  clearTimeout(timer);
  if (isRunning) return;
  isRunning = true;
  try {
    const sentAt = performance.now();
    const fresh = await probe();
    reached(sentAt);
    if (ours().some(queue.isWaiting)) await sendAll(fresh);
  } catch {
    setOffline(true);
  } finally {
    isRunning = false;
  }
  wait = Math.min(wait * 1.5, LONGEST_MS);
  body.dispatchEvent(new CustomEvent("krru:queue"));
};

// One that is still under way may have been left behind by a page that is gone.
const plan = () => {
  if (isRunning) return;
  clearTimeout(timer);
  const taps = ours();
  if (queue.isAway() || queueTime.next(taps, Date.now())) {
    timer = setTimeout(attempt, wait * (0.75 + Math.random() / 2));
  } else if (taps.some(queue.isWaiting)) {
    timer = setTimeout(attempt, queueTime.FLIGHT_MS);
  }
};

const soon = () => {
  wait = FIRST_MS;
  attempt();
};
on("krru:connected krru:disconnected krru:lost-tap", soon);
on("krru:away krru:queue", plan);
// Each keep-alive is answered, so that the server knows until when this phone was there.
body.addEventListener("krru:time", () => probe().catch(() => {}));
addEventListener("online", soon);
addEventListener("pagehide", () => store.release(page));
addEventListener("pageshow", soon);
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") soon();
});

const whyDenied = () => denied;

export { whyDenied as denied, soon };
