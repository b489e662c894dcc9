// A verdict is about a text. When the editor holds another one, the panel says so and fades, until undo makes them equal.
import type { Submission } from "./api";
import { button, byId, h } from "./dom";
import { clock, t } from "./words";

export class Age {
  private readonly result = byId("result");
  private readonly note = byId("older");
  private view: Submission | null = null;

  constructor(
    private readonly text: () => string,
    private readonly showVersion: (id: number) => void,
  ) {}

  /** The submission in the panel; null while there is none. */
  of(view: Submission | null): void {
    this.view = view;
    if (view) void this.check();
    else this.mark(false);
  }

  async check(): Promise<void> {
    const view = this.view;
    if (!view) return;
    const digest = await sha256(this.text());
    if (view !== this.view || digest === null) return;
    const differs = digest !== view.source_sha256;
    this.mark(differs);
    if (!differs) return;
    this.note.replaceChildren(
      h("span", {}, t("result.older", { time: clock(view.created_at) })), " ",
      button(t("result.show_version"), () => this.showVersion(view.id), { class: "small" }),
    );
  }

  private mark(old: boolean): void {
    this.result.classList.toggle("old", old);
    this.note.hidden = !old;
  }
}

async function sha256(text: string): Promise<string | null> {
  if (!crypto.subtle) return null; // only without TLS on another machine's address
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
