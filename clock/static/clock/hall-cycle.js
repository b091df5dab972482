// Which face of the hall, and which page of it, is shown at an instant: a pure function of server
// time, so that screens that rotate do so together.

const PAGE_MS = 10000;
const CLOCK_MS = 30000;
// A large field's list goes on where it left off instead of hiding the clock for twenty minutes.
const MOST_PAGES_A_ROUND = 6;
const FACES = ["seating", "moves", "places", "hunters", "prizes", "cash", "bags", "flights", "own"];

// What was moved by one press is shown for so long, and at least once to its last page.
const MOVED_FOR_MS = 60000;

// When several were moved at once, as when a table is broken; null if the latest was one alone.
// `moves` has [when, …] of the latest moves, newest first.
const movedTogetherAt = (moves) => (
  moves.length > 1 && moves[0][0] === moves[1][0] ? moves[0][0] : null
);

// The page of the own face after so many ms: each page has a span of its own.
const ownPage = (spans, into) => {
  let left = into;
  return spans.findIndex((ms) => {
    left -= ms;
    return left < 0;
  });
};

// The face and page at `at`, given what is to be shown and how many pages each face has; `spans`
// are the ms of each page of the own face.
const hallAt = (shows, pages, at, movedAt = null, spans = []) => {
  const ownMs = spans.reduce((sum, ms) => sum + ms, 0);
  const since = movedAt === null ? -1 : at - movedAt;
  const isNews = ["clock", "rotating"].includes(shows) && since >= 0
    && since < Math.max(MOVED_FOR_MS, pages.moves * PAGE_MS);
  if (isNews) return { face: "moves", page: Math.floor(since / PAGE_MS) % Math.max(pages.moves, 1) };
  if (shows === "clock" || (shows === "own" && ownMs === 0)) return { face: "clock", page: 0 };
  if (shows === "own") return { face: "own", page: ownPage(spans, at % ownMs) };
  if (shows !== "rotating") {
    return { face: shows, page: Math.floor(at / PAGE_MS) % Math.max(pages[shows], 1) };
  }
  const lengths = FACES.map((face) => (
    face === "own" ? ownMs : Math.min(pages[face] ?? 0, MOST_PAGES_A_ROUND) * PAGE_MS
  ));
  const whole = CLOCK_MS + lengths.reduce((sum, length) => sum + length, 0);
  const round = Math.floor(at / whole);
  let into = at - round * whole - CLOCK_MS;
  if (into < 0) return { face: "clock", page: 0 };
  const index = lengths.findIndex((length) => {
    if (into < length) return true;
    into -= length;
    return false;
  });
  const face = FACES[index];
  if (face === "own") return { face, page: ownPage(spans, into) };
  const turn = Math.floor(into / PAGE_MS);
  return { face, page: (round * (lengths[index] / PAGE_MS) + turn) % pages[face] };
};

export { hallAt, movedTogetherAt };
