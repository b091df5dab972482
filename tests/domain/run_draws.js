// Makes the draws read from the standard input again with draws.js, and prints what came out.
"use strict";

const fs = require("node:fs");

require("../../tournaments/static/tournaments/js/draws.js");

const { krru } = globalThis;
const { texts, orders, recipes } = JSON.parse(fs.readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify({
  hashes: texts.map(krru.sha256),
  orders: orders.map(({ items, said }) => krru.drawOrder(items, said)),
  recipes: recipes.map(({ recipe, secret }) => krru.drawAgain(recipe, secret)),
}));
