// The mask explorer: the rules, the mask that they make, and under it why the cell pointed at is visible or blocked.
import { button, h } from "../dom";
import { t, type Key } from "../words";
import { bounded, current, remember } from "./address";
import { numberInput, radios, replace, select, textInput } from "./controls";
import { asText, focusCell, grid } from "./grid";
import { KINDS, counts, drawnAt, formula, matrix, reason, sees, weights, type Kind, type Mask, type Rule } from "./mask";
import { MAX_RULES, MAX_SIZE, defaultRule, needs, readLengths, readMask, writeMask } from "./mask_address";

export interface ProblemLink {
  slug: string;
  title: string;
  query: string;
}

const LEAST: Partial<Record<keyof Rule, number>> = { w: 1 };

export class MasksPage {
  private mask = readMask(current());
  private showWeights = current().get("view") === "weights";
  private guarded = current().get("empty") !== "nan";
  private drawing = false;
  private at = { q: 0, k: 0 };
  private readonly settings = h("form", { class: "settings" });
  private readonly picture = h("div", { class: "scroll picture", tabindex: -1 });
  private readonly caption = h("p", { class: "caption", id: "caption" });
  private readonly value = h("p", { class: "value", id: "value" });
  private readonly facts = h("div", { class: "mask-facts" });

  constructor(
    private readonly root: HTMLElement,
    private readonly problems: ProblemLink[],
  ) {
    this.settings.addEventListener("submit", (event) => event.preventDefault());
    window.addEventListener("popstate", () => this.read());
    this.render();
  }

  /** All anew: at the start, after Back, and in the other language. */
  render(): void {
    this.root.replaceChildren(h("div", { class: "explorer" }, h("div", {}, this.caption, this.picture, this.value), this.settings, this.facts));
    this.drawSettings();
    this.drawPicture();
  }

  private read(): void {
    const query = current();
    this.mask = readMask(query);
    this.showWeights = query.get("view") === "weights";
    this.guarded = query.get("empty") !== "nan";
    this.render();
  }

  private changed(structure = false): void {
    const query = writeMask(this.mask);
    if (this.showWeights) query.set("view", "weights");
    if (!this.guarded) query.set("empty", "nan");
    remember(query);
    if (structure) this.drawSettings();
    this.drawPicture();
  }

  private drawSettings(): void {
    const { mask } = this;
    const size = (name: "T" | "S", label: Key): HTMLElement =>
      numberInput(name, t(label), mask[name], { low: 1, high: MAX_SIZE }, (value) => {
        mask[name] = value;
        mask.drawn.clear(); // what was drawn has no place in another size
        this.changed();
      });
    const add = button(t("explore.add_rule"), () => {
      mask.rules.push({ ...defaultRule("padding") });
      this.changed(true);
      document.getElementById(`kind${mask.rules.length}`)?.focus();
    }, { id: "add-rule", class: "small" });
    replace(
      this.settings,
      h("fieldset", { class: "row" }, h("legend", {}, t("explore.sizes")), size("T", "explore.queries"), size("S", "explore.keys")),
      ...mask.rules.map((rule, i) => this.ruleControls(rule, i)),
      mask.rules.length < MAX_RULES ? h("p", {}, add) : null,
      h("fieldset", { class: "row" }, h("legend", {}, t("explore.tiles")),
        numberInput("block", t("explore.block"), mask.block, { low: 0, high: MAX_SIZE }, (value) => { mask.block = value; this.changed(); })),
      radios("view", t("explore.view"), [["mask", t("explore.view_mask")], ["weights", t("explore.view_weights")]], this.showWeights ? "weights" : "mask", (view) => {
        this.showWeights = view === "weights";
        this.changed(true);
      }),
      this.showWeights
        ? radios("empty", t("explore.empty_rows"), [["zero", t("explore.empty_zero")], ["nan", t("explore.empty_nan")]], this.guarded ? "zero" : "nan", (how) => {
            this.guarded = how === "zero";
            this.changed();
          })
        : null,
      this.drawControls(),
    );
  }

  private drawControls(): HTMLElement {
    const toggle = button(t("explore.draw"), () => {
      this.drawing = !this.drawing;
      toggle.setAttribute("aria-pressed", String(this.drawing));
      this.picture.classList.toggle("drawing", this.drawing);
    }, { id: "draw", class: "small", "aria-pressed": String(this.drawing), title: t("explore.draw_help") });
    const clear = button(t("explore.draw_clear"), () => { this.mask.drawn.clear(); this.changed(); }, { class: "small", id: "draw-clear" });
    return h("p", { class: "buttons" }, toggle, clear, h("span", { class: "quiet" }, t("explore.draw_help")));
  }

