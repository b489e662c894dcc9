// Keeps the text: in this browser with every change, on the server after a pause. Nothing is overwritten silently.
//
//   change ─▶ localStorage at once ─▶ (pause) PUT with If-Match ─▶ "Saved 14:02"
//                                          412 ─▶ same text: fine; other text: the learner chooses
import { ApiError, saveDraft, type Draft, type Reason } from "./api";
import { SIGNED_IN } from "./signin";

const PAUSE_MS = 700;
const RETRY_MS = 5000;

/** What this browser keeps: the text, the server's draft it was made from, and texts on their way to the server. */
interface Kept {
  text: string;
  etag: string | null;
  dirty: boolean;
  sent: string | null;
}
export type Saved = { state: "saved"; at: number } | { state: "saving" } | { state: "offline" } | { state: "failed"; reason: string } | { state: "new" };

export interface Host {
  text(): string;
  saved(state: Saved): void;
  /** The draft was changed elsewhere; `choose` with true takes that text. */
  conflict(theirs: string, choose: (useTheirs: boolean) => void): void;
  resolved(): void;
}

export class DraftKeeper {
  private etag: string | null;
  private dirty = false;
  private sending: string | null = null;
  private conflicted = false;
  /** The other text that the learner has seen and does not want. */
  private rejected: string | null = null;
  private reason: Reason = "typed";
  private timer = 0;
  private host: Host | null = null;
  private readonly key: string;

  constructor(
    private readonly slug: string,
    private readonly stored: Draft | null,
    private readonly starter: string,
  ) {
    this.key = `judge:draft:${slug}`;
    this.etag = stored?.etag ?? null;
  }

  /** The text to open the editor with. */
  opening(): string {
    const kept = this.kept();
    if (!kept?.dirty || kept.text === this.stored?.text) return this.stored?.text ?? this.starter;
    this.dirty = true;
    const known = kept.etag === this.etag || kept.sent === this.stored?.text;
    if (!known && this.stored) this.conflicted = true;
    return kept.text;
  }

  start(host: Host): void {
    this.host = host;
    if (this.stored) host.saved({ state: "saved", at: this.stored.saved_at });
    if (this.conflicted && this.stored) this.ask(this.stored);
    else if (this.dirty) this.later(0);
    addEventListener("pagehide", () => this.flush());
    for (const event of ["online", SIGNED_IN]) addEventListener(event, () => this.later(0));
    document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && this.flush());
    addEventListener("storage", (event) => {
      if (event.key !== this.key) return;
      const other = this.kept();
      // another tab of this browser: it saves too, and this one asks before its next save would meet a 412
      if (other && other.text !== host.text() && !this.conflicted) this.ask({ text: other.text, etag: other.etag ?? "", saved_at: 0 });
    });
  }

  changed(): void {
    this.dirty = true;
    this.keep();
    this.later(PAUSE_MS);
  }

  /** Another text takes the place of this one: this one is saved first, so that it is a version. */
  beforeReplacing(): void {
    if (this.dirty) void this.save(false);
  }

  /** Now: after Ctrl+S, or because the whole text was replaced. */
  saveNow(reason: Reason = "typed"): void {
    this.reason = reason;
    this.dirty = true;
    this.keep();
    this.later(0);
  }

  private kept(): Kept | null {
    try {
      return JSON.parse(localStorage.getItem(this.key) ?? "null") as Kept | null;
    } catch {
      return null;
    }
  }

  private keep(): void {
    if (!this.host) return;
    const kept: Kept = { text: this.host.text(), etag: this.etag, dirty: this.dirty, sent: this.sending };
    try {
      localStorage.setItem(this.key, JSON.stringify(kept));
    } catch {
      // storage is full or forbidden: the server's copy remains
    }
  }

  private later(ms: number): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.save(false), ms);
  }

  private flush(): void {
    if (this.dirty && !this.conflicted) void this.save(true);
  }

  private async save(leaving: boolean): Promise<void> {
    const host = this.host;
    if (!host || this.conflicted || (this.sending !== null && !leaving)) return;
    const text = host.text();
    const reason = this.reason;
    this.sending = text;
    this.keep();
    host.saved({ state: "saving" });
    try {
      const draft = await saveDraft(this.slug, text, this.etag, reason, leaving);
      if (reason === this.reason) this.reason = "typed";
      this.took(draft);
    } catch (error) {
      this.sending = null;
      if (!(error instanceof ApiError)) throw error;
      const current = error.code === "draft_conflict" ? (error.body["current"] as Draft | null) : undefined;
      if (current === null) {
        this.etag = null;
        this.later(0);
      } else if (current && [text, this.kept()?.sent, this.rejected].includes(current.text)) {
        this.etag = current.etag;
        this.later(0);
      } else if (current) this.ask(current);
      else if (error.status === 0) {
        host.saved({ state: "offline" });
        this.later(RETRY_MS);
      } else {
        host.saved({ state: "failed", reason: error.message });
        if (error.status >= 500) this.later(RETRY_MS);
      }
    }
  }

  private took(draft: Draft): void {
    const host = this.host;
    this.sending = null;
    this.etag = draft.etag;
    this.dirty = host?.text() !== draft.text;
    this.keep();
    if (this.dirty) this.later(PAUSE_MS);
    else host?.saved({ state: "saved", at: draft.saved_at });
  }

  private ask(theirs: Draft): void {
    this.conflicted = true;
    this.host?.conflict(theirs.text, (useTheirs) => {
      this.conflicted = false;
      if (theirs.etag) this.etag = theirs.etag;
      this.host?.resolved();
      if (useTheirs) return;
      this.rejected = theirs.text;
      this.saveNow();
    });
  }
}
