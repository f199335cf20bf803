// What lifts the pages: each part looks for what it lifts, and a page without it is left as it is.
import { countDown } from "./countdown.js";
import { guardText } from "./leaving.js";
import { planBeside } from "./planner.js";
import { readAlong } from "./reading.js";
import { slide } from "./slider.js";

for (const time of document.querySelectorAll("[data-until]")) countDown(time);
for (const form of document.querySelectorAll("form[data-slider]")) slide(form);
for (const form of document.querySelectorAll("form[data-reading]")) {
  readAlong(form);
  guardText(form);
  planBeside(form);
}