  private ruleControls(rule: Rule, i: number): HTMLElement {
    const suffix = i ? String(i + 1) : "";
    const number = (name: keyof Rule): HTMLElement =>
      numberInput(name + suffix, t(`explore.rule_${name}` as Key), rule[name] as number, { low: LEAST[name] ?? 0, high: MAX_SIZE }, (value) => {
        Object.assign(rule, { [name]: bounded(String(value), rule[name] as number, LEAST[name] ?? 0, MAX_SIZE) });
        this.changed();
      });
    const lengths = (): HTMLElement =>
      textInput(`docs${suffix}`, t("explore.rule_docs"), rule.docs.join(", "), (text) => {
        rule.docs = readLengths(text) ?? rule.docs;
        this.changed();
      });
    const remove = (): void => {
      this.mask.rules.splice(i, 1);
      this.changed(true);
      document.getElementById("add-rule")?.focus();
    };
    return h(
      "fieldset", { class: "row rule" },
      h("legend", {}, t("explore.rule", { n: i + 1 })),
      i > 0 ? select(`op${suffix}`, t("explore.op"), [["and", t("explore.and")], ["or", t("explore.or")]], rule.op, (op) => { rule.op = op; this.changed(); }) : null,
      select(`kind${suffix}`, t("explore.kind"), KINDS.map((kind) => [kind, t(`explore.kind_${kind}`)] as const), rule.kind, (kind: Kind) => { rule.kind = kind; this.changed(true); }),
      ...needs(rule.kind).map((name) => (name === "docs" ? lengths() : number(name))),
      i > 0 ? button(t("explore.remove_rule"), remove, { class: "small" }) : null,
    );
  }

  private drawPicture(): void {
    const { mask, at } = this;
    const cells = matrix(mask);
    const had = this.picture.contains(document.activeElement);
    at.q = Math.min(at.q, mask.T - 1);
    at.k = Math.min(at.k, mask.S - 1);
    const shown = this.showWeights ? weights(cells, this.guarded) : null;
    this.picture.classList.toggle("drawing", this.drawing);
    this.picture.replaceChildren(grid({
      mask, cells, weights: shown,
      caption: "caption",
      describe: (q, k) => this.describe(q, k, shown),
      press: (q, k) => this.press(q, k),
      point: (q, k) => {
        this.at = { q, k };
        this.value.textContent = this.describe(q, k, shown);
      },
    }, at));
    this.caption.textContent = this.summary(cells);
    if (had) focusCell(this.picture, at.q, at.k);
    this.value.textContent = this.describe(at.q, at.k, shown);
    this.drawFacts(cells);
  }

  private press(q: number, k: number): void {
    if (!this.drawing) return;
    const cell = q * this.mask.S + k;
    if (!this.mask.drawn.delete(cell)) this.mask.drawn.add(cell);
    this.at = { q, k };
    this.changed();
  }

  private summary(cells: boolean[][]): string {
    const { seen, all, empty } = counts(cells, 0);
    const pairs = t("explore.caption", { T: this.mask.T, S: this.mask.S, seen, all, share: Math.round((100 * seen) / all) });
    return empty.length ? `${pairs} ${t("explore.caption_empty", { queries: empty.join(", ") })}` : pairs;
  }

  /** "query 1, key 3 · blocked: key 3 > query 1 + 0" */
  private describe(q: number, k: number, shown: number[][] | null): string {
    const { mask } = this;
    const why = mask.rules.map((rule, i) => {
      const { sees: seen, code, fields } = reason(rule, mask, q, k);
      const sentence = t(seen ? "explore.visible" : "explore.blocked", { why: t(`explore.why_${code}`, fields) });
      return i ? `${t(rule.op === "and" ? "explore.and" : "explore.or")} ${sentence}` : sentence;
    });
    const result = t(sees(mask, q, k) ? "explore.is_visible" : "explore.is_blocked");
    const parts = [t("explore.cell", { q, k }), why.join(" ")];
    if (drawnAt(mask, q, k)) parts.push(t("explore.drawn"));
    if (mask.rules.length > 1 || drawnAt(mask, q, k)) parts.push(`→ ${result}`);
    if (shown) parts.push(t("explore.weight", { weight: String(Number((shown[q]?.[k] ?? 0).toPrecision(4))) }));
    return parts.join(" · ");
  }

  private drawFacts(cells: boolean[][]): void {
    const { mask } = this;
    const found = counts(cells, mask.block);
    const words = { and: t("explore.and"), or: t("explore.or"), all: t("explore.formula_all"), document: t("explore.document") };
    const rules = mask.rules.map((rule, i) => (i ? ` ${rule.op === "and" ? words.and : words.or} ` : "") + (mask.rules.length > 1 ? `(${formula(rule, mask, words)})` : formula(rule, mask, words)));
    const computed = found.whole + found.partial;
    const all = computed + found.skipped;
    const tasks = this.problems.filter((problem) => matches(problem, mask));
    this.facts.replaceChildren(
      h("p", { class: "formula" }, h("span", { class: "quiet" }, t("explore.formula")), " ", h("code", { translate: "no" }, rules.join(""))),
      ...(mask.block ? [h("p", {}, t("explore.tile_counts", { whole: found.whole, partial: found.partial, skipped: found.skipped, share: Math.round((100 * computed) / all) }))] : []),
      ...(found.empty.length ? [h("p", { class: "notice" }, t("explore.empty_explained"))] : []),
      ...(tasks.length ? [h("p", {}, t("explore.write_it"), " ", ...tasks.flatMap((task, i) => [i ? " · " : "", h("a", { href: `/problems/${task.slug}` }, task.title)]))] : []),
      h("details", {}, h("summary", {}, t("explore.as_text")), h("pre", { class: "output", tabindex: 0, translate: "no" }, asText(cells))),
    );
  }
}

/** Whether a problem asks for a mask like this one: all the kinds of rule that it shows, and tiles if it counts them. */
function matches(problem: ProblemLink, mask: Mask): boolean {
  const asked = readMask(new URLSearchParams(problem.query));
  const kinds = mask.rules.map((rule) => rule.kind);
  return asked.rules.every((rule) => kinds.includes(rule.kind)) && (!asked.block || mask.block > 0);
}
