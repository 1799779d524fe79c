// One claim on the screen: its verdict, its second step, its evidence, its sources, its draft.
import { Evidence } from "./evidence.js";
import { Find } from "./find.js";

const CHOICES = ["invention", "severity"];
// In milliseconds: shorter than anybody reads a claim, longer than a key or a button bounces.
const BOUNCE = 300;

export class Item {
  constructor(element, { store, say }) {
    this.element = element;
    this.store = store;
    this.say = say;
    this.claim = Number(element.dataset.claim);
    this.again = Boolean(element.dataset.again);
    this.form = element.querySelector("#label-form");
    this.second = element.querySelector("#second-step");
    this.save = element.querySelector("[data-act=save]");
    this.asks = element.dataset.asks.split(" ").filter(Boolean);
    this.hasSpan = Boolean(element.dataset.hasSpan);
    this.shownAt = Infinity;
    this.seconds = 0;
    this.since = null;
    this.verdict = element.querySelector(".verdict[aria-pressed=true]")?.value ?? "";
  }

  /** Bring the item to life once it is in the document. */
  show() {
    this.evidence = new Evidence(this.element, { changed: () => this.changed(), say: this.say });
    this.find = new Find(this.element);
    const draft = this.store.draft(this.claim);
    if (draft) this.apply(draft);
    this.tabs();
    this.watchReading();
    this.element.addEventListener("input", (event) => {
      if (event.target.form === this.form) this.changed();
    });
    const drawers = [...this.element.querySelectorAll("details.drawer")];
    for (const drawer of drawers) {
      drawer.addEventListener("toggle", () => {
        if (drawer.open) for (const other of drawers) if (other !== drawer) other.open = false;
      });
    }
    this.refresh();
    const panel = this.element.querySelector(".source");
    if (panel) this.evidence.showCited(panel);
    this.showInAnswer();
    this.element.querySelector("#claim-text").focus({ preventScroll: true });
    this.resume();
    // A press counts only for a claim that has been on the screen: two frames from now it is painted.
    delete this.element.dataset.ready;
    requestAnimationFrame(() => requestAnimationFrame(() => {
      this.shownAt = performance.now();
      setTimeout(() => { this.element.dataset.ready = ""; }, BOUNCE);
    }));
  }

  /** Where the answer is longer than its place, scroll to the claim in it: no further than needed. */
  showInAnswer() {
    const context = this.element.querySelector(".context");
    const mark = context.querySelector("mark");
    if (!mark) return;
    const beyond = mark.getBoundingClientRect().bottom - context.getBoundingClientRect().bottom;
    if (beyond > 0) context.scrollTop += Math.min(beyond + 4, mark.getBoundingClientRect().top - context.getBoundingClientRect().top);
  }

  /** Whether the claim was on the screen, for longer than a key bounces, when the event happened. */
  meantBy(event) {
    return "ready" in this.element.dataset && event.timeStamp >= this.shownAt + BOUNCE;
  }

  resume() {
    if (this.since === null && !document.hidden) this.since = performance.now();
  }

  rest() {
    if (this.since !== null) this.seconds += (performance.now() - this.since) / 1000;
    this.since = null;
  }

  field(name) {
    return this.form.elements[name];
  }

  /** Whether the person has done nothing here yet. */
  untouched() {
    return !this.again && !this.verdict && !this.evidence.spans.length && !this.field("note").value;
  }

  /** What this verdict still lacks: `evidence`, `invention`, `severity`. The invention may stay open. */
  lacks() {
    const lacks = [];
    if (this.verdict !== "absent" && !this.hasSpan && !this.evidence.spans.length) lacks.push("evidence");
    for (const name of this.asks) {
      if (name === "invention" && this.verdict === "stated") continue;
      if (!this.field(name)?.value) lacks.push(name);
    }
    return lacks;
  }

  /** Choose a verdict; true where nothing more is asked. */
  choose(verdict) {
    this.verdict = verdict;
    if (verdict === "stated") this.clear("invention");
    this.changed();
    const done = !this.again && this.lacks().length === 0;
    if (!done) {
      this.say(this.prompt());
      // In one column the next step lies below the text.
      if (matchMedia("(max-width: 860px)").matches) this.second.scrollIntoView({ block: "center" });
    }
    return done;
  }

  clear(name) {
    for (const input of this.form.querySelectorAll(`input[name=${name}]:checked`)) input.checked = false;
  }

  toggle(name, index) {
    const input = this.form.querySelectorAll(`input[name=${name}]`)[index];
    if (!input) return;
    input.checked = !input.checked;
    this.changed();
    this.say(input.checked ? input.nextElementSibling.firstChild.textContent.trim() : "Taken back");
  }

  /** Whether Enter may save now; says what is missing where it may not. */
  ready() {
    if (!this.verdict) return false;
    const lacks = this.lacks().filter((name) => name !== "invention");
    if (!lacks.length) return true;
    this.element.querySelector(".evidence").classList.toggle("wanted", lacks.includes("evidence"));
    this.say(this.prompt());
    return false;
  }

