// What waits in this browser: labels not yet taken by the server, and drafts. Kept per person and project, so that
// nobody who signs in later on the same browser sees or sends them.

const KEPT = 30 * 24 * 3600 * 1000; // milliseconds

const memory = new Map();

const read = (key) => {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? memory.get(key) ?? null;
  } catch {
    return memory.get(key) ?? null;
  }
};

const write = (key, value) => {
  memory.set(key, value);
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false; // storage is full or forbidden: the page keeps it for as long as it stays open
  }
};

export class Store {
  constructor(user, project) {
    this.prefix = `touchstone.${user}.${project}`;
    this.safe = true;
    this.forgetOldDrafts();
  }

  /** Drafts of claims that never came back: nobody misses them after a month. */
  forgetOldDrafts() {
    try {
      const drafts = Object.keys(localStorage).filter((key) => key.startsWith(`${this.prefix}.draft.`));
      for (const key of drafts) if (!(read(key)?.at > Date.now() - KEPT)) localStorage.removeItem(key);
    } catch {
      // no storage, no drafts
    }
  }

  get outboxKey() {
    return `${this.prefix}.outbox`;
  }

  get outbox() {
    return read(this.outboxKey) ?? [];
  }

  put(entry) {
    this.safe = write(this.outboxKey, [...this.outbox.filter((one) => one.id !== entry.id), entry]);
  }

  drop(id) {
    write(this.outboxKey, this.outbox.filter((one) => one.id !== id));
  }

  draft(claim) {
    return read(`${this.prefix}.draft.${claim}`);
  }

  keepDraft(claim, draft) {
    write(`${this.prefix}.draft.${claim}`, draft && { ...draft, at: Date.now() });
  }

  dropDraft(claim) {
    write(`${this.prefix}.draft.${claim}`, null);
  }
}
