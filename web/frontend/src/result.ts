// The result panel: one line that says it all (read out by screen readers), facts, what went wrong, the cases.
import type { Case, Submission } from "./api";
import { button, byId, h, icon, sentence, visible } from "./dom";
import { excerpt, nextSteps, type Actions } from "./nextsteps";
import { smallestInput } from "./smallest";
import { pictures } from "./tensors";
import { clock, isChinese, t } from "./words";

export interface CaseTitle {
  name: string;
  title: string;
  sample: boolean;
}
export interface Page {
  slug: string;
  title: string;
  cases: CaseTitle[];
  newest: number | null;
  verdicts: Record<string, [string, string]>;
  /** What to solve after this problem; null when all are solved. */
  next?: { slug: string; title: string } | null;
  /** The learner's fastest accepted submission of this problem. */
  best_ms?: number | null;
}
const WAIT_LINE_MS = 700;
const LONG_WAIT_S = 30;

/** What is wrong with a file that does not load is short enough for the first line. */
const loadFault = (view: Submission): boolean => view.verdict === "CE" && Boolean(view.message) && view.message.length <= 120;

/** How fast the cases were that came before a slow one. */
function before(cases: Case[]): HTMLElement {
  const slowest = cases.reduce((a, b) => (b.time_ms > a.time_ms ? b : a));
  return h("p", { class: "quiet" }, t("result.before", { most: slowest.time_ms.toFixed(1), title: slowest.title }));
}

export class ResultPanel {
  private readonly status = byId("status");
  private readonly body = byId("body");
  private timer = 0;
  private opened = new Map<string, boolean>();

  constructor(
    public page: Page,
    private readonly actions: Actions,
  ) {}

  /** Nothing was judged yet. */
  none(): void {
    const samples = this.page.cases.filter((c) => c.sample).length;
    this.line("none", t("result.none", { samples, all: this.page.cases.length }));
    this.body.replaceChildren(this.rows(this.page.cases, [], false));
  }

  /** A line about sending: before the server has accepted it. */
  message(mark: string, text: string, ...extra: HTMLElement[]): void {
    clearTimeout(this.timer);
    this.line(mark, text);
    this.body.replaceChildren(...extra);
  }

  lost(seconds: number, checkNow: () => void): void {
    clearTimeout(this.timer);
    this.body.classList.add("dim");
    this.line("lost", t("result.lost", { seconds }));
    if (!this.body.querySelector(".check-now")) {
      this.body.prepend(h("p", { class: "buttons" }, button(t("result.check_now"), checkNow, { class: "check-now" })));
    }
  }

  show(view: Submission): void {
    clearTimeout(this.timer);
    this.body.classList.remove("dim");
    if (view.status === "done") this.done(view);
    else if (view.status === "cancelled") {
      this.line("cancelled", view.message ? t("own.refused", { reason: view.message.replace(/\.+$/u, "") }) : t("result.cancelled"), view);
      this.body.replaceChildren();
    } else this.pending(view);
  }

  private titles(view: Submission): CaseTitle[] {
    if (view.input) return [{ name: "own_input", title: t("own.title"), sample: true }];
    const known = this.page.cases.filter((c) => c.sample || !view.samples_only);
    return known.length >= view.cases.length ? known : view.cases;
  }

