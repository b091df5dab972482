// Bets and raises: the twin of rulings/domain/raises.py and betting_round.py.

import { Unruled } from "./cards.js";

const MOST_RAISES = 3;
const LAST_ROUND = { holdem: 4, omaha: 4, stud: 5 };
const SMALL_BET_ROUNDS = 2;
const TIMES = { double_bet: 2, by_double: 3 };

const checkStakes = ({ game, limit, spread, small, big, bigBet, bringIn }) => {
  if (limit === "spread_limit" && !(spread[0] > 0 && spread[0] <= spread[1])) {
    throw new Unruled("no_spread");
  }
  if (big <= 0) throw new Unruled("no_blinds");
  if (small < 0 || small > big || bringIn < 0) throw new Unruled("small_above_big");
  if (limit === "split_limit" && bigBet < big) throw new Unruled("no_big_bet");
  if (game === "stud" && bringIn > big) throw new Unruled("bring_in_above_bet");
};

const leastRaiseTo = ({ game, rule }, level, largest, size) => {
  if (level < size) return level === 0 || game === "stud" ? size : level + size;
  return TIMES[rule] ? level * TIMES[rule] : level + Math.max(largest, size);
};

class Round {
  constructor(stakes, number, pot, stacks) {
    checkStakes(stakes);
    Object.assign(this, { stakes, number, pot, level: 0, base: 0, largest: 0, raises: 0 });
    this.check(stacks);
    this.players = stacks.map((total) => ({ total, bet: 0, hasFolded: false, seen: null }));
    this.lastRaiser = null;
    this.hasForced = number === 1 && stakes.game === "stud" && stakes.bringIn > 0;
    if (number === 1) this.post();
    this.turn = this.nextAfter(this.hasForced ? 0 : -1);
  }

  check(stacks) {
    const most = LAST_ROUND[this.stakes.game];
    if (this.number < 1 || this.number > most) throw new Unruled("no_round", { most });
    if (stacks.length < 2) throw new Unruled("few_players");
    if (this.pot < 0 || stacks.some((stack) => stack !== null && stack <= 0)) {
      throw new Unruled("negative");
    }
  }

  post() {
    const { game, small, big, bringIn } = this.stakes;
    const put = (place, amount) => {
      const player = this.players[place];
      player.bet = player.total === null ? amount : Math.min(amount, player.total);
    };
    if (game === "stud") {
      put(0, bringIn);
      this.level = bringIn;
      if (this.hasForced) this.players[0].seen = bringIn;
    } else {
      put(this.players.length - 2, small);
      put(this.players.length - 1, big);
      Object.assign(this, { level: big, base: big, largest: big });
    }
  }

  isAllIn({ total, bet, hasFolded }) {
    return total !== null && bet >= total && !hasFolded;
  }

  mayAct(player) {
    return !player.hasFolded && !this.isAllIn(player);
  }

  nextAfter(after) {
    const count = this.players.length;
    if (this.players.filter(({ hasFolded }) => !hasFolded).length < 2) return null;
    for (let step = 1; step <= count; step += 1) {
      const place = (after + step + count) % count;
      const player = this.players[place];
      const isAlone = !this.players.some((other, at) => at !== place && this.mayAct(other));
      const acts = player.bet < this.level || (player.seen === null && !isAlone);
      if (this.mayAct(player) && acts) return place;
    }
    return null;
  }

  get isFixed() {
    return this.stakes.limit === "split_limit";
  }

  get size() {
    const { limit, spread, big, bigBet } = this.stakes;
    if (limit === "spread_limit") return spread[0];
    return this.isFixed && this.number > SMALL_BET_ROUNDS ? bigBet : big;
  }

  isFull(level, over) {
    return this.isFixed ? 2 * (level - over) >= this.size : level >= this.leastOver(over);
  }

  leastOver(level) {
    if (this.isFixed) return this.base + this.size;
    if (this.stakes.limit === "spread_limit") {
      return this.hasForced && level < this.size ? this.size : level + this.size;
    }
    return leastRaiseTo(this.stakes, level, this.largest, this.size);
  }

