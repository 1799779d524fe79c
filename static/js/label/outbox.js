// Sends what waits, in order, until the server has said that it has it. A client id makes a second try harmless.

const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 30_000;

export class Outbox {
  constructor(store, urls, member, { saved, refused, state, elsewhere }) {
    Object.assign(this, { store, urls, member, saved, refused, state, elsewhere });
    this.token = null;
    this.pause = FIRST_PAUSE;
    this.busy = false;
    this.timer = null;
    addEventListener("online", () => this.flush());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.flush();
    });
    // Another tab of this person may have sent or added something.
    addEventListener("storage", (event) => {
      if (event.key !== null && event.key !== store.outboxKey) return;
      this.elsewhere(new Set(this.waiting.map((entry) => entry.claim)));
      this.tell("waiting");
    });
  }

  /** Entries that wait for the server; those that it refused wait for the person. */
  get waiting() {
    return this.store.outbox.filter((entry) => !entry.refused);
  }

  add(entry) {
    this.store.put(entry);
    return this.flush();
  }

  tell(reason) {
    this.state({ reason, entries: this.store.outbox, safe: this.store.safe });
  }

  async flush() {
    if (this.busy) return;
    this.busy = true;
    clearTimeout(this.timer);
    try {
      for (let entry = this.waiting[0]; entry; [entry] = this.waiting) {
        const outcome = await this.send(entry);
        if (outcome !== "done") {
          this.tell(outcome);
          if (outcome !== "signed-out" && outcome !== "someone-else") this.later();
          return;
        }
        this.pause = FIRST_PAUSE;
      }
      this.tell("idle");
    } finally {
      this.busy = false;
    }
  }

  later() {
    this.timer = setTimeout(() => this.flush(), this.pause);
    this.pause = Math.min(LONGEST_PAUSE, this.pause * 2);
  }

  async send(entry) {
    let response;
    try {
      response = await this.post(entry);
      if (response.status === 403) {
        // The token is older than the session: fetch the one of now and try once more.
        const fresh = await this.freshToken();
        if (fresh !== "done") return fresh;
        response = await this.post(entry);
      }
    } catch {
      return "offline";
    }
    if (response.status === 401 || response.redirected) return "signed-out";
    if (response.status === 409) return "someone-else";
    let body;
    try {
      body = await response.json();
    } catch {
      return response.status === 404 ? this.refuse(entry, "This project or claim is no longer open to you.") : "server";
    }
    if (response.status === 422) return this.refuse(entry, Object.values(body.errors ?? {}).join(" "));
    if (!response.ok || !body.saved) return "server";
    this.store.drop(entry.id);
    this.store.dropDraft(entry.claim);
    this.saved(entry, body);
    return "done";
  }

  refuse(entry, message) {
    this.store.put({ ...entry, refused: message || "It was not accepted." });
    this.refused(entry, message);
    return "done";
  }

  post(entry) {
    const body = new URLSearchParams(entry.fields);
    for (const claim of this.have?.() ?? []) body.append("have", claim);
    const progress = document.getElementById("label-progress")?.dataset.carried;
    if (progress && !entry.again) body.append("progress", progress);
    return fetch(entry.url, {
      method: "POST",
      body,
      headers: { Accept: "application/json", "X-CSRFToken": this.token ?? "", "X-Member": this.member },
      credentials: "same-origin",
      signal: AbortSignal.timeout(20_000),
    });
  }

  async freshToken() {
    const response = await fetch(this.urls.state, { headers: { Accept: "application/json", "X-Member": this.member }, signal: AbortSignal.timeout(20_000) });
    if (response.status === 401 || response.redirected) return "signed-out";
    if (response.status === 409) return "someone-else";
    if (!response.ok) return "server";
    this.token = (await response.json()).csrf;
    return "done";
  }
}
