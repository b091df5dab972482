// Cards as codes ("As", "Td"), and the desk's own no. The twin of rulings/domain/unruled.py.

const RANKS = "23456789TJQKA";
const SUITS = "cdhs";

class Unruled extends Error {
  constructor(code, about = {}) {
    super(code);
    this.code = code;
    this.about = about;
  }
}

const numberOf = (code) => RANKS.indexOf(code[0]) * 4 + SUITS.indexOf(code[1]);
const rankOf = (code) => RANKS.indexOf(code[0]) + 2;
const suitOf = (code) => SUITS.indexOf(code[1]) + 1;
// As in the draw for the dealer: rank, then suit.
const byCard = (one, other) => numberOf(one) - numberOf(other);

const noneTwice = (codes) => {
  const seen = new Set();
  for (const code of codes) {
    if (seen.has(code)) throw new Unruled("twice", { card: code });
    seen.add(code);
  }
};

export { RANKS, SUITS, Unruled, numberOf, rankOf, suitOf, byCard, noneTwice };
