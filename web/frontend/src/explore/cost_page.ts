// The cost explorer: FLOPs over the length, the memory of the scores, the KV cache.
import { h } from "../dom";
import { t } from "../words";
import { current, remember, whole } from "./address";
import { numberInput, replace, select } from "./controls";
import { CACHES, binary, cacheBytes, cached, crossover, keyHeads, projections, scoreBytes, scores, short, type Cache, type Model } from "./cost";
import { s } from "./svg";

const LIMITS: Record<Exclude<keyof Model, "kind" | "bytes">, [usual: number, high: number]> = {
  T: [4096, 2 ** 20], d: [4096, 2 ** 15], heads: [32, 1024], kv: [8, 1024], dh: [128, 1024], layers: [32, 1000], rank: [512, 8192], rope: [64, 1024],
};
const DTYPES = [["4", "float32"], ["2", "bfloat16, float16"], ["1", "float8, int8"]] as const;

/** Published shapes: the models' own reports. */
const PRESETS: Record<string, Omit<Model, "bytes" | "rank" | "rope"> & Partial<Model>> = {
  "T = d = 4096": { kind: "mha", T: 4096, d: 4096, heads: 32, kv: 32, dh: 128, layers: 1 },
  "Qwen3-0.6B": { kind: "gqa", T: 32768, d: 1024, heads: 16, kv: 8, dh: 128, layers: 28 },
  "Llama 3 8B": { kind: "gqa", T: 8192, d: 4096, heads: 32, kv: 8, dh: 128, layers: 32 },
  "DeepSeek-V3": { kind: "mla", T: 4096, d: 7168, heads: 128, kv: 128, dh: 128, layers: 61, rank: 512, rope: 64 },
};

export class CostPage {
  private model = readModel();
  private readonly settings = h("form", { class: "settings" });
  private readonly picture = h("div");
  private readonly figures = h("div");

  constructor(private readonly root: HTMLElement) {
    this.settings.addEventListener("submit", (event) => event.preventDefault());
    window.addEventListener("popstate", () => {
      this.model = readModel();
      this.render();
    });
    this.render();
  }

  render(): void {
    this.root.replaceChildren(h("div", { class: "explorer" }, this.picture, this.settings, this.figures));
    this.drawSettings();
    this.drawFigures();
  }

  private changed(structure = false): void {
    remember(new URLSearchParams(Object.entries(this.model).map(([name, value]) => [name, String(value)])));
    if (structure) this.drawSettings();
    this.drawFigures();
  }

  private drawSettings(): void {
    const { model } = this;
    const number = (name: keyof typeof LIMITS): HTMLElement =>
      numberInput(name, t(`explore.cost_${name}`), model[name], { low: 1, high: LIMITS[name][1] }, (value) => { model[name] = value; this.changed(); });
    const preset = select("preset", t("explore.preset"), [["", t("explore.preset_none")], ...Object.keys(PRESETS).map((name) => [name, name] as const)], "", (name) => {
      Object.assign(model, PRESETS[name]);
      this.changed(true);
    });
    replace(
      this.settings,
      preset,
      h("fieldset", { class: "row" }, h("legend", {}, t("explore.layer")), number("T"), number("d"), number("heads"), number("dh")),
      select("kind", t("explore.cache_kind"), CACHES.map((kind) => [kind, t(`explore.cache_${kind}`)] as const), model.kind, (kind: Cache) => { model.kind = kind; this.changed(true); }),
      h("fieldset", { class: "row" }, h("legend", {}, t("explore.cache")), number("kv"), number("rank"), number("rope"), number("layers")),
      select("bytes", t("explore.dtype"), DTYPES, String(model.bytes) as "4", (bytes) => { model.bytes = Number(bytes); this.changed(); }),
    );
  }

  private drawFigures(): void {
    const { model } = this;
    const [first, second] = [projections(model), scores(model)];
    const share = Number((second * 1000n) / (first + second)) / 10;
    const meeting = crossover(model);
    const row = (name: string, ...cells: string[]): HTMLElement => h("tr", {}, h("th", { scope: "row" }, name), ...cells.map((cell) => h("td", {}, cell)));
    const grouped = (count: bigint): string => count.toLocaleString("en");
    this.picture.replaceChildren(
      h("p", { class: "value" }, t(share < 50 ? "explore.cost_below" : "explore.cost_above", { T: model.T.toLocaleString("en"), share, crossover: meeting.toLocaleString("en") })),
      chart(model),
    );
    this.figures.replaceChildren(
      table(t("explore.flops_caption"), ["", "FLOPs", ""],
        row(t("explore.projections"), grouped(first), short(first, "FLOP")),
        row(t("explore.scores"), grouped(second), short(second, "FLOP"))),
      table(t("explore.score_caption", { heads: model.heads }), ["", t("explore.one_head"), t("explore.all_heads")],
        ...DTYPES.map(([bytes, name]) => row(name, binary(scoreBytes({ ...model, heads: 1 }, Number(bytes))), binary(scoreBytes(model, Number(bytes)))))),
      table(t("explore.cache_caption", { layers: model.layers, T: model.T.toLocaleString("en") }), ["", t("explore.cache_numbers"), t("explore.cache_token"), t("explore.cache_all")],
        ...CACHES.map((kind) => {
          const bytes = cacheBytes(kind, model);
          const made = row(t(`explore.cache_${kind}`), cached(kind, model).toLocaleString("en"), binary(bytes), binary(bytes * BigInt(model.T)));
          made.classList.toggle("chosen", kind === model.kind);
          return made;
        })),
      h("p", { class: "quiet" }, t("explore.cost_note")),
    );
  }
}

