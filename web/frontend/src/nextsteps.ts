// What a learner may want to do after a verdict: one row of buttons, never more than the verdict asks for.
import type { Submission } from "./api";
import { button, h } from "./dom";
import { copier } from "./pictures/comparison";
import { t } from "./words";

export interface Actions {
  cancel?: () => void;
  samples?: () => void;
  submit?: () => void;
  again?: () => void;
  goTo?: (line: number) => void;
  /** Puts `plain` in the place of the character at line and column, both from 1. */
  exchange?: (line: number, column: number, plain: string) => void;
  hints?: () => void;
  statement?: () => void;
  /** Shows the solution; compares it with the editor where that is wanted. */
  solution?: (compare: boolean) => void;
}
type Finding = Record<string, unknown>;
/** What to solve after this problem. */
type Next = { slug: string; title: string } | null;

const HALTED = ["TLE", "MLE", "OLE"];

export function nextSteps(view: Submission, verdict: string, finding: Finding, actions: Actions, next?: Next): HTMLElement | null {
  const steps: HTMLElement[] = [];
  const add = (act: (() => void) | undefined, label: string, attributes: Record<string, string> = {}): void => {
    if (act) steps.push(button(label, act, attributes));
  };
  const { goTo, exchange, solution } = actions;
  const [line, column] = [Number(finding["line"]), Number(finding["column"])];
  if (line > 0) add(goTo && (() => goTo(line)), t("result.to_line", { line }), { class: "to-line" });
  const plain = finding["plain"];
  if (typeof plain === "string") add(exchange && (() => exchange(line, column, plain)), t("edit.replace", { plain }));
  if (verdict === "RF") add(actions.statement, t("result.allowed"));
  if (HALTED.includes(verdict) && !view.samples_only) add(actions.samples, t("problem.run_samples"));
  if (HALTED.includes(verdict)) add(actions.statement, t("result.limits"));
  if (verdict === "WA") add(actions.hints, t("problem.hints"));
  if (verdict === "AC" && view.samples_only && !view.input) add(actions.submit, t("result.submit_now"));
  if (verdict === "AC" && !view.samples_only) steps.push(...accepted(view, solution, next));
  if (verdict === "JE") {
    add(actions.again, t("result.again"));
    steps.push(copier(() => report(view), t("result.copy_report")));
  }
  return steps.length ? h("p", { class: "buttons" }, ...steps) : null;
}

function accepted(view: Submission, solution: Actions["solution"], next?: Next): HTMLElement[] {
  return [
    ...(next ? [h("a", { href: `/problems/${next.slug}`, class: "go" }, t("result.next_is", { title: next.title }))] : []),
    ...(solution
      ? [button(t("result.explanation"), () => solution(false)), button(t("result.compare"), () => solution(true))]
      : [h("a", { href: `/problems/${view.problem}/explanation` }, t("result.explanation"))]),
  ];
}

/** For the operator: enough to find the judging again. */
function report(view: Submission): string {
  const at = view.finished_at ? new Date(view.finished_at * 1000).toISOString() : "";
  return `submission ${view.id}, ${view.problem}, JE, ${at}, sandbox ${view.sandbox}, source ${view.source_sha256}\n${view.message}\n`;
}

/** The line that does not load, as it was judged, with the column marked. */
export function excerpt(finding: Finding): HTMLElement | null {
  const [text, line, column] = [finding["text"], Number(finding["line"]), Number(finding["column"])];
  if (typeof text !== "string" || !text.trim() || !(line > 0)) return null;
  const characters = [...text];
  const marked = column >= 1 && column <= characters.length ? [characters[column - 1] ?? ""] : [" "];
  const before = characters.slice(0, Math.max(0, column - 1)).join("");
  const after = characters.slice(column >= 1 ? column : characters.length).join("");
  return h("pre", { class: "excerpt", tabindex: 0, translate: "no" }, h("span", { class: "quiet" }, `${line} │ `), before, h("mark", {}, ...marked), after);
}
