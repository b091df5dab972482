// Runs the cases of the files named on the command line through clock.js and prints, as JSON, the
// names of those that answer otherwise, with what they answered.

import fs from "node:fs";

import { stateFrom } from "../../clock/static/clock/clock.js";

const at = (text) => (text === null ? null : Date.parse(text));
const idOf = (level) => (level === null ? null : level.id);

const answerOf = (state) => ({
  level: state.level.id,
  elapsed: state.elapsed,
  remaining: state.remaining,
  hands: state.hands,
  running: state.isRunning,
  started: state.hasStarted,
  began: state.beganAt,
  next: idOf(state.nextLevel),
  change: state.nextChangeAt,
  break: idOf(state.nextBreak),
  to_break: state.timeToBreak,
  last_hands: state.lastHands,
  waiting: state.isWaiting,
});

const wrong = [];
let count = 0;
for (const name of process.argv.slice(2)) {
  const file = JSON.parse(fs.readFileSync(name, "utf8"));
  for (const item of file.cases) {
    const levels = file.schedules[item.schedule].map((row) => ({ ...row, added: at(row.added) }));
    const { since, began: begins, starts = null } = item.anchor;
    const anchor = { ...item.anchor, since: at(since), began: at(begins), starts: at(starts) };
    const got = answerOf(stateFrom(anchor, levels, at(item.now)));
    const { began, change, ...rest } = item.expect;
    const usual = { last_hands: null, waiting: false };
    const expected = { ...usual, ...rest, began: at(began), change: at(change) };
    count += 1;
    for (const key of Object.keys(got)) {
      if (got[key] !== expected[key]) wrong.push([item.name, key, got[key], expected[key]]);
    }
  }
}
process.stdout.write(JSON.stringify({ count, wrong }));
