// The page of draws: once the secret is out, every draw is made again here, on the visitor's own
// device, and each says whether it agrees, or which lines do not.

import { drawAgain, isBound, sha256 } from "./draws.js";

const promise = document.getElementById("promise");

const tell = (slot, isRight, text) => {
  slot.textContent = text;
  slot.className = `draw-check ${isRight ? "is-right" : "is-wrong"}`;
};

const isKept = ({ secret, commitment }) => sha256(secret) === commitment;

const drawAll = () => {
  document.querySelectorAll("article[data-draw]").forEach((article) => {
    const data = document.getElementById(`recipe-${article.dataset.draw}`);
    if (!data) return;
    const { wrong } = drawAgain(JSON.parse(data.textContent), article.dataset.secret);
    const slot = article.querySelector("[data-check]");
    const lines = article.querySelectorAll(".outcome > li");
    wrong.forEach((line) => lines[line - 1]?.classList.add("is-wrong"));
    const isRight = isKept(article.dataset) && wrong.length === 0;
    const words = wrong.length === 0 ? slot.dataset.broken : slot.dataset.wrong;
    tell(slot, isRight, isRight ? slot.dataset.right : words.replace("{lines}", wrong.join(", ")));
  });
};

// What a draw was bound to is public as soon as it is made.
const checkBound = () => {
  document.querySelectorAll("[data-bound]").forEach((slot) => {
    const data = JSON.parse(document.getElementById(slot.dataset.bound).textContent);
    const isRight = isBound(data, slot.dataset.hall);
    const words = data.given.length > 0 ? slot.dataset.right : slot.dataset.frozen;
    tell(slot, isRight, isRight ? words : slot.dataset.wrong);
  });
};

// Only once the event is over.
if (promise?.dataset.secret) {
  const isRight = isKept(promise.dataset);
  tell(promise, isRight, isRight ? promise.dataset.right : promise.dataset.wrong);
}
drawAll();
checkBound();
// The list is fetched again while more is drawn.
document.body.addEventListener("htmx:afterSwap", () => {
  drawAll();
  checkBound();
});
