// The dividers between the panes: dragged, or moved by arrow keys (Shift: further), Home and End; Enter folds the pane and
// brings it back, a double click restores the usual place. Kept in a cookie, since the server draws the first paint.
import { keepCookie } from "./cookies";
import { byId } from "./dom";

interface Divider {
  control: HTMLElement;
  /** Per cent of the pane that it resizes. */
  value: number;
  usual: number;
  min: number;
  max: number;
  vertical: boolean;
}

const STEP = 2;
const LONG_STEP = 10;
const clamp = (value: number, min: number, max: number): number => Math.max(min, Math.min(max, value));

export function enableDividers(): void {
  const dividers = { x: read("divide-x", 42), y: read("divide-y", 40) };
  const keep = (): void => keepCookie("split", `${Math.round(dividers.x.value)}-${Math.round(dividers.y.value)}`);
  for (const [axis, divider] of Object.entries(dividers)) {
    const move = (value: number): void => {
      divider.value = clamp(value, divider.min, divider.max);
      divider.control.setAttribute("aria-valuenow", String(Math.round(divider.value)));
      document.documentElement.style.setProperty(`--split-${axis}`, `${divider.value}%`);
    };
    enableKeys(divider, move, keep);
    enableDrag(divider, move, keep);
  }
}

function read(id: string, usual: number): Divider {
  const control = byId(id);
  const number = (name: string): number => Number(control.getAttribute(`aria-value${name}`));
  return { control, value: number("now"), usual, min: number("min"), max: number("max"), vertical: control.getAttribute("aria-orientation") === "vertical" };
}

function enableKeys(divider: Divider, move: (value: number) => void, keep: () => void): void {
  let unfolded = divider.value > divider.min ? divider.value : divider.usual;
  divider.control.addEventListener("keydown", (event) => {
    const step = event.shiftKey ? LONG_STEP : STEP;
    const { value, min, max } = divider;
    const to: Record<string, number> = {
      [divider.vertical ? "ArrowRight" : "ArrowUp"]: value + step,
      [divider.vertical ? "ArrowLeft" : "ArrowDown"]: value - step,
      Home: min,
      End: max,
      Enter: value > min ? min : unfolded,
    };
    const target = to[event.key];
    if (target === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    if (event.key === "Enter" && value > min) unfolded = value;
    move(target);
    keep();
  });
}

function enableDrag(divider: Divider, move: (value: number) => void, keep: () => void): void {
  const { control } = divider;
  const room = control.parentElement as HTMLElement;
  control.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    control.focus();
    control.setPointerCapture(event.pointerId);
  });
  control.addEventListener("pointermove", (event) => {
    if (!control.hasPointerCapture(event.pointerId)) return;
    const box = room.getBoundingClientRect();
    move(divider.vertical ? ((event.clientX - box.left) / box.width) * 100 : ((box.bottom - event.clientY) / box.height) * 100);
  });
  control.addEventListener("lostpointercapture", keep);
  control.addEventListener("dblclick", () => {
    move(divider.usual);
    keep();
  });
}
