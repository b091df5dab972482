// The face of pots: what everybody has put in, who is all-in or has passed, and who wins which pot.

import { h, names, numberField, playerName, say, shown, stepper, toggle, words } from "./build.js";

const rowsOf = (state) => Array.from({ length: state.count }, (_, place) => ({
  put: state.puts[place] ?? 0,
  ...(state.allIn[place] ? { all_in: true } : {}),
  ...(state.folded[place] ? { folded: true } : {}),
}));

const asked = (state) => ({
  players: rowsOf(state),
  dead: state.dead ?? 0,
  unit: state.unit ?? 1,
  ...(state.winners.some((won) => won?.length) ? { winners: state.winners.map((won) => won ?? []) } : {}),
});

const change = (set, name, place, value, isTyped) => set((state) => (
  { [name]: Object.assign([...state[name]], { [place]: value }), winners: [] }
), isTyped);

const playerRow = (state, set, place) => h(
  "div",
  { className: "ruling-row", role: "group", "aria-label": playerName(place) },
  numberField(playerName(place), state.puts[place], (value) => change(set, "puts", place, value, true)),
  toggle(words.ui.all_in, Boolean(state.allIn[place]), (isOn) => change(set, "allIn", place, isOn)),
  toggle(words.ui.folded, Boolean(state.folded[place]), (isOn) => change(set, "folded", place, isOn)),
);

const form = (state, set) => [
  stepper(words.ui.players, state.count, [2, 10], (count) => set({ count, winners: [] })),
  h("p", { className: "muted small" }, words.ui.order_pots),
  h("div", { className: "ruling-rows" }, Array.from({ length: state.count }, (_, place) => (
    playerRow(state, set, place)
  ))),
  h(
    "div",
    { className: "ruling-numbers" },
    numberField(words.ui.dead, state.dead, (dead) => set({ dead }, true)),
    numberField(words.ui.unit, state.unit, (unit) => set({ unit }, true)),
  ),
];

const potName = (at) => (at === 0 ? words.ui.main_pot : say("ui", "side_pot", { number: at }));

const potsOf = (told) => told.pots.map((pot, at) => say("ui", "pot_line", {
  pot: potName(at), amount: pot.amount, players: names(pot.players),
}));

// What goes back and what everybody gets.
const paidLines = (told) => {
  const found = [];
  if (told.opened) found.push(words.ui.opened);
  if (told.back) found.push(say("ui", "back", { back: told.back, player: playerName(told.to) }));
  told.gets.forEach((amount, place) => {
    if (amount) found.push(say("ui", "gets", { player: playerName(place), amount }));
  });
  const odd = told.pots.flatMap(({ shares }) => shares).filter(([, , extra]) => extra > 0);
  if (odd.length) found.push(say("ui", "odd", { players: names([...new Set(odd.map(([player]) => player))]) }));
  return found;
};

const potLines = (told) => [...potsOf(told), ...paidLines(told)];

const winnersOf = (state, set, told) => h("div", { className: "ruling-winners" }, told.pots.map((pot, at) => h(
  "fieldset",
  { className: "ruling-choice" },
  h("legend", { className: "field-label" }, `${potName(at)}: ${shown(pot.amount)}. ${words.ui.who_wins}`),
  pot.players.map((place) => {
    const won = state.winners[at] ?? [];
    return toggle(playerName(place), won.includes(place), (isOn) => {
      const now = (isOn ? [...won, place] : won.filter((one) => one !== place)).sort((a, b) => a - b);
      set(({ winners }) => ({ winners: Object.assign([...winners], { [at]: now }) }));
    });
  }),
)));

const face = {
  topic: "pots",
  form,
  asked,
  lines: potLines,
  rulesOf: () => ["pots", "opened", "odd"],
  more: () => [],
  after: (state, set, told) => (told ? [winnersOf(state, set, told)] : []),
};

export { face, paidLines, potName, potsOf, rowsOf };
