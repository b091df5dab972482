// The own pages that were opened in this browser, so that they are found again from the tournament and
// from the start page. Nobody but this browser keeps them; a device of the staff keeps none, and who
// shares a device lets it forget.

import { keep, kept } from "../../clock/kept.js";

const STORE = "krru-own";
const MOST = 8;

const known = () => kept(STORE) ?? [];
const remember = (page) => {
  const others = known().filter(({ url, until }) => url !== page.url && until > Date.now());
  keep(STORE, [page, ...others].slice(0, MOST));
};
const forget = ({ url, until }) => remember({ url, until, isForgotten: true });

const here = document.getElementById("own-page");
const box = document.querySelector("[data-keeps-own-page]");
if (here) {
  const page = JSON.parse(here.textContent);
  const wasForgotten = known().find(({ url }) => url === page.url)?.isForgotten;
  if (!wasForgotten) remember(page);
  if (page.isForgotten) forget(page);
  if (box) {
    box.checked = !wasForgotten;
    box.closest("[hidden]").hidden = false;
    box.addEventListener("change", () => (box.checked ? remember(page) : forget(page)));
  }
}

const list = document.querySelector("[data-own-pages]");
const slug = list?.dataset.ownPages;
const pages = list ? known().filter((page) => !page.isForgotten && page.until > Date.now()) : [];
pages.filter((page) => page.url.startsWith("/p/") && (!slug || page.slug === slug)).forEach((page) => {
  const row = list.querySelector("template").content.firstElementChild.cloneNode(true);
  row.querySelector("[data-own=name]").textContent = page.name;
  row.querySelector("[data-own=where]").textContent = slug ? page.where : `${page.where} · ${page.event}`;
  row.querySelector("[data-own=url]").href = page.url;
  row.querySelector("[data-forget]").addEventListener("click", () => {
    forget(page);
    row.remove();
  });
  list.append(row);
  list.hidden = false;
});
