// A player's number for the hall, on the player's phone: sealed as it is given, opened by itself when the
// list of all seals is closed and has this one. Until then the number leaves the phone in no form.

import { numberTogether, sealOf, sealedList, sha256 } from "./draws.js";

const KEPT = "krru-number";
const { body } = document;

// What was typed, by its seal: an answer may be lost, and the server have another than the last.
let kept = { frozen: 0, digest: "", list: "", tries: {} };
try {
  kept = JSON.parse(localStorage.getItem(KEPT)) ?? kept;
} catch {
  // A browser that keeps nothing: it holds until the page is left.
}
const keep = (fresh) => {
  kept = fresh;
  try {
    localStorage.setItem(KEPT, JSON.stringify(kept));
  } catch {
    // As above.
  }
};

const toldNow = () => JSON.parse(document.getElementById("own-number-told")?.textContent ?? "null");

const newNonce = () => (
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("")
);

document.addEventListener("submit", ({ target }) => {
  if (!target.matches("[data-seal]")) return;
  const { frozen, digest } = toldNow();
  const [number, nonce] = [target.querySelector(".own-number-field").value.trim(), newNonce()];
  const seal = /^[0-9]{1,9}$/.test(number) ? sealOf(number, nonce) : "";
  const tries = kept.frozen === frozen ? kept.tries : {};
  keep({ frozen, digest, list: "", tries: { ...tries, [seal]: [number, nonce] } });
  target.elements.seal.value = seal;
}, true);

// Ask for the opening once at a time; when it fails, the next news of the draw asks again.
let isOpening = false;
const open = (part, frozen, [number, nonce]) => {
  if (isOpening) return;
  isOpening = true;
  htmx.ajax("POST", part.dataset.openUrl, { source: part, target: "#card", values: { frozen, number, nonce } })
    .finally(() => { isOpening = false; });
};

const look = () => {
  const [told, part] = [toldNow(), document.getElementById("own-number")];
  const slot = part?.querySelector("[data-number-check]");
  if (!slot || !told || kept.frozen !== told.frozen) return;
  const say = (word, isRight) => {
    part.hidden = false;
    slot.textContent = slot.dataset[word];
    slot.className = `draw-check ${isRight ? "is-right" : "is-wrong"}`;
  };
  const seals = told.state === "drawn"
    ? told.given.map(([one, number, nonce]) => [one, sealOf(number, nonce)])
    : told.seals;
  const mine = kept.tries[seals.find(([one]) => one === told.registration)?.[1]];
  if (!mine) say("missing", false);
  else if (told.digest !== kept.digest || told.list !== sha256(sealedList(seals))) say("wrong", false);
  else if (told.state === "drawn") {
    const isSame = kept.list === told.list && told.hall === numberTogether(told.given);
    say(isSame ? "right" : "wrong", isSame);
  } else if (told.is_opened) say("opened", true);
  else {
    keep({ ...kept, list: told.list });
    say("opening", true);
    open(part, told.frozen, mine);
  }
};

look();
body.addEventListener("htmx:afterSettle", look);
