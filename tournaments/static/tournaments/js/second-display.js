// "Leinwand öffnen" opens a window of its own. Where the browser tells of a second display, and is
// allowed to, the window stands there; browsers tell it in secure contexts alone.

const placeOf = async () => {
  const { screens, currentScreen } = await window.getScreenDetails();
  const other = screens.find((one) => one !== currentScreen);
  if (!other) return "";
  const { availLeft: left, availTop: top, availWidth: width, availHeight: height } = other;
  return `popup,left=${left},top=${top},width=${width},height=${height}`;
};

document.body.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.matches("[data-second-display]")) return;
  if (!window.getScreenDetails || !window.screen.isExtended) return;
  event.preventDefault();
  const place = await placeOf().catch(() => "");
  if (place) window.open("", form.target, place);
  form.submit();
});
