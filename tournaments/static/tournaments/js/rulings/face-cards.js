// The faces on which cards are tapped: showdown and stud. A card that lies somewhere is not offered.

import { RANKS } from "./cards.js";
import {
  card, cardText, choice, data, h, more, names, playerName, say, shown, stepper, toggle, words,
} from "./build.js";
import { paidLines, potName as bareName, potsOf, rowsOf } from "./face-pots.js";
import { HOLE, boardOf, isHalved, isStud } from "./contests.js";

const ORDER = [...RANKS].reverse();
const SUITS = [["s", "spade"], ["h", "heart"], ["d", "diamond"], ["c", "club"]];
const BOARD_SLOT = "board";
const ASIDE = "aside";
const MOST_ASIDE = 10;
// What lies open in stud is not what is shown down in the end: each has its own slots.
const OPEN = "open ";

const held = (state, slot) => state.cards[slot] ?? [];
const slotsOf = (state, hasBoard, sort = "") => [
  ...(hasBoard ? [BOARD_SLOT] : []),
  ...Array.from({ length: state.count }, (_, place) => sort + place),
];

// The slot that the next card falls into: the one tapped, or the first with room.
const openSlot = (state, slots, room) => {
  if (state.slot === ASIDE && held(state, ASIDE).length < MOST_ASIDE) return ASIDE;
  if (slots.includes(state.slot) && held(state, state.slot).length < room(state.slot)) return state.slot;
  return slots.find((slot) => held(state, slot).length < room(slot)) ?? null;
};

const slotView = (state, set, slot, isOpen, label) => h(
  "div",
  { className: `ruling-slot${isOpen ? " is-open" : ""}` },
  h("button", {
    type: "button", className: "button", "aria-pressed": String(isOpen), on: { click: () => set({ slot }) },
  }, label),
  h("span", { className: "ruling-cards" }, held(state, slot).map((code) => h("button", {
    type: "button", className: "ruling-card", "aria-label": say("ui", "take_back", { card: code }),
    on: { click: () => set({
      cards: { ...state.cards, [slot]: held(state, slot).filter((one) => one !== code) }, slot,
    }) },
  }, card(code)))),
);

// The deck is made once and stays on the page: of 52 buttons a tap changes one.
let tapped = () => {};
const keys = new Map();
const deck = h(
  "div",
  { className: "ruling-deck", role: "group", "aria-label": words.ui?.deck },
  SUITS.map(([suit, name]) => h("div", { className: `ruling-suit suit-ink-${name}` }, ORDER.map((rank) => {
    const code = rank + suit;
    const key = h("button", {
      type: "button", "aria-label": cardText(code), on: { click: () => tapped(code) },
    }, cardText(code));
    keys.set(code, key);
    return key;
  }))),
);

// When all cards are there it makes way for the answer.
const picker = (state, set, slot, lying) => {
  tapped = (code) => set({ cards: { ...state.cards, [slot]: [...held(state, slot), code] }, slot });
  deck.hidden = slot === null;
  if (!deck.hidden) keys.forEach((key, code) => key.toggleAttribute("disabled", lying.has(code)));
  return deck;
};

// `outside` shows what is out of play, where that is asked.
const table = (state, set, slots, room, outside = null) => {
  const open = openSlot(state, slots, room);
  const lying = new Set([...slots, ...(outside ? [ASIDE] : [])].flatMap((slot) => held(state, slot)));
  const label = (slot) => (slot === BOARD_SLOT ? words.ui.board : playerName(Number(slot.replace(OPEN, ""))));
  return [
    h("div", { className: "ruling-slots" }, slots.map((slot) => (
      slotView(state, set, slot, slot === open, label(slot))
    ))),
    ...(outside?.(open) ?? []),
    picker(state, set, open, lying),
  ];
};

// In stud one card in the middle stands for everybody's seventh; in a draw game none lies there.
const boardRoom = (game) => (isStud(game) ? 1 : boardOf(game));
const ownRoom = ({ contest, ...state }) => (
  HOLE[contest] - (isStud(contest) ? held(state, BOARD_SLOT).length : 0)
);
const showRoom = (state) => (slot) => (slot === BOARD_SLOT ? boardRoom(state.contest) : ownRoom(state));

const isOut = ({ folded, isDead }, place) => Boolean(folded[place] || isDead[place]);

const hasStakes = (state) => rowsOf(state).some(({ put }) => put > 0);

const askedShow = (state) => ({
  game: state.contest,
  board: boardRoom(state.contest) ? held(state, BOARD_SLOT) : [],
  players: rowsOf(state).map((row, place) => ({
    ...(hasStakes(state) ? row : {}),
    cards: held(state, String(place)),
    ...(isOut(state, place) ? { dead: true } : {}),
  })),
  last_raiser: state.lastRaiser,
  unit: state.unit ?? 1,
  dead: state.dead ?? 0,
  ...(held(state, ASIDE).length ? { aside: held(state, ASIDE) } : {}),
});

const formShow = (state, set) => {
  const kill = (place) => (isOn) => set({
    isDead: Object.assign([...state.isDead], { [place]: isOn }),
    folded: Object.assign([...state.folded], { [place]: isOn && Boolean(state.folded[place]) }),
  });
  const places = Array.from({ length: state.count }, (_, place) => place);
  const outside = (open) => [more(words.ui.dead_hands, [
    h(
      "div",
      { className: "ruling-choice" },
      places.map((place) => toggle(playerName(place), isOut(state, place), kill(place))),
    ),
    slotView(state, set, ASIDE, open === ASIDE, words.ui.aside),
  ])];
  return [
    more(words.ui.game, [
      choice(words.ui.showdown_game, Object.entries(words.contests), state.contest, (contest) => (
        set({ contest, cards: {}, slot: null })
      )),
    ], { now: words.contests[state.contest], isOpen: !data.contest }),
    stepper(words.ui.players, state.count, [2, 10], (count) => set({ count, winners: [] })),
    ...table(state, set, slotsOf(state, boardRoom(state.contest) > 0), showRoom(state), outside),
  ];
};

