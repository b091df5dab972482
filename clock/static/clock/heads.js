// What a head of a log means to somebody who has kept earlier ones. Pure: reads and fetches nothing.
//
// A head is [number of the newest entry, first digits of its hash, those of the entry before];
// the last is told by the stream alone. What is kept are [number, digits], the newest last.

const LATEST = 200;
const EVERY = 50;

// The first, the latest, and of the others every fiftieth.
const extended = (kept, [sequence, head]) => (
  [...kept, [sequence, head]].filter(([number], index, all) => (
    index === 0 || index >= all.length - LATEST || number % EVERY === 0
  ))
);

// "known"; "next": it goes on from what is kept; "ask": only the server can tell.
const judged = (kept, [sequence, head, before], isLive) => {
  const last = kept.at(-1);
  if (!last) return "next";
  const isKept = kept.some(([number, digits]) => number === sequence && digits === head);
  // A page that opens with an older entry may tell of a log that went back; another page that was
  // told before this one does not.
  if (isKept && (isLive || sequence === last[0])) return "known";
  return sequence === last[0] + 1 && before === last[1] ? "next" : "ask";
};

// The same once the server has said which heads it has. "broken": it does not go on from what is
// kept. A page out of a browser's memory may tell of a head that holds no more: "known", and left.
const answered = (kept, [sequence, head], heads, isLive) => {
  const [number, digits] = kept.at(-1);
  if (heads[number] !== digits) return "broken";
  if (heads[sequence] === head) return sequence > number ? "next" : "known";
  return isLive ? "broken" : "known";
};

export { answered, extended, judged };
