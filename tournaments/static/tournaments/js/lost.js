// What a page asked for by itself and did not get, it asks for again: what stands there is stale
// until then, and the strip on top stays. A button that somebody pressed is not pressed again.

import { on, setOffline } from "./requests.js";

const { body } = document;
const [FIRST_MS, LONGEST_MS] = [2000, 30000];
const lost = new Map();
let timer = 0;
let wait = FIRST_MS;

const isOwn = ({ elt, target, requestConfig: { verb } }) => (
  verb === "get" && Boolean(target?.id) && !elt.matches("a, button, input, form") && !target.closest("dialog")
);

const again = () => {
  clearTimeout(timer);
  lost.forEach((one, id) => {
    const target = document.getElementById(id);
    if (!target) lost.delete(id);
    else if (!one.isAsked) {
      one.isAsked = true;
      // A failure comes here again by its event.
      htmx.ajax("GET", one.path, { source: one.elt.isConnected ? one.elt : target, target }).catch(() => {});
    }
  });
  if (lost.size === 0) body.removeAttribute("data-stale");
};

const lose = ({ detail }) => {
  if (!isOwn(detail) || (detail.xhr.status >= 400 && detail.xhr.status < 500)) return;
  lost.set(detail.target.id, { elt: detail.elt, path: detail.requestConfig.path });
  body.setAttribute("data-stale", "");
  setOffline(true);
  clearTimeout(timer);
  timer = setTimeout(again, wait * (0.75 + Math.random() / 2));
  wait = Math.min(wait * 1.7, LONGEST_MS);
};
// What was given up for a newer question to the same address is not lost.
on("htmx:sendError htmx:timeout htmx:responseError", lose);

body.addEventListener("htmx:afterRequest", ({ detail }) => {
  const { target, successful, xhr } = detail;
  const isAnswered = successful || (xhr.status >= 400 && xhr.status < 500);
  if (!isAnswered || detail.requestConfig.verb !== "get" || !lost.delete(target?.id)) return;
  wait = FIRST_MS;
  if (lost.size > 0) return;
  body.removeAttribute("data-stale");
  setOffline(false);
});

on("krru:reached krru:connected", again);
["online", "pageshow"].forEach((name) => addEventListener(name, again));
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") again();
});
