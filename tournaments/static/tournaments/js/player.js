// A player's own page: the figures of the room come with the stream, the own rank of moves is asked for
// when the stream names the table. Title, vibration and sound tell of another seat or an offered place.
// This browser keeps what the page on the home screen shows offline: the seat and the clock.

const { body } = document;
const SWITCH = "krru-buzz";
const VIBRATES = [220, 120, 220, 120, 420];
const TONES_HZ = [660, 880];
const TONE_S = 0.22;
const number = new Intl.NumberFormat(document.documentElement.lang);

const fill = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
const write = (selector, text) => {
  const element = document.querySelector(selector);
  if (element && element.textContent !== text) element.textContent = text;
};

const told = { room: null, ranks: {} };

const showRoom = ({ left, entries, average, exact }) => {
  const of = document.querySelector("[data-room=entries]");
  write("[data-room=left]", number.format(left));
  if (of) of.textContent = fill(of.dataset.words, { entries: number.format(entries) });
  const near = document.querySelector("[data-paid]");
  if (near) {
    const count = left - near.dataset.paid;
    near.hidden = count <= 0;
    near.textContent = fill(near.dataset.words, { count: number.format(count) });
  }
  document.querySelectorAll("#card [data-first]").forEach((row) => {
    row.hidden = row.dataset.first > left;
  });
  if (average !== null) write("[data-room=average]", (exact ? "" : "≈ ") + number.format(average));
};

// A card that was written before what has been told since does not put it back.
const show = () => {
  const card = document.querySelector("[data-room-version]");
  if (card && told.room?.version > Number(card.dataset.roomVersion)) showRoom(told.room);
  const rank = document.querySelector("[data-rank]");
  if (rank && told.ranks[rank.dataset.rank] > Number(rank.dataset.version)) {
    rank.dispatchEvent(new CustomEvent("krru:rank"));
  }
};

body.addEventListener("krru:change", ({ detail }) => {
  const { version } = detail;
  if (detail.room) told.room = { version, ...detail.room };
  const isOwn = detail.whose === "all" || detail.whose?.includes(Number(body.dataset.own));
  if (!isOwn) detail.ranks?.forEach((table) => { told.ranks[table] = version; }); // else the card comes
  show();
});

// A card that fetches itself again must not take away what somebody is just filling in.
let typed = null;
const fieldsOf = (card) => [...card.querySelectorAll("input:not([type=hidden]), textarea")];

body.addEventListener("htmx:beforeSwap", ({ detail }) => {
  typed = null;
  if (detail.target.id !== "card" || detail.requestConfig.verb !== "get") return;
  typed = {
    open: [...detail.target.querySelectorAll("details[open][id]")].map((one) => one.id),
    values: fieldsOf(detail.target).map((field) => [field.name, field.value]),
    focused: document.activeElement.form && document.activeElement.name,
  };
});
body.addEventListener("htmx:afterSwap", ({ detail }) => {
  if (!typed) return;
  const { open, values, focused } = typed;
  typed = null;
  open.forEach((id) => document.getElementById(id)?.setAttribute("open", ""));
  fieldsOf(detail.target).forEach((field) => {
    field.value = values.find(([name]) => name === field.name)?.[1] ?? field.value;
    if (field.name === focused) field.focus();
  });
});

// What a card marks by data-alert stands in the title; with data-rings it is heard and felt, too.
const title = document.title;
const box = document.querySelector("[data-buzz]");
const keyOf = (alert) => (alert ? alert.dataset.alert + (alert.dataset.seat ?? "") : "");
const alertShown = () => document.querySelector("[data-alert]");
let known = keyOf(alertShown());
let audio = null;

const isOn = () => {
  try {
    return localStorage.getItem(SWITCH) !== "off";
  } catch {
    return true;
  }
};

