// Low hands: the twin of rulings/domain/lows.py. As of high hands, the greater value wins.

import { rankOf } from "./cards.js";
import { isLow } from "./contests.js";
import { CATEGORIES, fivesOf, packed, ranksOf, readOrder, valueOf } from "./hands.js";

const BOUND = 1 << 24;
const EIGHT = 8;
const HIGH_CARD = 0;
const [FLUSH, STRAIGHT_FLUSH] = ["flush", "straight_flush"].map((name) => CATEGORIES.indexOf(name));
// By how often the ranks of five cards are there.
const PATTERNS = { 41: "four", 32: "full_house", 311: "three", 221: "two_pair", 2111: "pair", 11111: "high_card" };

const lowRank = (code) => (rankOf(code) === 14 ? 1 : rankOf(code));

const lowValue = (five) => {
  const ranks = five.map(lowRank);
  const groups = [...new Set(ranks)].map((rank) => [ranks.filter((one) => one === rank).length, rank]);
  groups.sort((one, other) => other[0] - one[0] || other[1] - one[1]);
  const category = CATEGORIES.indexOf(PATTERNS[groups.map(([count]) => count).join("")]);
  return BOUND - packed(category, ...groups.map(([, rank]) => rank));
};

// The ace is only high: with five to two it is no straight.
const deuceValue = (five) => {
  const value = valueOf(five);
  const [first, second] = ranksOf(value);
  if (first !== 5 || second !== undefined) return BOUND - value;
  return BOUND - packed(value >> 20 === STRAIGHT_FLUSH ? FLUSH : HIGH_CARD, 14, 5, 4, 3, 2);
};

// The best low five; null where they must be eight or better, and are not.
const bestLow = (game, hole, board) => {
  const isDeuce = game === "triple_draw";
  const worth = isDeuce ? deuceValue : lowValue;
  let value = -1;
  let cards = [];
  for (const five of fivesOf(game, hole, board)) {
    const found = worth(five);
    if (found > value) [value, cards] = [found, five];
  }
  const high = BOUND - value;
  const ranks = ranksOf(high);
  const category = high >> 20;
  if (!isLow(game) && (category !== HIGH_CARD || ranks[0] > EIGHT)) return null;
  return {
    value,
    category: category === HIGH_CARD ? "low" : CATEGORIES[category],
    ranks,
    cards: readOrder(cards, isDeuce ? rankOf : lowRank),
  };
};

export { bestLow, lowRank };
