// Asks queue-time.js what the JSON on the command line asks, and prints its answers as JSON.

import * as queueTime from "../../tournaments/static/tournaments/js/queue-time.js";

const asked = JSON.parse(process.argv[2]);
process.stdout.write(JSON.stringify(asked.map(([name, ...values]) => queueTime[name](...values))));
