// What belongs to the sound and is seen: that a tap is needed, that it is switched off, and
// announcements, which stay for twenty seconds or until they are taken back.

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
  const isNew = Boolean(said) && at < said.at + SHOWN_MS;
  const words = isNew ? said.text : known.standing;
  if (words !== "" && text.textContent !== words) text.textContent = words;
  show(announcement, words !== "");
};

export { drawAnnouncement };
