// Every change sent to the server: its idempotency key, the guard against pressing twice, and what
// is said when it does not arrive. A key lives as long as its action is in doubt: after a network
// failure the same action goes out under the same key, so that it cannot happen twice.

const inDoubt = new Map();
const body = document.body;
const on = (names, does) => names.split(" ").forEach((name) => body.addEventListener(name, does));

// crypto.randomUUID does not exist on plain http.
const newKey = () => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
};

const signatureOf = (verb, path, data) => {
  const pairs = [...data].filter(([name]) => name !== "idempotency_key" && name !== "csrfmiddlewaretoken");
  return `${verb} ${path} ${JSON.stringify(pairs.map(([name, value]) => [name, value.name ?? String(value)]))}`;
};

// Behind an open dialog a toast could neither be seen nor pressed.
const say = (id, near) => {
  const toast = document.getElementById(id).content.firstElementChild.cloneNode(true);
  (near.closest("dialog[open]") ?? document.getElementById("toasts")).append(toast);
  return toast;
};

// Since when it is: when something was heard last, from the stream or as an answer.
const strip = document.getElementById("offline");
const since = strip.querySelector("[data-strip=since]");
const clock = new Intl.DateTimeFormat(document.documentElement.lang, { hour: "2-digit", minute: "2-digit" });
let heardAt = Date.now();
on("krru:time krru:change krru:reached", () => { heardAt = Date.now(); });

const setOffline = (isOffline) => {
  if (isOffline && since) since.textContent = since.dataset.words.replace("{time}", clock.format(heardAt));
  const isShown = isOffline || body.hasAttribute("data-stale");
  strip.toggleAttribute("data-away", isShown);
  strip.hidden = !isShown && !strip.hasAttribute("data-taps");
  body.dispatchEvent(new CustomEvent(isOffline ? "krru:away" : "krru:reached"));
};

// What was asked before the network went proves nothing, though its answer comes after it.
let lostAt = 0;
const reached = (sentAt) => {
  if (sentAt >= lostAt) setOffline(false);
};

// A press that is not answered soon is told of, until it is: what was sent may still be carried out.
const SLOW_MS = 8000;
const tellSlow = (near) => {
  let toast = null;
  const timer = setTimeout(() => {
    toast = say("words-slow", near.isConnected ? near : body);
  }, SLOW_MS);
  return () => {
    clearTimeout(timer);
    toast?.remove();
  };
};

// A sentence that follows what is typed asks too, and keeps no button from being pressed.
const controlsOf = (element, submitter) => {
  if (!element.matches("form")) return element.matches("button") ? [element] : [];
  const inForm = element.querySelectorAll("button:not([type=button])");
  return [...new Set(submitter ? [submitter, ...inForm] : inForm)];
};

const hold = (controls) => {
  const focused = document.activeElement;
  const held = controls.filter((control) => !control.disabled);
  held.forEach((control) => {
    control.disabled = true;
    control.classList.add("is-busy");
  });
  return () => {
    held.forEach((control) => {
      control.disabled = false;
      control.classList.remove("is-busy");
    });
    if (held.includes(focused) && focused.isConnected && document.activeElement === body) focused.focus();
  };
};

// htmx requests

const isChange = (verb) => verb.toLowerCase() !== "get";

body.addEventListener("htmx:configRequest", (event) => {
  const { verb, path, parameters, headers } = event.detail;
  if (!isChange(verb)) return;
  headers["X-CSRFToken"] = document.querySelector("meta[name=csrf-token]").content;
  const signature = signatureOf(verb, path, Object.entries(parameters));
  if (!inDoubt.has(signature)) inDoubt.set(signature, newKey());
  headers["X-Idempotency-Key"] = inDoubt.get(signature);
  event.detail.krruSignature = signature;
});

