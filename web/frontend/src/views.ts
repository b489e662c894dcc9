// What is in sight: on a phone one of three views, left of the editor one of four panels. Both keep their scroll positions.
import { byId } from "./dom";
import { enableTablist, type Tablist } from "./tablist";

export type View = "read" | "code" | "result";
export type Panel = "statement" | "hints" | "submissions" | "solution";
const PANELS: readonly Panel[] = ["statement", "hints", "submissions", "solution"];

export interface Views {
  view: Tablist<View>;
  panel: Tablist<Panel>;
  /** A result that nobody has seen yet: a dot on the tab of the result. */
  fresh(): void;
  /** A result that is not like the one before is read from its top. */
  resultFromTop(): void;
}

export function enableViews(opened: (panel: Panel) => void): Views {
  const dot = byId("view-result").querySelector<HTMLElement>(".dot");
  const scroll: Partial<Record<View, number>> = {};
  const view = enableTablist<View>("views", "view", "read", (name, before) => {
    scroll[before] = window.scrollY;
    document.body.dataset["view"] = name;
    if (name === "result" && dot) dot.hidden = true;
    window.scrollTo(0, scroll[name] ?? 0);
  });
  const wanted = PANELS.find((name) => `#${name}` === location.hash && document.getElementById(`tab-${name}`));
  const panel = enableTablist<Panel>("about", "tab", wanted ?? "statement", (name, before) => {
    for (const one of PANELS) byId(one).hidden = one !== name;
    if (name !== before) history.replaceState(history.state, "", name === "statement" ? location.pathname + location.search : `#${name}`);
    opened(name);
  });
  enablePaneKey();
  const resultFromTop = (): void => {
    byId("result").scrollTop = 0;
    scroll.result = 0;
    if (view.current() === "result") window.scrollTo(0, 0);
  };
  return { view, panel, resultFromTop, fresh: () => dot && view.current() !== "result" && (dot.hidden = false) };
}

/** F6 goes from pane to pane, Shift+F6 back. */
function enablePaneKey(): void {
  document.addEventListener("keydown", (event) => {
    if (event.key !== "F6" || event.ctrlKey || event.altKey || event.metaKey) return;
    const stops = [document.querySelector<HTMLElement>("#read [role=tab][aria-selected=true]"), document.querySelector<HTMLElement>(".cm-content, textarea.plain"), byId("result")];
    const panes = ["read", "code", "result"].map(byId);
    const at = panes.findIndex((pane) => pane.contains(document.activeElement));
    const next = event.shiftKey ? (at < 0 ? 2 : at + 2) : at + 1;
    event.preventDefault();
    stops[next % 3]?.focus();
  });
}
