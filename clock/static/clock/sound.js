// The big screen heard: signal and voice at the instant of each cue, by the server's time, so that
// every screen sounds at once. All sounds of the schedule are loaded at the beginning; after that
// they come with the server dead. screen.js calls `tick` whenever it draws.
//
// When `state()` has changed it dispatches `krru:sound` on document.body, whose data-sound-state says
// the same. What is seen of it: that a tap is needed, that it is switched off, and announcements,
// which stay for twenty seconds or until they are taken back.

import { cuesBetween, cueName } from "./cues.js";
import { keep, kept } from "./kept.js";
import { tell } from "./live.js";
import { setup } from "./screen-words.js";

const LATE_MS = 3000;
const AHEAD_MS = 2500;
// In a tab behind another one timers come once a minute; what is planned before then still sounds.
const AHEAD_HIDDEN_MS = 90000;
// The sound card is awake so long before and after what sounds.
const AWAKE_MS = 30000;
// Time for every screen to have heard of an announcement and loaded its voice.
const ANNOUNCED_AFTER_MS = 2000;
const RETRY_MS = 20000;
const FORGET_MS = 60000;
const START_PATIENCE_MS = 1000;
const AT_ONCE = 3;
const MOST_SKEW_S = 0.5;
const SHOWN_MS = 20000;
const STORED = "krru-sound";
const { body } = document;
const [blocked, muted, notice, noticeText] = ["blocked", "quiet", "announcement", "text"]
  .map((name) => document.querySelector(`[data-sound="${name}"]`));
const show = (node, isShown) => {
  if (node.hidden === isShown) node.hidden = !isShown;
};

const settings = { voice: true, volume: 80, signal: "gong", quiet: false, language: setup.language };
const isFit = (name, value) => (
  typeof value === typeof settings[name]
  && (name !== "volume" || (value >= 0 && value <= 100))
  && (name !== "language" || value === "de" || value === "en")
);
const take = (wanted) => {
  const fit = Object.keys(settings).filter((name) => isFit(name, wanted[name]));
  fit.forEach((name) => { settings[name] = wanted[name]; });
};
take({ ...kept(STORED), language: setup.language });

const context = globalThis.AudioContext ? new AudioContext() : null;
const loudness = context?.createGain();
loudness?.connect(context.destination);
let mayStart = false;

// A card that is kept running costs more than all the rest of an idle screen: it sleeps while nothing
// is due for long, and wakes well before. Only one that has run may rest: a browser that let it sound
// once lets it sound again.
let isResting = false;
const rest = (isNothingDue) => {
  const mayRest = isNothingDue && document.visibilityState === "visible";
  if (mayRest === isResting || (mayRest && context.state !== "running")) return;
  isResting = mayRest;
  (mayRest ? context.suspend() : context.resume()).catch(() => {});
};

const applyVolume = () => {
  if (loudness) loudness.gain.value = settings.quiet ? 0 : settings.volume / 100;
  if (settings.quiet) globalThis.speechSynthesis?.cancel();
  show(muted, settings.quiet);
};

// What is loaded: by address, null where the server has no such sound.
const buffers = new Map();
let list = null;
let listFor = "";
let known = null;
let missing = 0;
let retrying = 0;

const load = async (url) => {
  if (buffers.has(url)) return;
  const answer = await fetch(url);
  if (!answer.ok && answer.status !== 404) throw new Error(answer.status);
  const bytes = answer.ok ? await answer.arrayBuffer() : null;
  buffers.set(url, bytes && await context.decodeAudioData(bytes).catch(() => null));
};

