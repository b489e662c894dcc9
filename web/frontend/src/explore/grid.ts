// A mask as a grid: rows are queries, columns keys. One tab stop; the arrow keys move inside.
import { h } from "../dom";
import { t } from "../words";
import { tiles, type Mask } from "./mask";

export interface GridView {
  mask: Mask;
  cells: boolean[][];
  /** Softmax weights to write into the cells; null: the mask itself. */
  weights: number[][] | null;
  /** The id of the sentence that names the grid. */
  caption: string;
  /** What a cell says when it is read out or pointed at. */
  describe(q: number, k: number): string;
  /** Space, Enter or a press on a cell. */
  press(q: number, k: number): void;
  /** A cell has the focus or the pointer. */
  point(q: number, k: number): void;
}

const PAGE = 8;

export function grid(view: GridView, at: { q: number; k: number }): HTMLElement {
  const { mask, cells } = view;
  const parts = mask.block ? tiles(cells, mask.block) : null;
  const edge = (index: number): boolean => mask.block > 0 && index > 0 && index % mask.block === 0;
  const rows = cells.map((row, q) => {
    const seen = row.filter(Boolean).length;
    return h(
      "tr", {},
      h("th", { scope: "row" }, h("span", { class: "axis" }, q === 0 ? t("explore.query") : ""), ` ${q}`),
      ...row.map((_, k) => {
        const kind = cellKind(view, q, k);
        const tile = parts?.[Math.floor(q / mask.block)]?.[Math.floor(k / mask.block)];
        const classes = [kind, tile ? `tile-${tile}` : "", edge(q) ? "edge-top" : "", edge(k) ? "edge-left" : "", mask.drawn.has(q * mask.S + k) ? "drawn" : ""];
        return h(
          "td",
          {
            role: "gridcell", tabindex: q === at.q && k === at.k ? 0 : -1, class: classes.filter(Boolean).join(" "),
            "data-q": q, "data-k": k, "aria-label": view.describe(q, k),
          },
          cellText(view, q, k),
        );
      }),
      h("td", { class: seen ? "sees" : "sees none" }, seen ? String(seen) : t("explore.no_key")),
    );
  });
  const table = h(
    "table", { class: view.weights ? "mask weights" : "mask", role: "grid", "aria-labelledby": view.caption, translate: "no" },
    h("thead", {}, h("tr", {}, h("td", { class: "axis" }, t("explore.key"), " →"), ...(cells[0] ?? []).map((_, k) => h("th", { scope: "col" }, String(k))), h("th", { scope: "col", class: "sees" }, t("explore.sees")))),
    h("tbody", {}, ...rows),
  );
  listen(table, view);
  return table;
}

function cellKind(view: GridView, q: number, k: number): string {
  if (view.weights && Number.isNaN(view.weights[q]?.[k])) return "nan";
  return view.cells[q]?.[k] ? "seen" : "blocked";
}

/** Two digits of a weight; the cross of a blocked cell is not the zero of a key that has no weight. */
function cellText(view: GridView, q: number, k: number): string {
  const weight = view.weights?.[q]?.[k];
  if (weight !== undefined && Number.isNaN(weight)) return "NaN";
  if (!view.cells[q]?.[k]) return weight === 0 && !view.cells[q]?.some(Boolean) ? "0" : "×";
  return weight === undefined ? "" : weight === 1 ? "1" : weight.toFixed(2).slice(1);
}

function listen(table: HTMLTableElement, view: GridView): void {
  const cellOf = (event: Event): HTMLElement | null => (event.target as Element).closest<HTMLElement>("td[data-q]");
  const place = (cell: HTMLElement): [number, number] => [Number(cell.dataset["q"]), Number(cell.dataset["k"])];
  table.addEventListener("mouseover", (event) => {
    const cell = cellOf(event);
    if (cell) view.point(...place(cell));
  });
  table.addEventListener("focusin", (event) => {
    const cell = cellOf(event);
    if (!cell) return;
    table.querySelector("td[tabindex='0']")?.setAttribute("tabindex", "-1");
    cell.tabIndex = 0;
    view.point(...place(cell));
  });
  table.addEventListener("click", (event) => {
    const cell = cellOf(event);
    if (!cell) return;
    cell.focus({ preventScroll: true });
    view.press(...place(cell));
  });
  table.addEventListener("keydown", (event) => {
    const cell = cellOf(event);
    if (!cell || event.altKey || event.metaKey) return;
    const [q, k] = place(cell);
    if (event.key === " " || event.key === "Enter") view.press(q, k);
    else {
      const to = moved(event, q, k, view.mask);
      if (!to) return;
      focusCell(table, ...to);
    }
    event.preventDefault();
  });
}

function moved(event: KeyboardEvent, q: number, k: number, { T, S }: Mask): [number, number] | null {
  const far = event.ctrlKey;
  const to: Partial<Record<string, [number, number]>> = {
    ArrowUp: [q - 1, k], ArrowDown: [q + 1, k], ArrowLeft: [q, k - 1], ArrowRight: [q, k + 1],
    Home: [far ? 0 : q, 0], End: [far ? T - 1 : q, S - 1], PageUp: [q - PAGE, k], PageDown: [q + PAGE, k],
  };
  const found = to[event.key];
  return found ? [Math.min(Math.max(found[0], 0), T - 1), Math.min(Math.max(found[1], 0), S - 1)] : null;
}

export function focusCell(place: HTMLElement, q: number, k: number): void {
  place.querySelector<HTMLElement>(`td[data-q="${q}"][data-k="${k}"]`)?.focus();
}

/** The same as text, to copy. */
export const asText = (cells: boolean[][]): string => cells.map((row) => row.map((seen) => (seen ? "█" : "·")).join(" ")).join("\n");
