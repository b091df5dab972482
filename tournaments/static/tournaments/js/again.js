// Parts of a page that show themselves anew when the stream tells of a change, for a page that comes
// without the library: <div data-again="address" data-again-on="names" data-again-parts="ids">. A page
// that follows the hall late asks so many ms later, [data-again-delay]; [data-again-waits] says in how
// many ms more is told that was known when it was written.

const { body } = document;
const holder = document.querySelector("[data-again]");
const { again: address, againOn: names = "", againParts: parts, againDelay = 0 } = holder?.dataset ?? {};
const [WAIT_MS, AGAIN_MS] = [200, 5000];
const timers = new Map();

const replace = (page) => parts.split(" ").forEach((id) => {
  const [old, fresh] = [document.getElementById(id), page.getElementById(id)];
  if (old && fresh) old.replaceWith(document.adoptNode(fresh));
});
const tell = (name, detail) => body.dispatchEvent(new CustomEvent(`krru:${name}`, { detail }));

// Once for all that is told at about the same time.
const later = (ms) => {
  const slot = Math.ceil((Date.now() + ms) / WAIT_MS);
  if ([slot - 1, slot, slot + 1].some((one) => timers.has(one))) return;
  timers.set(slot, setTimeout(() => {
    timers.delete(slot);
    ask();
  }, slot * WAIT_MS - Date.now()));
};
const plan = ({ againWaits = "" }) => (
  againWaits.split(" ").filter(Boolean).forEach((ms) => later(Number(ms) + WAIT_MS))
);

const ask = async () => {
  const sentAt = performance.now();
  try {
    const answer = await fetch(address || location.href, { headers: { Accept: "text/html" } });
    tell("answered", sentAt);
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const { dataset } = page.querySelector("[data-again]") ?? page.body;
    // The poster becomes another page when play begins, and when it ends.
    if (dataset.againState !== holder.dataset.againState) return void location.reload();
    replace(page);
    plan(dataset);
    tell("shown");
  } catch {
    tell("unanswered");
    later(AGAIN_MS);
  }
};

names.split(" ").filter(Boolean).forEach((name) => (
  body.addEventListener(`krru:${name}`, () => later(WAIT_MS + Number(againDelay)))
));
if (againDelay) {
  const askNow = () => later(0);
  const awaitReturn = () => body.addEventListener("krru:connected", askNow, { once: true });
  body.addEventListener("krru:disconnected", awaitReturn);
  plan(holder.dataset);
}
