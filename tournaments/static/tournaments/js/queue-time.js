// The arithmetic of taps that wait: when they happened by the server's clock, and which is next.
// Pure, so that tests can run it without a browser.
//
// A measurement {server, wall, mono} holds the server's time and, of the same instant, Date.now()
// and performance.now(). A tap holds `wall`, `mono` and the measurement that was the last by then.

// Within this, two measurements of an unmoved clock agree.
const AGREES_MS = 5000;
// A server time from the stream is always late, by the time it was under way.
const LATENESS_MS = 1500;
// So long an answer is awaited; and so long, with room, until a tap may have been left behind.
const TIMEOUT_MS = 6000;
const FLIGHT_MS = 8000;

const offsetOf = (measured) => measured.server - measured.wall;

// performance.now() is moved by no setting of the clock, but may stand still while a phone
// sleeps. So the clock on the wall is believed as long as the server finds it, on return, as far
// off as it was before.
const timeOf = (tap, fresh) => {
  const before = tap.measured;
  if (before === null) {
    return { at: Math.round(tap.wall + (fresh ? offsetOf(fresh) : 0)), offset: null, set: false };
  }
  const offset = offsetOf(before);
  const byWall = tap.wall + offset;
  const byMono = before.server + tap.mono - before.mono;
  const agree = Math.abs(byWall - byMono) <= AGREES_MS;
  const wasSet = fresh
    ? Math.abs(offsetOf(fresh) - offset) > AGREES_MS || byMono - byWall > AGREES_MS
    : !agree;
  return { at: Math.round(agree ? byMono : byWall), offset: Math.round(offset), set: wasSet };
};

// Of what the stream says only the quickest is believed: the wifi may have kept it for a while.
const better = (known, heard) => {
  if (known === null) return heard;
  const gain = (heard.server - heard.mono) - (known.server - known.mono);
  return gain > -LATENESS_MS ? heard : known;
};

const isFlying = (tap, wall) => tap.state === "flying" && Math.abs(wall - tap.wall) < FLIGHT_MS;

// The one to send now: they go in the order in which they were made, one after another, and one
// whose answer is still awaited holds up all behind it.
const next = (taps, wall) => {
  const first = taps.find(({ state }) => state !== "question");
  return first && !isFlying(first, wall) ? first : null;
};

export { timeOf, better, next, TIMEOUT_MS, FLIGHT_MS };
