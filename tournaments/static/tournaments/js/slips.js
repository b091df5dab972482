// Slips from the desk without leaving it: once this device has printed a slip, the next ones go
// straight to the printer's dialog, on the paper that was chosen. The page of a slip is always there.

const STORE = "krru-slips"; // the address's query of the paper: "" is A4
const LABEL = "papier=etikett";
const papers = document.querySelector("[data-slip-paper]");

const print = (address) => {
  const about = { className: "print-frame", title: "", src: address };
  const frame = Object.assign(document.createElement("iframe"), about);
  frame.addEventListener("load", () => {
    frame.contentWindow.addEventListener("afterprint", () => setTimeout(() => frame.remove()));
    frame.contentWindow.print();
  });
  document.body.append(frame);
};

document.addEventListener("click", (event) => {
  const isPrinted = papers && event.target.closest("[data-print]");
  if (isPrinted) localStorage.setItem(STORE, papers.dataset.slipPaper);
  if (papers) return;
  const link = event.target.closest("a[data-slip]");
  const paper = localStorage.getItem(STORE);
  if (!link || paper === null || event.ctrlKey || event.metaKey || event.shiftKey) return;
  // Phones print the page around a frame, not what is in it.
  if (!matchMedia("(hover: hover)").matches) return;
  event.preventDefault();
  print(paper === LABEL ? `${link.pathname}?${LABEL}` : link.pathname);
});
