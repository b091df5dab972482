// What belongs to the sound and is seen: that a tap is needed, that it is switched off, and
// announcements, which stay for twenty seconds.

import { settings } from "./sound.js";

const SHOWN_MS = 20000;
const part = (name) => document.querySelector(`[data-sound="${name}"]`);
const [blocked, quiet, announcement, text] = ["blocked", "quiet", "announcement", "text"].map(part);
let state = "";
let isQuiet = settings().quiet;

const show = (node, isShown) => {
  if (node.hidden === isShown) node.hidden = !isShown;
};
const draw = () => {
  show(blocked, state === "blocked" && !isQuiet);
  show(quiet, isQuiet);
};
document.body.addEventListener("krru:sound", ({ detail }) => {
  ({ state, quiet: isQuiet } = detail);
  draw();
});
draw();

const drawAnnouncement = (known, at) => {
  const said = known.announcement;
  const isShown = Boolean(said) && at < said.at + SHOWN_MS;
  if (isShown && text.textContent !== said.text) text.textContent = said.text;
  show(announcement, isShown);
};

export { drawAnnouncement };
