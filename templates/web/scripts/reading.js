// What was read, while the text is typed: as the acknowledgement would say it. The server keeps nothing of it.
const PAUSE = 500;

export function readAlong(form) {
  const text = form.elements.text;
  const shown = form.querySelector("[data-reading-shown]");
  let timer = 0;
  let running = null;

  const read = async () => {
    running?.abort();
    running = new AbortController();
    shown.setAttribute("aria-busy", "true");
    try {
      const body = new URLSearchParams(new FormData(form));
      const answer = await fetch(form.dataset.reading, { method: "POST", body, signal: running.signal });
      if (!answer.ok || answer.redirected) throw new Error(`status ${answer.status}`);
      shown.innerHTML = await answer.text();
    } catch (problem) {
      if (problem.name === "AbortError") return;
      shown.textContent = form.dataset.unread;
    }
    shown.hidden = false;
    shown.removeAttribute("aria-busy");
  };

  text.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(read, PAUSE);
  });
}
