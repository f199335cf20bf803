// A text that was written and not sent is not lost by a slip: the browser asks first.
export function guardText(form) {
  const text = form.elements.text;
  const before = text.defaultValue;
  let sending = false;
  form.addEventListener("submit", () => {
    sending = true;
  });
  window.addEventListener("beforeunload", (event) => {
    if (!sending && text.value !== before) event.preventDefault();
  });
}