  private pending(view: Submission): void {
    const waited = (): number => Date.now() / 1000 - view.created_at;
    const since = waited();
    const titles = this.titles(view);
    const draw = (): void => {
      if (view.status === "queued") {
        const wait = view.eta_s === null ? t("result.queued_unknown", { ahead: view.ahead }) : t("result.queued", { ahead: view.ahead, eta: Math.max(1, Math.round(view.eta_s)) });
        this.line("queued", waited() >= LONG_WAIT_S ? `${wait} ${t("result.queued_long")}` : wait);
      } else {
        const n = Math.min(view.cases.length + 1, titles.length);
        this.line("running", t("result.running", { n, all: titles.length, title: titles[n - 1]?.title ?? "" }));
      }
      const cancel = view.status === "queued" && this.actions.cancel ? h("p", { class: "buttons" }, button(t("result.cancel"), this.actions.cancel)) : null;
      this.body.replaceChildren(...(cancel ? [cancel] : []), this.rows(titles, view.cases, true));
      if (waited() < LONG_WAIT_S) this.timer = window.setTimeout(draw, (LONG_WAIT_S - waited()) * 1000);
    };
    // most verdicts come before anyone could read a line about waiting
    if (since > WAIT_LINE_MS / 1000 || view.cases.length) draw();
    else this.timer = window.setTimeout(draw, WAIT_LINE_MS - since * 1000);
  }

  private done(view: Submission): void {
    const verdict = view.verdict ?? "JE";
    const at = view.cases.findIndex((c) => c.verdict !== null && c.verdict !== "AC");
    this.line(verdict, this.sentence(view, verdict, at), view);
    const parts: (HTMLElement | null)[] = [this.facts(view)];
    if (view.outdated) parts.push(h("p", { class: "quiet" }, t("result.outdated")));
    if (view.diagnosis) parts.push(h("p", { class: "mistake" }, ...sentence(view.diagnosis)));
    else if (view.diagnosing) parts.push(h("p", { class: "quiet mistake-wait" }, t("result.diagnosing")));
    if (verdict !== "JE" && view.message && !loadFault(view)) parts.push(h("p", { class: "message", translate: "no" }, visible(view.message)));
    if (verdict === "TLE" && at > 0) parts.push(before(view.cases.slice(0, at)));
    const finding = view.finding ?? view.cases[at]?.finding ?? {};
    parts.push(excerpt(finding), nextSteps(view, verdict, finding, this.actions, this.page.next));
    if (verdict === "AC" && !view.samples_only && !view.input) {
      const proved = view.cases.filter((c) => !c.sample).map((c) => c.title);
      if (proved.length) parts.push(h("p", { class: "quiet" }, t("result.proved", { titles: proved.join(isChinese() ? "；" : "; ") })));
    }
    if (view.smallest) parts.push(smallestInput(view.smallest));
    const failed = view.input ? view.cases[0] : view.cases[at];
    if (failed) parts.push(this.details(failed));
    if (!view.input && view.cases.some((c) => c.verdict !== null)) {
      const rows = this.rows(this.titles(view), view.cases, false, at);
      parts.push(verdict === "AC" && !view.samples_only ? this.folded(rows) : rows);
    }
    this.body.replaceChildren(...parts.filter((part): part is HTMLElement => part !== null));
  }

  private sentence(view: Submission, verdict: string, at: number): string {
    if (verdict === "JE") return t("result.judge_error");
    if (view.input && (verdict === "AC" || verdict === "WA")) return t(verdict === "AC" ? "own.same" : "own.differs");
    if (verdict === "AC") return view.samples_only ? t("result.samples_passed") : t("result.accepted", { all: view.cases.length });
    const failed = view.cases[at];
    const word = this.word(verdict);
    if (loadFault(view)) return t("result.because", { verdict: word, message: view.message });
    return failed ? t("result.in_case", { verdict: word, n: at + 1, title: failed.title }) : t("result.whole", { verdict: word });
  }

  private word(verdict: string): string {
    return this.page.verdicts[verdict]?.[isChinese() ? 1 : 0] ?? verdict;
  }

  private line(mark: string, text: string, view?: Submission): void {
    const attempt = view ? h("span", { class: "attempt" }, ` ${t("result.attempt", { id: view.id })}`) : null;
    const full = text + (attempt?.textContent ?? "");
    if (this.status.dataset["mark"] === mark && this.status.textContent === full) return; // not read out again
    this.status.dataset["mark"] = mark;
    this.status.className = `status mark-${mark}`;
    this.status.replaceChildren(icon(mark), h("span", { class: "sentence" }, text), ...(attempt ? [attempt] : []));
  }