  prompt() {
    const lacks = this.lacks();
    if (lacks.includes("evidence")) return "Select the words it rests on, or press m";
    if (lacks.includes("severity")) return "Critical or minor?";
    if (lacks.includes("invention")) return "What was added? Enter goes on without";
    return "Enter saves";
  }

  changed() {
    this.refresh();
    const draft = this.draft();
    const empty = !draft.verdict && !draft.spans.length && !draft.note && !draft.flag && !draft.confidence;
    this.store.keepDraft(this.claim, empty && !this.again ? null : draft);
  }

  refresh() {
    for (const button of this.element.querySelectorAll(".verdict")) {
      button.setAttribute("aria-pressed", String(button.value === this.verdict));
    }
    this.second.classList.toggle("on", Boolean(this.verdict));
    this.second.classList.toggle("bare", this.verdict === "stated");
    const lacks = this.verdict ? this.lacks() : [];
    this.save.disabled = !this.verdict;
    this.element.querySelector("#second-says").textContent = this.verdict ? this.prompt() : "";
    this.element.querySelector(".evidence").classList.toggle("wanted", lacks.includes("evidence"));
    for (const [drawer, name] of [["flag", "flag"], ["note", "note"]]) {
      this.element.querySelector(`[data-drawer=${drawer}] summary`).classList.toggle("filled", Boolean(this.field(name).value));
    }
  }

  draft() {
    return {
      verdict: this.verdict,
      spans: this.evidence.spans,
      confidence: this.field("confidence").checked,
      flag: this.field("flag").value,
      note: this.field("note").value,
      ...Object.fromEntries(CHOICES.map((name) => [name, this.field(name)?.value ?? ""])),
    };
  }

  apply(draft) {
    this.verdict = draft.verdict ?? "";
    this.evidence.set(draft.spans ?? []);
    this.field("confidence").checked = Boolean(draft.confidence);
    this.field("flag").value = draft.flag ?? "";
    this.field("note").value = draft.note ?? "";
    for (const name of CHOICES) if (draft[name] && this.field(name)) this.field(name).value = draft[name];
  }

  /** The fields of the form, as the server takes them. */
  fields(id) {
    this.rest();
    this.field("seconds").value = this.seconds.toFixed(1);
    this.field("source_opened").value = this.opened() ? "true" : "false";
    this.field("client_id").value = id;
    const fields = [...new FormData(this.form)].filter(([name]) => name !== "csrfmiddlewaretoken" && name !== "quotes");
    return [...fields, ["verdict", this.verdict]];
  }

  /** The whole source counts as opened once beginning and end of each cited one have been in sight. */
  watchReading() {
    this.unseen = new Set();
    this.watcher = new IntersectionObserver((entries) => {
      for (const entry of entries) if (entry.isIntersecting) this.unseen.delete(entry.target);
    });
    for (const panel of this.element.querySelectorAll(".source")) {
      const lines = panel.querySelectorAll("[data-start]");
      if (!lines.length) continue;
      const last = document.createElement("span");
      panel.append(last);
      for (const target of [panel.querySelector(".source-head"), last]) {
        this.unseen.add(target);
        this.watcher.observe(target);
      }
    }
  }

  opened() {
    return this.unseen.size === 0;
  }

  tabs() {
    this.tabButtons = [...this.element.querySelectorAll("[data-tab]")];
    if (!this.tabButtons.length) return;
    for (const button of this.tabButtons) {
      button.addEventListener("click", () => this.openTab(button));
      button.addEventListener("keydown", (event) => {
        const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!by) return;
        event.preventDefault();
        this.nextTab(by).focus();
      });
    }
    for (const panel of this.element.querySelectorAll(".source")) panel.setAttribute("role", "tabpanel");
    this.openTab(this.tabButtons[0]);
  }

  nextTab(by = 1) {
    if (!this.tabButtons.length) return null;
    const at = this.tabButtons.findIndex((button) => button.getAttribute("aria-selected") === "true");
    const button = this.tabButtons[(at + by + this.tabButtons.length) % this.tabButtons.length];
    this.openTab(button);
    this.say(button.textContent.trim());
    return button;
  }

  openTab(button) {
    for (const other of this.tabButtons) {
      const chosen = other === button;
      other.setAttribute("aria-selected", String(chosen));
      other.tabIndex = chosen ? 0 : -1;
      this.element.querySelector(`#source-${other.dataset.tab}`).hidden = !chosen;
    }
    this.evidence.stopPicking();
    this.element.querySelector(".sources").scrollTop = 0;
    this.evidence.showCited(this.element.querySelector(`#source-${button.dataset.tab}`));
  }

  drawer(name) {
    return this.element.querySelector(`[data-drawer=${name}]`);
  }

  closeDrawers() {
    let closed = false;
    for (const drawer of this.element.querySelectorAll("details.drawer[open]")) {
      drawer.open = false;
      closed = true;
    }
    return closed;
  }

  leave() {
    this.rest();
    this.watcher?.disconnect();
    this.evidence?.stopPicking();
  }
}
