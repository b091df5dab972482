// Which face of the hall, and which page of it, is shown at an instant: a pure function of server
// time, so that screens that rotate do so together.

const PAGE_MS = 10000;
const CLOCK_MS = 30000;
// A large field's list goes on where it left off instead of hiding the clock for twenty minutes.
const MOST_PAGES_A_ROUND = 6;
const LISTS = ["seating", "moves", "places", "hunters", "prizes", "cash", "bags", "flights"];
const TURNS = ["clock", ...LISTS, "own"];

// What was moved by one press is shown for so long, and at least once to its last page.
const MOVED_FOR_MS = 60000;

// When several were moved at once, as when a table is broken; null if the latest was one alone.
// `moves` has [when, …] of the latest moves, newest first.
const movedTogetherAt = (moves) => (
  moves.length > 1 && moves[0][0] === moves[1][0] ? moves[0][0] : null
);

const sum = (spans) => spans.reduce((all, ms) => all + ms, 0);
// Which of the spans lasts after so many ms, and for how long it has.
const spanAt = (spans, into) => {
  let left = into;
  const index = spans.findIndex((ms) => {
    left -= ms;
    return left < 0;
  });
  return [index, left + spans[index]];
};

// The face and page at `at`, given what is to be shown and how many pages each face has; `spans`
// are the ms of each page of the own face.
const hallAt = (shows, pages, at, movedAt = null, spans = []) => {
  const ownMs = sum(spans);
  const since = movedAt === null ? -1 : at - movedAt;
  const isNews = ["clock", "rotating"].includes(shows) && since >= 0
    && since < Math.max(MOVED_FOR_MS, pages.moves * PAGE_MS);
  if (isNews) return { face: "moves", page: Math.floor(since / PAGE_MS) % Math.max(pages.moves, 1) };
  if (shows === "clock" || (shows === "own" && ownMs === 0)) return { face: "clock", page: 0 };
  if (shows === "own") return { face: "own", page: spanAt(spans, at % ownMs)[0] };
  if (shows !== "rotating") {
    return { face: shows, page: Math.floor(at / PAGE_MS) % Math.max(pages[shows], 1) };
  }
  const lengths = TURNS.map((face) => (
    { clock: CLOCK_MS, own: ownMs }[face]
      ?? Math.min(pages[face] ?? 0, MOST_PAGES_A_ROUND) * PAGE_MS
  ));
  const round = Math.floor(at / sum(lengths));
  const [index, into] = spanAt(lengths, at % sum(lengths));
  const face = TURNS[index];
  if (face === "clock") return { face, page: 0 };
  if (face === "own") return { face, page: spanAt(spans, into)[0] };
  const turn = Math.floor(into / PAGE_MS);
  return { face, page: (round * (lengths[index] / PAGE_MS) + turn) % pages[face] };
};

export { hallAt, movedTogetherAt };
