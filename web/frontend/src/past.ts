// What the learner wrote before: submissions and saved texts of this problem. Each can be read, compared with the editor, and
// put back into it. The list is read again whenever something changed, here or in another tab.
import { ApiError, submissions, versions, type Summary, type Version } from "./api";
import { source } from "./coloured";
import { difference } from "./difference";
import { button, h, icon } from "./dom";
import { fetchText } from "./fetching";
import { clock, isChinese, t } from "./words";

export interface PastHost {
  text(): string;
  /** Puts the text into the editor, as one edit that undo takes back. */
  putBack(text: string): void;
}
interface Opened {
  title: string;
  text: string;
  result: string | null;
  whole: boolean;
}

export class Past {
  private rows: Summary[] = [];
  private kept: Version[] = [];
  private opened: Opened | null = null;
  private wanted = false;

  constructor(
    private readonly panel: HTMLElement,
    private readonly slug: string,
    private readonly verdicts: Record<string, [string, string]>,
    private readonly host: PastHost,
  ) {}

  /** The panel came into sight, or was left. */
  inSight(seen: boolean): void {
    this.wanted = seen;
    if (seen) void this.refresh();
  }

  /** Reads the lists again, if anybody looks at them. */
  async refresh(): Promise<void> {
    if (!this.wanted) return;
    try {
      [this.rows, this.kept] = await Promise.all([submissions(this.slug), versions(this.slug)]);
      if (!this.opened) this.draw();
    } catch (error) {
      this.failed(error);
    }
  }

  /** The text in the editor is another one now. */
  changed(): void {
    if (this.wanted && this.opened && !this.opened.whole) this.draw();
  }

  /** Draws again, in the language of the page. */
  relabel(): void {
    if (this.wanted) this.draw();
  }

  async openSubmission(id: number): Promise<void> {
    await this.open(t("past.submission", { id }), `/api/v1/submissions/${id}/source`, `/submissions/${id}`);
  }

  private async open(title: string, path: string, result: string | null): Promise<void> {
    try {
      this.opened = { title, text: await fetchText(path), result, whole: false };
      this.draw();
      this.panel.scrollTop = 0;
      this.panel.querySelector("button")?.focus();
    } catch (error) {
      this.failed(error);
    }
  }

  private failed(error: unknown): void {
    if (!(error instanceof ApiError)) throw error;
    this.panel.prepend(h("p", { class: "notice", role: "alert" }, error.message));
  }

  private draw(): void {
    this.panel.replaceChildren(...(this.opened ? this.reader(this.opened) : this.lists()));
  }

  private lists(): HTMLElement[] {
    const list = (items: HTMLElement[], none: string): HTMLElement =>
      items.length ? h("ul", { class: "past" }, ...items) : h("p", { class: "quiet" }, none);
    return [
      h("h2", {}, t("past.submissions")),
      list(this.rows.map((row) => this.submissionRow(row)), t("submissions.none")),
      h("p", {}, h("a", { href: `/problems/${this.slug}/submissions` }, t("past.all"))),
      h("h2", {}, t("past.versions")),
      list(this.kept.map((version) => this.versionRow(version)), t("past.no_versions")),
    ];
  }

  private submissionRow(row: Summary): HTMLElement {
    const mark = row.verdict ?? row.status;
    const word = row.verdict ? (this.verdicts[row.verdict]?.[isChinese() ? 1 : 0] ?? row.verdict) : t(`status.${row.status}`);
    return h("li", {}, press(() => void this.openSubmission(row.id),
      h("span", { class: `badge mark-${mark}` }, icon(mark), word),
      row.samples_only ? h("span", { class: "tag" }, t("submissions.samples")) : null,
      h("span", { class: "number" }, row.time_ms === null ? "" : `${row.time_ms.toFixed(0)} ms`),
      h("span", { class: "when" }, `${clock(row.created_at, false)} · #${row.id}`)));
  }

  private versionRow(version: Version): HTMLElement {
    const time = clock(version.saved_at);
    return h("li", {}, press(() => void this.open(t("past.version", { time }), `/api/v1/drafts/${this.slug}/versions/${version.id}`, null),
      h("span", {}, time), h("span", { class: "tag" }, t(`reason.${version.reason}`)), h("span", { class: "number when" }, `${version.bytes} B`)));
  }

  private reader(opened: Opened): HTMLElement[] {
    const choose = (whole: boolean, label: string): HTMLElement =>
      button(label, () => {
        opened.whole = whole;
        this.draw();
        this.panel.querySelector<HTMLElement>(`[data-whole="${whole}"]`)?.focus();
      }, { class: "small", "aria-pressed": String(opened.whole === whole), "data-whole": String(whole) });
    const back = button(`‹ ${t("past.back")}`, () => {
      this.opened = null;
      this.draw();
      void this.refresh();
    }, { class: "small" });
    const putBack = button(t("past.put_back"), () => {
      this.host.putBack(opened.text);
      this.draw();
    }, { class: "small put-back" });
    return [
      h("p", { class: "buttons" }, back),
      h("h2", {}, opened.title),
      h("p", { class: "buttons" }, choose(false, t("past.changes")), choose(true, t("past.whole")), putBack,
        opened.result ? h("a", { href: opened.result }, t("past.result")) : null),
      opened.whole ? source(opened.text) : difference(opened.text, this.host.text()),
    ];
  }
}

function press(act: () => void, ...children: (HTMLElement | null)[]): HTMLElement {
  const made = h("button", { type: "button" }, ...children);
  made.addEventListener("click", act);
  return made;
}
