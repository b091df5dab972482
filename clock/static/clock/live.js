// The stream of changes: `krru.openStream`, and the one that every page has, by
// <body data-stream data-version>.
//
// On document.body it dispatches `krru:change` at once, with {version, changed, anchor}, then, with
// a little jitter so that ten thousand phones do not ask in the same instant, `krru:<name>` for each
// thing that changed, for hx-trigger="krru:tables from:body". When changes may have been missed, all
// names are dispatched. Also `krru:time` {now}, the server's time, and `krru:connected` and
// `krru:disconnected`. It fetches nothing itself but a new token when the old one has run out.
"use strict";

(() => {
  const NAMES = [
    "bubble", "clock", "conduct", "entries", "hands", "log", "registrations", "settings", "tables",
  ];
  const JITTER_MS = 300;
  const RETRY_MS = 2000;
  const LONGEST_RETRY_MS = 30000;
  // Three keep-alives missed: the connection is dead, whatever the browser believes.
  const SILENCE_MS = 48000;

  const { body } = document;

  // A token lives for a day. The page that was opened with it knows where to get the next.
  const renewToken = async (token) => {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    body.dataset[token] = page.body.dataset[token] ?? body.dataset[token];
  };

  // Keep one stream open, by the address in data-<token>. `on` takes what is heard: message,
  // hello {now, version}, time, lost, down.
  const openStream = (token, version, on) => {
    let source = null;
    let failures = 0;
    let silence = 0;
    let reopening = 0;

    const heard = () => {
      clearTimeout(silence);
      silence = setTimeout(reopen, SILENCE_MS);
    };
    const onMessage = (event) => {
      heard();
      on.message(JSON.parse(event.data));
    };
    const onHello = (event) => {
      heard();
      failures = 0;
      on.hello(JSON.parse(event.data));
    };
    // Without a version something may have passed by; with one, that version is what was missed.
    const onLost = (event) => {
      heard();
      on.lost(JSON.parse(event.data).version ?? null);
    };
    const onNow = (event) => {
      heard();
      on.time?.(Number(event.data));
    };
    const onError = () => {
      on.down();
      // The browser tries again by itself unless the server refused.
      if (source && source.readyState === EventSource.CLOSED) retry();
    };

    const close = () => {
      clearTimeout(silence);
      clearTimeout(reopening);
      if (source) source.close();
      source = null;
    };
    const open = () => {
      if (source || !body.dataset[token]) return;
      source = new EventSource(`${body.dataset[token]}?v=${version()}`);
      source.addEventListener("message", onMessage);
      source.addEventListener("hello", onHello);
      source.addEventListener("now", onNow);
      source.addEventListener("lost", onLost);
      source.addEventListener("error", onError);
      heard();
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

    addEventListener("pagehide", close);
    addEventListener("pageshow", open);
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") open();
    });
    open();
  };

  // ---- the page's own ----------------------------------------------------------------------

  let known = Number(body.dataset.version);
  let wasConnected = false;
  let pending = new Set();

  const tell = (name, detail) => body.dispatchEvent(new CustomEvent(`krru:${name}`, { detail }));

  const tellPending = () => {
    const names = pending;
    pending = new Set();
    names.forEach((name) => tell(name, { version: known }));
  };

  const change = (detail) => {
    tell("change", detail);
    if (pending.size === 0) setTimeout(tellPending, Math.random() * JITTER_MS);
    detail.changed.forEach((name) => pending.add(name));
  };

  const changeAll = (version) => {
    known = Math.max(known, version);
    change({ version: known, changed: NAMES });
  };

  const take = (detail) => {
    if (detail.version <= known) return;
    const hasGap = detail.version > known + 1;
    known = detail.version;
    change(hasGap ? { ...detail, changed: NAMES } : detail);
  };

  // What was missed has come before; the newest version the server knows shows whether it was all.
  const hello = ({ now, version }) => {
    const isReturn = wasConnected;
    wasConnected = true;
    tell("connected", {});
    tell("time", { now });
    if (version === null ? isReturn : version > known) changeAll(version ?? known);
  };

  // The answer to this page's own action may come before the stream does.
  body.addEventListener("krru:acted", ({ detail }) => take(detail));

  openStream("stream", () => known, {
    message: take,
    hello,
    time: (now) => tell("time", { now }),
    lost: (version) => {
      if (version === null || version > known) changeAll(version ?? known);
    },
    down: () => tell("disconnected", {}),
  });

  globalThis.krru = { ...globalThis.krru, openStream };
})();
