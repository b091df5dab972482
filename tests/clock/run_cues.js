// Runs the cases of the file named on the command line through cues.js and prints, as JSON, those
// that are answered otherwise.

import fs from "node:fs";

import { cuesBetween } from "../../clock/static/clock/cues.js";

const { cases, schedules } = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
const wrong = [];
for (const item of cases) {
  const { anchor, starts, from, to } = item;
  const got = cuesBetween(anchor, schedules[item.schedule], starts, from, to)
    .map((cue) => [cue.kind, cue.at, cue.levelId]);
  if (JSON.stringify(got) !== JSON.stringify(item.expect)) wrong.push([item.name, got, item.expect]);
}
process.stdout.write(JSON.stringify({ count: cases.length, wrong }));
