// The face of bets and raises: what the players did, whose turn it is and what is allowed.

import { LAST_ROUND } from "./bets.js";
import {
  choice, data, h, more, numberField, playerName, say, shown, stepper, toggle, words,
} from "./build.js";

// What is in the pot from before counts in pot limit alone.
const hasPot = ({ limit }) => limit === "pot_limit";

const asked = (state) => ({
  game: state.game,
  limit: state.limit,
  rule: state.rule,
  cap: data.cap,
  small_blind: state.small ?? 0,
  big_blind: state.big ?? 0,
  big_bet: state.bigBet ?? 0,
  bring_in: state.bringIn ?? 0,
  spread: [state.low ?? 0, state.high ?? 0],
  event_heads_up: data.event_heads_up,
  round: Math.min(state.round, LAST_ROUND[state.game]),
  pot: hasPot(state) ? state.pot ?? 0 : 0,
  players: Array.from({ length: state.count }, (_, place) => state.stacks[place] ?? null),
  steps: state.steps,
  ...(state.put ? { put: { to: state.put, declared: state.declared } } : {}),
});

const amounts = (state, set) => {
  const fields = [];
  const add = (name, label) => fields.push(
    numberField(label, state[name], (value) => set({ [name]: value }, true)),
  );
  if (state.game !== "stud") add("small", words.ui.small_blind);
  add("big", state.game === "stud" ? words.ui.small_bet : words.ui.big_blind);
  if (state.game === "stud") add("bringIn", words.ui.bring_in);
  if (state.limit === "split_limit") add("bigBet", words.ui.big_bet);
  if (state.limit === "spread_limit") {
    add("low", words.ui.spread_low);
    add("high", words.ui.spread_high);
  }
  return h("div", { className: "ruling-numbers" }, fields);
};

const playedNow = (state) => {
  const at = state.game === "stud" ? [state.big] : [state.small, state.big];
  const blinds = at.map((amount) => shown(amount ?? 0)).join("/");
  return `${words.games[state.game]}, ${words.limits[state.limit]}, ${blinds}`;
};

const bounds = ({ least, most }) => {
  if (most === null) return say("ui", "raise_from", { least });
  if (least === most) return say("ui", "raise_exact", { least });
  return say("ui", "raise_between", { least, most });
};

const lines = (told, state) => {
  if (told.turn === null) return [words.ui.round_over];
  const player = playerName(told.turn);
  const found = [told.may_check
    ? say("ui", "turn_check", { player })
    : say("ui", "turn_call", { player, call: told.call })];
  found.push(told.bar ? `${player} ${words.bars[told.bar]}.` : bounds(told));
  if (told.verdict) found.push(say("verdicts", told.verdict.verdict, { ...told.verdict, level: told.level }));
  if (state.limit === "split_limit") found.push(say("ui", "raises", { raises: told.raises }));
  return found;
};

const rulesOf = ({ limit, rule: minimum }) => (
  limit === "no_limit" || limit === "pot_limit" ? [minimum, limit] : [limit]
);

const others = (told) => h("ul", { className: "ruling-players" }, told.bets.map((bet, place) => h(
  "li",
  { className: place === told.turn ? "is-turn" : "" },
  h("b", {}, playerName(place)),
  ` ${shown(bet)}`,
  h("span", { className: "muted" }, ` · ${words.bars[told.bars[place] ?? "none"]}`),
)));

const deeds = (state, set, told) => {
  const act = (deed) => set(({ steps, to }) => ({
    steps: deed === "bet" && !to ? steps : [...steps, [deed, deed === "bet" ? to : 0]], put: null, to: null,
  }));
  const button = (text, deed, isOff = false) => h("button", {
    type: "button", className: "button button-big", disabled: isOff, on: { click: () => act(deed) },
  }, text);
  const isOver = !told || told.turn === null;
  return h(
    "div",
    { className: "ruling-deeds" },
    button(words.ui.fold, "fold", isOver),
    told?.may_check ? button(words.ui.check, "check", isOver) : button(words.ui.call, "call", isOver),
    numberField(words.ui.bets_to, state.to, (to) => set({ to }, true, true)),
    h("button", {
      type: "button", className: "button button-primary button-big", disabled: isOver || Boolean(told.bar),
      on: { click: () => act("bet") },
    }, words.ui.bet),
    h("button", {
      type: "button", className: "button", disabled: state.steps.length === 0,
      on: { click: () => set({ steps: state.steps.slice(0, -1), put: null }) },
    }, words.ui.step_back),
  );
};

const judge = (state, set) => h(
  "details",
  { open: Boolean(state.put) },
  h("summary", {}, words.ui.judge),
  numberField(words.ui.put_to, state.put, (put) => set({ put }, true)),
  toggle(words.ui.declared, state.declared, (declared) => set({ declared })),
);

const stacks = (state, set) => h(
  "details",
  { open: state.stacks.some((stack) => stack) },
  h("summary", {}, words.ui.stacks),
  h("div", { className: "ruling-numbers" }, Array.from({ length: state.count }, (_, place) => numberField(
    playerName(place),
    state.stacks[place],
    (value) => set(({ stacks: all }) => ({ stacks: Object.assign([...all], { [place]: value }) }), true),
  ))),
);

// With a table in front of one all of it is known, and the answer is to be near.
const kind = (state, set) => more(words.ui.kind, [
  choice(words.ui.game, Object.entries(words.games), state.game, (game) => set({ game, steps: [] })),
  choice(words.ui.limit, Object.entries(words.limits), state.limit, (limit) => set({ limit, steps: [] })),
  state.limit === "no_limit" || state.limit === "pot_limit"
    ? choice(words.ui.minimum_raise, Object.entries(words.minimum_raises), state.rule, (one) => set({ rule: one }))
    : null,
  amounts(state, set),
], { now: playedNow(state), isOpen: data.big_blind === null });

const form = (state, set) => [
  kind(state, set),
  choice(
    words.ui.round,
    Array.from({ length: LAST_ROUND[state.game] }, (_, at) => [at + 1, String(at + 1)]),
    Math.min(state.round, LAST_ROUND[state.game]),
    (round) => set({ round, steps: [] }),
  ),
  hasPot(state) ? numberField(words.ui.pot_before, state.pot, (pot) => set({ pot }, true)) : null,
  stepper(words.ui.players_in, state.count, [2, 10], (count) => set({ count, steps: [] })),
  h("p", { className: "muted small" }, words.ui[state.game === "stud" ? "order_stud" : "order"]),
  stacks(state, set),
].filter(Boolean);

const face = {
  topic: "bets",
  form,
  asked,
  lines,
  rulesOf,
  more: (told) => [others(told)],
  after: (state, set, told) => [deeds(state, set, told), judge(state, set)],
};

export { face };
