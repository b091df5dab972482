// The club's own face: a slide with a picture or a text, or a grid of figures.

import { element } from "./screen-words.js";

const cellOf = ([label, lines = []]) => {
  const cell = element("own-cell", "", "div");
  if (label) [label, ...lines].forEach((text) => cell.append(element("", text, "p")));
  return cell;
};

// A page as [seconds, text, picture, figures].
const drawOwn = (box, [, text, picture, figures]) => {
  const own = element(figures.length > 0 ? "own own-grid" : "own", "", "div");
  own.append(...figures.map(cellOf));
  if (picture) own.append(Object.assign(new Image(), { alt: "", src: picture }));
  if (text) own.append(element("own-text", text, "p"));
  box.replaceChildren(own);
};

export { drawOwn };
