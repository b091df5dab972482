// Where taps wait: IndexedDB, shared by all pages of a browser, and kept when a page is reloaded or
// closed. Where it is missing they wait in the page's memory.
//
// All pages see the same taps (`krru:taps` on document.body tells of a change), and one at a time
// may send: the lease is a row of the database, because navigator.locks needs https.

const NAME = "krru";
// The page that sends renews it. A page that was killed holds the others up no longer than this. One that
// only sleeps may lose it meanwhile: then a tap goes out twice under one key, which counts once.
const LEASE_MS = 3000;
const RENEW_MS = 1000;
const LEASE = "lease";
const channel = new BroadcastChannel("krru-taps");

const done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

const open = () => {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore("taps", { keyPath: "id", autoIncrement: true });
    request.result.createObjectStore("lease");
  };
  return done(request);
};

// Each method is one transaction; a change is told to the other pages when it is through.
const inDatabase = (database) => {
  const run = (store, mode, work) => new Promise((resolve, reject) => {
    const transaction = database.transaction(store, mode, { durability: "strict" });
    let result;
    work(transaction.objectStore(store), (value) => {
      result = value;
    });
    transaction.oncomplete = () => resolve(result);
    transaction.onabort = () => reject(transaction.error);
  });
  return {
    all: () => run("taps", "readonly", (store, take) => {
      store.getAll().onsuccess = ({ target }) => take(target.result);
    }),
    put: (tap) => run("taps", "readwrite", (store, take) => {
      store.put(tap).onsuccess = ({ target }) => take(target.result);
    }),
    remove: (id) => run("taps", "readwrite", (store) => store.delete(id)),
    // Changes the tap as it is by now; nothing when another page has removed it.
    change: (id, values) => run("taps", "readwrite", (store, take) => {
      store.get(id).onsuccess = ({ target }) => {
        if (!target.result) return;
        const changed = { ...target.result, ...values };
        take(changed);
        store.put(changed);
      };
    }),
    lease: (owner) => run("lease", "readwrite", (store, take) => {
      store.get(LEASE).onsuccess = ({ target }) => {
        const held = target.result;
        const left = held ? held.until - Date.now() : 0;
        const isFree = !held || held.owner === owner || left <= 0 || left > LEASE_MS;
        take(isFree);
        if (isFree) store.put({ owner, until: Date.now() + LEASE_MS }, LEASE);
      };
    }),
    release: (owner) => run("lease", "readwrite", (store) => {
      store.get(LEASE).onsuccess = ({ target }) => {
        if (target.result?.owner === owner) store.delete(LEASE);
      };
    }),
  };
};

const inMemory = () => {
  const taps = new Map();
  let last = 0;
  return {
    all: async () => [...taps.values()],
    put: async (tap) => {
      const id = tap.id ?? (last += 1);
      taps.set(id, { ...tap, id });
      return id;
    },
    remove: async (id) => taps.delete(id),
    change: async (id, values) => {
      if (!taps.has(id)) return undefined;
      taps.set(id, { ...taps.get(id), ...values });
      return taps.get(id);
    },
    lease: async () => true,
    release: async () => {},
  };
};

const opened = open().then(inDatabase).catch(inMemory);
const tell = () => document.body.dispatchEvent(new CustomEvent("krru:taps"));
channel.addEventListener("message", tell);

// Runs work that may last while the lease of `owner` holds.
const holding = async (owner, work) => {
  const renewing = setInterval(() => lease(owner), RENEW_MS);
  try {
    return await work();
  } finally {
    clearInterval(renewing);
  }
};

const call = (name) => async (...values) => (await opened)[name](...values);
const telling = (name) => async (...values) => {
  const result = await call(name)(...values);
  tell();
  channel.postMessage("");
  return result;
};

const [all, lease, release] = ["all", "lease", "release"].map(call);
const [put, change, remove] = ["put", "change", "remove"].map(telling);

export { all, lease, release, holding, put, change, remove };
