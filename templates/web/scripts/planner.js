// A choice step by step beside the text: the same forms as without a script, shown in place.
// What is chosen ends as a line in the text, which is what counts.
import { clickBoard } from "./board.js";

export function planBeside(form) {
  const text = form.elements.text;
  const beside = form.parentElement.querySelector("[data-planner]");

  let lifted = true;

  const send = async (action, fields) => {
    beside.setAttribute("aria-busy", "true");
    const body = new URLSearchParams(fields);
    body.set("text", text.value);
    const answer = await fetch(action, { method: "POST", body });
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    beside.removeAttribute("aria-busy");
    show(page);
  };

  const show = (page) => {
    const step = page.querySelector("[data-step]");
    const whole = page.querySelector("[data-whole]");
    if (whole) {
      text.value = page.querySelector("textarea[name=text]").value;
      text.dispatchEvent(new Event("input", { bubbles: true }));
      close();
      text.focus();
    } else if (step) {
      document.adoptNode(step);
      beside.replaceChildren(step);
      beside.hidden = false;
      clickBoard(step);
      beside.querySelector("input:checked, input[type=number]")?.focus();
    } else {
      throw new Error("no step");
    }
  };

  const close = () => {
    beside.replaceChildren();
    beside.hidden = true;
  };

  const onSubmit = (event) => {
    const button = event.submitter;
    const sender = event.target;
    const action = button?.getAttribute("formaction") ?? sender.getAttribute("action");
    if (!lifted || !action.endsWith("/choose")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const fields = new FormData(sender);
    if (button?.name) fields.append(button.name, button.value);
    send(action, fields).catch(() => {
      // Where it can't be done in place, the page that the form leads to does it.
      lifted = false;
      sender.elements.text.value = text.value;
      sender.requestSubmit(button);
    });
  };

  form.addEventListener("submit", onSubmit, { capture: true });
  beside.addEventListener("submit", onSubmit);
  beside.addEventListener("click", (event) => {
    if (!event.target.closest("[data-close]")) return;
    event.preventDefault();
    close();
    text.focus();
  });
}
