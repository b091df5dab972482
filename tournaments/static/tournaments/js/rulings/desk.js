// Questions at the desk as plain data, and their answers, without the server: the twin of
// rulings/domain/desk.py. Both are held to fixtures/cases/rulings.json.

import { Round, verdictOf } from "./bets.js";
import { Unruled } from "./cards.js";
import { isHalved } from "./contests.js";
import { areOpened, halvesOf, potsOf, sharesOf } from "./pots.js";
import {
  firstToAct, handsOf, lowWinnersOf, lowsOf, needNotShow, opener, showOrder, winnersOf,
} from "./showdown.js";

const MOST_PLAYERS = 10;

const playersOf = ({ players }) => {
  if (players.length > MOST_PLAYERS) throw new Unruled("many_players", { most: MOST_PLAYERS });
  return players;
};

const stakesOf = (question) => ({
  game: question.game,
  limit: question.limit,
  rule: question.rule,
  cap: question.cap,
  small: question.small_blind,
  big: question.big_blind,
  bigBet: question.big_bet ?? 0,
  bringIn: question.bring_in ?? 0,
  spread: question.spread ?? [0, 0],
  isEventHeadsUp: Boolean(question.event_heads_up),
});

const barOf = (round, place) => {
  const player = round.players[place];
  if (player.hasFolded) return "folded";
  return round.isAllIn(player) ? "all_in" : round.barFor(place);
};

const verdictIn = (round, put) => {
  const player = round.players[round.turn];
  const [least, most] = [round.leastOver(round.level), round.mostFor(player)];
  const facing = { level: round.level, least, most, total: player.total, rule: round.stakes.rule };
  const said = verdictOf(put, facing);
  const isRaise = said !== "call" && said !== "under_call";
  const verdict = isRaise && round.barFor(round.turn) ? "barred" : said;
  return { verdict, to: put.to, least, most };
};

const bets = (question) => {
  const stacks = playersOf(question);
  const round = new Round(stakesOf(question), question.round, question.pot, stacks);
  question.steps.forEach((step) => round.take(step));
  const told = {
    level: round.level,
    raises: round.raises,
    pot: round.allIn(),
    bets: round.players.map(({ bet }) => bet),
    bars: stacks.map((_, place) => barOf(round, place)),
    turn: round.turn,
  };
  if (round.turn === null) return { ...told, last_raiser: round.lastRaiser };
  const { call, mayCheck, isBet, least, most, bar } = round.options();
  const full = round.leastOver(round.level);
  const said = { ...told, call, may_check: mayCheck, is_bet: isBet, least, most, bar, full };
  return question.put ? { ...said, verdict: verdictIn(round, question.put) } : said;
};

const stakeOf = (row) => ({
  put: row.put,
  stack: row.stack ?? null,
  isAllIn: Boolean(row.all_in),
  hasFolded: Boolean(row.folded),
});

const toldOf = ({ pots, back, to }, count, shares, lows = null) => {
  const gets = Array(count).fill(0);
  [...shares, ...(lows ?? [])].flat().forEach(([player, amount]) => { gets[player] += amount; });
  const told = pots.map((pot, at) => (
    { ...pot, shares: shares[at], ...(lows ? { low_shares: lows[at] } : {}) }
  ));
  return { pots: told, back, to, gets };
};

const pots = (question) => {
  const rows = playersOf(question);
  const stakes = rows.map(stakeOf);
  const found = potsOf(stakes, question.dead ?? 0);
  const unit = question.unit ?? 1;
  const told = toldOf(found, rows.length, found.pots.map((pot, at) => {
    const won = question.winners?.[at] ?? [];
    return won.length ? sharesOf(pot, won, unit) : [];
  }));
  return { ...told, opened: areOpened(stakes) };
};

const handTold = (hand) => hand && (({ category, ranks, cards }) => ({ category, ranks, cards }))(hand);

const showdown = (question) => {
  const { game, board } = question;
  const rows = playersOf(question);
  const held = rows.map(({ cards, dead, folded }) => ({ cards, isDead: Boolean(dead || folded) }));
  const hands = handsOf(game, board, held, question.aside ?? []);
  const lows = lowsOf(game, board, held);
  const out = [...held.keys()].filter((place) => held[place].isDead);
  const able = [...held.keys()].filter((place) => !held[place].isDead);
  // Of an all-in the hand may be dead, but it has not folded.
  const stakes = rows.map((row) => stakeOf(row.dead && !row.folded ? { put: row.put, folded: true } : row));
  const found = rows.every((row) => row.put !== undefined)
    ? potsOf(stakes, question.dead ?? 0)
    : { pots: [{ amount: 0, players: able }], back: 0, to: null };
  const winners = found.pots.map((pot) => winnersOf(pot, hands, game));
  const lowWinners = found.pots.map((pot) => lowWinnersOf(pot, lows, game));
  const order = showOrder(rows.length, question.last_raiser ?? null, out);
  const halves = found.pots.map((pot, at) => halvesOf(pot, winners[at], lowWinners[at], question.unit ?? 1));
  const isSplit = isHalved(game);
  return {
    ...toldOf(found, rows.length, halves.map(([high]) => high), isSplit ? halves.map(([, low]) => low) : null),
    hands: hands.map(handTold),
    winners,
    order,
    free: needNotShow(order, found.pots, hands, lows),
    ...(isSplit ? { lows: lows.map(handTold), low_winners: lowWinners } : {}),
  };
};

const stud = (question) => {
  const boards = playersOf(question);
  const isRazz = question.game === "razz";
  if (boards.some((cards) => cards.length > 1)) return { first: firstToAct(boards, isRazz), is_forced: false };
  return { first: [opener(boards, question.limit, isRazz)], is_forced: true };
};

const ANSWERS = { bets, pots, showdown, stud, other: () => ({}) };

const answer = (topic, question) => ANSWERS[topic](question);

export { answer };
