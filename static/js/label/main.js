// The labelling page: shows one claim after the other, the next one being here before the key is pressed.
import { Item } from "./item.js";
import { meant, typing } from "./keys.js";
import { Outbox } from "./outbox.js";
import { Store } from "./store.js";

const VERDICTS = { 1: "stated", 2: "partial", 3: "absent", 4: "contradicted" };

const page = document.getElementById("label-page");
const status = document.getElementById("label-status");
const banner = document.getElementById("outbox");
const { user, member, project } = page.dataset;
const urls = { label: page.dataset.urlLabel, next: page.dataset.urlNext, state: page.dataset.urlState, undo: page.dataset.urlUndo, signIn: page.dataset.urlSignIn };
const store = new Store(user, project);
document.documentElement.classList.add("scripted");

let item = null; // the Item on the screen, or null where there is none
let queue = []; // claims that wait in this page, as {claim, element}
let previous = null; // the one labelled last, as {claim, element, entry}

const say = (text) => { status.textContent = text; };

const newId = () => {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
};

const elementOf = (html) => {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content.firstElementChild;
};

const have = () => [...(item ? [item.claim] : []), ...queue.map((one) => one.claim)];

const show = (element) => {
  item?.leave();
  document.getElementById("label-item").replaceWith(element);
  item = element.dataset.claim ? new Item(element, { store, say }) : null;
  if (item) item.show();
  else element.querySelector("h1")?.focus();
};

const pause = () => {
  const element = document.createElement("div");
  element.id = "label-item";
  element.className = "nothing";
  element.dataset.nothing = "pending";
  const text = document.createElement("p");
  text.className = "muted";
  text.textContent = "The next claim is on its way.";
  element.append(text);
  return element;
};

/** Show the next claim that is here, and not one whose label only waits to be sent. */
const advance = () => {
  const sent = new Set(store.outbox.map((entry) => entry.claim));
  queue = queue.filter((one) => !sent.has(one.claim));
  show(queue.length ? queue.shift().element : pause());
};

const pending = () => !item && document.getElementById("label-item").dataset.nothing === "pending";

const take = (body) => {
  if (body.progress) document.getElementById("label-progress")?.replaceWith(elementOf(body.progress));
  if (body.next && !have().includes(body.next.claim)) queue.push({ claim: body.next.claim, element: elementOf(body.next.html) });
  if (!pending()) return;
  if (queue.length) advance();
  else if (body.nothing) show(elementOf(body.nothing));
};

const headers = () => ({ Accept: "application/json", "X-Member": member, "X-CSRFToken": outbox.token ?? "" });

/** Ask the server; null where it cannot be had, with the reason said. */
const ask = async (url, options = {}, retry = true) => {
  let response;
  try {
    response = await fetch(url, { ...options, headers: headers(), signal: AbortSignal.timeout(20_000) });
  } catch {
    outbox.tell("offline");
    say("No connection");
    return null;
  }
  if (response.status === 403 && retry && (await outbox.freshToken().catch(() => "offline")) === "done") return ask(url, options, false);
  if (response.status === 401 || response.redirected) outbox.tell("signed-out");
  else if (response.status === 409) outbox.tell("someone-else");
  else if (response.ok) return response.json().catch(() => null);
  else say("The server could not do that");
  return null;
};

const fetchNext = async () => {
  const query = new URLSearchParams(have().map((claim) => ["have", claim]));
  const body = await ask(`${urls.next}?${query}`);
  if (body) take(body);
  else if (pending()) setTimeout(() => { if (pending()) fetchNext(); }, 5_000);
};

const count = (n) => `${n} label${n === 1 ? "" : "s"}`;

/** Say what waits in this browser, and why. */
const tellWaiting = ({ reason, entries, safe }) => {
  const waiting = entries.filter((entry) => !entry.refused);
  const lines = [];
  if (waiting.length || reason === "signed-out" || reason === "someone-else") {
    const line = document.createElement("p");
    const wait = waiting.length ? `${count(waiting.length)} wait${waiting.length === 1 ? "s" : ""} in this browser, not yet sent. ` : "";
    const why = { offline: "No connection. ", server: "The server does not answer as it should. ", "signed-out": "You are signed out. ", "someone-else": "Somebody else is signed in on this browser now. " }[reason] ?? "";
    line.textContent = why + wait;
    if (reason === "signed-out" || reason === "someone-else") {
      const link = document.createElement("a");
      link.href = `${urls.signIn}?next=${encodeURIComponent(urls.label)}`;
      link.textContent = waiting.length ? "Sign in to send" : "Sign in";
      line.append(link);
    } else if (waiting.length) line.append(safe ? "It goes out by itself as soon as it can." : "Keep this page open until it is sent.");
    if (reason !== "waiting" && reason !== "idle" || waiting.length) lines.push(line);
  }
  for (const entry of entries.filter((one) => one.refused)) {
    const line = document.createElement("p");
    const link = document.createElement("a");
    link.href = `${urls.label}${entry.claim}/`;
    link.textContent = "Open it again";
    link.addEventListener("click", () => store.drop(entry.id));
    line.append(`A label was not accepted: ${entry.refused} `, link);
    lines.push(line);
  }
  banner.replaceChildren(...lines);
  banner.hidden = !lines.length;
  if (reason === "idle" && pending()) fetchNext();
};

