// Values every hand of so many cards, one by one, as the desk does on a phone; writes how many of
// each kind there are.

import { CATEGORIES, valueOfNumbers } from "../../tournaments/static/tournaments/js/rulings/hands.js";

const size = Number(process.argv[2]);
const hand = Array(size).fill(0);
const counts = CATEGORIES.map(() => 0);

const fill = (place, from) => {
  for (let card = from; card <= 52 - (size - place); card += 1) {
    hand[place] = card;
    if (place === size - 1) counts[valueOfNumbers(hand) >> 20] += 1;
    else fill(place + 1, card + 1);
  }
};

fill(0, 0);
process.stdout.write(JSON.stringify(Object.fromEntries(CATEGORIES.map((name, at) => [name, counts[at]]))));
