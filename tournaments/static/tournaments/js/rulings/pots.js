// Main and side pots: the twin of rulings/domain/pots.py.

import { Unruled } from "./cards.js";

const isDone = ({ put, stack, isAllIn, hasFolded }) => hasFolded || isAllIn || put === stack;

const checkOne = ({ put, stack, isAllIn, hasFolded }, player) => {
  if (put < 0) throw new Unruled("negative");
  if (stack !== null && put > stack) throw new Unruled("above_stack", { player, put, stack });
  if (hasFolded && (isAllIn || (put && put === stack))) throw new Unruled("folded_all_in", { player });
};

const check = (stakes, dead) => {
  if (stakes.length < 2) throw new Unruled("few_players");
  if (dead < 0) throw new Unruled("negative");
  stakes.forEach((stake, at) => checkOne(stake, at + 1));
  const live = stakes.filter((stake) => !stake.hasFolded);
  if (live.length === 0) throw new Unruled("all_folded");
  const asked = Math.max(...live.map(({ put }) => put));
  stakes.forEach((stake, at) => {
    const player = at + 1;
    if (stake.hasFolded && stake.put > asked) throw new Unruled("folded_ahead", { player });
    if (!isDone(stake) && stake.put < asked && live.length > 1) {
      throw new Unruled("owes", { player, owes: asked - stake.put });
    }
  });
};

const excessOf = (puts) => {
  const most = Math.max(...puts);
  const at = puts.indexOf(most);
  const back = most - Math.max(0, ...puts.filter((_, place) => place !== at));
  return back ? { back, to: at } : { back: 0, to: null };
};

const potsOf = (stakes, dead = 0) => {
  check(stakes, dead);
  const puts = stakes.map(({ put }) => put);
  const { back, to } = excessOf(puts);
  if (to !== null) puts[to] -= back;
  const live = [...stakes.keys()].filter((place) => !stakes[place].hasFolded);
  const levels = [...new Set(live.map((place) => puts[place]))].sort((one, other) => one - other);
  const pots = [];
  let below = 0;
  for (const level of levels) {
    const amount = puts.reduce((sum, put) => sum + Math.min(put, level) - Math.min(put, below), 0);
    if (amount) pots.push({ amount, players: live.filter((place) => puts[place] >= level) });
    below = level;
  }
  if (dead) {
    if (pots.length) pots[0].amount += dead;
    else pots.push({ amount: dead, players: live });
  }
  return { pots, back, to };
};

// Hands are opened: somebody is all-in, and nobody can bet any more.
const areOpened = (stakes) => {
  const live = stakes.filter(({ hasFolded }) => !hasFolded);
  const able = live.filter(({ put, stack, isAllIn }) => !isAllIn && put !== stack);
  return live.length > 1 && able.length < Math.min(2, live.length);
};

// What each winner gets; odd chips go singly to the winners in the order given.
const sharesOf = (pot, winners, unit = 1) => {
  if (unit < 1) throw new Unruled("no_unit");
  if (winners.length === 0) throw new Unruled("no_winner");
  for (const player of winners) {
    if (!pot.players.includes(player)) throw new Unruled("cannot_win", { player: player + 1 });
  }
  if (pot.amount % unit) throw new Unruled("odd_for_nobody", { amount: pot.amount, unit });
  const each = Math.floor(pot.amount / unit / winners.length);
  const odd = (pot.amount / unit) % winners.length;
  return winners.map((player, place) => (
    [player, (each + (place < odd ? 1 : 0)) * unit, place < odd ? unit : 0]
  ));
};

// High half and low half; the odd chip is the high one's. The same winners of both share the whole.
const halvesOf = (pot, high, low, unit) => {
  const whole = sharesOf(pot, high, unit);
  const isSame = low.length === high.length && low.every((player) => high.includes(player));
  if (low.length === 0 || isSame) return [whole, []];
  const half = Math.floor(pot.amount / unit / 2) * unit;
  const rest = { ...pot, amount: pot.amount - half };
  return [sharesOf(rest, high, unit), sharesOf({ ...pot, amount: half }, low, unit)];
};

export { areOpened, halvesOf, potsOf, sharesOf };
