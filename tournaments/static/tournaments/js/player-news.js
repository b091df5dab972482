// What a player must see wherever the page is scrolled: a new seat, and what is told. It comes
// into view by itself, the move first; a bar leads to what is out of sight. Focus stays in the card
// that answers a tap, and what it says is read aloud.

const { body } = document;
const bar = document.querySelector("[data-news]");
const said = document.getElementById("card-said");
const move = () => document.querySelector("#card .moved");
const message = () => document.querySelector("#player-messages > section");
const seatOf = () => move()?.dataset.seat ?? "";
const messageOf = () => message()?.querySelector("[name=read]")?.value ?? "";

let seat = seatOf();
let told = messageOf();

const isSeen = (element) => {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 40 && top < innerHeight - 80;
};
const hidden = () => [move(), message()].find((one) => one && !isSeen(one));

const showBar = () => {
  const one = hidden();
  bar.hidden = !one;
  if (one) bar.querySelector("span").textContent = one === message() ? bar.dataset.message : one.dataset.told;
};

const isTyping = () => document.activeElement?.matches("input:not([type=checkbox]), textarea") ?? false;
const lead = (element) => element.scrollIntoView({ block: "start" });

const look = () => {
  const isMoved = seatOf() !== "" && seatOf() !== seat;
  const isTold = messageOf() !== "" && messageOf() !== told;
  [seat, told] = [seatOf() || seat, messageOf() || told];
  const news = (isMoved && move()) || (isTold && !move() && message());
  if (news && !isTyping() && !isSeen(news)) lead(news);
  showBar();
};

bar.addEventListener("click", () => hidden() && lead(hidden()));
["scroll", "resize"].forEach((name) => addEventListener(name, showBar, { passive: true }));

// What a tap has brought is said: of the card's titles the first that was not there before.
const titles = (card) => [...card.querySelectorAll("[data-says], .notice-title, .empty-title, h2")]
  .map((title) => title.dataset.says || title.textContent.trim());
// What is to be answered comes first for Tab, too.
const sort = () => {
  const card = document.getElementById("card");
  const messages = document.getElementById("player-messages");
  if (!messages) return; // a device of the staff reads none
  const isAfter = messages.previousElementSibling === card;
  const isUrgent = card.querySelector("[data-alert]") !== null;
  if (isUrgent && !isAfter) card.after(messages);
  if (!isUrgent && isAfter) said.before(messages);
};
let stood = [];
body.addEventListener("htmx:beforeSwap", ({ detail: { target } }) => {
  if (target.id === "card") stood = titles(target);
});
body.addEventListener("htmx:afterSettle", ({ detail }) => {
  const card = document.getElementById("card");
  const isTap = detail.target === card && detail.requestConfig?.verb === "post";
  if (isTap) {
    if (document.activeElement === body) card.focus({ preventScroll: true });
    const shown = titles(card);
    said.textContent = shown.find((title) => !stood.includes(title)) ?? shown[0] ?? "";
  }
  sort();
  look();
});
sort();
showBar();
