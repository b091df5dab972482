// The club's own face: a slide with a picture or a text, or a grid of figures.

const element = (name, text = "", tag = "p") => {
  const made = document.createElement(tag);
  made.className = name;
  made.textContent = text;
  return made;
};

const cellOf = ([label, lines = []]) => {
  const cell = element("own-cell", "", "div");
  if (label) [label, ...lines].forEach((text) => cell.append(element("", text)));
  return cell;
};

// A page as [seconds, text, picture, figures].
const drawOwn = (box, [, text, picture, figures]) => {
  const own = element(figures.length > 0 ? "own own-grid" : "own", "", "div");
  own.append(...figures.map(cellOf));
  if (picture) {
    const image = element("", "", "img");
    image.alt = "";
    image.src = picture;
    own.append(image);
  }
  if (text) own.append(element("own-text", text));
  box.replaceChildren(own);
};

export { drawOwn };
