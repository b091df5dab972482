// The one stream that the pages of a browser share, as a shared worker. A browser opens six connections
// to an address: with a stream for each page, the sixth would stop all of them.
//
// A page says {address, version} when it wants to hear, and "gone" when it does not. It is told
// [name, data] of each event of its topic; of "error", whether the server refused. The server's time
// it answers with "here": no browser tells of a page that crashed.

const GATHER_MS = 20;
// A page that is left mostly gives way to the next of the same evening.
const LEFT_MS = 3000;
// The server's time comes every 15 s.
const FRESH_MS = 20000;
const MOST_MISSED = 2;
const EVENTS = ["message", "hello", "now", "lost", "of", "refused", "error"];
const members = new Map(); // by port: {topic, token, version, waits, missed}
let source = null;
let topics = [];
let place = 0; // of the topic that is spoken of
let greeted = new Map(); // the newest version of each topic that has said hello
let time = { now: 0, at: 0 };
let heardAt = 0;

const isFresh = () => source !== null && performance.now() - heardAt < FRESH_MS;
const tell = (port, member, name, data) => {
  member.waits = name === "error" || (name !== "hello" && member.waits);
  port.postMessage([name, data]);
};
const each = (does) => members.forEach((member, port) => {
  if (member.topic === topics[place]) does(port, member);
});
const refuse = (port, member) => {
  tell(port, member, "error", true);
  leave(port);
};
const hearTime = (now) => {
  heardAt = performance.now();
  time = { now, at: heardAt };
};

// What was missed comes before the greeting, and is told only to those it is new to.
const news = ({ type, data, lastEventId }) => {
  const version = Number(lastEventId) || 0;
  const isLive = greeted.has(topics[place]);
  if (isLive) greeted.set(topics[place], Math.max(version, greeted.get(topics[place])));
  each((port, member) => {
    if (isLive || version > member.version) tell(port, member, type, data);
    member.version = Math.max(version, member.version);
  });
};
const on = {
  message: news,
  lost: news,
  of: ({ data }) => { place = Number(data); },
  hello: ({ data }) => {
    const { now, version } = JSON.parse(data);
    hearTime(now);
    greeted.set(topics[place], version);
    each((port, member) => {
      if (member.waits || version > member.version) tell(port, member, "hello", data);
      member.version = Math.max(version, member.version);
    });
  },
  now: ({ data }) => {
    hearTime(Number(data));
    members.forEach((member, port) => {
      if (member.missed === MOST_MISSED) leave(port);
      else tell(port, member, "now", data);
      member.missed += 1;
    });
  },
  refused: () => {
    each(refuse);
    topics[place] = null;
  },
  error: () => {
    greeted = new Map();
    const isRefused = source.readyState === EventSource.CLOSED;
    if (isRefused) source = null;
    members.forEach((member, port) => (isRefused ? refuse(port, member) : tell(port, member, "error", false)));
  },
};

const open = () => {
  source?.close();
  const wanted = new Map();
  members.forEach(({ topic, token, version }) => {
    wanted.set(topic, [token, Math.min(version, wanted.get(topic)?.[1] ?? version)]);
  });
  [source, topics, place, greeted] = [null, [...wanted.keys()], 0, new Map()];
  if (topics.length === 0) return;
  const [tokens, versions] = [0, 1].map((part) => [...wanted.values()].map((one) => one[part]).join(","));
  source = new EventSource(`/stream/${tokens}/?v=${versions}`);
  EVENTS.forEach((name) => source.addEventListener(name, on[name]));
  heardAt = performance.now();
};
const settle = () => {
  const wanted = new Set([...members.values()].map(({ topic }) => topic));
  const isSame = wanted.size === topics.length && topics.every((topic) => wanted.has(topic));
  if (!isSame || (wanted.size > 0 && !isFresh())) open();
};
const leave = (port) => {
  if (members.delete(port)) setTimeout(settle, LEFT_MS);
};
const join = (port, { address, version }) => {
  const [, , token] = address.split("/");
  const [topic] = token.split(":");
  const member = { topic, token, version, waits: true, missed: 0 };
  members.set(port, member);
  if (!isFresh() || !greeted.has(topic)) setTimeout(settle, GATHER_MS);
  else {
    const now = Math.round(time.now + performance.now() - time.at);
    tell(port, member, "hello", JSON.stringify({ now, version: greeted.get(topic) }));
  }
};

addEventListener("connect", ({ ports: [port] }) => {
  port.onmessage = ({ data }) => {
    if (data === "gone") leave(port);
    else if (data !== "here") join(port, data);
    else if (members.has(port)) members.get(port).missed = 0;
  };
});