  private facts(view: Submission): HTMLElement {
    const passed = view.cases.filter((c) => c.verdict === "AC").length;
    const ran = view.cases.some((c) => c.verdict !== null);
    const facts = [
      ran && !view.input && passed < view.cases.length ? t("result.facts", { passed, all: view.cases.length }) : "",
      ran && view.time_ms !== null ? `${view.time_ms < 10 ? view.time_ms.toFixed(1) : Math.round(view.time_ms)} ms` : "",
      ran && view.memory_kb && view.memory_kb >= 512 ? `${Math.round(view.memory_kb / 1024)} MB` : "",
      ran && view.sandbox ? t("result.sandbox", { name: view.sandbox }) : "",
      view.finished_at ? clock(view.finished_at) : "",
      this.best(view),
    ];
    const line = h("p", { class: "facts" }, ...facts.filter(Boolean).map((fact) => h("span", {}, fact)));
    line.append(h("a", { href: `/submissions/${view.id}` }, `#${view.id}`));
    return line;
  }

  private best(view: Submission): string {
    if (view.verdict !== "AC" || view.samples_only || view.time_ms === null) return "";
    const best = Math.min(this.page.best_ms ?? Infinity, view.time_ms);
    this.page.best_ms = best;
    return view.time_ms - best < 0.05 ? t("result.is_best") : t("result.best", { time: best.toFixed(1) });
  }

  private folded(rows: HTMLElement): HTMLElement {
    const fold = h("details", { class: "all-cases", open: this.opened.get("") ?? false }, h("summary", {}, t("result.all_cases")), rows);
    fold.addEventListener("toggle", () => this.opened.set("", fold.open));
    return fold;
  }

  private details(one: Case): HTMLElement {
    const output = (title: string, text: string): HTMLElement | null =>
      text ? h("div", {}, h("h3", {}, title), h("pre", { class: "output", tabindex: 0, translate: "no" }, visible(text))) : null;
    return h(
      "div", { class: "details" },
      one.tensors?.length ? pictures(one.tensors) : null,
      output(t("result.traceback"), one.traceback),
      output(t("result.printed"), one.stdout),
      output(t("result.errors_printed"), one.stderr),
    );
  }

  private rows(titles: CaseTitle[], cases: Case[], running: boolean, failed = -1): HTMLElement {
    const list = h("ol", { class: "cases" });
    titles.forEach((title, i) => {
      const one = cases.find((c) => c.name === title.name);
      const mark = one ? (one.verdict ?? "none") : running && i === cases.length ? "running" : "none";
      const word = one ? (one.verdict === "AC" ? t("result.case_passed") : one.verdict ? this.word(one.verdict) : t("result.case_not_run")) : running ? t("result.case_waiting") : "";
      const head: (HTMLElement | SVGSVGElement)[] = [
        icon(mark),
        h("span", { class: "case-title" }, title.title, title.sample ? h("span", { class: "tag" }, t("result.sample")) : null),
        h("span", { class: "case-word" }, word),
        h("span", { class: "number" }, one?.verdict ? `${one.time_ms.toFixed(1)} ms` : ""),
      ];
      // what the first failing case shows stands above the list already
      const more = one && i !== failed && (one.message || one.stdout || one.stderr || one.traceback || one.tensors?.length);
      const item = h("li", { class: `case mark-${mark}` });
      if (one && more) {
        const fold = h("details", { open: this.opened.get(one.name) ?? false }, h("summary", {}, ...head), one.message ? h("p", { class: "message" }, visible(one.message)) : null, this.details(one));
        fold.addEventListener("toggle", () => this.opened.set(one.name, fold.open));
        item.append(fold);
      } else item.append(h("div", { class: "summary" }, ...head));
      list.append(item);
    });
    return list;
  }
}
