// Makes the draws read from the standard input again with draws.js, and prints what came out.

import fs from "node:fs";

import { drawAgain, drawOrder, sha256 } from "../../tournaments/static/tournaments/js/draws.js";

const { texts, orders, recipes } = JSON.parse(fs.readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify({
  hashes: texts.map(sha256),
  orders: orders.map(({ items, said }) => drawOrder(items, said)),
  recipes: recipes.map(({ recipe, secret }) => drawAgain(recipe, secret)),
}));
