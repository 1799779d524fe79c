// Evidence: spans of the sources, painted over the text without breaking it apart, listed with a way to remove each.
import { rangesOfSpan, sentencesOf, spanOfRange, wordsOfSpan } from "./offsets.js";

const painting = Boolean(globalThis.CSS?.highlights && globalThis.Highlight);

export const paint = (name, ranges) => {
  if (!painting) return;
  if (ranges.length) CSS.highlights.set(name, new Highlight(...ranges));
  else CSS.highlights.delete(name);
};

/** Bring a range into view: inside its own scrolling column, or the page where there is one column only. */
export const reveal = (range, { share = 0.3, ifHidden = false } = {}) => {
  const element = range.startContainer.nodeType === Node.TEXT_NODE ? range.startContainer.parentElement : range.startContainer;
  const column = element.closest(".sources");
  if (!column) return;
  const own = column.scrollHeight > column.clientHeight + 1 && getComputedStyle(column).overflowY !== "visible";
  if (!own) {
    element.scrollIntoView({ block: "center" });
    return;
  }
  // Paragraphs out of sight are not laid out and their height is a guess: jump to the paragraph, and once frames have
  // made true heights known, correct to the words. A later call takes over from an earlier one.
  reveals += 1;
  const turn = reveals;
  const correct = (left) => {
    if (turn !== reveals || !element.isConnected) return;
    const around = column.getBoundingClientRect();
    const words = range.getBoundingClientRect();
    const box = words.height ? words : element.getBoundingClientRect();
    const inside = box.top >= around.top && box.bottom <= around.bottom;
    if (!(ifHidden && inside)) column.scrollTop += box.top - around.top - column.clientHeight * share;
    if (left > 0) requestAnimationFrame(() => correct(left - 1));
  };
  correct(4);
};

let reveals = 0;

export class Evidence {
  constructor(item, { changed, say }) {
    this.item = item;
    this.changed = changed;
    this.say = say;
    this.list = item.querySelector("#spans");
    this.panels = new Map([...item.querySelectorAll("[data-source]")].map((panel) => [Number(panel.dataset.source), panel]));
    this.spans = [...this.list.querySelectorAll("input[name=span]:checked")].map((input) => {
      const [source, start, end] = input.value.split(":").map(Number);
      return { source, start, end };
    });
    this.picking = null;
    const cited = [];
    for (const panel of this.panels.values()) {
      const spans = panel.dataset.cited.split(" ").filter(Boolean).map((pair) => pair.split(":").map(Number));
      if (painting) {
        for (const mark of panel.querySelectorAll(".text mark")) {
          const paragraph = mark.parentElement;
          mark.replaceWith(...mark.childNodes);
          paragraph.normalize();
        }
        cited.push(...spans.flatMap(([start, end]) => rangesOfSpan(panel, { start, end })));
      }
    }
    this.cited = cited;
    paint("cited", cited);
    paint("pick", []);
    this.render();
  }

  /** Scroll to the first cited span of a panel, or to its top. */
  showCited(panel) {
    const [first] = panel.dataset.cited.split(" ").filter(Boolean);
    if (!first) return;
    const [start, end] = first.split(":").map(Number);
    const [range] = rangesOfSpan(panel, { start, end });
    if (range) reveal(range);
  }

  render() {
    this.list.replaceChildren(
      ...this.spans.map((span) => {
        const line = document.createElement("li");
        const quote = document.createElement("q");
        const words = wordsOfSpan(this.panels.get(span.source), span);
        quote.dir = "auto";
        quote.textContent = words.length > 200 ? `${words.slice(0, 200).trimEnd()}…` : words;
        const place = document.createElement("span");
        place.className = "muted";
        const order = this.panels.size > 1 ? `[${this.panels.get(span.source).dataset.order}] · ` : "";
        place.textContent = ` · ${order}chars ${span.start}–${span.end} · `;
        const remove = document.createElement("button");
        remove.type = "button";
        remove.className = "link";
        remove.textContent = "remove";
        remove.setAttribute("aria-label", `Remove the evidence “${quote.textContent}”`);
        remove.addEventListener("click", () => this.remove(span));
        const input = document.createElement("input");
        input.type = "hidden";
        input.name = "span";
        input.value = `${span.source}:${span.start}:${span.end}`;
        line.append(quote, place, remove, input);
        return line;
      }),
    );
    this.list.scrollTop = this.list.scrollHeight;
    paint("evidence", this.spans.flatMap((span) => rangesOfSpan(this.panels.get(span.source), span)));
  }

  has(span) {
    return this.spans.some((own) => own.source === span.source && own.start === span.start && own.end === span.end);
  }

  set(spans) {
    this.spans = spans.filter((span) => this.panels.has(span.source));
    this.render();
  }

  add(span) {
    if (this.has(span)) return;
    this.spans.push(span);
    this.render();
    this.changed();
    this.say("Evidence added");
  }

  remove(span) {
    this.spans = this.spans.filter((own) => own !== span);
    this.render();
    this.changed();
    this.say("Evidence removed");
  }

  removeLast() {
    if (this.spans.length) this.remove(this.spans.at(-1));
  }

  /** The selection as a span, where it lies in a source. */
  selected() {
    const selection = document.getSelection();
    if (!selection || selection.isCollapsed || !selection.rangeCount) return null;
    const range = selection.getRangeAt(0);
    for (const panel of this.panels.values()) {
      const text = panel.querySelector(".text");
      if (!panel.hidden && range.intersectsNode(text)) {
        const inside = text.contains(range.startContainer) || text.contains(range.endContainer);
        const span = inside ? spanOfRange(range, panel) : null;
        if (span) return span;
      }
    }
    return null;
  }

  addSelection() {
    const span = this.selected();
    if (!span) return;
    document.getSelection().removeAllRanges();
    this.add(span);
  }

  startPicking() {
    const panel = [...this.panels.values()].find((one) => !one.hidden);
    const sentences = panel ? sentencesOf(panel) : [];
    if (!sentences.length) return;
    const first = panel.dataset.cited.split(":")[0];
    const at = first === "" ? 0 : Math.max(0, sentences.findIndex((one) => one.end > Number(first)));
    this.picking = { panel, sentences, at };
    this.item.classList.add("picking");
    this.movePick(0);
  }

  movePick(by) {
    const { panel, sentences } = this.picking;
    this.picking.at = Math.min(sentences.length - 1, Math.max(0, this.picking.at + by));
    const span = sentences[this.picking.at];
    const ranges = rangesOfSpan(panel, span);
    paint("pick", ranges);
    if (ranges[0]) reveal(ranges[0], { ifHidden: true });
    this.say(`${this.has(span) ? "Marked: " : ""}${wordsOfSpan(panel, span)}`);
  }

  togglePick() {
    const span = this.picking.sentences[this.picking.at];
    const own = this.spans.find((one) => one.source === span.source && one.start === span.start && one.end === span.end);
    if (own) this.remove(own);
    else this.add({ ...span });
  }

  stopPicking() {
    this.picking = null;
    this.item.classList.remove("picking");
    paint("pick", []);
  }
}
