// Answers the questions of fixtures/cases/rulings.json, or those told on the standard input, as the
// desk does on a phone.

import fs from "node:fs";

import { answer } from "../../tournaments/static/tournaments/js/rulings/desk.js";

const answerOf = ({ topic, question }) => {
  try {
    return { answer: answer(topic, question) };
  } catch (error) {
    if (!error.code) throw error;
    return { code: error.code, about: error.about };
  }
};

const cases = JSON.parse(fs.readFileSync(process.argv[2] ?? 0, "utf8"));
process.stdout.write(JSON.stringify(cases.map(answerOf)));
