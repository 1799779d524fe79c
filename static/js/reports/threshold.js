// The slider of the threshold card: curve, figures, number field and save button follow one step, taken from the data
// that the server has put into the page. Without this module the number field and its button do the same by a request.

const KINDS = ["recall", "precision", "kappa", "flagged"];

/** Bring a threshold card to life; a card without a slider, or one already alive, is left alone. */
function start(card) {
  const slider = card.querySelector("#threshold-slider");
  const data = card.querySelector("#threshold-steps");
  if (!slider || !data || !slider.hidden) return;
  const steps = JSON.parse(data.textContent);
  const number = card.querySelector("#threshold-number");
  slider.max = String(steps.length - 1);
  slider.value = String(nearest(steps, Number(number.value)));
  slider.hidden = false;
  describe(slider, steps[Number(slider.value)]);
  slider.addEventListener("input", () => show(card, slider, steps[Number(slider.value)]));
}

/** Place of the step nearest to a threshold. */
function nearest(steps, threshold) {
  let best = 0;
  steps.forEach((step, place) => {
    if (Math.abs(step.threshold - threshold) < Math.abs(steps[best].threshold - threshold)) best = place;
  });
  return best;
}

function written(threshold) {
  const short = threshold.toFixed(2);
  return Number(short) === threshold ? short : String(threshold);
}

function describe(slider, step) {
  const { recall, precision, flagged } = step.words;
  slider.setAttribute(
    "aria-valuetext",
    `${written(step.threshold)}: recall ${recall.value}, precision ${precision.value}, flags ${flagged.value}`,
  );
}

function show(card, slider, step) {
  const plot = card.querySelector("[data-left]");
  const { left, right, top, bottom } = Object.fromEntries(
    ["left", "right", "top", "bottom"].map((side) => [side, Number(plot.dataset[side])]),
  );
  const x = left + step.threshold * (right - left);
  const marker = plot.querySelector("[data-marker]");
  marker.setAttribute("x1", x);
  marker.setAttribute("x2", x);
  for (const kind of KINDS) {
    const value = step.values[kind];
    let dot = plot.querySelector(`[data-dot="${kind}"]`);
    if (!dot) {
      dot = document.createElementNS("http://www.w3.org/2000/svg", "circle");
      dot.setAttribute("class", kind);
      dot.setAttribute("r", "5");
      dot.dataset.dot = kind;
      plot.append(dot);
    }
    dot.toggleAttribute("hidden", value === null);
    dot.setAttribute("cx", x);
    if (value !== null) dot.setAttribute("cy", bottom - Math.min(Math.max(value, 0), 1) * (bottom - top));
  }
  for (const [name, words] of Object.entries(step.words)) {
    for (const part of card.querySelectorAll(`[data-say="${name}"] [data-part]`)) {
      part.textContent = words[part.dataset.part];
    }
  }
  const threshold = written(step.threshold);
  for (const place of card.querySelectorAll('[data-say="threshold"]')) place.textContent = threshold;
  for (const link of card.querySelectorAll("[data-plot-file]")) {
    const address = new URL(link.href);
    address.searchParams.set("threshold", threshold);
    link.href = address.href;
  }
  for (const field of card.querySelectorAll("#threshold-number, #threshold-save")) field.value = threshold;
  describe(slider, step);
}

function startAll() {
  for (const card of document.querySelectorAll("#threshold")) start(card);
}

startAll();
document.body.addEventListener("htmx:load", startAll);
