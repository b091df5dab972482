// The showdown and stud: the twin of rulings/domain/showdown.py and stud.py.

import { Unruled, noneTwice, numberOf, rankOf } from "./cards.js";
import { HOLE, boardOf, isHalved, isLow, isStud } from "./contests.js";
import { bestHand } from "./hands.js";
import { bestLow, lowRank } from "./lows.js";

const MOST_OPEN = 4;

const check = (game, board, held, aside) => {
  noneTwice([...board, ...held.flatMap(({ cards }) => cards), ...aside]);
  if (held.length < 2 || held.every(({ isDead }) => isDead)) throw new Unruled("few_players");
  // In stud one card in the middle stands for everybody's seventh when the deck has run out.
  const least = boardOf(game);
  const most = isStud(game) ? 1 : least;
  if (board.length > most) throw new Unruled("many_board", { there: board.length, most });
  if (board.length < least) throw new Unruled("few_board", { there: board.length, most: least });
  const own = HOLE[game] - (isStud(game) ? board.length : 0);
  held.forEach(({ cards, isDead }, at) => {
    const about = { player: at + 1, there: cards.length, most: own };
    if (cards.length > own) throw new Unruled("many_cards", about);
    if (cards.length < own && !isDead) throw new Unruled("few_cards", about);
  });
};

const handsOf = (game, board, held, aside) => {
  check(game, board, held, aside);
  const best = isLow(game) ? bestLow : bestHand;
  return held.map(({ cards, isDead }) => (isDead ? null : best(game, cards, board)));
};

// The low hands for half a pot; nobody's in other games.
const lowsOf = (game, board, held) => held.map(({ cards, isDead }) => (
  isDead || !isHalved(game) ? null : bestLow(game, cards, board)
));

const highest = (cards, isLowHand) => Math.max(...cards.map((code) => (
  (isLowHand ? lowRank(code) : rankOf(code)) * 64 + numberOf(code)
)));

const winnersOf = (pot, hands, game, isLowHand = isLow(game)) => {
  const able = pot.players.filter((place) => hands[place]);
  if (able.length === 0) throw new Unruled("nobody_wins", { amount: pot.amount });
  const best = Math.max(...able.map((place) => hands[place].value));
  const winners = able.filter((place) => hands[place].value === best);
  if (isStud(game)) {
    winners.sort((one, other) => (
      highest(hands[other].cards, isLowHand) - highest(hands[one].cards, isLowHand)
    ));
  }
  return winners;
};

const lowWinnersOf = (pot, lows, game) => (
  pot.players.some((place) => lows[place]) ? winnersOf(pot, lows, game, true) : []
);

const showOrder = (count, lastRaiser, folded) => {
  if (lastRaiser !== null && folded.includes(lastRaiser)) {
    throw new Unruled("raiser_folded", { player: lastRaiser + 1 });
  }
  const first = lastRaiser ?? 0;
  const order = Array.from({ length: count }, (_, step) => (first + step) % count);
  return order.filter((place) => !folded.includes(place));
};

const isBeaten = (place, shown, pots, hands) => pots
  .filter(({ players }) => players.includes(place))
  .every(({ players }) => shown.some((other) => (
    players.includes(other) && hands[other] && hands[other].value > hands[place].value
  )));

const needNotShow = (order, pots, hands, lows) => {
  const shown = [];
  return order.filter((place) => {
    const isLowBeaten = !lows[place] || isBeaten(place, shown, pots, lows);
    const isFree = Boolean(hands[place]) && isLowBeaten && isBeaten(place, shown, pots, hands);
    if (!isFree) shown.push(place);
    return isFree;
  });
};

const checkOpen = (boards) => {
  if (boards.length < 2) throw new Unruled("few_players");
  noneTwice(boards.flat());
  const most = Math.max(...boards.map((cards) => cards.length));
  if (most > MOST_OPEN) throw new Unruled("many_open", { most: MOST_OPEN });
  boards.forEach((cards, at) => {
    if (cards.length !== most || cards.length === 0) {
      throw new Unruled("few_open", { player: at + 1, there: cards.length, most: Math.max(most, 1) });
    }
  });
};

const opener = (boards, limit, isRazz) => {
  checkOpen(boards);
  const cards = boards.map(([card]) => card);
  const values = cards.map((card) => (isRazz ? lowRank(card) * 64 + numberOf(card) : numberOf(card)));
  const isHigh = isRazz || limit === "pot_limit" || limit === "no_limit";
  return values.indexOf((isHigh ? Math.max : Math.min)(...values));
};

// Ranks by how often they are there; the value grows with the first difference.
const openValue = (cards, isRazz) => {
  const ranks = cards.map(isRazz ? lowRank : rankOf);
  const groups = [...new Set(ranks)].map((rank) => (
    ranks.filter((one) => one === rank).length * 16 + rank
  ));
  groups.sort((one, other) => other - one);
  while (groups.length < MOST_OPEN) groups.push(0);
  return groups.reduce((value, group) => value * 128 + group, 0);
};

const firstToAct = (boards, isRazz) => {
  checkOpen(boards);
  const values = boards.map((cards) => openValue(cards, isRazz));
  const best = (isRazz ? Math.min : Math.max)(...values);
  return [...values.keys()].filter((place) => values[place] === best);
};

export { handsOf, lowsOf, winnersOf, lowWinnersOf, showOrder, needNotShow, opener, firstToAct };
