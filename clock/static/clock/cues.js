// When something is said, and what: pure, as clock.js, and held to fixtures/cases/cues.json.
// The sentences themselves come from the server (clock/domain/wording.py).

import { stateFrom } from "./clock.js";

const MINUTE = 60000;
const SOON = 5 * MINUTE;

const beginKind = (level) => {
  if (level.kind === "break") return "break";
  return level.number === 1 ? "start" : "level";
};

// The last minute of a level or break that ends by itself, and is longer than that minute.
const lastMinuteOf = (anchor, state, at) => {
  const { level, remaining, nextLevel } = state;
  const ends = state.isRunning && remaining > 0 && nextLevel !== null && state.lastHands === null;
  if (!ends || level.duration <= MINUTE) return null;
  const since = state.beganAt === null ? anchor.since : Math.max(state.beganAt, anchor.since);
  const due = Math.max(at, anchor.since) + remaining - MINUTE;
  if (due < since) return null;
  const kind = level.kind === "break" ? "break_ends" : "last_minute";
  return { kind, at: due, levelId: level.id };
};

const cuesOf = (anchor, state, at) => {
  if (!state.isRunning) return [];
  const { level, beganAt } = state;
  const begin = beganAt === null ? null : { kind: beginKind(level), at: beganAt, levelId: level.id };
  return [begin, lastMinuteOf(anchor, state, at)].filter((cue) => cue !== null);
};

// Return what is to be said after `from`, up to and including `to`, as {kind, at, levelId} in the
// order of time. `startsAt` is the planned beginning, null if there is none.
const cuesBetween = (anchor, levels, startsAt, from, to) => {
  let at = from;
  let state = stateFrom(anchor, levels, from);
  if (state === null) return [];
  const cues = [];
  if (!state.hasStarted && startsAt !== null) {
    cues.push({ kind: "soon", at: startsAt - SOON, levelId: null });
  }
  for (;;) {
    const running = anchor.since ?? anchor.starts ?? null;
    cues.push(...cuesOf({ ...anchor, since: running }, state, at));
    const next = state.hasStarted ? state.nextChangeAt : running;
    if (next === null || next <= at || next > to) break;
    at = next;
    state = stateFrom(anchor, levels, at);
  }
  return cues
    .filter((cue) => cue.at > from && cue.at <= to)
    .sort((one, other) => one.at - other.at);
};

// Under which name the server sends the sentence of a cue.
const cueName = (cue) => (
  ["start", "level", "break"].includes(cue.kind) ? `level-${cue.levelId}` : cue.kind
);

export { cuesBetween, cueName };
