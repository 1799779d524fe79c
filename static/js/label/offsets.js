// Between the browser's positions (UTF-16 units inside text nodes) and the server's (code points of the whole source).

export const countPoints = (text) => {
  let count = 0;
  for (const _ of text) count += 1; // a string is walked by code point
  return count;
};

/** UTF-16 index of the code point number `points` in the text. */
export const unitAt = (text, points) => {
  let unit = 0;
  for (const character of text) {
    if (points === 0) break;
    points -= 1;
    unit += character.length;
  }
  return unit;
};

const textOf = (paragraph) => paragraph.textContent;

const segmenter = globalThis.Intl?.Segmenter ? new Intl.Segmenter(undefined, { granularity: "grapheme" }) : null;

/** Move a UTF-16 boundary outwards, so that it never cuts a character that a reader sees as one. */
const outward = (text, unit, forward) => {
  if (unit <= 0 || unit >= text.length) return unit;
  if (segmenter) {
    const whole = segmenter.segment(text).containing(unit);
    if (!whole || whole.index === unit) return unit;
    return forward ? whole.index + whole.segment.length : whole.index;
  }
  const low = text.charCodeAt(unit) >= 0xdc00 && text.charCodeAt(unit) <= 0xdfff;
  return low ? unit + (forward ? 1 : -1) : unit;
};

/** How many UTF-16 units of the paragraph's text lie before a point of the document, clamped to the paragraph. */
const unitsBefore = (paragraph, node, offset) => {
  const range = document.createRange();
  range.selectNodeContents(paragraph);
  const side = range.comparePoint(node, offset);
  if (side < 0) return 0;
  if (side > 0) return textOf(paragraph).length;
  range.setEnd(node, offset);
  return range.toString().length;
};

/** The selected stretch of one source as `{source, start, end}`, or null where nothing but blanks is selected. */
export const spanOfRange = (range, panel) => {
  let start = null;
  let end = null;
  for (const paragraph of panel.querySelectorAll("[data-start]")) {
    if (!range.intersectsNode(paragraph)) continue;
    const text = textOf(paragraph);
    let left = outward(text, unitsBefore(paragraph, range.startContainer, range.startOffset), false);
    let right = outward(text, unitsBefore(paragraph, range.endContainer, range.endOffset), true);
    const words = text.slice(left, right);
    if (!words.trim()) continue;
    left += words.length - words.trimStart().length;
    right -= words.length - words.trimEnd().length;
    const from = Number(paragraph.dataset.start);
    if (start === null) start = from + countPoints(text.slice(0, left));
    end = from + countPoints(text.slice(0, right));
  }
  return start === null || end <= start ? null : { source: Number(panel.dataset.source), start, end };
};

/** A point of a paragraph, `unit` UTF-16 units into its text, as node and offset. */
const pointIn = (paragraph, unit) => {
  let last = null;
  const walker = document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (unit <= node.length) return [node, unit];
    unit -= node.length;
    last = node;
  }
  return last ? [last, last.length] : [paragraph, 0];
};

/** Ranges, one a paragraph, that cover the span; made to be painted without touching the text. */
export const rangesOfSpan = (panel, { start, end }) => {
  const ranges = [];
  for (const paragraph of panel.querySelectorAll("[data-start]")) {
    const from = Number(paragraph.dataset.start);
    if (from >= end) break;
    const text = textOf(paragraph);
    if (from + text.length < start) continue; // there are never more code points than units
    const left = unitAt(text, Math.max(0, start - from));
    const right = unitAt(text, Math.max(0, end - from));
    if (right <= left) continue;
    const range = document.createRange();
    range.setStart(...pointIn(paragraph, left));
    range.setEnd(...pointIn(paragraph, right));
    ranges.push(range);
  }
  return ranges;
};

/** The words of a span as the page shows them; the server cuts the quote that is kept. */
export const wordsOfSpan = (panel, span) => rangesOfSpan(panel, span).map((range) => range.toString()).join(" ");

/** The sentences of a source, in order, as spans. */
export const sentencesOf = (panel) => {
  const source = Number(panel.dataset.source);
  const cut = globalThis.Intl?.Segmenter ? new Intl.Segmenter(undefined, { granularity: "sentence" }) : null;
  const spans = [];
  for (const paragraph of panel.querySelectorAll("[data-start]")) {
    const text = textOf(paragraph);
    const pieces = cut ? [...cut.segment(text)].map((piece) => piece.segment) : text.match(/[^.!?]+[.!?]*|[.!?]+/g) ?? [];
    let at = Number(paragraph.dataset.start);
    for (const piece of pieces) {
      const lead = piece.length - piece.trimStart().length;
      const words = piece.trim();
      const start = at + countPoints(piece.slice(0, lead));
      if (words) spans.push({ source, start, end: start + countPoints(words) });
      at += countPoints(piece);
    }
  }
  return spans;
};
