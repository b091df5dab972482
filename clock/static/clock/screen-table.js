// The people of the last hour: who sits at the final table, and who stands on the podium.

import { firstPrize } from "./screen-money.js";
import { texts, parts, fill, number, writeOrHide, show, element, remake } from "./screen-words.js";

const SEEN_ON = ["playing", "warning", "paused", "break"];
const { body } = document;

const plate = ([seat, name], side) => {
  const made = element(`final-plate final-${side}`);
  made.append(element("final-seat", String(seat)), element("final-name", name));
  return made;
};
const column = (rows, side) => {
  const made = element(`final-column final-column-${side}`);
  made.append(...rows.map((row) => plate(row, side)));
  return made;
};

// Clockwise as seen from above: down on the right, up on the left. Two sit face to face.
const tableOf = (seats, prize) => {
  const felt = element("final-felt");
  if (seats.length === 2) felt.append(element("final-for", texts.heads_up));
  if (prize) felt.append(element("final-prize", prize), element("final-for", texts.for_first));
  const half = Math.ceil(seats.length / 2);
  const left = seats.slice(half).reverse();
  return [column(left, "left"), felt, column(seats.slice(0, half), "right")];
};

// `seating` has [name, table, seat] of everybody, null while it is not known.
const drawFinal = (seating, state) => {
  const isFinal = body.classList.contains("is-final") && SEEN_ON.includes(body.dataset.face);
  const isShown = isFinal && seating !== null && seating.length > 1 && parts.swap.hidden;
  const final = (isShown ? seating : []).map(([name, , seat]) => [seat, name])
    .sort(([one], [other]) => one - other);
  show("final-table", isShown);
  body.classList.toggle("has-final", isShown);
  if (!isShown) return;
  const prize = firstPrize(state);
  remake("final-table", JSON.stringify([final, prize]), () => tableOf(final, prize));
};

// In the order in which they stand: the second left of the first, the third right of it.
const STANDS = [1, 0, 2];

const stepOf = ([place, name, prize], index) => {
  const step = element(`step step-${index + 1}`);
  step.append(
    element("step-name", index === 0 ? "" : name),
    ...(prize ? [element("step-prize", prize)] : []),
    element("step-place", fill(texts.place_number, { place: number.format(place) })),
  );
  return step;
};

const drawEnd = ({ figures, podium, theme }) => {
  const { status, winner, rebuys } = figures;
  const isCancelled = status === "cancelled";
  const first = winner || (podium.length > 0 ? podium[0][1] : "");
  const hasWon = first !== "" && !isCancelled;
  show("winner-word", hasWon);
  writeOrHide("winner", hasWon ? first : "");
  show("cup", !isCancelled);
  show("cancelled-sign", isCancelled);
  show("cancelled-word", isCancelled);
  show("over-word", status === "ended" && !hasWon);
  const isTold = !isCancelled && rebuys === null;
  show("places-hint", isTold && parts["end-qr"].children.length === 0);
  show("end-qr", isTold && parts["end-qr"].children.length > 0);
  show("podium", hasWon && podium.length > 1);
  remake("podium", JSON.stringify(podium), () => (
    STANDS.filter((index) => podium[index]).map((index) => stepOf(podium[index], index))
  ));
  show("end-logo", theme.logo !== "");
  const file = parts["end-logo-file"];
  if ((file.getAttribute("src") ?? "") !== theme.logo && theme.logo) file.setAttribute("src", theme.logo);
};

export { drawEnd, drawFinal };
