// The big screen as a thing in a room: kept awake, full screen by F or a double tap, the pointer
// hidden when nobody moves it. No key does anything else here.

const POINTER_MS = 3000;
const { body } = document;

// Only on https or the machine itself; on the hall's plain http the kiosk start keeps it awake.
let lock = null;
const lockScreen = async () => {
  lock = await navigator.wakeLock.request("screen");
};
const stayAwake = () => {
  const isHeld = lock?.released === false;
  if (!isHeld && document.visibilityState === "visible") lockScreen().catch(() => {});
};
document.addEventListener("visibilitychange", stayAwake);
stayAwake();

const fill = () => {
  const done = document.fullscreenElement
    ? document.exitFullscreen()
    : document.documentElement.requestFullscreen?.();
  done?.catch(() => {});
};
addEventListener("keydown", (event) => {
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.repeat;
  if (isPlain && event.key.toLowerCase() === "f") fill();
});
addEventListener("dblclick", fill);

let hiding = 0;
addEventListener("pointermove", () => {
  body.classList.add("has-pointer");
  clearTimeout(hiding);
  hiding = setTimeout(() => body.classList.remove("has-pointer"), POINTER_MS);
});