const afterShow = (state, set) => [
  more(words.ui.last_raiser, [choice(
    words.ui.last_raiser,
    [[null, words.ui.nobody], ...Array.from({ length: state.count }, (_, place) => [place, playerName(place)])],
    state.lastRaiser,
    (lastRaiser) => set({ lastRaiser }),
  )]),
  h("p", { className: "muted small" }, words.ui[hasStakes(state) ? "with_stakes" : "without_stakes"]),
];

const handText = ({ category, cards }) => `${words.hands[category]} (${cards.map(cardText).join(" ")})`;

const potName = (told, at) => {
  const { amount } = told.pots[at];
  return amount ? `${bareName(at)} (${shown(amount)})` : bareName(at);
};

// Who wins a pot, or half of one; of a single pot that is not halved its name is not said.
const wonLine = (won, hand, pot) => {
  const code = won.length > 1 ? "split" : "wins";
  return say("ui", pot ? `${code}_pot` : code, { players: names(won), hand: handText(hand), pot });
};

const halvedLines = (told) => told.winners.flatMap((won, at) => {
  const isOnly = told.winners.length === 1;
  const nameOf = (half) => (isOnly ? half : say("ui", "half", { pot: potName(told, at), half }));
  const high = wonLine(won, told.hands[won[0]], nameOf(words.ui.high));
  const low = told.low_winners[at];
  if (low.length) return [high, wonLine(low, told.lows[low[0]], nameOf(words.ui.low))];
  return [high, say("ui", isOnly ? "no_low" : "no_low_pot", { pot: potName(told, at) })];
});

const hasPots = ({ pots }) => pots.some(({ amount }) => amount);

const linesShow = (told) => {
  const isOnly = told.winners.length === 1;
  const first = told.low_winners ? halvedLines(told) : told.winners.map((won, at) => (
    wonLine(won, told.hands[won[0]], isOnly ? null : potName(told, at))
  ));
  return [...first, ...(hasPots(told) ? paidLines(told) : [])];
};

const handRow = (hand, place, isWon, half = "") => h(
  "li",
  { className: isWon ? "is-turn" : "" },
  h("b", {}, playerName(place)),
  ` ${half}${words.hands[hand.category]} `,
  h("span", { className: "muted" }, `(${words.hands_otherwise[hand.category]}) `),
  h("span", { className: "ruling-cards" }, hand.cards.map(card)),
);

const handRows = (told, place) => {
  const [hand, low] = [told.hands[place], told.lows?.[place]];
  const isLowWon = Boolean(told.low_winners?.flat().includes(place));
  if (!hand) {
    return [h("li", { className: "muted" }, h("b", {}, playerName(place)), ` ${words.ui.wins_nothing}`)];
  }
  return [
    handRow(hand, place, told.winners.flat().includes(place), told.lows ? `${words.ui.high}: ` : ""),
    low && handRow(low, place, isLowWon),
  ];
};

const moreShow = (told, state) => [
  h("ul", { className: "ruling-players" }, told.hands.flatMap((_, place) => handRows(told, place))),
  h("p", {}, say("ui", "show_order", { players: names(told.order) })),
  hasPots(told) ? h("p", { className: "muted" }, potsOf(told).join(" ")) : null,
  held(state, ASIDE).length
    ? h("p", {}, say("ui", "aside_said", { cards: held(state, ASIDE).map(cardText).join(" ") }))
    : null,
  told.free.length ? h("p", {}, say("ui", "need_not_show", { players: names(told.free) })) : null,
];

const showdown = {
  topic: "showdown",
  form: formShow,
  asked: askedShow,
  lines: linesShow,
  rulesOf: ({ contest }) => [
    contest, "show", "pots", isStud(contest) ? "odd_stud" : "odd", ...(isHalved(contest) ? ["odd_hilo"] : []),
  ],
  more: moreShow,
  after: afterShow,
};

const stud = {
  topic: "stud",
  form: (state, set) => [
    choice(words.ui.opens_game, Object.entries(words.opens), state.opens, (opens) => set({ opens })),
    choice(words.ui.limit, Object.entries(words.limits), state.limit, (limit) => set({ limit })),
    choice(
      words.ui.open_cards,
      [1, 2, 3, 4].map((count) => [count, String(count)]),
      state.open,
      (open) => set({ open }),
    ),
    stepper(words.ui.players_in, state.count, [2, 8], (count) => set({ count })),
    ...table(state, set, slotsOf(state, false, OPEN), () => state.open),
  ],
  asked: (state) => ({
    game: state.opens,
    limit: state.limit,
    players: Array.from({ length: state.count }, (_, place) => held(state, OPEN + place).slice(0, state.open)),
  }),
  lines: (told) => [told.first.length > 1
    ? say("ui", "first_tied", { players: names(told.first), player: playerName(told.first[0]) })
    : say("ui", told.is_forced ? "opens" : "first", { player: playerName(told.first[0]) })],
  rulesOf: ({ open, opens }) => [(open > 1 ? "first" : "opener") + (opens === "razz" ? "_razz" : "")],
  more: () => [],
  after: () => [],
};

export { showdown, stud };
