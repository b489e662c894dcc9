// Inputs of the learner's own: kept in this browser, one list for each problem, run against the reference by the judge.
// Whoever shows an input asks for it by an event, so that pictures know nothing of this list.
import type { OwnInput } from "../api";
import { button, h } from "../dom";
import { t } from "../words";
import { form } from "./form";

export const RUN = "judge:run-input";
export const EDIT = "judge:edit-input";
const MOST_KEPT = 10;

/** Buttons below a picture: run what it shows, or change it first. */
export function inputButtons(input: OwnInput): HTMLElement {
  const ask = (name: string) => (): void => { document.dispatchEvent(new CustomEvent<OwnInput>(name, { detail: input })); };
  return h("p", { class: "picture-tools own-tools" }, button(t("own.run_this"), ask(RUN)), button(t("own.edit"), ask(EDIT)));
}

export class OwnInputs {
  readonly element = h("section", { class: "own-inputs", "aria-labelledby": "own-title" });
  private readonly key: string;
  private kept: OwnInput[];
  private edited: OwnInput | null = null;

  constructor(slug: string, private readonly run: (input: OwnInput) => void) {
    this.key = `judge:inputs:${slug}`;
    this.kept = this.read();
    document.addEventListener(RUN, (event) => this.keepAndRun((event as CustomEvent<OwnInput>).detail));
    document.addEventListener(EDIT, (event) => this.edit((event as CustomEvent<OwnInput>).detail));
    this.draw();
  }

  relabel(): void {
    this.draw();
  }

  private keepAndRun(input: OwnInput): void {
    const same = JSON.stringify(input);
    this.kept = [input, ...this.kept.filter((one) => JSON.stringify(one) !== same)].slice(0, MOST_KEPT);
    this.edited = null;
    this.write();
    this.draw();
    this.run(input);
  }

  private edit(input: OwnInput): void {
    this.edited = input;
    this.draw();
    this.element.querySelector<HTMLElement>("textarea, input")?.focus();
    this.element.scrollIntoView({ block: "nearest" });
  }

  private remove(input: OwnInput): void {
    this.kept = this.kept.filter((one) => one !== input);
    this.write();
    this.draw();
  }

  private draw(): void {
    this.element.hidden = !this.kept.length && !this.edited;
    const list = h("ol", { class: "own-list" }, ...this.kept.map((input) => this.row(input)));
    const open = this.edited
      ? form(this.edited, { run: (input) => this.keepAndRun(input), close: () => { this.edited = null; this.draw(); } })
      : null;
    this.element.replaceChildren(h("h3", { id: "own-title" }, t("own.list")), h("p", { class: "quiet" }, t("own.about")), ...(open ? [open] : []), list);
  }

  private row(input: OwnInput): HTMLElement {
    return h(
      "li", {},
      h("code", { translate: "no" }, summary(input)),
      h("span", { class: "picture-tools" }, button(t("own.run"), () => this.keepAndRun(input)), button(t("own.edit"), () => this.edit(input)), button(t("own.remove"), () => this.remove(input))),
    );
  }

  private read(): OwnInput[] {
    try {
      const found: unknown = JSON.parse(localStorage.getItem(this.key) ?? "[]");
      return Array.isArray(found) ? found.filter((one): one is OwnInput => typeof one === "object" && one !== null && typeof (one as OwnInput).arguments === "object") : [];
    } catch {
      return []; // another program wrote there, or the browser keeps nothing
    }
  }

  private write(): void {
    try {
      localStorage.setItem(this.key, JSON.stringify(this.kept));
    } catch {
      // no room: it is run all the same
    }
  }
}

/** "q [1, 1, 2, 4], window 3" */
function summary(input: OwnInput): string {
  const parts = Object.entries(input.arguments).map(([name, value]) => `${name} ${brief(value)}`);
  const init = input.init?.length ? [`(${input.init.map(String).join(", ")})`] : [];
  return [...init, ...parts].join(", ");
}

function brief(value: unknown): string {
  const values = typeof value === "object" && value !== null && "values" in value ? (value as { values: unknown }).values : value;
  if (!Array.isArray(values)) return value === null ? "None" : String(values);
  const sizes: number[] = [];
  for (let part: unknown = values; Array.isArray(part); part = part[0]) sizes.push(part.length);
  return `[${sizes.join(", ")}]`;
}
