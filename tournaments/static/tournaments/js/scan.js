// Codes at the desk: from a scanner that types like a keyboard, wherever the focus is, and from the
// device's own camera, which browsers allow in secure contexts only.

const LINK = /(?:\/p\/|-p-)[\w?ß-]{8,64}[/-]?$/;
const GAP_MS = 300; // between the letters of one code; slow scanners need it
const LOOK_MS = 150;
const WIDEST = 720; // of the picture a code is looked for in
const find = document.getElementById("desk-find");

const show = (text) => {
  document.querySelectorAll("dialog[open]").forEach((dialog) => dialog.close());
  find.elements.q.value = text;
  find.requestSubmit();
};

// A scanner

let typed = "";
let last = 0;
let before = null;

document.addEventListener("keydown", (event) => {
  const { target, key, timeStamp } = event;
  if (timeStamp - last > GAP_MS) {
    typed = "";
    before = "value" in target ? { target, value: target.value } : null;
  }
  last = timeStamp;
  if (key.length === 1) typed += key;
  if (key !== "Enter" || !LINK.test(typed)) return;
  // Enter would press whatever is in focus, such as another person's check-in.
  event.preventDefault();
  event.stopImmediatePropagation();
  if (before) before.target.value = before.value;
  show(typed);
  typed = "";
}, true);

// The camera

const button = document.querySelector("[data-scan]");
const dialog = document.getElementById("scan");
const video = dialog.querySelector("video");
const tell = (what) => dialog.querySelectorAll("[data-scan-told]").forEach((part) => {
  part.hidden = part.dataset.scanTold !== what;
});
let stream = null;

const stop = () => {
  stream?.getTracks().forEach((track) => track.stop());
  stream = null;
  video.srcObject = null;
};

// A reader of what the camera sees: the browser's own, or one that is loaded the first time.
const reader = async () => {
  const kinds = "BarcodeDetector" in window ? await BarcodeDetector.getSupportedFormats() : [];
  if (kinds.includes("qr_code")) {
    const detector = new BarcodeDetector({ formats: ["qr_code"] });
    return async () => (await detector.detect(video))[0]?.rawValue;
  }
  if (!window.jsQR) await import(dialog.dataset.reader);
  const canvas = document.createElement("canvas");
  const brush = canvas.getContext("2d", { willReadFrequently: true });
  return () => {
    const scale = Math.min(1, WIDEST / video.videoWidth);
    canvas.width = Math.round(video.videoWidth * scale);
    canvas.height = Math.round(video.videoHeight * scale);
    brush.drawImage(video, 0, 0, canvas.width, canvas.height);
    const { data, width, height } = brush.getImageData(0, 0, canvas.width, canvas.height);
    return window.jsQR(data, width, height, { inversionAttempts: "dontInvert" })?.data;
  };
};

const look = async (read) => {
  while (stream) {
    const text = await Promise.resolve().then(read).catch(() => undefined);
    if (text && stream) {
      stop();
      show(text);
      return;
    }
    await new Promise((done) => setTimeout(done, LOOK_MS));
  }
};

const start = async () => {
  tell(isSecureContext ? "looking" : "insecure");
  dialog.showModal();
  if (!isSecureContext) return;
  try {
    const found = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
    stream = found;
    if (!dialog.open) return void stop();
    video.srcObject = found;
    await video.play();
    look(await reader());
  } catch (problem) {
    stop();
    tell(problem.name === "NotAllowedError" ? "refused" : "none");
  }
};

dialog.addEventListener("close", stop);
button.hidden = false;
button.addEventListener("click", start);
