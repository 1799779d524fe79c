// Find in the source: the browser's own search would also look through claim and answer.
import { paint, reveal } from "./evidence.js";

export class Find {
  constructor(item) {
    this.box = item.querySelector(".find");
    this.input = item.querySelector("#find-text");
    this.count = item.querySelector("#find-count");
    this.item = item;
    this.hits = [];
    this.at = -1;
    this.input.addEventListener("input", () => this.search());
    this.input.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.isComposing) {
        event.preventDefault();
        this.step(event.shiftKey ? -1 : 1);
      } else if (event.key === "Escape") {
        event.stopPropagation();
        this.close();
      }
    });
  }

  open() {
    this.box.hidden = false;
    this.input.focus();
    this.input.select();
    if (this.input.value) this.search();
  }

  close() {
    this.box.hidden = true;
    paint("found", []);
    paint("found-here", []);
    this.item.querySelector("#claim-text").focus({ preventScroll: true });
  }

  search() {
    const wanted = this.input.value.trim();
    this.hits = [];
    if (wanted) {
      const pattern = new RegExp(wanted.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\s+/g, "\\s+"), "giu");
      for (const paragraph of this.item.querySelectorAll(".source:not([hidden]) [data-start]")) {
        const walker = document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          for (const match of node.data.matchAll(pattern)) {
            const range = document.createRange();
            range.setStart(node, match.index);
            range.setEnd(node, match.index + match[0].length);
            this.hits.push(range);
            if (this.hits.length >= 2_000) break;
          }
        }
      }
    }
    paint("found", this.hits);
    this.at = -1;
    if (this.hits.length) this.step(1);
    else {
      paint("found-here", []);
      this.count.textContent = wanted ? "not there" : "";
    }
  }

  step(by) {
    if (!this.hits.length) return;
    this.at = (this.at + by + this.hits.length) % this.hits.length;
    paint("found-here", [this.hits[this.at]]);
    reveal(this.hits[this.at], { ifHidden: true });
    this.count.textContent = `${this.at + 1} of ${this.hits.length}`;
  }
}
