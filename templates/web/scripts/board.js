// Places of the picture that can be chosen are labels of the list beside it, so a click works without this: here the
// one that is chosen is marked, and brought into sight.
export function clickBoard(where) {
  const spots = [...where.querySelectorAll("label.spot")];
  if (!spots.length) return;
  const mark = () => {
    for (const spot of spots) spot.classList.toggle("chosen", spot.control.checked);
  };
  where.addEventListener("change", mark);
  mark();
}
