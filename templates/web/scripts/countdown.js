// How long is left to a deadline, told anew as it shrinks, with the moment by this device's own clock beside it.
const UNITS = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];
const LONGEST_PAUSE = 30;

function span(seconds, language) {
  const first = UNITS.findIndex(([, size]) => seconds >= size);
  const told = [];
  let rest = seconds;
  for (const [unit, size] of UNITS.slice(first, first + 2)) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count) told.push(new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(count));
  }
  return told.join(" ");
}

function here(moment, language) {
  const parts = { weekday: "long", hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  return new Intl.DateTimeFormat(language, parts).format(moment);
}

export function countDown(place) {
  const until = Date.parse(place.dataset.until);
  // The page's own idea of now, for a device's clock may be wrong: from then on its differences count.
  const behind = Date.parse(place.dataset.now) - Date.now();
  const language = document.documentElement.lang;
  const elsewhere = Intl.DateTimeFormat().resolvedOptions().timeZone !== place.dataset.zone;
  const tell = () => {
    const left = Math.round((until - Date.now() - behind) / 1000);
    if (left <= 0) {
      place.textContent = place.dataset.over;
      return;
    }
    const said = [place.dataset.left.replace("{span}", span(left, language))];
    if (elsewhere) said.push(place.dataset.here.replace("{moment}", here(until, language)));
    place.textContent = said.join(" ");
    setTimeout(tell, 1000 * Math.min(LONGEST_PAUSE, left > 120 ? left % 60 || 60 : 1));
  };
  tell();
}
