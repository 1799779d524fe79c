// Keys for settling a claim. The page is a plain form; this only presses what is there.

const form = document.querySelector("#settle");
const reasons = ["q", "w", "e", "r", "t", "y"];
let sent = false;

const typing = (target) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches("textarea, select, input:not([type=radio], [type=checkbox])"));

// Digits by their place too, since on some layouts the digit row gives other characters without shift.
const digit = (event) => {
  const named = /^(?:Digit|Numpad)([1-4])$/.exec(event.code);
  if (/^[1-4]$/.test(event.key)) return Number(event.key);
  return named && !event.shiftKey && !/^\d$/.test(event.key) ? Number(named[1]) : 0;
};

const choose = (name, index) => {
  const radio = form.querySelectorAll(`input[name=${name}]`)[index];
  if (!radio) return false;
  radio.checked = true;
  radio.focus({ preventScroll: true });
  return true;
};

form?.addEventListener("submit", (event) => {
  // One press, one submit: what is pressed while the next claim is on its way is not meant for it.
  if (sent) event.preventDefault();
  sent = true;
});
// Back from the browser's own store of pages, the form works again.
window.addEventListener("pageshow", () => { sent = false; });

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || event.isComposing || sent) return;
  if (typing(event.target)) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const number = digit(event);
  let done = true;
  if (number) done = choose("verdict", number - 1);
  else if (event.shiftKey) return;
  else if (reasons.includes(key)) done = choose("reason", reasons.indexOf(key));
  else if (key === "j" || key === "k") document.querySelector(key === "j" ? "#next" : "#previous")?.click();
  else if (key === "n") form.elements.note.focus();
  else if (key === "Enter" && !event.target.closest("a, button, summary")) form.requestSubmit();
  else done = false;
  if (done) event.preventDefault();
});

// A page opened at no particular place shows the passage that the claim rests on.
const mark = location.hash ? null : document.querySelector(".text .seg");
const sources = document.querySelector(".sources");
if (mark && sources && sources.scrollHeight > sources.clientHeight) {
  const below = mark.getBoundingClientRect().top - sources.getBoundingClientRect().top;
  if (below > sources.clientHeight * 0.6) sources.scrollTop = below - sources.clientHeight / 3;
}

if (form) form.dataset.keys = "on";
