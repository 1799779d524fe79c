// Which key was meant, whatever the keyboard's layout, and whether it was meant for the page at all.

const OWN = "qweradmxuzsfntg";

/** Whether the person is typing, so that keys are theirs. */
export const typing = (target) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches("textarea, select, input:not([type=radio], [type=checkbox], [type=button], [type=submit])"));

/** `1` to `5`, a letter of ours, or the key's own name; null for a key that is not for the page. */
export const meant = (event) => {
  if (event.repeat || event.isComposing || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return null;
  if (/^[1-5]$/.test(event.key)) return event.key;
  const lower = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (event.key.length === 1 && /^[a-z/?]$/.test(lower)) return lower;
  // Where a layout puts other characters there, the place of the key counts: digits without Shift, and our letters.
  const digit = /^(?:Digit|Numpad)([1-5])$/.exec(event.code);
  if (digit && !event.shiftKey && event.key.length === 1) return digit[1];
  const letter = /^Key([A-Z])$/.exec(event.code)?.[1].toLowerCase();
  if (letter && OWN.includes(letter) && event.key.length === 1 && event.key.charCodeAt(0) > 127) return letter;
  return event.key;
};