/** Another tab of this person sends labels of these claims: do not ask for them here again. */
const passOver = (claims) => {
  queue = queue.filter((one) => !claims.has(one.claim));
  if (item && claims.has(item.claim) && item.untouched()) {
    advance();
    say("Labelled in another tab");
  }
  if (pending() && !claims.size) fetchNext();
};

const outbox = new Outbox(store, urls, member, {
  saved: (entry, body) => {
    const what = body.saved.skipped ? "Skipped" : `Saved: ${body.saved.verdict}`;
    say(item ? `${what} · next claim` : what);
    take(body);
  },
  refused: (entry, message) => say(message),
  state: tellWaiting,
  elsewhere: passOver,
});
outbox.have = have;
outbox.token = document.querySelector("input[name=csrfmiddlewaretoken]")?.value ?? null;

/** Too soon after the claim came up to be meant for it: the second half of a double press. */
const tooSoon = (event) => !item?.meantBy(event);

const leaveWith = (entry) => {
  store.put(entry);
  previous = { claim: item.claim, element: item.element, entry: entry.id };
  say("Sending…");
  advance();
  outbox.flush();
};

const submit = () => {
  const id = newId();
  leaveWith({ id, claim: item.claim, url: item.form.action, fields: item.fields(id), verdict: item.verdict, again: item.again });
};

const choose = (verdict, event) => {
  if (tooSoon(event)) return;
  item.closeDrawers();
  if (item.choose(verdict)) submit();
};

const save = (event) => {
  if (!tooSoon(event) && item.ready()) submit();
};

const skip = (reason, event) => {
  if (tooSoon(event)) return;
  const form = item.element.querySelector("#skip-form");
  const fields = [["member", member], ["reason", reason], ["note", form.elements.note.value]];
  leaveWith({ id: newId(), claim: item.claim, url: form.action, fields });
};

const undo = async () => {
  if (outbox.busy && previous) {
    // On its way: give the server a moment to say that it has it.
    for (let i = 0; i < 30 && outbox.busy; i += 1) await new Promise((done) => { setTimeout(done, 100); });
  }
  if (previous && store.outbox.some((entry) => entry.id === previous.entry)) {
    // Never sent, as far as this browser knows; should it have arrived after all, the next submit is a new revision.
    store.drop(previous.entry);
    outbox.tell("waiting");
    if (item) queue.unshift({ claim: item.claim, element: item.element });
    const { element } = previous;
    previous = null;
    show(element);
    say("Brought back");
    return;
  }
  const body = new URLSearchParams({ member });
  if (item?.again) body.set("before", item.claim);
  const found = await ask(urls.undo, { method: "POST", body });
  if (!found) return;
  if (!found.item) {
    say("There is nothing to bring back");
    return;
  }
  previous = null;
  if (item && !item.again) queue.unshift({ claim: item.claim, element: item.element });
  queue = queue.filter((one) => one.claim !== found.item.claim);
  show(elementOf(found.item.html));
  say("Brought back");
};

const back = () => {
  if (!item?.again) return;
  store.dropDraft(item.claim);
  if (queue.length) advance();
  else {
    show(pause());
    fetchNext();
  }
};

const openSheet = (id) => {
  const sheet = document.getElementById(id);
  if (!sheet.open) sheet.showModal();
};

const openGuide = async (link) => {
  const body = document.querySelector("#guide-sheet .guide-body");
  if (!body.childElementCount) {
    try {
      const response = await fetch(link.dataset.panel, { headers: { "HX-Request": "true" } });
      if (!response.ok || response.redirected) throw new Error("no guide");
      body.innerHTML = await response.text();
    } catch {
      location.assign(link.href);
      return;
    }
  }
  openSheet("guide-sheet");
};

const openDrawer = (name) => {
  const drawer = item.drawer(name);
  drawer.open = !drawer.open;
  if (drawer.open) drawer.querySelector(name === "skip" ? ".reason" : "textarea, select").focus();
  else item.element.querySelector("#claim-text").focus({ preventScroll: true });
};

const PICKING = {
  ArrowDown: () => item.evidence.movePick(1),
  ArrowRight: () => item.evidence.movePick(1),
  ArrowUp: () => item.evidence.movePick(-1),
  ArrowLeft: () => item.evidence.movePick(-1),
  " ": () => item.evidence.togglePick(),
  Escape: () => item.evidence.stopPicking(),
  m: () => item.evidence.stopPicking(),
};