// A press is let finish: an answer that comes meanwhile could put something else under the finger,
// and a click on what is gone is lost. Not for longer than anybody presses.
const LONGEST_PRESS_MS = 3000;
const CLICK_FOLLOWS_MS = 80;
const pressed = new Map();
const answers = [];
const giveAnswers = () => {
  if (pressed.size > 0 || answers.length === 0) return;
  setTimeout(giveAnswers); // asked for first: an answer that fails keeps no other back
  answers.shift()();
};
const letGo = (id) => {
  pressed.delete(id);
  giveAnswers();
};
const letGoIn = (ms, id) => {
  clearTimeout(pressed.get(id));
  pressed.set(id, setTimeout(letGo, ms, id));
};
document.addEventListener("pointerdown", (event) => letGoIn(LONGEST_PRESS_MS, event.pointerId), true);
["pointerup", "pointercancel", "click"].forEach((name) => document.addEventListener(name, (event) => {
  if (pressed.has(event.pointerId)) letGoIn(name === "click" ? 0 : CLICK_FOLLOWS_MS, event.pointerId);
}, true));

// What an answer says is told from the element that asked for it. One that was replaced meanwhile
// is put back out of sight for that moment: else neither the page nor the answer's parts for other
// places would hear of it.
const replaced = body.appendChild(Object.assign(document.createElement("div"), { hidden: true }));
const inPage = (elt, tell) => {
  if (elt.isConnected) return tell();
  let root = elt;
  while (root.parentElement) root = root.parentElement;
  replaced.append(root);
  try {
    return tell();
  } finally {
    root.remove();
  }
};
body.addEventListener("htmx:beforeRequest", ({ detail: { elt, xhr } }) => {
  const { onload, onerror } = xhr;
  xhr.onload = () => {
    answers.push(() => inPage(elt, onload));
    giveAnswers();
  };
  xhr.onerror = () => inPage(elt, onerror);
});

// What follows hangs on the request, not on the element that was pressed: the answer, or a panel
// that was fetched meanwhile, may have taken its place.
body.addEventListener("htmx:beforeRequest", (event) => {
  const { elt, xhr, requestConfig } = event.detail;
  const sentAt = performance.now();
  xhr.addEventListener("load", () => reached(sentAt));
  if (elt.krruRelease && isChange(requestConfig.verb)) return void event.preventDefault();
  if (elt.matches("a, button, form")) xhr.addEventListener("loadend", tellSlow(elt));
  if (!isChange(requestConfig.verb)) return;
  slotOf(elt)?.replaceChildren();
  elt.krruRelease = hold(controlsOf(elt, requestConfig.triggeringEvent?.submitter));
  xhr.addEventListener("loadend", () => {
    elt.krruRelease();
    delete elt.krruRelease;
    if (xhr.status > 0 && xhr.status < 500) settle(requestConfig.krruSignature);
  });
});

const lostToasts = () => [...document.querySelectorAll(".toast[data-lost]")];

// The outcome is known, or the person gave up: the next press is a new action.
const settle = (signature) => {
  inDoubt.delete(signature);
  lostToasts().filter((toast) => toast.krruSignature === signature).forEach((toast) => toast.remove());
};

const offerRetry = (words, near, again, signature = "") => {
  lostToasts().forEach((old) => old.remove());
  const toast = say(words, near);
  if (near.dataset.name) toast.querySelector(".toast-text").prepend(`${near.dataset.name}: `);
  Object.assign(toast, { krruSignature: signature }).dataset.lost = "";
  toast.querySelector("[data-retry]")?.addEventListener("click", () => {
    toast.remove();
    again();
  });
  toast.querySelector("[data-dismiss]").addEventListener("click", () => settle(signature));
};
const offerRequest = (words, { requestConfig: { elt, verb, path, parameters: values, target, krruSignature } }) => {
  const again = () => htmx.ajax(verb, path, { source: elt.isConnected ? elt : body, values, target });
  offerRetry(words, elt, again, krruSignature);
};

// A tap in the queue is sent again by itself.
const needsRetry = ({ requestConfig }) => isChange(requestConfig.verb) && !requestConfig.krruTap;

