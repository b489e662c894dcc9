// The soft lookup: a query to drag among keys, and what dividing by √d does.
import { h } from "../dom";
import { t } from "../words";
import { current, decimal, remember, whole } from "./address";
import { numberInput, replace, select } from "./controls";
import { DRAWN_KEYS, KEYS, TRIALS, WIDTHS, lookup, spread, type Found, type Point } from "./lookup";
import { s } from "./svg";

const REACH = 3;
const STEP = 0.1;
const SCALE = 60;
const SIZE = 2 * (REACH + 0.3) * SCALE;
const LEAST_TEMPERATURE = 0.05;
const MOST_TEMPERATURE = 20;
const x = (value: number): number => SIZE / 2 + value * SCALE;
const y = (value: number): number => SIZE / 2 - value * SCALE;
const near = (value: number): number => Math.round(Math.min(Math.max(value, -REACH), REACH) * 100) / 100;
const show = (value: number, digits = 3): string => value.toFixed(digits);

export class LookupPage {
  private query: Point = [1, 1];
  private temperature = Math.SQRT2;
  private d = 32;
  private seed = 1;
  private readonly plane = h("div", { class: "plane" });
  private readonly settings = h("form", { class: "settings" });
  private readonly result = h("div", { class: "scroll", tabindex: 0 });
  private readonly sentence = h("p", { class: "value" });
  private readonly scaling = h("section", { class: "scaling" });

  constructor(private readonly root: HTMLElement) {
    this.settings.addEventListener("submit", (event) => event.preventDefault());
    window.addEventListener("popstate", () => this.read());
    this.read();
  }

  render(): void {
    this.root.replaceChildren(
      h("div", { class: "explorer" }, h("div", {}, this.plane, this.sentence), this.settings, this.result),
      this.scaling,
    );
    this.drawSettings();
    this.drawLookup();
    this.drawScaling();
  }

  private read(): void {
    const query = current();
    this.query = [decimal(query, "x", 1, -REACH, REACH), decimal(query, "y", 1, -REACH, REACH)];
    this.temperature = decimal(query, "temperature", Math.SQRT2, LEAST_TEMPERATURE, MOST_TEMPERATURE);
    const d = whole(query, "d", 32, 2, 512);
    this.d = WIDTHS.find((width) => width >= d) ?? 512;
    this.seed = whole(query, "seed", 1, 0, 999999);
    this.render();
  }

  private changed(): void {
    const [qx, qy] = this.query;
    remember(new URLSearchParams({ x: String(qx), y: String(qy), temperature: String(Number(this.temperature.toFixed(3))), d: String(this.d), seed: String(this.seed) }));
  }

  private moveTo(to: Point): void {
    this.query = [near(to[0]), near(to[1])];
    this.changed();
    for (const [i, id] of ["x", "y"].entries()) {
      const input = document.getElementById(id) as HTMLInputElement | null;
      if (input && input !== document.activeElement) input.value = String(this.query[i]);
    }
    this.drawLookup();
  }

  private drawSettings(): void {
    const coordinate = (id: "x" | "y", axis: 0 | 1): HTMLElement =>
      numberInput(id, t("explore.query_axis", { axis: id }), this.query[axis], { low: -REACH, high: REACH, step: STEP }, (value) =>
        this.moveTo(axis === 0 ? [value, this.query[1]] : [this.query[0], value]));
    const temperature = h("input", { id: "temperature", type: "range", min: -1.3, max: 1.3, step: 0.01, value: Math.log10(this.temperature), "aria-valuetext": show(this.temperature, 2) });
    const shown = h("output", { for: "temperature" }, show(this.temperature, 2));
    temperature.addEventListener("input", () => {
      this.temperature = 10 ** Number(temperature.value);
      shown.textContent = show(this.temperature, 2);
      temperature.setAttribute("aria-valuetext", shown.textContent);
      this.changed();
      this.drawLookup();
    });
    replace(
      this.settings,
      h("fieldset", { class: "row" }, h("legend", {}, t("explore.query_point")), coordinate("x", 0), coordinate("y", 1)),
      h("label", { class: "field" }, h("span", {}, t("explore.temperature"), " ", shown), temperature),
    );
  }

