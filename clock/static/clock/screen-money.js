// What is played for and sold: the pot, prizes, the goods on sale, the leader by bounties. Where no
// money is played there is none of it. `drawMoney` draws the instant it is given.

import {
  texts, parts, fill, number, write, writeOrHide, show, element, remake,
} from "./screen-words.js";

const MOST_ROWS = 9;
const { body } = document;

const prizeRow = ([place, prize]) => [fill(texts.prize_of, { place }), prize];

// The first and the last; in a break all for which there is room.
const prizesOf = ({ prizes }, face) => {
  if (face !== "break") return [prizes[0], ...prizes.slice(1).slice(-1)].map(prizeRow);
  if (prizes.length <= MOST_ROWS) return prizes.map(prizeRow);
  const left = prizes.length - MOST_ROWS + 1;
  return [...prizes.slice(0, MOST_ROWS - 1).map(prizeRow), [fill(texts.more_prizes, { count: left }), ""]];
};

// What is still sold, now or later; prizes once they are known.
const rowsOf = (stakes, face, { index }) => {
  const sold = stakes.sells.filter(([, , , last]) => index <= last).map(([name, price]) => [name, price]);
  return stakes.prizes.length > 0 ? prizesOf(stakes, face) : sold;
};

const payOf = ([label, value]) => {
  const made = element("pay");
  made.append(element("", label), element("pay-value", value));
  return made;
};

// The add-on while it is sold in a break.
const onSale = ({ sells, addon }, face, { index }) => (
  face === "break" && sells.find(([name, , first, last]) => name === addon?.name && first <= index && index <= last)
);

const columnOf = (stakes, leader, face, shown) => {
  const good = onSale(stakes, face, shown);
  const pot = [stakes.is_final ? texts.pot : texts.pot_so_far, stakes.pot];
  const [label, amount] = good ? [fill(texts.on_sale, { good: good[0] }), good[1]] : pot;
  const chips = [fill(texts.chips_for, { chips: number.format(stakes.addon?.chips ?? 0) }), ""];
  const rows = good ? [chips] : rowsOf(stakes, face, shown);
  const all = leader === "" || good ? rows : [...rows, [texts.bounties, leader]];
  return { good, label, amount, all };
};

const nearest = (toMoney, toEnd) => {
  if (toMoney > 0) return fill(texts.to_money, { count: number.format(toMoney) });
  return toEnd > 0 ? fill(texts.to_end, { count: number.format(toEnd) }) : "";
};

const drawMoney = ({ stakes, figures, to_money: toMoney, to_end: toEnd }, face, shown) => {
  const isPlay = !["before", "ended"].includes(face);
  writeOrHide("to-money", isPlay ? nearest(toMoney, toEnd) : "");
  const sold = stakes?.sold ?? (figures.rebuys > 0 ? [[texts.rebuys, figures.rebuys]] : []);
  show("sold", isPlay && sold.length > 0);
  write("sold-label", sold.map(([label]) => label).join(" · "));
  write("sold-count", sold.map(([, count]) => number.format(count)).join(" · "));
  const leader = stakes?.hunter ? `${stakes.hunter[0]} ${number.format(stakes.hunter[1])}` : "";
  const column = isPlay && stakes !== null ? columnOf(stakes, leader, face, shown) : null;
  // Nothing paid and nothing sold: what comes next has the room.
  const isShown = column !== null && (column.amount !== "" || column.all.length > 0);
  body.classList.toggle("has-money", isShown);
  if (parts.stakes === undefined) return;
  show("stakes", isShown);
  if (!isShown) return;
  const next = stakes.prizes.at(-1)?.[1] ?? "";
  [["prize", next], ["hunter", leader]].forEach(([name, text]) => {
    show(`foot-${name}`, text !== "");
    write(`foot-${name}-text`, text);
  });
  body.dataset.sale = column.good ? "yes" : "";
  show("pot", column.amount !== "");
  write("pot-label", column.label);
  write("pot-amount", column.amount);
  remake("pays", JSON.stringify(column.all), () => column.all.map(payOf));
};

// What the first place still gets, for the middle of the final table.
const firstPrize = ({ stakes }) => (stakes?.prizes[0]?.[0] === "1" ? stakes.prizes[0][1] : "");

export { drawMoney, firstPrize };
