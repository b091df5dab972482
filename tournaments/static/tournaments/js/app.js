// Small conveniences of every page: dialogs, toasts, copying a link, printing,
// dropping a file. Everything here works on plain http and without it the pages still do.

const words = document.getElementById("words").dataset;
const TOAST_MS = 12000;

// On the director's page a sheet lies over the tables alone: clock and what is due stay in reach.
const overTables = matchMedia("(min-width: 68rem)");
let beside = null; // what had the focus when a sheet came up beside it
const openDialog = (dialog) => {
  if (dialog.open) return;
  if (!dialog.matches(".director .sheet") || !overTables.matches) {
    dialog.showModal();
    // Its button sticks to the foot and has the focus; it is read from its top.
    if (dialog.querySelector(".desk-sheet-actions [autofocus]")) dialog.scrollTop = 0;
    return;
  }
  beside = document.activeElement;
  dialog.show();
};
// Beside the page a browser gives the focus back only if it was in the sheet.
const closeDialog = (dialog) => {
  const isBeside = !dialog.matches(":modal");
  dialog.close();
  if (isBeside) (beside?.isConnected ? beside : document.getElementById(beside?.id))?.focus();
};
document.addEventListener("keydown", ({ key, defaultPrevented }) => {
  const sheet = document.querySelector(".sheet[open]:not(:modal)");
  if (key === "Escape" && !defaultPrevented && sheet) closeDialog(sheet);
});

document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-opens]");
  if (opener) openDialog(document.querySelector(opener.dataset.opens));
  const closer = event.target.closest("[data-closes]");
  if (closer) closeDialog(closer.closest("dialog"));
  // A press on the veil is a press on the dialog itself, outside of what is in it.
  if (event.target.matches("dialog[open]")) {
    const { left, right, top, bottom } = event.target.getBoundingClientRect();
    const { clientX: x, clientY: y } = event;
    if (x < left || x > right || y < top || y > bottom) event.target.close();
  }
  event.target.closest("[data-dismiss]")?.closest(".toast").remove();
  if (event.target.closest("[data-print]")) print();
  const { share: url, shareTitle: title } = event.target.closest("[data-share]")?.dataset ?? {};
  const copier = event.target.closest("[data-copy]");
  // Phones know how to share, and may put it away again; other browsers, and plain http, do not.
  if (url !== undefined && navigator.share) navigator.share({ title, url }).catch(() => {});
  else if (copier) copy(copier);
});

document.body.addEventListener("htmx:afterSwap", (event) => {
  const dialog = event.detail.target;
  // What is filled inside a dialog, or answered with nothing but a toast, opens none.
  const isFilled = event.detail.xhr.getResponseHeader("HX-Reswap") !== "none";
  if (!isFilled || !dialog.matches("dialog[data-opens-itself]")) return;
  if (dialog.childElementCount > 0) openDialog(dialog);
  else dialog.close();
});

// What has just come up under the pointer is not meant by the second click of a double click, nor
// by the key that is still held down.

const SETTLES_MS = 400;
const settling = new WeakMap();
const settle = (element) => {
  clearTimeout(settling.get(element));
  element.classList.add("is-settling");
  settling.set(element, setTimeout(() => element.classList.remove("is-settling"), SETTLES_MS));
};
// So is what follows by itself into a dialog that is open, the rest of which may be pressed; what
// comes up where something due was just done; and what comes into a list that the pointer is on.
const DONE_MS = 1500;
let doneAt = 0;
document.addEventListener("click", ({ target }) => {
  if (target.closest("#director-due")) doneAt = Date.now();
});
document.body.addEventListener("htmx:afterSwap", ({ detail: { elt, target } }) => {
  if (elt.matches("dialog[open] [data-follows]")) settle(elt);
  const isDone = target.id === "director-due" && Date.now() - doneAt < DONE_MS;
  if (isDone || target.matches("[data-settles]:hover")) settle(target);
});
const filled = new MutationObserver((records) => {
  new Set(records.map(({ target }) => target)).forEach((dialog) => dialog.open && settle(dialog));
});
document.querySelectorAll("dialog").forEach((dialog) => {
  filled.observe(dialog, { attributeFilter: ["open"], childList: true });
});

const typesIt = { Enter: "textarea", " ": "textarea, input:not([type=checkbox], [type=radio])" };
document.addEventListener("keydown", (event) => {
  const isPress = event.repeat && event.key in typesIt;
  if (isPress && !event.target.matches(typesIt[event.key])) event.preventDefault();
}, true);

// The server closes what is open with the header HX-Trigger: krru:close
// What was pressed beside a sheet leaves it open.
document.body.addEventListener("krru:close", ({ target }) => {
  const own = target.closest("dialog");
  document.querySelectorAll(own || target === document.body ? "dialog[open]" : "dialog:modal")
    .forEach((dialog) => dialog.close());
});

// What is ticked in a form with data-tally (the name of its boxes) is counted where data-each says how.

const tally = (form) => {
  const { tally: name, cents, chips, currency } = form.dataset;
  const n = form.querySelectorAll(`[name="${name}"]:checked`).length;
  const { lang } = document.documentElement;
  const figures = {
    n,
    money: (n * cents / 100).toLocaleString(
      currency === "CHF" ? "de-CH" : lang, currency ? { style: "currency", currency } : {},
    ),
    chips: (n * chips).toLocaleString(lang),
  };
  form.querySelectorAll("[data-each]").forEach((shown) => {
    const { each, eachOne } = shown.dataset;
    shown.textContent = (n === 1 && eachOne) || each.replace(/\{(\w+)\}/g, (_all, key) => figures[key]);
  });
};
document.addEventListener("change", ({ target }) => {
  const form = target.closest("[data-tally]");
  if (form) tally(form);
});
document.addEventListener("click", ({ target }) => {
  const form = target.closest("[data-tick-all]")?.closest("[data-tally]");
  if (!form) return;
  const boxes = [...form.querySelectorAll("[type=checkbox]")];
  const are = boxes.every(({ checked }) => checked);
  boxes.forEach((box) => { box.checked = !are; });
  tally(form);
});

