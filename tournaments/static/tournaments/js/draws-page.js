// The page of draws: once the secret is out, every draw is made again here, on the visitor's own
// device, and each says whether it agrees, or which lines do not.

import { drawAgain, sha256 } from "./draws.js";

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

// Only once the event is over.
if (promise?.dataset.secret) {
  const isRight = isKept(promise.dataset);
  tell(promise, isRight, isRight ? promise.dataset.right : promise.dataset.wrong);
}
drawAll();
// The list is fetched again while more is drawn.
document.body.addEventListener("htmx:afterSwap", drawAll);