const loadAll = async (urls) => {
  const queue = urls.filter((url) => !buffers.has(url));
  missing = queue.length;
  const work = async () => {
    for (let url = queue.shift(); url !== undefined; url = queue.shift()) {
      await load(url);
      missing -= 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
};

const wantedUrls = () => [
  list.signals[settings.signal]?.url,
  ...(settings.voice ? Object.values(list.cues).map((cue) => cue.url) : []),
].filter(Boolean);

const loadList = async () => {
  const wanted = `${known.sounds.key} ${settings.language}`;
  try {
    if (wanted !== listFor) {
      const answer = await fetch(known.sounds.urls[settings.language], { cache: "no-store" });
      if (!answer.ok) throw new Error(String(answer.status));
      list = await answer.json();
      listFor = wanted;
    }
    const urls = wantedUrls();
    await loadAll(urls);
    [...buffers.keys()].filter((url) => !urls.includes(url)).forEach((url) => buffers.delete(url));
  } catch {
    clearTimeout(retrying);
    retrying = setTimeout(reload, RETRY_MS);
  }
  tellIfNew();
};
// One after the other, however often the schedule changes meanwhile.
let loading = Promise.resolve();
const reload = () => { loading = loading.then(loadList); };

let told = "";
const stateOf = () => {
  if (context === null) return "missing";
  if (context.state !== "running" && !isResting) return mayStart ? "blocked" : "loading";
  if (list === null || missing > 0) return "loading";
  return [...buffers.values()].every((buffer) => buffer === null) ? "missing" : "ready";
};
const tellIfNew = () => {
  const now = `${stateOf()} ${settings.quiet}`;
  if (now === told) return;
  told = now;
  body.dataset.soundState = stateOf();
  show(blocked, stateOf() === "blocked" && !settings.quiet);
  tell("sound", { state: stateOf(), quiet: settings.quiet });
};

let offset = 0;
const planned = new Map();

// The sound card's time at a server time, with the delay of its output taken off.
const cardTime = (at) => {
  const target = at - offset;
  const plain = context.currentTime + (target - performance.now()) / 1000;
  const { contextTime, performanceTime } = context.getOutputTimestamp?.() ?? {};
  if (!performanceTime) return plain;
  const exact = contextTime + (target - performanceTime) / 1000;
  return Math.abs(exact - plain) < MOST_SKEW_S ? exact : plain;
};

const play = (buffer, time) => {
  const source = context.createBufferSource();
  source.buffer = buffer;
  source.connect(loudness);
  source.start(time);
  return { stop: () => source.stop() };
};

// Without a voice of the server's the browser's own speaks, if it has one of the language.
const sayByBrowser = (text, time) => {
  const speech = globalThis.speechSynthesis;
  const voice = speech?.getVoices().find((one) => one.lang.startsWith(settings.language));
  if (!voice) return null;
  const timer = setTimeout(() => {
    if (settings.quiet) return;
    const said = new SpeechSynthesisUtterance(text);
    Object.assign(said, { voice, lang: voice.lang, volume: settings.volume / 100 });
    speech.speak(said);
  }, (time - context.currentTime) * 1000);
  return { stop: () => clearTimeout(timer) };
};

const isSettled = (cue) => list !== null
  && [list.signals[settings.signal]?.url, settings.voice ? cue.url : null]
    .every((url) => !url || buffers.has(url));

const sound = (cue) => {
  const begin = Math.max(cardTime(cue.at), context.currentTime);
  const signal = list?.signals[settings.signal];
  const struck = signal && buffers.get(signal.url);
  const parts = struck ? [play(struck, begin)] : [];
  if (settings.voice && cue.text) {
    const after = begin + (struck ? signal.voice_after / 1000 : 0);
    const spoken = buffers.get(cue.url);
    parts.push(spoken ? play(spoken, after) : sayByBrowser(cue.text, after));
  }
  return parts.filter((part) => part !== null);
};

// What sounds until `ahead`, or should have sounded since `from`.
const wantedCues = (from, ahead) => {
  const { clock, figures, announcement } = known;
  const { status, winner, starts_at: starts } = figures;
  const isOver = status === "ended" || status === "cancelled" || Boolean(winner);
  const found = isOver ? [] : cuesBetween(
    clock.anchor, clock.levels, starts ? Date.parse(starts) : null, from, ahead,
  );
  const cues = found.map((cue) => ({
    key: `${cue.kind} ${cue.levelId} ${cue.at}`, at: cue.at, ...list?.cues[cueName(cue)],
  }));
  if (announcement) {
    const spoken = announcement.at + ANNOUNCED_AFTER_MS;
    const voice = announcement.url ? { text: announcement.text, url: announcement.url } : {};
    const isDue = spoken > from && spoken <= ahead;
    if (isDue) cues.push({ key: `announcement ${announcement.id}`, at: spoken, ...voice });
  }
  return cues;
};

const plan = (at) => {
  const cues = wantedCues(at - LATE_MS, at + (document.hidden ? AHEAD_HIDDEN_MS : AHEAD_MS));
  const keys = new Set(cues.map((cue) => cue.key));
  planned.forEach(({ due, parts }, key) => {
    if (due > at && !keys.has(key)) {
      parts.forEach((part) => part.stop());
      planned.delete(key);
    } else if (due < at - FORGET_MS) planned.delete(key);
  });
  const overdue = at - (list === null || missing > 0 ? LATE_MS / 2 : 0);
  cues.filter((cue) => !planned.has(cue.key)).forEach((cue) => {
    if (cue.at > overdue && !isSettled(cue)) return;
    const parts = sound(cue);
    if (parts.length > 0) planned.set(cue.key, { due: cue.at, parts });
  });
};

const drawAnnouncement = ({ announcement, standing }, at) => {
  const isNew = Boolean(announcement) && at < announcement.at + SHOWN_MS;
  const words = isNew ? announcement.text : standing;
  if (words !== "" && noticeText.textContent !== words) noticeText.textContent = words;
  show(notice, words !== "");
};

// `state` is all that the screen knows, `at` the server's time now.
const tick = (state, at) => {
  drawAnnouncement(state, at);
  const isNew = known?.sounds.key !== state.sounds.key;
  const announced = state.announcement?.url;
  const isToLoad = announced && known?.announcement?.id !== state.announcement.id;
  known = state;
  offset = at - performance.now();
  if (context === null) return void tellIfNew();
  if (isNew) reload();
  if (isToLoad) load(announced).catch(() => {});
  if (context.state === "running") plan(at);
  rest(stateOf() === "ready" && wantedCues(at - AWAKE_MS, at + AWAKE_MS).length === 0);
};

const configure = (wanted) => {
  const before = JSON.stringify(settings);
  take(wanted);
  if (JSON.stringify(settings) === before) return;
  keep(STORED, settings);
  applyVolume();
  if (known && context) reload();
  tellIfNew();
};

const wake = () => {
  context?.resume().catch(() => {});
};
addEventListener("pointerup", wake);
addEventListener("keydown", (event) => {
  wake();
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.repeat;
  if (isPlain && event.key.toLowerCase() === "m") configure({ quiet: !settings.quiet });
});
document.addEventListener("visibilitychange", wake);
context?.addEventListener("statechange", () => {
  if (context.state === "running") mayStart = true;
  tellIfNew();
});
setTimeout(() => {
  mayStart = true;
  tellIfNew();
}, START_PATIENCE_MS);

applyVolume();
const current = () => ({ ...settings });

export { configure, tick, stateOf as state, current as settings };
