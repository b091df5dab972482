// Asks heads.js what the JSON on the command line asks, and prints its answers as JSON.

import * as heads from "../../clock/static/clock/heads.js";

const asked = JSON.parse(process.argv[2]);
process.stdout.write(JSON.stringify(asked.map(([name, ...values]) => heads[name](...values))));
