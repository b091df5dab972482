// Keeps the heads of the log that this browser was told, and says so for good when a later one does
// not go on from them: a writer into the database cannot change what phones have kept.
//
// The log is named by <body data-log…>; live.js tells of heads by `krru:head`. Kept in localStorage,
// for as many logs as KEPT_LOGS; where there is none, for as long as the page is open.

import { answered, extended, judged } from "./heads.js";

const PREFIX = "krru-log-";
const KEPT_LOGS = 20;
const KEPT_FORMER = 3;
const ASK_WITHIN_MS = 400;
const { body } = document;
const { log, logName: name, logUrl: url } = body.dataset;
const started = [Number(body.dataset.logSequence), body.dataset.logHead];
const find = (what) => document.querySelectorAll(`[data-log-${what}]`);
let memory = {};

const stored = () => {
  try {
    return Object.fromEntries(Object.entries(localStorage)
      .filter(([key]) => key.startsWith(PREFIX)).map(([key, text]) => [key, JSON.parse(text)]));
  } catch {
    return memory;
  }
};
const recordNow = () => (
  stored()[PREFIX + log] ?? memory[PREFIX + log] ?? { log: Number(log), name, kept: [], former: [], fault: null }
);
const write = (record) => {
  memory = { [PREFIX + log]: record };
  try {
    localStorage.setItem(PREFIX + log, JSON.stringify(record));
    const others = Object.entries(stored()).sort(([, one], [, other]) => one.at.localeCompare(other.at));
    others.slice(0, -KEPT_LOGS).forEach(([key]) => localStorage.removeItem(key));
  } catch { /* It is kept for as long as the page is open. */ }
  show();
};
const stamp = () => new Date().toISOString();

const showHead = ([sequence, head]) => find("shown").forEach((node) => {
  node.textContent = node.dataset.words.replace("%(sequence)s", sequence).replace("%(head)s", head);
});
const hide = (what, on) => find(what).forEach((node) => node.toggleAttribute("hidden", on));
const show = () => {
  const { kept, fault } = recordNow();
  hide("notice", fault === null);
  hide("take", kept.length === 0);
  if (fault) find("fault").forEach((node) => {
    node.textContent = node.dataset.words.replace("%(entry)s", fault.entry);
  });
};

let newest = started;
let asking = 0;
let wasConnected = false;

const keep = (head) => {
  const record = recordNow();
  const last = record.kept.at(-1);
  if (!last || head[0] > last[0]) write({ ...record, kept: extended(record.kept, head), at: stamp() });
};
const shout = (seen) => {
  const record = recordNow();
  if (record.fault) return;
  const [entry, head] = record.kept.at(-1);
  write({ ...record, at: stamp(), fault: { entry, head, seen: seen.slice(0, 2), found_at: stamp() } });
};

const ask = async (seen, isLive) => {
  const { kept, fault } = recordNow();
  if (fault || kept.length === 0) return;
  const numbers = [...new Set([kept.at(-1)[0], seen[0]])];
  const answer = await fetch(`${url}?${numbers.map((number) => `n=${number}`).join("&")}`, { cache: "no-store" });
  if (!answer.ok) throw new Error(answer.status);
  const { heads } = await answer.json();
  // Another page of this browser may have been told meanwhile.
  if (recordNow().kept.at(-1)?.[0] !== kept.at(-1)[0]) return;
  const verdict = answered(kept, seen, heads, isLive);
  if (verdict === "broken") shout(seen);
  if (verdict === "next") keep(seen);
};
// A whole hall asks when a server comes back: not all in the same instant.
const askSoon = (seen, isLive) => {
  clearTimeout(asking);
  const span = Math.max(ASK_WITHIN_MS, Number(body.dataset.spread ?? 0));
  asking = setTimeout(() => ask(seen, isLive).catch(() => {}), Math.random() * span);
};

const take = (head, isLive) => {
  if (head[0] === 0) return; // an event nothing was done at yet
  if (isLive || head[0] > newest[0]) {
    newest = head;
    showHead(head);
  }
  const { kept, fault } = recordNow();
  if (fault) return;
  const verdict = judged(kept, head, isLive);
  if (verdict === "next") keep(head);
  if (verdict === "ask") askSoon(head, isLive);
};
// Something may have passed by: is what is kept still there?
const check = () => {
  const last = recordNow().kept.at(-1);
  if (last) askSoon(last, false);
};

const takeAlong = () => {
  const told = { taken_at: stamp(), host: location.host, logs: Object.values({ ...memory, ...stored() }) };
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([JSON.stringify(told, null, 1)], { type: "application/json" }));
  link.download = `krru-${name}-${told.taken_at.slice(0, 10)}.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
};
// What was kept stays beside what is kept from now on.
const beginAnew = () => {
  const { fault, kept, former, ...record } = recordNow();
  const left = [...former, { ...fault, kept }].slice(-KEPT_FORMER);
  write({ ...record, kept: extended([], newest), former: left, fault: null, at: stamp() });
};

if (log) {
  document.addEventListener("click", ({ target }) => {
    if (target.closest("[data-log-take]")) takeAlong();
    if (target.closest("[data-log-seen]")) beginAnew();
  });
  body.addEventListener("krru:head", ({ detail }) => take(detail.head, detail.isLive));
  body.addEventListener("krru:change", ({ detail }) => {
    if (!detail.head) check();
  });
  body.addEventListener("krru:connected", () => {
    if (wasConnected) check();
    wasConnected = true;
  });
  addEventListener("storage", show);
  take(started, false);
  show();
}
