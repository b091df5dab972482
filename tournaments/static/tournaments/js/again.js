// Parts of a page that show themselves anew when the stream tells of a change, for a page that comes
// without the library: <div data-again="address" data-again-on="names" data-again-parts="ids">.

import { setOffline } from "./requests.js";

const { body } = document;
const holder = document.querySelector("[data-again]");
const { again: address, againOn: names = "", againParts: parts } = holder?.dataset ?? {};
const [WAIT_MS, AGAIN_MS] = [200, 5000];
let timer = 0;

const replace = (page) => parts.split(" ").forEach((id) => {
  const [old, fresh] = [document.getElementById(id), page.getElementById(id)];
  if (old && fresh) old.replaceWith(document.adoptNode(fresh));
});

const ask = async () => {
  try {
    const answer = await fetch(address, { headers: { Accept: "text/html" } });
    setOffline(false);
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    // The poster becomes another page when play begins, and when it ends.
    if (page.querySelector("[data-again]")?.dataset.againState !== holder.dataset.againState) {
      location.reload();
      return;
    }
    replace(page);
    body.dispatchEvent(new CustomEvent("krru:shown"));
  } catch {
    setOffline(true);
    timer = setTimeout(ask, AGAIN_MS);
  }
};

names.split(" ").filter(Boolean).forEach((name) => body.addEventListener(`krru:${name}`, () => {
  clearTimeout(timer);
  timer = setTimeout(ask, WAIT_MS);
}));
