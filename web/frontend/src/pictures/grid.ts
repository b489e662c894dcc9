// A matrix as a table: rows and columns with headers, one tab stop, arrow keys. What is selected is told to the owner,
// which shows it in a line below; there are no tooltips.
import { h } from "../dom";
import { glyph, look, type Scale } from "./colour";

export interface GridOptions {
  name: string;
  rows: unknown[][];
  scale: Scale;
  /** Names of the two axes, such as "query" and "key", and the index of the first row and column. */
  axes: [string, string];
  from: [number, number];
  write: (value: unknown) => string;
  /** What a screen reader says for a cell. */
  label: (row: number, column: number) => string;
  select: (row: number, column: number) => void;
  /** Where `w` goes. */
  worst: [number, number] | null;
}

/** Above that many rows or columns the cells are coloured only; their numbers are in the line below, and in print. */
const MOST_NUMBERS = 16;
const PAGE = 8;

export class Grid {
  readonly element: HTMLTableElement;
  private readonly cells: HTMLTableCellElement[][] = [];
  private readonly heads: { rows: HTMLElement[]; columns: HTMLElement[] } = { rows: [], columns: [] };
  private at: [number, number] = [0, 0];

  constructor(private readonly options: GridOptions) {
    const { name, rows, axes, from } = options;
    const width = Math.max(0, ...rows.map((row) => row.length));
    const dense = rows.length > MOST_NUMBERS || width > MOST_NUMBERS;
    this.element = h("table", { role: "grid", class: dense ? "matrix dense" : "matrix" }, h("caption", {}, name));
    this.heads.columns = Array.from({ length: width }, (_, column) => h("th", { scope: "col", title: `${axes[1]} ${column + from[1]}` }, String(column + from[1])));
    this.element.append(h("thead", {}, h("tr", {}, h("td", { class: "corner" }, ""), ...this.heads.columns)));
    const body = h("tbody");
    rows.forEach((row, r) => {
      const head = h("th", { scope: "row", title: `${axes[0]} ${r + from[0]}` }, String(r + from[0]));
      this.heads.rows.push(head);
      this.cells.push(row.map((value, c) => this.cell(value, r, c)));
      body.append(h("tr", {}, head, ...(this.cells[r] ?? [])));
    });
    this.element.append(body);
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.element.addEventListener("click", (event) => this.pointed(event.target, true));
    this.element.addEventListener("mouseover", (event) => this.pointed(event.target, false));
    this.element.addEventListener("focusin", (event) => this.pointed(event.target, false));
  }

  /** Marks a cell, its row and its column; without moving the focus. */
  show(row: number, column: number): void {
    const cell = this.cells[row]?.[column];
    if (!cell) return;
    const [r, c] = this.at;
    this.cells[r]?.[c]?.classList.remove("selected");
    this.cells[r]?.[c]?.setAttribute("tabindex", "-1");
    this.heads.rows[r]?.classList.remove("cross");
    this.heads.columns[c]?.classList.remove("cross");
    this.at = [row, column];
    cell.classList.add("selected");
    cell.setAttribute("tabindex", "0");
    this.heads.rows[row]?.classList.add("cross");
    this.heads.columns[column]?.classList.add("cross");
  }

  private cell(value: unknown, row: number, column: number): HTMLTableCellElement {
    const { form, level } = look(value, this.options.scale);
    const made = h("td", { class: form, tabindex: row || column ? -1 : 0, "aria-label": this.options.label(row, column) }, h("span", {}, glyph(value, this.options.scale, this.options.write)));
    made.dataset["level"] = String(level);
    return made;
  }

  private pointed(target: EventTarget | null, focus: boolean): void {
    const cell = target instanceof Element ? target.closest<HTMLTableCellElement>("tbody td") : null;
    const row = cell?.parentElement;
    if (!cell || !(row instanceof HTMLTableRowElement)) return;
    this.options.select(row.sectionRowIndex, cell.cellIndex - 1);
    if (focus) cell.focus({ preventScroll: true });
  }

  private key(event: KeyboardEvent): void {
    if (event.altKey || event.metaKey || event.isComposing) return;
    const [row, column] = this.at;
    const lastRow = this.cells.length - 1;
    const lastColumn = (this.cells[row]?.length ?? 1) - 1;
    const steps: Record<string, [number, number]> = {
      ArrowUp: [row - 1, column], ArrowDown: [row + 1, column], ArrowLeft: [row, column - 1], ArrowRight: [row, column + 1],
      Home: [event.ctrlKey ? 0 : row, 0], End: [event.ctrlKey ? lastRow : row, lastColumn],
      PageUp: [row - PAGE, column], PageDown: [row + PAGE, column],
    };
    if (this.options.worst && event.key === "w" && !event.ctrlKey) steps["w"] = this.options.worst;
    const step = steps[event.key];
    if (step) {
      event.preventDefault();
      const [r, c] = [Math.min(lastRow, Math.max(0, step[0])), Math.min(lastColumn, Math.max(0, step[1]))];
      this.options.select(r, c);
      this.cells[r]?.[c]?.focus();
    } else if (event.key === "Escape") {
      event.preventDefault();
      this.element.closest(".picture")?.querySelector<HTMLElement>(".picture-tools button")?.focus();
    }
  }
}