  mostFor(player) {
    const least = this.leastOver(this.level);
    if (this.isFixed) return least;
    const { limit, spread } = this.stakes;
    if (limit === "spread_limit") return Math.max(this.level + spread[1], least);
    if (limit !== "pot_limit") return null;
    return Math.max(this.level + this.allIn() + this.level - player.bet, least);
  }

  allIn() {
    return this.players.reduce((sum, { bet }) => sum + bet, this.pot);
  }

  get isCapped() {
    if (!this.isFixed || this.raises < MOST_RAISES) return false;
    if (this.stakes.cap === "event") return !this.stakes.isEventHeadsUp;
    const live = this.players.filter(({ hasFolded }) => !hasFolded).length;
    return !(live === 2 && this.number === LAST_ROUND[this.stakes.game]);
  }

  barFor(place) {
    const player = this.players[place];
    const cannot = ({ hasFolded, total }) => hasFolded || (total !== null && total <= this.level);
    if (player.total !== null && player.total <= this.level) return "no_chips";
    if (this.players.every((other, at) => at === place || cannot(other))) return "nobody_left";
    if (this.isCapped) return "capped";
    return player.seen !== null && !this.isFull(this.level, player.seen) ? "not_reopened" : null;
  }

  options() {
    if (this.turn === null) throw new Unruled("round_over");
    const player = this.players[this.turn];
    const { total } = player;
    const owed = this.level - player.bet;
    const call = total === null ? owed : Math.min(owed, total - player.bet);
    const bar = this.barFor(this.turn);
    let [least, most] = bar ? [null, null] : [this.leastOver(this.level), this.mostFor(player)];
    if (!bar && total !== null) {
      least = Math.min(least, total);
      most = most === null ? total : Math.min(most, total);
    }
    return { player: this.turn, call, mayCheck: call === 0, isBet: this.level === 0, least, most, bar };
  }

  take([deed, to]) {
    const options = this.options();
    const player = this.players[options.player];
    const number = options.player + 1;
    if (deed === "check" && !options.mayCheck) {
      throw new Unruled("no_check", { player: number, call: options.call });
    }
    if (deed === "call" && options.mayCheck) throw new Unruled("no_call", { player: number });
    if (deed === "fold") player.hasFolded = true;
    else if (deed === "bet") this.raise(options, to);
    else player.bet += options.call;
    player.seen = this.level;
    this.turn = this.nextAfter(options.player);
  }

  raise({ player: place, bar, least, most }, to) {
    const player = this.players[place];
    const number = place + 1;
    if (player.total !== null && to > player.total) {
      throw new Unruled("above_stack", { player: number, put: to, stack: player.total });
    }
    if (bar) throw new Unruled(`barred_${bar}`, { player: number });
    if (to < least) throw new Unruled("too_little", { player: number, to, least });
    if (most !== null && to > most) throw new Unruled("too_much", { player: number, to, most });
    const over = this.isFixed ? this.base : this.level;
    if (this.isFull(to, over)) {
      this.raises += over > 0 ? 1 : 0;
      this.largest = Math.max(this.largest, to - this.level);
      this.base = to;
    }
    this.level = Math.max(this.level, to);
    player.bet = to;
    this.lastRaiser = place;
  }
}

// What chips put in come to, where more was asked for than a call and less than a raise.
const verdictOf = ({ to, declared }, { level, least, most, total, rule }) => {
  if (total !== null && to > total) throw new Unruled("above_own", { to, most: total });
  if (to <= level) return to === level || to === total ? "call" : "under_call";
  if (most !== null && to > most) return "too_much";
  if (to >= least) return "full";
  if (to === total) return "short_all_in";
  if (rule !== "largest_raise") return "incomplete";
  return 2 * (to - level) >= least - level || declared ? "must_complete" : "call";
};

export { LAST_ROUND, Round, verdictOf };
