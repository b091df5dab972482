// The rulings desk: what is pressed faster than the server answers goes with the next question, each
// press once and in its order. Without this script a button sends its own press with the form.

const form = document.getElementById("ruling-form");

form.addEventListener("click", (event) => {
  const pressed = event.target.closest("button[name=press]");
  if (!pressed) return;
  event.preventDefault();
  const to = form.elements.to?.value ?? "";
  const value = pressed.value === "bet" ? `bet:${to}` : pressed.value;
  const kept = Object.assign(document.createElement("input"), { type: "hidden", name: "pressed", value });
  document.getElementById("ruling-panel").append(kept);
  form.requestSubmit();
});
