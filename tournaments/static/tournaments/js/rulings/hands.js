// Poker hands: the twin of rulings/domain/hands.py, held to it by tests/domain/test_rulings_in_javascript.py.

import { byCard, numberOf, rankOf } from "./cards.js";
import { isOmaha } from "./contests.js";

const CATEGORIES = [
  "high_card", "pair", "two_pair", "three", "straight", "flush", "full_house", "four",
  "straight_flush", "royal_flush",
];
const [, PAIR, TWO_PAIR, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH, ROYAL] = (
  CATEGORIES.keys()
);
const WHEEL = 0b1000000001111;
const suits = new Int32Array(4);
const counts = new Int32Array(13);
const groups = new Int32Array(5);

const highOf = (ranks) => 33 - Math.clz32(ranks); // of bits: the bit 0 is the two
const bitsIn = (value) => {
  let left = value;
  let found = 0;
  for (; left; left &= left - 1) found += 1;
  return found;
};

const packed = (category, first = 0, second = 0, third = 0, fourth = 0, fifth = 0) => (
  category << 20 | first << 16 | second << 12 | third << 8 | fourth << 4 | fifth
);

const straightIn = (held) => {
  for (let high = 12; high > 3; high -= 1) if ((held >> (high - 4) & 31) === 31) return high + 2;
  return (held & WHEEL) === WHEEL ? 5 : 0;
};

const topOf = (held, wanted) => {
  let value = 0;
  let found = 0;
  for (let rank = 12; rank >= 0 && found < wanted; rank -= 1) {
    if (held >> rank & 1) {
      value = value << 4 | rank + 2;
      found += 1;
    }
  }
  return found < wanted ? value << 4 * (wanted - found) : value;
};

const STRAIGHTS = Uint8Array.from({ length: 1 << 13 }, (_, held) => straightIn(held));
const TOPS = Uint32Array.from({ length: 1 << 13 }, (_, held) => topOf(held, 5));

const kicked = (category, held, ranks, used, kickers) => (
  packed(category, ...ranks) | topOf(held & ~used, kickers) << 4 * (5 - ranks.length - kickers)
);

const withoutFlush = (held) => {
  groups.fill(0);
  for (let rank = 0; rank < 13; rank += 1) groups[counts[rank]] |= 1 << rank;
  const [, , pairs, threes, fours] = groups;
  if (fours) return kicked(FOUR, held, [highOf(fours)], fours, 1);
  const three = threes ? 1 << highOf(threes) - 2 : 0;
  const rest = pairs | (threes ^ three);
  if (three && rest) return packed(FULL_HOUSE, highOf(three), highOf(rest));
  if (STRAIGHTS[held]) return packed(STRAIGHT, STRAIGHTS[held]);
  if (three) return kicked(THREE, held, [highOf(three)], three, 2);
  if (!pairs) return TOPS[held];
  const high = 1 << highOf(pairs) - 2;
  if (pairs === high) return kicked(PAIR, held, [highOf(high)], high, 3);
  const second = 1 << highOf(pairs ^ high) - 2;
  return kicked(TWO_PAIR, held, [highOf(high), highOf(second)], high | second, 1);
};

// The value of the best five among five to seven cards, told by their numbers.
const valueOfNumbers = (numbers) => {
  suits.fill(0);
  counts.fill(0);
  for (let at = 0; at < numbers.length; at += 1) {
    const rank = numbers[at] >> 2;
    suits[numbers[at] & 3] |= 1 << rank;
    counts[rank] += 1;
  }
  for (let suit = 0; suit < 4; suit += 1) {
    if (bitsIn(suits[suit]) >= 5) {
      const high = STRAIGHTS[suits[suit]];
      if (high) return packed(high === 14 ? ROYAL : STRAIGHT_FLUSH, high);
      return FLUSH << 20 | TOPS[suits[suit]];
    }
  }
  return withoutFlush(suits[0] | suits[1] | suits[2] | suits[3]);
};

const valueOf = (codes) => valueOfNumbers(codes.map(numberOf));
const ranksOf = (value) => (
  [16, 12, 8, 4, 0].map((shift) => value >> shift & 15).filter((rank) => rank > 0)
);

function* combinations(items, size, from = 0) {
  if (size === 0) yield [];
  else {
    for (let at = from; at <= items.length - size; at += 1) {
      for (const rest of combinations(items, size - 1, at + 1)) yield [items[at], ...rest];
    }
  }
}

function* omahaFives(hole, board) {
  for (const own of combinations(hole, 2)) {
    for (const shared of combinations(board, 3)) yield [...own, ...shared];
  }
}

// Pairs before kickers, then from the highest.
const readOrder = (codes, rankIn) => {
  const ranks = codes.map(rankOf);
  const key = (code) => (
    ranks.filter((rank) => rank === rankOf(code)).length * 4096 + rankIn(code) * 64 + numberOf(code)
  );
  return [...codes].sort((one, other) => key(other) - key(one));
};

const inOrder = (codes, value) => {
  const [first, second] = ranksOf(value);
  const isWheel = first === 5 && second === undefined;
  return readOrder(codes, (code) => (isWheel && rankOf(code) === 14 ? 1 : rankOf(code)));
};

const sorted = (codes) => [...codes].sort((one, other) => byCard(other, one));

// Two own cards and three of the middle in Omaha, else any five.
const fivesOf = (game, hole, board) => (
  isOmaha(game) ? omahaFives(sorted(hole), sorted(board)) : combinations(sorted([...hole, ...board]), 5)
);

const bestHand = (game, hole, board) => {
  let value = -1;
  let cards = [];
  for (const five of fivesOf(game, hole, board)) {
    const found = valueOf(five);
    if (found > value) [value, cards] = [found, five];
  }
  return { value, category: CATEGORIES[value >> 20], ranks: ranksOf(value), cards: inOrder(cards, value) };
};

export { CATEGORIES, packed, valueOfNumbers, valueOf, ranksOf, fivesOf, readOrder, bestHand };
