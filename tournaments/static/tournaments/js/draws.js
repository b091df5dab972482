// Draws made again in the visitor's browser: the arithmetic of docs/internals/draws.md, without the page.
// SHA-256 is written out because browsers keep theirs from pages that come by plain http.

const rotate = (word, by) => (word >>> by) | (word << (32 - by));

// The first 32 bits of the fractional parts of roots of primes, as the standard has them.
const primes = [];
for (let number = 2; primes.length < 64; number += 1) {
  if (primes.every((prime) => number % prime !== 0)) primes.push(number);
}
const fraction = (value) => ((value - Math.floor(value)) * 2 ** 32) | 0;
const START = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const ROUND = primes.map((prime) => fraction(Math.cbrt(prime)));

const padded = (text) => {
  const bytes = new TextEncoder().encode(text);
  const whole = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  whole.set(bytes);
  whole[bytes.length] = 0x80;
  const view = new DataView(whole.buffer);
  view.setUint32(whole.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(whole.length - 4, bytes.length << 3);
  return view;
};

const block = (state, view, offset) => {
  const words = new Int32Array(64);
  for (let i = 0; i < 16; i += 1) words[i] = view.getInt32(offset + 4 * i);
  for (let i = 16; i < 64; i += 1) {
    const [x, y] = [words[i - 15], words[i - 2]];
    const low = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3);
    const high = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10);
    words[i] = words[i - 16] + low + words[i - 7] + high;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i += 1) {
    const one = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const first = (h + one + ((e & f) ^ (~e & g)) + ROUND[i] + words[i]) | 0;
    const zero = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const second = (zero + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  return [a, b, c, d, e, f, g, h].map((word, i) => (word + state[i]) | 0);
};

const sha256 = (text) => {
  const view = padded(text);
  let state = START;
  for (let offset = 0; offset < view.byteLength; offset += 64) state = block(state, view, offset);
  return state.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
};

// `said` is [secret, hall number, draw number].
const drawOrder = (items, said) => {
  const hashed = items.map((item) => [sha256([...said, item].join("|")), item]);
  hashed.sort(([one, first], [other, second]) => (one < other || (one === other && first < second) ? -1 : 1));
  return hashed.map(([, item]) => item);
};

// How many go to each table: one by one to the table with the fewest that has room.
const shares = (free, people) => {
  const given = new Map(free.map(([table]) => [table, 0]));
  const tables = [...free].sort(([one], [other]) => one - other);
  for (let left = people; left > 0; left -= 1) {
    let best = null;
    for (const [table, seats, players] of tables) {
      const size = players + given.get(table);
      if (given.get(table) < seats.length && (best === null || size < best.size)) best = { table, size };
    }
    given.set(best.table, given.get(best.table) + 1);
  }
  return given;
};

const MOST_TRIED = 5000;
const tableOf = (place) => Number(place.split(":")[1]);

// First player, first seat; but for wishes to be kept apart, as the document tells.
const givenApart = (order, seats, pairs, notAt) => {
  const given = new Map();
  const isBarred = (player, place) => {
    const table = tableOf(place);
    if (notAt.some(([entry, tables]) => `entry:${entry}` === player && tables.includes(table))) return true;
    return pairs.some(([one, other]) => {
      const names = [`entry:${one}`, `entry:${other}`];
      const partner = names.includes(player) ? names.find((name) => name !== player) : null;
      return given.has(partner) && tableOf(given.get(partner)) === table;
    });
  };
  const left = [...seats];
  for (const player of order) {
    const fits = left.findIndex((place) => !isBarred(player, place));
    given.set(player, left.splice(Math.max(fits, 0), 1)[0]);
  }
  for (const player of order.filter((one) => isBarred(one, given.get(one)))) {
    if (isBarred(player, given.get(player))) exchange(player, given, isBarred);
  }
  if (!order.some((one) => isBarred(one, given.get(one)))) return given;
  const before = new Map(given);
  given.clear();
  const named = new Set([...pairs.flat(), ...notAt.map(([entry]) => entry)].map((entry) => `entry:${entry}`));
  const free = byTrying(order.filter((one) => named.has(one)), seats, given, isBarred);
  if (free === null) return before;
  for (const player of order) if (!given.has(player)) given.set(player, free.shift());
  return given;
};

// Seat those whom wishes name, going back where no table is left; return the other seats, or null.
const byTrying = (wishers, seats, given, isBarred) => {
  let tried = 0;
  const free = () => {
    const taken = new Set(given.values());
    return seats.filter((place) => !taken.has(place));
  };
  const seat = (position) => {
    if (position === wishers.length) return true;
    const tables = new Set();
    for (const place of free()) {
      const table = tableOf(place);
      if (tables.has(table) || isBarred(wishers[position], place)) continue;
      tables.add(table);
      tried += 1;
      given.set(wishers[position], place);
      if (seat(position + 1)) return true;
      given.delete(wishers[position]);
      if (tried >= MOST_TRIED) return false;
    }
    return false;
  };
  return seat(0) ? free() : null;
};

const exchange = (player, given, isBarred) => {
  const mine = given.get(player);
  for (const [other, theirs] of [...given]) {
    if (tableOf(theirs) === tableOf(mine)) continue;
    given.set(player, theirs);
    given.set(other, mine);
    if (!isBarred(player, theirs) && !isBarred(other, mine)) return;
    given.set(player, mine);
    given.set(other, theirs);
  }
};

const placesOf = (free) => free.flatMap(([table, seats]) => seats.map((seat) => `seat:${table}:${seat}`));

// Each kind of draw returns its outcome as the page has it, line for line.

const many = ({ free, outcome, apart, not_at: notAt }, said) => {
  const left = shares(free, outcome.length);
  const used = drawOrder(placesOf(free), said).filter((place) => {
    const table = tableOf(place);
    left.set(table, left.get(table) - 1);
    return left.get(table) >= 0;
  });
  const order = drawOrder(outcome.map(([entry]) => `entry:${entry}`), said);
  const given = givenApart(order, used, apart, notAt);
  return outcome.map(([entry]) => [entry, ...given.get(`entry:${entry}`).split(":").slice(1).map(Number)]);
};

const single = ({ free, outcome }, said) => {
  const [[entry]] = outcome;
  const [first] = drawOrder(placesOf(free).map((place) => `entry:${entry}@${place}`), said);
  return [[entry, ...first.split(":").slice(2).map(Number)]];
};

// What a rule decided is not drawn again.
const move = ({ movers, seats, outcome: [[entry, table, seat]] }, said) => {
  const who = movers.length ? Number(drawOrder(movers, said)[0].split(":")[1]) : entry;
  const where = seats.length ? drawOrder(seats, said)[0].split(":").slice(1).map(Number) : [table, seat];
  return [[who, ...where]];
};

const RANKS = "23456789TJQKA";
const SUITS = "cdhs";
const height = (card) => RANKS.indexOf(card[0]) * 4 + SUITS.indexOf(card[1]);

const dealer = ({ dealt }, said) => {
  const deck = [...RANKS].flatMap((rank) => [...SUITS].map((suit) => `card:${rank}${suit}`));
  const order = drawOrder(deck, said);
  return [...dealt]
    .sort((one, other) => one - other)
    .map((seat, position) => [seat, order[position].slice(5)])
    .sort(([, one], [, other]) => height(other) - height(one));
};

// What is in it stands in the list of the envelopes, which was made before.
const mystery = ({ envelopes, outcome: [[entry, , cents]] }, said) => {
  const [first] = drawOrder(envelopes, said);
  return [[entry, Number(first.split(":")[1]), cents]];
};

const KINDS = { seat: single, balance: move, dealer, race: dealer, mystery, hands: mystery };

// Return the draw made again and the lines in which it differs, counted from 1.
const again = (recipe, secret) => {
  const said = [secret, recipe.hall, recipe.number];
  const outcome = (KINDS[recipe.kind] ?? many)(recipe, said);
  const isSame = (line, position) => JSON.stringify(line) === JSON.stringify(recipe.outcome[position]);
  const wrong = outcome.flatMap((line, position) => (isSame(line, position) ? [] : [position + 1]));
  return { outcome, wrong };
};

export { sha256, drawOrder, shares, givenApart, again as drawAgain };
