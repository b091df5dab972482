// The search of the rule book: it hides what does not have the words, without the server, so that it
// works in a hall whose Wi-Fi is gone.

const search = document.getElementById("book-search");
const field = search?.querySelector("input");

const plain = (text) => text.toLocaleLowerCase().normalize("NFD").replace(/\p{M}/gu, "").replaceAll("ß", "ss");

// What stands under a heading is found by the heading's words, too.
const wordsOf = (part) => {
  const head = part.closest("[data-chapter]").querySelector("h2");
  return plain(`${head.textContent} ${part.textContent}`);
};

const told = (count) => {
  if (count === 0) return search.dataset.none;
  return count === 1 ? search.dataset.one : search.dataset.many.replace("{count}", count);
};

const filter = () => {
  const words = plain(field.value).split(/\s+/).filter(Boolean);
  const isSearching = words.length > 0;
  const book = document.getElementById("rules");
  let count = 0;
  for (const part of book.querySelectorAll("[data-part]")) {
    const text = isSearching ? wordsOf(part) : "";
    part.hidden = !words.every((word) => text.includes(word));
    count += Number(!part.hidden);
  }
  for (const chapter of book.querySelectorAll("[data-chapter]")) {
    chapter.hidden = chapter.querySelector("[data-part]:not([hidden])") === null;
  }
  book.classList.toggle("is-searched", isSearching);
  search.querySelector("[role=status]").textContent = isSearching ? told(count) : "";
};

// A link to a part shows it whatever was looked for.
const showLinked = () => {
  const part = document.getElementById(decodeURIComponent(window.location.hash.slice(1)));
  if (!part?.closest("[hidden]")) return;
  field.value = "";
  filter();
  part.scrollIntoView();
};

if (field) {
  search.hidden = false;
  field.addEventListener("input", filter);
  window.addEventListener("hashchange", showLinked);
  document.body.addEventListener("htmx:afterSwap", filter);
  if (field.value) filter();
}
