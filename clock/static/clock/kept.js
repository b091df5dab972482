// What a browser keeps for a page. One that keeps nothing is no failure.

const kept = (name, where = "localStorage") => {
  try {
    return JSON.parse(globalThis[where].getItem(name));
  } catch {
    return null;
  }
};
const keep = (name, value, where = "localStorage") => {
  try {
    globalThis[where].setItem(name, JSON.stringify(value));
  } catch { /* What is to be kept lasts as long as the page. */ }
};

export { keep, kept };
