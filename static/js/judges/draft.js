// Reviewing draft claims. The page is a plain form; this only says where the cursor is, and warns before writing is lost.

let dirty = false;
let last = null; // the text that was written in last, and where its cursor was

const cut = (area) => {
  if (area.value.trim().includes("\n")) return;
  const at = last === area ? area.selectionStart : 0;
  if (at > 0 && at < area.value.length) area.value = `${area.value.slice(0, at).trimEnd()}\n${area.value.slice(at).trimStart()}`;
};

document.addEventListener("focusin", (event) => {
  if (event.target.matches("#draft-form textarea")) last = event.target;
});

document.addEventListener("input", (event) => {
  if (event.target.closest("#draft-form")) dirty = true;
});

document.addEventListener("click", (event) => {
  const button = event.target.closest("#draft-form button[value^=split-]");
  if (button) cut(button.closest(".draft").querySelector("textarea"));
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.repeat || event.isComposing) return;
  const draft = event.target.matches("#draft-form textarea") && event.target.closest(".draft");
  if (!draft) return;
  event.preventDefault();
  draft.querySelector("button[value^=split-], #add").click();
});

document.addEventListener("submit", (event) => {
  if (event.target.id === "draft-form") dirty = false;
});
document.addEventListener("htmx:responseError", () => { dirty = true; });
document.addEventListener("htmx:sendError", () => { dirty = true; });
window.addEventListener("beforeunload", (event) => { if (dirty) event.preventDefault(); });
