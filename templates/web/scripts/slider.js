// The slider of a game's course: the step is shown when it is let go, and its number while it moves.
export function slide(form) {
  const range = form.elements.step;
  const shown = form.querySelector("output");
  range.addEventListener("input", () => {
    shown.textContent = range.value;
  });
  range.addEventListener("change", () => form.requestSubmit());
}
