// The stream of changes: `openStream`, and the one that every page has, by
// <body data-stream data-version>. The pages of a browser share one connection (share.js, at
// <body data-worker>) where it has shared workers; a page that is hidden lets go.
//
// On document.body it dispatches `krru:change` at once, with all that was told (version, changed,
// anchor …), then, with a little jitter so that ten thousand phones do not ask in the same instant,
// `krru:<name>` for each thing that changed, for hx-trigger="krru:tables from:body". When changes may
// have been missed, all names are dispatched. Also `krru:time` {now}, the server's time,
// `krru:head` {head}, that of the log (notary.js), `krru:connected` and `krru:disconnected`. It
// fetches nothing itself but a new token when the old one has run out.
//
// Pages that thousands have open say over how many milliseconds they spread: <body data-spread>. One
// person's page, <body data-own>, gets `krru:own` at once when a change names it, and else is quiet.
// The page of one table, <body data-stream-table>, hears nothing of a hand at another; in a large hall,
// <body data-stream-hall>, it hears `krru:hall` of an out or a move there, late and together.

const JITTER_MS = 300;
// What may be told late: lists that are only looked at.
const LAZY = new Set(["list", "places"]);
const LAZINESS = 3;
const HALL_MS = 60000;
const WOKEN_MS = 5000;
const RETRY_MS = 2000;
const LONGEST_RETRY_MS = 30000;
// Three keep-alives missed: the connection is dead, whatever the browser believes.
const SILENCE_MS = 48000;
const HIDDEN_MS = 10000;
const HEARD = ["message", "hello", "now", "lost"];

const { body } = document;
// Which names there are says the page: <body data-topics>. "own" is made here.
const NAMES = [...(body.dataset.topics ?? "").split(" "), "own"];

// A token lives for a day. The page that was opened with it knows where to get the next.
const renewToken = async (token) => {
  const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  body.dataset[token] = page.body.dataset[token] ?? body.dataset[token];
};

// A wall is hidden by whatever lies over it. Alone in its browser, as in most halls, it shares nothing.
const isWall = body.matches(".big-screen, .pairing");
const isHidden = () => document.visibilityState === "hidden" && !isWall;
// A player who is to be called keeps the stream, unless nothing is shared and another page needs it.
const isCalled = () => document.querySelector("[data-buzz]:checked") !== null;
let canShare = body.dataset.worker !== undefined && typeof SharedWorker !== "undefined";
let shares = canShare && !isWall;
const pages = new BroadcastChannel("krru-pages");

// `hear` takes the name of an event and its data; of "error", whether the server refused.
const connect = (address, version, hear) => {
  if (shares) {
    const { port } = Object.assign(new SharedWorker(body.dataset.worker), {
      onerror: () => {
        [canShare, shares] = [false, false];
        hear("error", true);
      },
    });
    port.onmessage = ({ data: [name, data] }) => {
      if (name === "now") port.postMessage("here");
      hear(name, data);
    };
    port.postMessage({ address, version });
    return { close: () => port.postMessage("gone") };
  }
  const source = new EventSource(`${address}?v=${version}`);
  HEARD.forEach((name) => source.addEventListener(name, ({ data }) => hear(name, data)));
  // The browser tries again by itself unless the server refused.
  source.addEventListener("error", () => hear("error", source.readyState === EventSource.CLOSED));
  return source;
};

// Keep one stream open, by the address in data-<token>. `on` takes what is heard: message,
// hello {now, version}, time, lost, down.
const openStream = (token, version, on) => {
  let source = null;
  let failures = 0;
  let silence = 0;
  let reopening = 0;
  let hiding = 0;
  let isShared = false;

  const heard = {
    message: (data) => on.message(JSON.parse(data)),
    hello: (data) => {
      failures = 0;
      on.hello(JSON.parse(data));
    },
    // Without a version something may have passed by; with one, that version is what was missed.
    lost: (data) => on.lost(JSON.parse(data).version ?? null),
    now: (data) => on.time?.(Number(data)),
  };

  const close = () => {
    [silence, reopening, hiding].forEach(clearTimeout);
    source?.close();
    source = null;
  };
  const open = () => {
    if (source || !body.dataset[token]) return;
    isShared = shares;
    const opened = connect(body.dataset[token], version(), (name, data) => {
      if (source !== opened) return;
      if (name === "error") {
        on.down();
        if (data) retry();
        return;
      }
      clearTimeout(silence);
      silence = setTimeout(reopen, SILENCE_MS);
      heard[name](data);
    });
    source = opened;
    silence = setTimeout(reopen, SILENCE_MS);
  };
  const reopen = () => {
    close();
    on.down();
    open();
  };
  const retry = () => {
    close();
    failures += 1;
    const wait = Math.min(RETRY_MS * 2 ** (failures - 1), LONGEST_RETRY_MS);
    reopening = setTimeout(
      () => renewToken(token).catch(() => {}).finally(open),
      wait * (0.5 + Math.random()),
    );
  };

  pages.addEventListener("message", ({ data }) => {
    if (data === "looked at") pages.postMessage("there");
    if (canShare && isWall && source !== null && !isShared) {
      shares = true;
      close();
      open();
    } else if (!shares && isHidden() && data === "looked at") close();
  });
  const look = () => {
    if (isHidden()) return;
    clearTimeout(hiding);
    pages.postMessage("looked at");
    open();
  };
  addEventListener("pagehide", close);
  addEventListener("pageshow", look);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") look(); // a wall, too, is hidden when it is left
    else if (isHidden()) hiding = setTimeout(() => isCalled() || close(), HIDDEN_MS);
  });
  look();
};