body.addEventListener("krru:answered", ({ detail }) => reached(detail));
body.addEventListener("krru:unanswered", () => setOffline(true));
on("htmx:sendError htmx:timeout", ({ detail }) => {
  setOffline(true);
  if (needsRetry(detail)) offerRequest("words-lost", detail);
});
body.addEventListener("htmx:responseError", (event) => {
  const { status } = event.detail.xhr;
  if (status === 401 || status === 403) say("words-denied", event.detail.elt);
  else if (needsRetry(event.detail)) offerRequest("words-broken", event.detail);
});

// A refusal goes next to the control, wherever the answer was meant to go: into the nearest slot,
// in its form, beside it, or beside what it stands in; [data-refusal] names one that is elsewhere.

const OWN = ":scope > .refusal-slot:not([data-made])";
const slotIn = (around) => {
  if (around.dataset.refusal) return document.querySelector(around.dataset.refusal);
  if (around.nextElementSibling?.matches(".refusal-slot")) return around.nextElementSibling;
  return around.querySelector(around.matches("form") ? ".refusal-slot" : OWN);
};

const slotOf = (element) => {
  let around = element.isConnected ? element : document.getElementById(element.id);
  while (around && !around.matches("main, body")) {
    const slot = slotIn(around);
    if (slot) return slot;
    around = around.parentElement;
  }
  return null;
};

const newSlot = (element) => {
  const slot = Object.assign(document.createElement("div"), { className: "refusal-slot" });
  slot.dataset.made = "";
  const form = element.closest("form");
  if (form) form.append(slot);
  else element.after(slot);
  return slot;
};

body.addEventListener("htmx:beforeSwap", (event) => {
  const { xhr, requestConfig } = event.detail;
  if (xhr.status !== 422 || !xhr.responseText.trimStart().startsWith('<p class="refusal"')) return;
  event.detail.target = slotOf(requestConfig.elt) ?? newSlot(requestConfig.elt);
  event.detail.swapOverride = "innerHTML";
  event.detail.selectOverride = "unset";
});

// Plain forms

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.method !== "post" || form.closest("[hx-post]")) return;
  if (form.krruRelease) return void event.preventDefault();
  // Without a server the browser shows a page of its own. One on this laptop needs no network.
  if (!navigator.onLine && !form.krruAnswered) {
    const again = () => form.requestSubmit(event.submitter);
    fetch("/verbindung/", { signal: AbortSignal.timeout(SLOW_MS) })
      .then(() => { form.krruAnswered = true; again(); }, () => offerRetry("words-lost", form, again));
    return void event.preventDefault();
  }
  delete form.krruAnswered;
  const field = form.elements.namedItem("idempotency_key") ?? form.appendChild(
    Object.assign(document.createElement("input"), { type: "hidden", name: "idempotency_key" }));
  const signature = signatureOf("post", form.action, new FormData(form, event.submitter));
  if (!field.value || field.dataset.signature !== signature) field.value = newKey();
  field.dataset.signature = signature;
  // Held only after the browser has collected the form, or the pressed button's name is lost.
  const answered = tellSlow(form);
  setTimeout(() => {
    const release = hold(controlsOf(form, event.submitter));
    form.krruRelease = () => {
      answered();
      release();
    };
  });
});

addEventListener("pageshow", () => {
  document.querySelectorAll("form").forEach((form) => {
    form.krruRelease?.();
    delete form.krruRelease;
  });
});

// A page without taps to send learns from its stream that the server is away. The browser comes
// back by itself within seconds, mostly unnoticed.
const UNNOTICED_MS = 4000;
let away = 0;
if (!strip.querySelector("[data-queue-open]")) {
  on("krru:disconnected", () => { away ||= setTimeout(() => setOffline(true), UNNOTICED_MS); });
  on("krru:connected", () => {
    clearTimeout(away);
    away = 0;
    setOffline(false);
  });
}

addEventListener("offline", () => { lostAt = performance.now(); setOffline(true); });
addEventListener("online", () => setOffline(false));
if (!navigator.onLine) setOffline(true);

export { newKey, on, reached, say, setOffline, settle };
