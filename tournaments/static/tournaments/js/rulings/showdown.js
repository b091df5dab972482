// The showdown and stud: the twin of rulings/domain/showdown.py and stud.py.

import { Unruled, byCard, noneTwice, rankOf } from "./cards.js";
import { BOARD, HOLE, bestHand } from "./hands.js";

const MOST_OPEN = 4;

const check = (game, board, held) => {
  noneTwice([...board, ...held.flatMap(({ cards }) => cards)]);
  if (held.length < 2 || held.every(({ isDead }) => isDead)) throw new Unruled("few_players");
  // In stud one card in the middle stands for everybody's seventh when the deck has run out.
  const most = game === "stud" ? 1 : BOARD[game];
  if (board.length > most) throw new Unruled("many_board", { there: board.length, most });
  if (board.length < BOARD[game]) {
    throw new Unruled("few_board", { there: board.length, most: BOARD[game] });
  }
  const own = HOLE[game] - (game === "stud" ? board.length : 0);
  held.forEach(({ cards, isDead }, at) => {
    const about = { player: at + 1, there: cards.length, most: own };
    if (cards.length > own) throw new Unruled("many_cards", about);
    if (cards.length < own && !isDead) throw new Unruled("few_cards", about);
  });
};

const handsOf = (game, board, held) => {
  check(game, board, held);
  return held.map(({ cards, isDead }) => (isDead ? null : bestHand(game, cards, board)));
};

const highest = (cards) => cards.reduce((best, card) => (byCard(card, best) > 0 ? card : best));

const winnersOf = (pot, hands, game) => {
  const able = pot.players.filter((place) => hands[place]);
  if (able.length === 0) throw new Unruled("nobody_wins", { amount: pot.amount });
  const best = Math.max(...able.map((place) => hands[place].value));
  const winners = able.filter((place) => hands[place].value === best);
  if (game === "stud") {
    winners.sort((one, other) => byCard(highest(hands[other].cards), highest(hands[one].cards)));
  }
  return winners;
};

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

const needNotShow = (order, pots, hands) => {
  const shown = [];
  return order.filter((place) => {
    const isFree = Boolean(hands[place]) && isBeaten(place, shown, pots, hands);
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

const opener = (boards, limit) => {
  checkOpen(boards);
  const cards = boards.map(([card]) => card);
  const sign = limit === "pot_limit" || limit === "no_limit" ? 1 : -1;
  return cards.reduce((best, card, at) => (byCard(card, cards[best]) * sign > 0 ? at : best), 0);
};

// Ranks by how often they are there; the value grows with the first difference.
const openValue = (cards) => {
  const ranks = cards.map(rankOf);
  const groups = [...new Set(ranks)].map((rank) => (
    ranks.filter((one) => one === rank).length * 16 + rank
  ));
  groups.sort((one, other) => other - one);
  while (groups.length < MOST_OPEN) groups.push(0);
  return groups.reduce((value, group) => value * 128 + group, 0);
};

const firstToAct = (boards) => {
  checkOpen(boards);
  const values = boards.map(openValue);
  const most = Math.max(...values);
  return [...values.keys()].filter((place) => values[place] === most);
};

export { handsOf, winnersOf, showOrder, needNotShow, opener, firstToAct };