// Browsers let a page sound only after somebody has touched it.
document.addEventListener("pointerdown", () => {
  audio ??= typeof AudioContext === "undefined" ? null : new AudioContext();
  audio?.resume();
});

const ring = () => {
  if (audio?.state !== "running") return;
  TONES_HZ.forEach((hz, index) => {
    const [tone, gain] = [audio.createOscillator(), audio.createGain()];
    const begins = audio.currentTime + index * TONE_S;
    tone.frequency.value = hz;
    gain.gain.setValueAtTime(0.25, begins);
    gain.gain.exponentialRampToValueAtTime(0.001, begins + TONE_S);
    tone.connect(gain).connect(audio.destination);
    tone.start(begins);
    tone.stop(begins + TONE_S);
  });
};

const buzz = () => {
  navigator.vibrate?.(VIBRATES);
  ring();
};

if (box) {
  box.checked = isOn();
  box.closest("[hidden]").hidden = false;
  box.addEventListener("change", () => {
    try {
      localStorage.setItem(SWITCH, box.checked ? "on" : "off");
    } catch {
      // A browser that keeps nothing: it holds until the page is left.
    }
    if (box.checked) buzz();
  });
}

const tell = () => {
  const alert = alertShown();
  document.title = alert ? `● ${alert.dataset.alert}` : title;
  if (alert?.matches("[data-rings]") && keyOf(alert) !== known && (box?.checked ?? isOn())) buzz();
  known = keyOf(alert);
};
tell();

// What a player must see wherever the page is scrolled: a new seat, and what is told. It comes
// into view by itself, the move first; a bar leads to what is out of sight. Focus stays in the card
// that answers a tap, and what it says is read aloud.
const bar = document.querySelector("[data-news]");
const said = document.getElementById("card-said");
const move = () => document.querySelector("#card .moved");
const message = () => document.querySelector("#player-messages > section");
const seatOf = () => move()?.dataset.seat ?? "";
const messageOf = () => message()?.querySelector("[name=read]")?.value ?? "";

let seat = seatOf();
let read = messageOf();

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
  const isTold = messageOf() !== "" && messageOf() !== read;
  [seat, read] = [seatOf() || seat, messageOf() || read];
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
  if (detail.target === card && detail.requestConfig?.verb === "post") {
    if (document.activeElement === body) card.focus({ preventScroll: true });
    const shown = titles(card);
    said.textContent = shown.find((title) => !stood.includes(title)) ?? shown[0] ?? "";
  }
  tell();
  show();
  sort();
  look();
  keepNow();
});
sort();
showBar();

// Nothing is kept where the page is not to be found again (own-pages.js).
const STORE = "krru-last";
const here = JSON.parse(document.getElementById("own-page")?.textContent ?? "null");
const clock = JSON.parse(document.getElementById("clock-data")?.textContent ?? "null");
const began = Date.now();
const serverNow = clock?.now;

const keep = ({ url, event, name, until }) => {
  const own = document.querySelector("#card [data-own-seat]")?.dataset.ownSeat ?? "";
  const [table, seat = ""] = own.split(" ");
  const pages = JSON.parse(localStorage.getItem("krru-own")) ?? [];
  if (pages.some((page) => page.url === url && !page.isForgotten)) {
    localStorage.setItem(STORE, JSON.stringify({
      url, event, name, until, table, seat, clock, at: Date.now(),
    }));
  } else if (JSON.parse(localStorage.getItem(STORE))?.url === url) localStorage.removeItem(STORE);
};
const keepNow = () => {
  if (here === null) return;
  if (clock) clock.now = serverNow + (Date.now() - began);
  try {
    keep(here);
  } catch {
    // A browser that keeps nothing.
  }
};
body.addEventListener("krru:change", ({ detail }) => {
  if (detail.anchor && clock) clock.anchor = detail.anchor;
  keepNow();
});
document.querySelector("[data-keeps-own-page]")?.addEventListener("change", keepNow);
keepNow();
