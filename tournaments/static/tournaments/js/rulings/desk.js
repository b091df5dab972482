// Questions at the desk as plain data, and their answers, without the server: the twin of
// rulings/domain/desk.py. Both are held to fixtures/cases/rulings.json.

import { Round, verdictOf } from "./bets.js";
import { Unruled } from "./cards.js";
import { potsOf, sharesOf } from "./pots.js";
import {
  firstToAct, handsOf, needNotShow, opener, showOrder, winnersOf,
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

const toldOf = ({ pots, back, to }, count, winners, unit) => {
  const gets = Array(count).fill(0);
  const told = pots.map((pot, at) => {
    const shares = winners[at].length ? sharesOf(pot, winners[at], unit) : [];
    shares.forEach(([player, amount]) => { gets[player] += amount; });
    return { ...pot, shares };
  });
  return { pots: told, back, to, gets };
};

const pots = (question) => {
  const rows = playersOf(question);
  const found = potsOf(rows.map(stakeOf), question.dead ?? 0);
  const winners = found.pots.map((_, at) => question.winners?.[at] ?? []);
  return toldOf(found, rows.length, winners, question.unit ?? 1);
};

const showdown = (question) => {
  const { game, board } = question;
  const rows = playersOf(question);
  const held = rows.map(({ cards, dead, folded }) => ({ cards, isDead: Boolean(dead || folded) }));
  const hands = handsOf(game, board, held);
  const out = [...held.keys()].filter((place) => held[place].isDead);
  const able = [...held.keys()].filter((place) => !held[place].isDead);
  const stakes = rows.map((row, place) => ({ ...stakeOf(row), hasFolded: held[place].isDead }));
  const found = rows.every((row) => row.put !== undefined)
    ? potsOf(stakes, question.dead ?? 0)
    : { pots: [{ amount: 0, players: able }], back: 0, to: null };
  const winners = found.pots.map((pot) => winnersOf(pot, hands, game));
  const order = showOrder(rows.length, question.last_raiser ?? null, out);
  return {
    ...toldOf(found, rows.length, winners, question.unit ?? 1),
    hands: hands.map((hand) => hand && (({ category, ranks, cards }) => ({ category, ranks, cards }))(hand)),
    winners,
    order,
    free: needNotShow(order, found.pots, hands),
  };
};

const stud = (question) => {
  const boards = playersOf(question);
  if (boards.some((cards) => cards.length > 1)) return { first: firstToAct(boards), is_forced: false };
  return { first: [opener(boards, question.limit)], is_forced: true };
};

const ANSWERS = { bets, pots, showdown, stud, other: () => ({}) };

const answer = (topic, question) => ANSWERS[topic](question);

export { answer };
