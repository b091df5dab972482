// Seven-card evaluations a second in JavaScript: the desk's own modules, in the interpreter at hand.

import { valueOfNumbers } from "../tournaments/static/tournaments/js/rulings/hands.js";

const HANDS = 400000;
const hands = [];
let seed = 20261123;
const next = (most) => {
  seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
  return (seed >>> 8) % most;
};
for (let at = 0; at < HANDS; at += 1) {
  const drawn = new Set();
  while (drawn.size < 7) drawn.add(next(52));
  hands.push([...drawn]);
}
let sum = 0;
for (let at = 0; at < 50000; at += 1) sum += valueOfNumbers(hands[at]);
const began = performance.now();
for (const hand of hands) sum += valueOfNumbers(hand);
const seconds = (performance.now() - began) / 1000;
process.stdout.write(JSON.stringify({ rate: HANDS / seconds, sum }));
