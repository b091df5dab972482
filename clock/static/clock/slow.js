// Slow asking in place of a stream that does not get through: a proxy that swallows streams may
// still let requests pass.

import { tell } from "./live.js";

const WITHOUT_STREAM_MS = 20000;
const POLL_MS = 30000;

// `lose` once the stream is gone, `regain` when it is heard again. In between `ask` is called now
// and then; what comes of it is told as the stream's own coming and going is.
const askSlowly = (ask) => {
  let timer = 0;

  const poll = async () => {
    timer = setTimeout(poll, POLL_MS);
    const isAnswered = await ask().then(() => true, () => false);
    if (timer !== 0) tell(isAnswered ? "connected" : "disconnected", { isAsked: true });
  };
  const lose = () => {
    if (timer === 0) timer = setTimeout(poll, WITHOUT_STREAM_MS);
  };
  const regain = () => {
    clearTimeout(timer);
    timer = 0;
  };
  return { lose, regain };
};

export { askSlowly };
