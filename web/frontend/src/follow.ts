// Follows one submission until nothing more will come. The stored judging is the truth, events are a hint:
// every doubt (no event, an error, a tab that woke, ten seconds of silence) reads the row again.
//
//   stream ── fails, or says nothing ──▶ ?wait= long polls ── network gone ──▶ lost, tried again after a pause
//
// A browser holds six connections to a server, so one tab at a time has a stream or a long poll; others read now and then.
import { ApiError, submission, type Case, type Submission } from "./api";
import { language } from "./words";

const FIRST_EVENT_MS = 1500;
const SILENCE_MS = 10_000;
const LONG_POLL_S = 20;
const SHORT_POLL_MS = 1000;
const LINE = "judge:stream";
const RETRY_S = [1, 2, 4, 8, 15];

export interface Watcher {
  /** The submission as it is known now. */
  show(view: Submission): void;
  /** The server cannot be reached; it is asked again in `seconds`. */
  lost(seconds: number): void;
}

export const isFinal = (view: Submission): boolean => view.status === "done" || view.status === "cancelled";
const isOver = (view: Submission): boolean => isFinal(view) && !view.diagnosing;

export class Follower {
  private view: Submission | null = null;
  private stream: EventSource | null = null;
  private timer = 0;
  private polling = false;
  private stopped = false;
  private wake: (() => void) | null = null;
  /** How long one question may wait for its answer; 0 in a tab that must not hold a connection. */
  private waitS = LONG_POLL_S;
  private giveUpLine: (() => void) | null = null;

  constructor(
    readonly id: number,
    private readonly watcher: Watcher,
  ) {}

  /** Starts from what is known (the answer to the POST), or reads it first: what is over needs no stream. */
  async start(known: Submission | null): Promise<void> {
    for (const event of ["pageshow", "online"]) window.addEventListener(event, this.look);
    document.addEventListener("visibilitychange", this.look);
    if (known) this.take(known);
    else await this.read();
    if (!this.stopped && !this.polling) this.holdLine();
  }

  /** Opens the stream, if no other tab of this browser has one. */
  private holdLine(): void {
    if (!navigator.locks) return this.open(); // only without TLS on another machine's address
    void navigator.locks.request(LINE, { ifAvailable: true }, (line) => {
      if (this.stopped || this.polling) return;
      if (!line) {
        this.waitS = 0;
        return void this.poll();
      }
      this.open();
      return new Promise<void>((resolve) => { this.giveUpLine = resolve; });
    });
  }

  stop(): void {
    this.stopped = true;
    this.close();
    this.giveUpLine?.();
    for (const event of ["pageshow", "online"]) window.removeEventListener(event, this.look);
    document.removeEventListener("visibilitychange", this.look);
    this.wake?.();
  }

  /** Reads the row now. */
  readonly look = (): void => {
    if (document.visibilityState === "hidden" || this.stopped) return;
    this.wake?.();
    void this.read();
  };

  private open(): void {
    const stream = new EventSource(`/api/v1/submissions/${this.id}/events?lang=${language()}`);
    this.stream = stream;
    this.watch(FIRST_EVENT_MS);
    for (const kind of ["snapshot", "done", "diagnosis"]) {
      stream.addEventListener(kind, (event) => this.heard(() => this.take(JSON.parse((event as MessageEvent<string>).data))));
    }
    stream.addEventListener("status", (event) =>
      this.heard(() => this.view && this.take({ ...this.view, ...JSON.parse((event as MessageEvent<string>).data) })),
    );
    stream.addEventListener("case", (event) =>
      this.heard(() => {
        const one = JSON.parse((event as MessageEvent<string>).data) as Case;
        const view = this.view;
        if (view && !view.cases.some((c) => c.name === one.name)) this.take({ ...view, cases: [...view.cases, one] });
      }),
    );
    stream.addEventListener("end", () => this.view && isFinal(this.view) && this.stop());
    stream.onerror = () => void this.poll();
  }

  private close(): void {
    clearTimeout(this.timer);
    this.stream?.close();
    this.stream = null;
  }

  private heard(act: () => void): void {
    if (this.stopped) return;
    this.watch(SILENCE_MS);
    act();
  }

  private watch(ms: number): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      if (ms === FIRST_EVENT_MS) void this.poll();
      else {
        this.watch(SILENCE_MS);
        void this.read();
      }
    }, ms);
  }

  private async read(): Promise<void> {
    try {
      const view = await submission(this.id);
      if (!this.stopped) this.take(view);
    } catch {
      if (!this.stopped) void this.poll();
    }
  }

  private async poll(): Promise<void> {
    if (this.polling || this.stopped) return;
    this.polling = true;
    this.close();
    let failures = 0;
    while (!this.stopped) {
      const asked = performance.now();
      try {
        const view = await submission(this.id, this.waitS);
        if (this.stopped) return;
        failures = 0;
        this.take(view);
        // answered at once: the server holds no more requests, or a known mistake is looked for
        if (!this.waitS) await this.pause(SHORT_POLL_MS);
        else if (performance.now() - asked < 300) await this.pause(400);
      } catch (error) {
        if (this.stopped) return;
        if (error instanceof ApiError && error.status >= 400 && error.status < 500) return this.stop();
        const seconds = RETRY_S[Math.min(failures++, RETRY_S.length - 1)] ?? 15;
        this.watcher.lost(seconds);
        await this.pause(seconds * 1000);
      }
    }
  }

  private pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = window.setTimeout(resolve, ms);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  private take(view: Submission): void {
    const before = this.view;
    // an answer that was on its way longer than a later one must not undo it
    if (before && isFinal(before) && !isFinal(view)) return;
    if (before && !isFinal(view) && before.status === view.status && before.cases.length > view.cases.length) return;
    this.view = view;
    this.watcher.show(view);
    if (isOver(view)) this.stop();
  }
}
