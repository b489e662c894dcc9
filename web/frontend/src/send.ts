// One press of a button is one submission, whatever happens to the request: the id is made here, and the server knows it again.
import { ApiError, submit, type OwnInput, type Submission } from "./api";
import { signInBeside } from "./signin";

const RETRY_S = [2, 4, 8, 15];
const SAME_PRESS_MS = 1000;

export interface Sending {
  sending(): void;
  accepted(view: Submission, source: string): void;
  waiting(): void;
  refused(reason: string): void;
}

export class Sender {
  private current: { source: string; samples: boolean; input: OwnInput | null; at: number; pending: boolean } | null = null;
  private wake: (() => void) | null = null;
  private withdrawn = false;

  constructor(
    private readonly slug: string,
    private readonly host: Sending,
  ) {
    addEventListener("online", () => this.wake?.());
  }

  get inFlight(): boolean {
    return this.current?.pending ?? false;
  }

  /** Sends the text, unless it is on its way, or the same press came twice (a double click, a key held down). */
  async send(source: string, samples: boolean, input: OwnInput | null = null): Promise<void> {
    const before = this.current;
    const same = before?.source === source && before.samples === samples && JSON.stringify(before.input) === JSON.stringify(input);
    if (before?.pending || (same && before && performance.now() - before.at < SAME_PRESS_MS)) return;
    const press = { source, samples, input, at: performance.now(), pending: true };
    this.current = press;
    this.withdrawn = false;
    this.host.sending();
    const client_id = crypto.randomUUID?.() ?? `${Date.now()}-${Math.random().toString(36).slice(2)}`;
    for (let failures = 0; !this.withdrawn; failures++) {
      try {
        const view = await submit({ problem: this.slug, source, samples_only: samples, client_id, ...(input ? { input } : {}) });
        press.pending = false;
        return this.host.accepted(view, source);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (error.status > 0 && error.status < 500) {
          press.pending = false;
          press.at = -SAME_PRESS_MS;
          if (error.status === 401) signInBeside(() => void this.send(source, samples));
          return this.host.refused(error.message);
        }
        this.host.waiting();
        await this.pause(RETRY_S[Math.min(failures, RETRY_S.length - 1)] ?? 15);
      }
    }
    press.pending = false;
  }

  /** Takes back what the server has not accepted yet. */
  withdraw(): void {
    this.withdrawn = true;
    this.wake?.();
  }

  private pause(seconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = window.setTimeout(resolve, seconds * 1000);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