// Menus close when one of their entries is pressed, by a press elsewhere, and with Escape

const closeMenus = (but) => document.querySelectorAll("[data-menu][open]").forEach((menu) => {
  menu.open = menu === but;
});
document.addEventListener("click", ({ target }) => {
  const menu = target.closest("[data-menu]");
  closeMenus(target.closest("summary") || target.matches(".refusal *") ? menu : null);
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") closeMenus();
  const found = event.key === "Enter" && event.target.matches("[data-enter]")
    && document.querySelector(event.target.dataset.enter);
  if (!found) return;
  event.preventDefault();
  // What is still asked for is opened when it comes.
  const open = () => found.querySelector("a, button")?.click();
  if (found.dataset.of === event.target.value) open();
  else found.addEventListener("htmx:afterSettle", open, { once: true });
});
document.body.addEventListener("htmx:afterSwap", ({ detail: { target, requestConfig } }) => {
  if (target.id === "found") target.dataset.of = requestConfig.parameters.q ?? "";
});

// Where one is stands in sight, also in a row of tabs that is wider than a phone. A browser leaves a
// tab where it is that shows by a pixel; what Tab leads to is seen whole.

const bringToSight = (tab) => {
  const row = tab.closest?.(".tabs, .site-nav ul");
  if (!row) return;
  const [own, all] = [tab.getBoundingClientRect(), row.getBoundingClientRect()];
  row.scrollLeft += Math.max(0, own.right - all.right) - Math.max(0, all.left - own.left);
};
document.querySelectorAll("[aria-current=page]").forEach(bringToSight);
document.addEventListener("focusin", ({ target }) => bringToSight(target));

// Toasts go by themselves, unless they must be read, are pointed at, or hold the focus.

const letGo = (toast) => setTimeout(() => {
  if (toast.matches(":hover, :focus-within")) letGo(toast);
  else toast.remove();
}, TOAST_MS);
const toasts = document.getElementById("toasts");
toasts.querySelectorAll(".toast:not([data-keep])").forEach(letGo);
new MutationObserver((records) => {
  records.flatMap((record) => [...record.addedNodes])
    .filter((node) => node.nodeType === Node.ELEMENT_NODE && node.matches(".toast:not([data-keep])"))
    .forEach(letGo);
}).observe(toasts, { childList: true });
// On a phone there is room for one: what is done next overtakes what was told before.
const isPhone = document.body.matches(".phone");
document.body.addEventListener("htmx:beforeRequest", ({ detail: { requestConfig, xhr } }) => {
  if (!isPhone || requestConfig.verb === "get") return;
  const told = [...toasts.querySelectorAll(".toast:not([data-keep], [data-lost])")];
  xhr.addEventListener("load", () => xhr.status < 300 && told.forEach((toast) => toast.remove()));
});
// An undo that was done takes its toast with it.
document.body.addEventListener("htmx:afterRequest", (event) => {
  const toast = event.detail.elt.closest?.(".toast");
  if (toast && event.detail.successful) toast.remove();
});

// Copy: the clipboard is missing on plain http, then the text is marked for the person to copy

const copy = async (button) => {
  const source = document.querySelector(button.dataset.copy);
  const label = button.querySelector("[data-copy-label]") ?? button;
  const text = source.value ?? source.textContent;
  try {
    await navigator.clipboard.writeText(text.trim());
    label.textContent = words.copied;
  } catch {
    if (source.select) source.select();
    else getSelection().selectAllChildren(source);
    label.textContent = document.execCommand("copy") ? words.copied : words.copyByHand;
  }
};

// Drop a file. One that the server would not even read whole is refused before it is sent.

document.querySelectorAll("[data-file-drop]").forEach((zone) => {
  const input = zone.querySelector("input[type=file]");
  const refusal = zone.querySelector("[data-file-refusal]");
  const weigh = () => {
    refusal.hidden = !(input.files[0]?.size > Number(input.dataset.mostBytes));
    input.setCustomValidity(refusal.hidden ? "" : refusal.textContent);
  };
  input.addEventListener("change", weigh);
  weigh(); // the browser may have kept a file
  ["dragover", "dragleave", "drop"].forEach((kind) => zone.addEventListener(kind, (event) => {
    event.preventDefault();
    zone.classList.toggle("is-over", kind === "dragover");
    if (kind === "drop" && event.dataTransfer.files.length > 0) {
      input.files = event.dataTransfer.files;
      weigh();
    }
  }));
});

// A name of one letter is asked about, and taken all the same.

document.addEventListener("change", ({ target: field }) => {
  if (!field.matches("[data-one-letter]")) return;
  field.parentElement.querySelector(".one-letter")?.remove();
  if ([...field.value.trim()].length !== 1) return;
  field.after(Object.assign(document.createElement("p"), {
    className: "field-help one-letter", textContent: field.dataset.oneLetter, role: "status",
  }));
});

// Focus: the first field that is wrong, else the field that asks for it in what was just loaded

document.querySelector("main [aria-invalid=true]")?.focus();
document.body.addEventListener("htmx:afterSettle", (event) => {
  event.detail.elt.querySelector?.("[aria-invalid=true], [autofocus]")?.focus();
});
