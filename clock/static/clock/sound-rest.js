// A sound card that is kept running costs more than all the rest of an idle screen. `rest` puts it
// to sleep while nothing is due for long, and wakes it well before. Only one that has run may rest:
// a browser that let it sound once lets it sound again.

let isResting = false;

const rest = (context, isNothingDue) => {
  const mayRest = isNothingDue && document.visibilityState === "visible";
  if (mayRest === isResting || (mayRest && context.state !== "running")) return;
  isResting = mayRest;
  (mayRest ? context.suspend() : context.resume()).catch(() => {});
};
const rests = () => isResting;

export { rest, rests };
