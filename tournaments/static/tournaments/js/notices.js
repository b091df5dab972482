// Notices on this phone: before the choice is sent, the browser asks its user and hands over an address
// for pushes. Without that it says what is missing.

const bytesOf = (text) => {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (char) => char.charCodeAt(0));
};

const subscribed = async ({ push, worker }) => {
  const key = bytesOf(push);
  const made = await navigator.serviceWorker.register(worker);
  const known = await made.pushManager.getSubscription();
  const knownKey = known && new Uint8Array(known.options.applicationServerKey ?? []);
  if (known && String(knownKey) !== String(key)) await known.unsubscribe();
  for (let tries = 0; !made.active && tries < 100; tries += 1) {
    await new Promise((done) => { setTimeout(done, 100); });
  }
  return made.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
};

document.addEventListener("submit", async (event) => {
  const form = event.target.closest("form[data-push]");
  const { submitter } = event;
  if (!form || submitter?.name === "off" || form.elements.address.value) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  try {
    if (!("serviceWorker" in navigator && "PushManager" in window)) throw new Error("no push");
    form.elements.address.value = JSON.stringify(await subscribed(form.dataset));
    form.requestSubmit(submitter);
  } catch {
    form.parentElement.querySelector("[data-push-missing]").hidden = false;
  }
}, true);