const KEYS = {
  m: () => item.evidence.startPicking(),
  x: () => item.evidence.removeLast(),
  s: () => openDrawer("skip"),
  f: () => openDrawer("flag"),
  n: () => openDrawer("note"),
  t: () => item.nextTab(),
  u: () => { item.field("confidence").click(); },
  "/": () => item.find.open(),
};

const press = (key, event) => {
  if (key === "?") return openSheet("keys-sheet");
  if (key === "g") return openGuide(document.querySelector("[data-act=guide]"));
  if (key === "z") return undo();
  if (!item) return undefined;
  if (item.evidence.picking && PICKING[key]) return PICKING[key]();
  if (item.drawer("skip").open && /^[1-5]$/.test(key)) return item.drawer("skip").querySelectorAll(".reason")[Number(key) - 1].click();
  if (VERDICTS[key]) return choose(VERDICTS[key], event);
  if (item.verdict && "qwer".includes(key) && item.asks.includes("invention") && item.verdict !== "stated") return item.toggle("invention", "qwer".indexOf(key));
  if (item.verdict && "ad".includes(key) && item.asks.includes("severity")) return item.toggle("severity", "ad".indexOf(key));
  if (KEYS[key]) return KEYS[key]();
  return undefined;
};

const MINE = new Set([..."1234qweradmxuzsfnt5g/?"]);

addEventListener("keydown", (event) => {
  const key = meant(event);
  if (key === null || document.querySelector("dialog[open]")) return;
  if (key === "Escape") {
    if (item?.evidence.picking) item.evidence.stopPicking();
    else if (item?.closeDrawers()) item.element.querySelector("#claim-text").focus({ preventScroll: true });
    else if (!typing(event.target)) back();
    return;
  }
  if (typing(event.target)) return;
  if (key === "Enter") {
    // On a button, a link or a summary Enter does what it does everywhere.
    if (item && !event.target.closest("button, a, summary")) {
      event.preventDefault();
      save(event);
    }
    return;
  }
  const picking = item?.evidence.picking && PICKING[key];
  if (!picking && !MINE.has(key)) return;
  if (picking && key === " " && event.target.closest("button, a, summary, input")) event.target.blur();
  event.preventDefault();
  press(key, event);
});

// One listener for every button of the page: items come and go.
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-act], .verdict, .reason");
  if (!button) return;
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (button.matches(".verdict")) {
    event.preventDefault();
    if (event.detail < 2) choose(button.value, event);
  } else if (button.matches(".reason")) {
    event.preventDefault();
    if (event.detail < 2) skip(button.value, event);
  } else {
    const act = { undo, back, save: () => save(event), keys: () => openSheet("keys-sheet"), guide: () => openGuide(button), find: () => item.find.open(), "find-close": () => item.find.close(), pick: () => (item.evidence.picking ? item.evidence.stopPicking() : item.evidence.startPicking()), "add-selection": () => item.evidence.addSelection() }[button.dataset.act];
    if (!act) return;
    event.preventDefault();
    act();
  }
});
document.addEventListener("submit", (event) => {
  // Nothing of the item leaves by itself; the acts above send it.
  if (event.target.closest("#label-item") && event.target.method === "post") event.preventDefault();
});

let settling = null;
document.addEventListener("pointerdown", (event) => {
  clearTimeout(settling);
  // Pressing a button must not lose the selection that it is about to add.
  if (event.target.closest("[data-act=add-selection]")) event.preventDefault();
});
document.addEventListener("pointerup", (event) => {
  if (event.pointerType !== "mouse" || event.button !== 0 || !item || !event.target.closest?.(".work")) return;
  // A double or triple click selects in steps: take what stands when the hand is still.
  settling = setTimeout(() => { if (item) item.evidence.addSelection(); }, 260);
});
document.addEventListener("selectionchange", () => {
  const button = item?.element.querySelector("[data-act=add-selection]");
  if (button) button.disabled = !item.evidence.selected();
});
document.addEventListener("visibilitychange", () => (document.hidden ? item?.rest() : item?.resume()));
addEventListener("beforeunload", (event) => {
  if (!store.safe && outbox.waiting.length) event.preventDefault();
});

const waiting = document.getElementById("next-item");
if (waiting) {
  const element = waiting.content.firstElementChild;
  queue.push({ claim: Number(element.dataset.claim), element });
}
const first = document.getElementById("label-item");
if (first.dataset.claim && store.outbox.some((entry) => !entry.refused && entry.claim === Number(first.dataset.claim))) advance();
else show(first);
outbox.tell("waiting");
outbox.flush();
