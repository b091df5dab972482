// What a clock shows at an instant: the same function as clock/domain/anchor.py, held to it by the
// vectors of fixtures/cases/clock.json. Instants and spans are whole milliseconds.
// Nothing here reads the present time or touches the page.

const endsAt = (level, anchor, since) => {
  if (level.duration === null) {
    return level.hands !== null && anchor.hands >= level.hands ? since : null;
  }
  if (anchor.since !== null) return since + (level.duration - anchor.elapsed);
  return anchor.elapsed >= level.duration ? since : null;
};

const isBreak = (level) => level.kind === "break";
const isOver = (level, elapsed) => (
  isBreak(level) && level.duration !== null && elapsed >= level.duration
);

// A level added after `now` does not exist yet.
const followingOf = (levels, index, now) => {
  const level = levels[index + 1];
  return level === undefined || (level.added !== null && level.added > now) ? null : level;
};

// A level that has run out gives way at its deadline, so that lateness never adds up; a boundary
// belongs to the level that begins at it; the last level there is holds at its end. While last
// hands are played, and at the end of a break where the clock stops, the level stays.
const settled = (start, levels, position, now) => {
  const isRunning = start.since !== null;
  let anchor = start;
  let index = position;
  let since = isRunning ? start.since : now;
  const at = Math.max(now, since);
  while (index + 1 < levels.length && anchor.last_hands === null) {
    if (anchor.stops && isBreak(levels[index])) break;
    const following = levels[index + 1];
    const end = endsAt(levels[index], anchor, since);
    if (end === null) break;
    const begins = following.added === null ? end : Math.max(end, following.added);
    if (begins > at) break;
    index += 1;
    since = begins;
    const began = isRunning ? begins : null;
    anchor = { ...anchor, level: following.id, elapsed: 0, hands: 0, since: began, began };
  }
  if (!isRunning) return [anchor, index];
  const { duration } = levels[index];
  const ran = anchor.elapsed + (at - since);
  const elapsed = duration === null ? ran : Math.min(ran, duration);
  const stands = anchor.stops && isOver(levels[index], elapsed)
    && followingOf(levels, index, at) !== null;
  return [{ ...anchor, elapsed, since: stands ? null : at }, index];
};

const breakAfter = (levels, position, remaining, now) => {
  let time = remaining;
  for (let index = position; ; index += 1) {
    const level = followingOf(levels, index, now);
    if (level === null) return [null, null];
    if (isBreak(level)) return [level, time];
    if (time !== null) time = level.duration === null ? null : time + level.duration;
  }
};

// A clock that is to start by itself runs from that instant on, also with nobody there to write it down.
const startedByItself = (anchor, now) => {
  if (anchor.starts === null || anchor.started || now < anchor.starts) return anchor;
  return { ...anchor, since: anchor.starts, started: true, began: anchor.starts };
};

const STANDING = { last_hands: null, stops: false, starts: null };

// Return what the clock shows at `now`, null if the schedule does not hold the anchor's level.
const stateFrom = (start, levels, now) => {
  const position = levels.findIndex((level) => level.id === start.level);
  if (position < 0) return null;
  const begun = startedByItself({ ...STANDING, ...start }, now);
  const [anchor, index] = settled(begun, levels, position, now);
  const level = levels[index];
  const remaining = level.duration === null ? null : Math.max(level.duration - anchor.elapsed, 0);
  const nextLevel = followingOf(levels, index, now);
  const isRunning = anchor.since !== null;
  const stops = anchor.stops && isBreak(level);
  const changes = isRunning && nextLevel !== null && !stops;
  const [nextBreak, timeToBreak] = breakAfter(levels, index, remaining, now);
  return {
    level,
    index,
    elapsed: anchor.elapsed,
    remaining,
    hands: anchor.hands,
    isRunning,
    hasStarted: anchor.started,
    beganAt: anchor.began,
    nextLevel,
    nextChangeAt: changes ? endsAt(level, anchor, anchor.since) : null,
    nextBreak,
    timeToBreak,
    lastHands: anchor.last_hands,
    isWaiting: stops && !isRunning && nextLevel !== null && isOver(level, anchor.elapsed),
  };
};

export { stateFrom };