function readModel(): Model {
  const query = current();
  const kind = query.get("kind") as Cache;
  const size = (name: keyof typeof LIMITS): number => whole(query, name, LIMITS[name][0], 1, LIMITS[name][1]);
  return {
    kind: CACHES.includes(kind) ? kind : "mha", T: size("T"), d: size("d"), heads: size("heads"), kv: size("kv"), dh: size("dh"),
    layers: size("layers"), rank: size("rank"), rope: size("rope"), bytes: [4, 2, 1].find((bytes) => String(bytes) === query.get("bytes")) ?? 2,
  };
}

function table(caption: string, heads: string[], ...rows: HTMLElement[]): HTMLElement {
  return h("div", { class: "scroll", tabindex: 0 }, h(
    "table", { class: "list figures" },
    h("caption", {}, caption),
    h("thead", {}, h("tr", {}, ...heads.map((head) => (head ? h("th", { scope: "col" }, head) : h("td"))))),
    h("tbody", {}, ...rows),
  ));
}

const [LEFT, TOP, WIDTH, HEIGHT] = [52, 12, 420, 220];
const FROM = 7;
const TO = 20;

/** Both counts over T, each axis by powers of two. The tables below say the same in figures. */
function chart(model: Model): SVGSVGElement {
  const lengths = Array.from({ length: TO - FROM + 1 }, (_, i) => FROM + i);
  const at = (count: (m: Model) => bigint, power: number): number => Math.log2(Number(count({ ...model, T: 2 ** power })));
  const low = Math.min(at(projections, FROM), at(scores, FROM));
  const high = Math.max(at(projections, TO), at(scores, TO));
  const x = (power: number): number => LEFT + ((power - FROM) / (TO - FROM)) * WIDTH;
  const y = (power: number): number => TOP + HEIGHT - ((power - low) / (high - low)) * HEIGHT;
  const line = (count: (m: Model) => bigint): string => lengths.map((power) => `${x(power).toFixed(1)},${y(at(count, power)).toFixed(1)}`).join(" ");
  const within = (power: number): number => Math.min(Math.max(power, FROM), TO);
  const now = within(Math.log2(model.T));
  const meeting = Math.log2((model.d * (model.heads + keyHeads(model))) / model.heads);
  const levels = [3, 6, 9, 12, 15, 18, 21].filter((power) => power * Math.log2(10) >= low && power * Math.log2(10) <= high);
  const label = t("explore.chart", { crossover: crossover(model).toLocaleString("en") });
  return s(
    "svg", { class: "chart", viewBox: `0 0 ${LEFT + WIDTH + 96} ${TOP + HEIGHT + 44}`, role: "img", "aria-label": label },
    ...levels.flatMap((level) => [
      s("line", { class: "grid-line", x1: LEFT, x2: LEFT + WIDTH, y1: y(level * Math.log2(10)), y2: y(level * Math.log2(10)) }),
      s("text", { x: LEFT - 6, y: y(level * Math.log2(10)) + 4, "text-anchor": "end" }, short(10n ** BigInt(level), "")),
    ]),
    ...lengths.filter((power) => power % 2 === 0).map((power) => s("text", { x: x(power), y: TOP + HEIGHT + 16, "text-anchor": "middle" }, power < 10 ? String(2 ** power) : `${2 ** (power - 10)}K`)),
    s("text", { x: LEFT + WIDTH / 2, y: TOP + HEIGHT + 36, "text-anchor": "middle" }, t("explore.chart_axis")),
    s("line", { class: "now-line", x1: x(now), x2: x(now), y1: TOP, y2: TOP + HEIGHT }),
    s("polyline", { class: "line-one", points: line(projections) }),
    s("polyline", { class: "line-two", points: line(scores) }),
    s("text", { class: "text-one", x: LEFT + WIDTH + 6, y: y(at(projections, TO)) + 10 }, t("explore.projections")),
    s("text", { class: "text-two", x: LEFT + WIDTH + 6, y: y(at(scores, TO)) + 4 }, t("explore.scores")),
    ...(meeting >= FROM && meeting <= TO ? [s("circle", { class: "meeting", cx: x(meeting), cy: y(Math.log2(Number(4n * BigInt(Math.round(2 ** meeting)) ** 2n * BigInt(model.dh * model.heads)))), r: 6 })] : []),
  );
}