  private drawLookup(): void {
    const found = lookup(this.query, KEYS, this.temperature);
    const focused = this.plane.contains(document.activeElement);
    this.plane.replaceChildren(this.picture(found));
    if (focused) this.plane.querySelector<SVGElement>(".handle")?.focus();
    const even = 2 ** found.entropy;
    this.sentence.textContent = t("explore.lookup_sentence", {
      x: show(found.output[0]), y: show(found.output[1]), entropy: show(found.entropy), even: show(even, 2),
    });
    this.result.replaceChildren(h(
      "table", { class: "list figures" },
      h("thead", {}, h("tr", {}, ...["key", "score", "scaled", "weight"].map((name) => h("th", { scope: "col" }, t(`explore.column_${name}` as "explore.column_key"))))),
      h("tbody", {}, ...KEYS.map((key, i) => {
        const weight = found.weights[i] ?? 0;
        const score = found.scores[i] ?? 0;
        return h("tr", {}, h("th", { scope: "row" }, `k${i} (${key.join(", ")})`), h("td", {}, show(score)), h("td", {}, show(score / this.temperature)), h("td", {}, h("meter", { min: 0, max: 1, value: weight, "aria-hidden": "true" }), " ", show(weight)));
      })),
    ));
  }

  private picture(found: Found): SVGSVGElement {
    const [qx, qy] = this.query;
    const [ox, oy] = found.output;
    const handle = s("circle", {
      class: "handle", cx: x(qx), cy: y(qy), r: 11, tabindex: 0, role: "slider", "aria-label": t("explore.query_handle"),
      "aria-valuenow": qx, "aria-valuemin": -REACH, "aria-valuemax": REACH, "aria-valuetext": `x ${qx}, y ${qy}`,
    });
    const svg = s(
      "svg", { viewBox: `0 0 ${SIZE} ${SIZE}`, role: "group", "aria-label": t("explore.plane") },
      s("line", { class: "axis-line", x1: 0, x2: SIZE, y1: y(0), y2: y(0) }),
      s("line", { class: "axis-line", x1: x(0), x2: x(0), y1: 0, y2: SIZE }),
      ...KEYS.flatMap(([kx, ky], i) => {
        const weight = found.weights[i] ?? 0;
        return [
          s("circle", { class: "weight", cx: x(kx), cy: y(ky), r: 4 + 30 * Math.sqrt(weight) }),
          s("circle", { class: "key", cx: x(kx), cy: y(ky), r: 4 }),
          s("text", { x: x(kx) + 8, y: y(ky) - 8 }, `k${i} ${show(weight, 2)}`),
        ];
      }),
      s("line", { class: "query-line", x1: x(0), y1: y(0), x2: x(qx), y2: y(qy) }),
      s("line", { class: "output-line", x1: x(0), y1: y(0), x2: x(ox), y2: y(oy) }),
      s("rect", { class: "output-mark", x: x(ox) - 7, y: y(oy) - 7, width: 14, height: 14, transform: `rotate(45 ${x(ox)} ${y(oy)})` }),
      s("text", { class: "output-text", x: x(ox) + 12, y: y(oy) + 18 }, t("explore.output")),
      handle,
      s("text", { class: "query-text", x: x(qx) + 15, y: y(qy) + 5 }, "q"),
    );
    this.listen(handle);
    return svg;
  }

