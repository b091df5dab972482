// Counts for a player on the clock: [data-call] holds the instants in the server's milliseconds.
// Between them the phone's monotonic clock counts; nothing is asked of the server. The last seconds
// are spoken where the browser can speak, and shown large in any case.

const speaker = globalThis.speechSynthesis;
let timer = 0;

const say = (text) => {
  if (!speaker) return;
  speaker.cancel();
  const { lang } = document.documentElement;
  speaker.speak(Object.assign(new SpeechSynthesisUtterance(text), { lang, rate: 1.2 }));
};

const stateAt = ({ dataset: { thinkingFrom, countingFrom, endsAt } }, now) => {
  const ends = { watch: thinkingFrom, thinking: countingFrom, countdown: endsAt };
  const [name, end] = Object.entries(ends).find(([, instant]) => now < instant) ?? ["over", now];
  return { name, left: end - now };
};

const show = (call, state) => {
  const seconds = String(Math.ceil(state.left / 1000));
  const left = call.querySelector("[data-call-left]");
  const isSame = call.dataset.phase === state.name;
  if (isSame && left.textContent === seconds) return;
  left.textContent = seconds;
  if (!isSame) call.querySelector("[data-call-phase]").textContent = call.dataset[state.name];
  call.dataset.phase = state.name;
  call.querySelector("[data-call-at-zero]").hidden = state.name !== "over";
  if (state.name === "countdown" || state.name === "over") say(seconds);
};

const count = (call, startedAt) => {
  if (!call.isConnected || !call.closest("dialog")?.open) return;
  const state = stateAt(call, Number(call.dataset.now) + performance.now() - startedAt);
  show(call, state);
  if (state.name !== "over") timer = setTimeout(count, (state.left % 1000 || 1000) + 2, call, startedAt);
};

// Browsers that speak only after a touch are made ready by the touch that starts the count.
document.body.addEventListener("click", (event) => {
  if (speaker && event.target.closest("[data-call-start]")) speaker.speak(new SpeechSynthesisUtterance(""));
});

document.body.addEventListener("htmx:afterSettle", () => {
  const call = document.querySelector("[data-call]:not([data-phase])");
  if (!call) return;
  clearTimeout(timer);
  const startedAt = performance.now();
  // The dialog opens when it has been filled.
  timer = setTimeout(count, 0, call, startedAt);
});
