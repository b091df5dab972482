// The rulings desk: what is tapped and typed becomes a question, and the answer stands below it at
// once, without the server. Staff may write it down, and turn it round for the table.

import { Unruled } from "./rulings/cards.js";
import { answer } from "./rulings/desk.js";
import { choice, data, fit, h, rule, say, words } from "./rulings/build.js";
import { face as bets } from "./rulings/face-bets.js";
import { face as pots } from "./rulings/face-pots.js";
import { showdown, stud } from "./rulings/face-cards.js";
import "./rulings/late.js";

const FACES = { bets, pots, showdown, stud };
const page = document.getElementById("ruling-desk");
const big = document.getElementById("ruling-big");
const note = document.getElementById("ruling-note");

let state = {
  topic: "bets", game: data.game, contest: data.contest || data.game, opens: data.contest === "razz" ? "razz" : "stud",
  limit: data.limit, rule: data.rule, round: 1, count: 3, steps: [],
  small: data.small_blind, big: data.big_blind, bigBet: data.big_bet, bringIn: data.bring_in,
  low: null, high: null, pot: null, stacks: [], to: null, put: null, declared: false, puts: [], allIn: [],
  folded: [], isDead: [], dead: null, unit: null, winners: [], cards: {}, slot: null, lastRaiser: null, open: 1,
};

const slots = {
  tabs: h("nav", { className: "ruling-tabs", "aria-label": words.ui.desk }),
  form: h("div", { className: "stack" }),
  answer: h("section", { className: "card ruling-answer", "aria-label": words.ui.answer }),
  after: h("div", { className: "stack" }),
};
const live = h("div", { className: "ruling-lines", role: "status" });

const reckoned = () => {
  const face = FACES[state.topic];
  const question = face.asked(state);
  try {
    const told = answer(state.topic, question);
    return { face, question, told, lines: face.lines(told, state) };
  } catch (error) {
    if (!(error instanceof Unruled)) throw error;
    return { face, question, told: null, lines: [say("nos", error.code, error.about)] };
  }
};

const showBig = (lines) => {
  big.querySelector("[data-big]").replaceChildren(...lines.map((line) => h("p", {}, line)));
  big.showModal();
};

const LONGEST = 300;

// As many whole lines as the note has room for.
const written = (lines) => lines.reduce((all, line) => {
  const longer = all ? `${all} ${line}` : line;
  return longer.length > LONGEST ? all : longer;
}, "");

const fillNote = ({ question, told, lines }) => {
  if (!note) return;
  note.hidden = false;
  note.elements.topic.value = told ? state.topic : "other";
  note.elements.question.value = told ? JSON.stringify(question) : "{}";
  if (!note.dataset.typed) note.elements.decided.value = told ? written(lines) : "";
};

const drawAnswer = (found) => {
  const { face, told, lines } = found;
  live.replaceChildren(...lines.map((line) => h("p", {}, line)));
  live.classList.toggle("is-no", !told);
  keepFocus(slots.answer, () => slots.answer.replaceChildren(
    live,
    ...(told ? face.more(told, state) : []).filter(Boolean),
    h("ul", { className: "ruling-rules small" }, face.rulesOf(state).map(rule)),
    h(
      "div",
      { className: "ruling-choice" },
      h("button", { type: "button", className: "button", on: { click: () => showBig(lines) } }, words.ui.show_table),
      clearButton,
    ),
  ));
  keepFocus(slots.after, () => fit(slots.after, face.after(state, set, told)));
  fillNote(found);
};

// What is typed leaves its field where it is; what is tapped builds the form anew. So what is set by
// a field or beside one is made of the state as it is then: a function.
function set(change, isTyped = false, isStill = false) {
  state = { ...state, ...(typeof change === "function" ? change(state) : change) };
  if (isStill) return;
  if (!isTyped) drawForm();
  const found = reckoned();
  if (isTyped && slots.after.contains(document.activeElement)) {
    live.replaceChildren(...found.lines.map((line) => h("p", {}, line)));
    live.classList.toggle("is-no", !found.told);
    fillNote(found);
  } else drawAnswer(found);
}

const clear = () => set({
  steps: [], puts: [], allIn: [], folded: [], isDead: [], winners: [], cards: {}, slot: null, lastRaiser: null,
  stacks: [], put: null, to: null, pot: null, dead: null,
});

const focusKey = (element) => element?.getAttribute("aria-label") ?? element?.textContent;

const tabs = Object.entries(words.topics ?? {}).map(([topic, text]) => [topic, h("button", {
  type: "button", on: { click: () => set({ topic, slot: null }) },
}, text)]);
const clearButton = h("button", { type: "button", className: "button", on: { click: clear } }, words.ui?.clear);
slots.tabs.append(...tabs.map(([, tab]) => tab));

// A tap builds anew what it changes: what had the focus has it again.
function keepFocus(place, draw) {
  const { activeElement } = document;
  const at = place.contains(activeElement) ? focusKey(activeElement) : null;
  draw();
  if (at !== null && document.activeElement !== activeElement) {
    [...place.querySelectorAll("button:not(:disabled)")].find((one) => focusKey(one) === at)?.focus();
  }
}

function drawForm() {
  tabs.forEach(([topic, tab]) => tab.setAttribute("aria-pressed", String(topic === state.topic)));
  keepFocus(slots.form, () => fit(slots.form, FACES[state.topic].form(state, set)));
}

if (page) {
  page.replaceChildren(slots.tabs, slots.form, slots.answer, slots.after);
  big.querySelector("[data-big-close]").addEventListener("click", () => big.close());
  note?.elements.decided.addEventListener("input", () => { note.dataset.typed = "yes"; });
  note?.addEventListener("htmx:afterRequest", ({ detail }) => {
    if (!detail.successful) return;
    delete note.dataset.typed;
    note.elements.asked.value = "";
  });
  set({});
}