// ---- the page's own ----------------------------------------------------------------------

const own = Number(body.dataset.own ?? 0);
const table = Number(body.dataset.streamTable ?? 0);
const spread = Math.max(JITTER_MS, Number(body.dataset.spread ?? 0));
let known = Number(body.dataset.version);
let wasConnected = false;
let wokenAt = 0;

const tell = (name, detail) => body.dispatchEvent(new CustomEvent(`krru:${name}`, { detail }));

// Names that wait are told together, once, at some instant within a span.
const makeQueue = (span) => {
  let pending = new Set();
  const tellPending = () => {
    const names = pending;
    pending = new Set();
    names.forEach((name) => tell(name, { version: known }));
  };
  return (names) => {
    if (names.length > 0 && pending.size === 0) setTimeout(tellPending, Math.random() * span);
    names.forEach((name) => pending.add(name));
  };
};
const tellSoon = makeQueue(JITTER_MS);
const tellSpread = makeQueue(spread);
const tellLazily = makeQueue(spread * LAZINESS);

// What happens at one table is no news for the page of another: 40 phones do not ask at each tap.
const tellHall = makeQueue(HALL_MS);
const ofOneTable = new Set(body.dataset.streamHall === undefined ? ["hands"] : ["hands", "tables"]);
const isElsewhere = (name, { ranks }) => (
  ofOneTable.has(name) && table > 0 && ranks !== undefined && !ranks.includes(table)
);

// A message names its readers: it is not spread.
const isForOne = (name) => name.startsWith("messages-");

const change = (detail) => {
  tell("change", detail);
  const told = [...detail.changed, ...detail.also ?? []];
  const names = told.filter((name) => !isElsewhere(name, detail));
  if (told.includes("tables") && !names.includes("tables")) tellHall(["hall"]);
  if (detail.whose === "all") names.push("own");
  else if (own > 0 && detail.whose?.includes(own)) tell("own", { version: known });
  tellSoon(names.filter(isForOne));
  tellLazily(names.filter((name) => LAZY.has(name)));
  tellSpread(names.filter((name) => !isForOne(name) && !LAZY.has(name)));
};

// Somebody who takes a phone out again looks at it; when a server comes back, they all ask.
const tellAll = () => (Date.now() - wokenAt < WOKEN_MS ? tellSoon : tellSpread)(NAMES);

const changeAll = (version) => {
  known = Math.max(known, version);
  tell("change", { version: known, changed: NAMES });
  tellAll();
};

const take = (detail) => {
  if (detail.version <= known) return;
  const hasGap = detail.version > known + 1;
  known = detail.version;
  if (hasGap) {
    tell("change", { ...detail, changed: NAMES });
    tellAll();
  } else change(detail);
};

// What was missed has come before; the newest version the server knows shows whether it was all.
const hello = ({ now, version }) => {
  const isReturn = wasConnected;
  wasConnected = true;
  tell("connected", {});
  tell("time", { now });
  if (version === null ? isReturn : version > known) changeAll(version ?? known);
};

// The answer to this page's own action may come before the stream does. Who pressed something
// on it has been shown already what became of it.
body.addEventListener("krru:acted", ({ detail }) => take(own > 0 ? { ...detail, whose: [] } : detail));
document.addEventListener("visibilitychange", () => {
  wokenAt = document.visibilityState === "visible" ? Date.now() : 0;
});
addEventListener("pageshow", () => { wokenAt = Date.now(); });

openStream("stream", () => known, {
  // Before anything else, and whatever the version: a log that went back has older ones.
  message: (detail) => {
    if (detail.head) tell("head", { head: detail.head, isLive: true });
    take(detail);
  },
  hello,
  time: (now) => tell("time", { now }),
  lost: (version) => {
    if (version === null || version > known) changeAll(version ?? known);
  },
  down: () => tell("disconnected", {}),
});

export { NAMES, openStream, tell };
