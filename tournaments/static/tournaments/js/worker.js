// The service worker of the page on the home screen. Its scope is that page alone: no other page ever
// passes here, so none can be old. It keeps the page with its files, and shows pushes.

const STORE = "krru-start";
const PAGE = new URL("./", location).href;
const LINKS = /(?:href|src)="(\/static\/[^"#]+)"|url\("?([^")]+)"?\)|from "([^"]+)"|import "([^"]+)"/g;
const WAITS_MS = 4000;

const isPage = (url) => url.split(/[?#]/)[0] === PAGE;
const isText = (answer) => /html|css|javascript/.test(answer.headers.get("Content-Type") ?? "");

// Keep a file and all that it names. What has failed is fetched when it is asked for.
const keepAll = async (url, known, cache) => {
  if (known.has(url) || !url.startsWith(location.origin)) return;
  known.add(url);
  const answer = await fetch(url, { cache: "no-cache" }).catch(() => null);
  if (!answer?.ok) return;
  await cache.put(url, answer.clone());
  if (!isText(answer)) return;
  const text = await answer.text();
  const found = [...text.matchAll(LINKS)].map((parts) => parts.slice(1).find(Boolean));
  await Promise.all(found.map((name) => keepAll(new URL(name, url).href, known, cache)));
};
const keepPage = async () => {
  const cache = await caches.open(STORE);
  const known = new Set();
  await keepAll(PAGE, known, cache);
  const kept = await cache.keys();
  if (known.size > 1) await Promise.all(kept.filter(({ url }) => !known.has(url)).map((one) => cache.delete(one)));
};

addEventListener("install", (event) => event.waitUntil(keepPage().then(() => skipWaiting())));
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

const page = async (event) => {
  try {
    const answer = await fetch(PAGE, { signal: AbortSignal.timeout(WAITS_MS) });
    if (!answer.ok) throw new Error(String(answer.status));
    event.waitUntil(keepPage());
    return answer;
  } catch {
    return (await caches.match(PAGE)) ?? Response.error();
  }
};

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  if (isPage(request.url)) event.respondWith(page(event));
  else if (new URL(request.url).pathname.startsWith("/static/")) {
    event.respondWith(fetch(request).catch(async () => (await caches.match(request)) ?? Response.error()));
  }
});

addEventListener("push", (event) => {
  const { title, text, url, silent, tag } = event.data.json();
  event.waitUntil(registration.showNotification(title, {
    body: text, tag, silent, renotify: !silent, data: { url },
  }));
});
addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { url } = event.notification.data;
  const lead = async () => {
    const pages = await clients.matchAll({ type: "window", includeUncontrolled: true });
    const open = pages.find((one) => one.url.split("#")[0] === url);
    return open ? open.focus() : clients.openWindow(url);
  };
  event.waitUntil(lead());
});