  private listen(handle: SVGElement): void {
    handle.addEventListener("keydown", (event) => {
      const step = event.shiftKey ? 5 * STEP : STEP;
      const by: Partial<Record<string, Point>> = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] };
      const move = by[event.key];
      if (!move) return;
      event.preventDefault();
      this.moveTo([this.query[0] + move[0], this.query[1] + move[1]]);
    });
    const follow = (event: PointerEvent): void => {
      const box = (this.plane.firstElementChild ?? this.plane).getBoundingClientRect(); // each move makes a new picture
      const unit = SIZE / box.width / SCALE;
      this.moveTo([(event.clientX - box.left - box.width / 2) * unit, (box.top + box.height / 2 - event.clientY) * unit]);
    };
    handle.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      // the handle goes with its picture, so the page itself is listened to until the pointer is let go
      const end = (): void => {
        document.removeEventListener("pointermove", follow);
        this.plane.querySelector<SVGElement>(".handle")?.focus();
      };
      document.addEventListener("pointermove", follow);
      for (const kind of ["pointerup", "pointercancel"]) document.addEventListener(kind, end, { once: true });
    });
  }

  private drawScaling(): void {
    const rows = WIDTHS.map((d) => ({ d, ...spread(d, this.seed) }));
    const chosen = rows.find((row) => row.d === this.d) ?? rows[0];
    if (!chosen) return;
    const widths = select("d", t("explore.width"), WIDTHS.map((d) => [String(d), String(d)] as const), String(this.d), (d) => {
      this.d = Number(d);
      this.changed();
      this.drawScaling();
    });
    const seeds = numberInput("seed", t("explore.seed"), this.seed, { low: 0, high: 999999 }, (seed) => {
      this.seed = seed;
      this.changed();
      window.clearTimeout(this.pause);
      this.pause = window.setTimeout(() => this.drawScaling(), 200); // typing goes on while the draws are made
    });
    const pair = (values: [number, number]): HTMLElement[] => values.map((value) => h("td", {}, show(value)));
    replace(
      this.scaling,
      h("h2", {}, t("explore.scaling")),
      h("p", {}, t("explore.scaling_lead", { keys: DRAWN_KEYS, trials: TRIALS })),
      h("div", { class: "settings" }, h("div", { class: "row" }, widths, seeds)),
      h("p", { class: "value" }, t("explore.scaling_sentence", { d: chosen.d, spread: show(chosen.spread[0], 2), root: show(Math.sqrt(chosen.d), 2), raw: show(chosen.largest[0], 2), scaled: show(chosen.largest[1], 2) })),
      h("div", { class: "bar-charts" }, bars(t("explore.raw"), chosen.first[0]), bars(t("explore.divided"), chosen.first[1])),
      h("div", { class: "scroll", tabindex: 0 }, h(
        "table", { class: "list figures" },
        h("caption", {}, t("explore.scaling_caption")),
        h("thead", {},
          h("tr", {}, h("th", { scope: "col", rowspan: 2 }, "d"), ...(["spread", "largest", "entropy"] as const).map((name) => h("th", { scope: "colgroup", colspan: 2 }, t(`explore.column_${name}`)))),
          h("tr", {}, ...[0, 1, 2].flatMap(() => [h("th", { scope: "col" }, t("explore.raw")), h("th", { scope: "col" }, t("explore.divided"))]))),
        h("tbody", {}, ...rows.map((row) => h("tr", { class: row.d === this.d ? "chosen" : "" }, h("th", { scope: "row" }, String(row.d)), ...pair(row.spread), ...pair(row.largest), ...pair(row.entropy)))),
      )),
    );
  }

  private pause = 0;
}

/** The weights of one draw as bars; the figures stand above them. */
function bars(title: string, weights: number[]): HTMLElement {
  const [width, height] = [30, 90];
  const svg = s("svg", { viewBox: `0 0 ${weights.length * width} ${height + 34}`, role: "img", "aria-label": `${title}: ${weights.map((w) => show(w, 2)).join(", ")}` },
    ...weights.flatMap((weight, i) => [
      s("rect", { class: "bar-mark", x: i * width + 4, width: width - 8, y: 16 + height * (1 - weight), height: Math.max(height * weight, 1) }),
      s("text", { x: i * width + width / 2, y: 12 + height * (1 - weight), "text-anchor": "middle" }, show(weight, 2).replace(/^0/, "")),
    ]),
    s("line", { class: "axis-line", x1: 0, x2: weights.length * width, y1: height + 16, y2: height + 16 }),
  );
  return h("figure", {}, h("figcaption", {}, title), svg);
}
